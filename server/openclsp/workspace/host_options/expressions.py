"""Abstract evaluation of host expressions to text with unknown parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Final, Protocol

from openclsp.dataclass import dataclass
from openclsp.workspace.host_options import formats
from openclsp.workspace.host_options.functions import Call
from openclsp.workspace.host_options.known_functions import (
    APPENDING,
    CONVERSIONS,
    MODULES,
    ON_VALUES,
    SAME,
    joined_by,
    text_made,
)
from openclsp.workspace.host_options.lexing import (
    CONDITIONAL,
    FORMATTED,
    NAME,
    NUMBER,
    PUNCTUATOR,
    STRING,
    Branch,
    Token,
    Tokens,
    read_expression,
)
from openclsp.workspace.host_options.token_shapes import (
    colon_of,
    find,
    first_branches,
    is_cast,
    is_nothing,
    is_unary,
    past_template,
    split,
    texts,
)
from openclsp.workspace.host_options.values import (
    ELEMENT,
    Path,
    Place,
    Value,
    alternatives,
    joined,
    known,
    text_of,
    under,
    unknown,
)

MAXIMUM_DEPTH: Final = 60

_SEPARATORS: Final = frozenset((
    "==", "!=", "<", ">", "<=", ">=", "&&", "||", "|", "&", "^", "=", ":=", "=>", ":", ";",
))  # fmt: skip
_OF_NUMBERS: Final = frozenset(("-", "*", "/", "//", "**"))
_WORDS_BETWEEN: Final = frozenset(
    ("and", "or", "not", "in", "is", "lambda", "as", "await", "new", "delete", "throw", "return")
)


class Scope(Protocol):
    """The environment of an expression: the enclosing function's state."""

    @property
    def path(self) -> Path:
        """The current path condition."""
        ...

    def place(self, offset: int) -> Place:
        """Returns the line of a character offset."""
        ...

    def value(self, name: str, place: Place) -> Value:
        """Returns the value of a variable or constant."""
        ...

    def called(self, call: Call) -> Value | None:
        """Records a call; returns its result if known."""
        ...

    def block(self, body: Tokens) -> None:
        """Interprets the body of an anonymous function."""
        ...


@dataclass(slots=True)
class Evaluator:
    """Evaluates expressions in one scope.

    Unsupported operators give an unknown value; their operands are still evaluated, because they may contain
    calls.
    """

    scope: Scope
    chain: str
    depth: int = field(default=0)

    def evaluate(self, tokens: Sequence[Token]) -> Value:
        """Evaluates the expression, and reports every call in it to the scope."""
        if not tokens:
            return ()
        place = self.scope.place(tokens[0].offset)
        if self.depth > MAXIMUM_DEPTH:
            return unknown(place)
        self.depth += 1
        try:
            return self._ternary(tokens, place)
        finally:
            self.depth -= 1

    def _ternary(self, tokens: Sequence[Token], place: Place) -> Value:
        question = find(tokens, "?")
        if question > 0:
            colon = colon_of(tokens, question)
            if colon > 0:
                self.evaluate(tokens[:question])
                if texts(tokens[:question]) == texts(tokens[question + 1 : colon]):
                    return self.evaluate(tokens[question + 1 : colon])
                return self._either(
                    tokens[question + 1 : colon], tokens[colon + 1 :], tokens[question], place
                )
        condition = find(tokens, "if", NAME)
        otherwise = find(tokens, "else", NAME)
        if 0 < condition < otherwise:
            self.evaluate(tokens[condition + 1 : otherwise])
            if texts(tokens[:condition]) == texts(tokens[condition + 1 : otherwise]):
                return self.evaluate(tokens[:condition])
            return self._either(tokens[:condition], tokens[otherwise + 1 :], tokens[condition], place)
        loop = find(tokens, "for", NAME)
        if loop > 0:
            self.evaluate(tokens[loop + 1 :])
            self.evaluate(tokens[:loop])
            return unknown(place)
        return self._operators(tokens, place)

    def _either(self, yes: Sequence[Token], no: Sequence[Token], at: Token, place: Place) -> Value:
        chain = f"{self.chain}?{at.offset}"
        values = [
            (Branch(chain, 0, 2), self.evaluate(yes)),
            (Branch(chain, 1, 2), () if is_nothing(no) else self.evaluate(no)),
        ]
        return alternatives(values, place)

    def _operators(self, tokens: Sequence[Token], place: Place) -> Value:
        parts: list[list[Token]] = [[]]
        plain = True
        past = 0
        for index, token in enumerate(tokens):
            if token.kind == NAME and index >= past:
                past = past_template(tokens, index + 1)
            if index < past:
                parts[-1].append(token)
            elif token.kind == PUNCTUATOR and token.text in _SEPARATORS and not is_unary(tokens, index):
                plain = False
                parts.append([])
            elif token.kind == NAME and token.text in _WORDS_BETWEEN:
                plain = plain and not parts[-1]
                parts.append([])
            else:
                parts[-1].append(token)
        parts = [part for part in parts if part]
        if not plain or len(parts) != 1:
            first = [self._sum(part) for part in parts]
            alternative = any(token.kind == NAME and token.text == "or" for token in tokens)
            return joined((first[0], unknown(place)), ELEMENT) if alternative and first else unknown(place)
        return self._sum(parts[0])

    def _sum(self, tokens: Sequence[Token]) -> Value:
        values = [self._added(operand) for operand in _operands(tokens, "<<", "+=")]
        return joined(values)

    def _added(self, tokens: Sequence[Token]) -> Value:
        values = [self._product(operand) for operand in _operands(tokens, "+")]
        if len(values) > 1 and all(_is_number(value) for value in values):
            return unknown(self.scope.place(tokens[0].offset))
        return joined(values)

    def _product(self, tokens: list[Token]) -> Value:
        factors: list[list[Token]] = [[]]
        for index, token in enumerate(tokens):
            if token.kind == PUNCTUATOR and token.text in _OF_NUMBERS and not is_unary(tokens, index):
                factors.append([])
            else:
                factors[-1].append(token)
        if len(factors) > 1:
            for factor in factors:
                self.evaluate(factor)
            return unknown(self.scope.place(tokens[0].offset))
        percent = find(tokens, "%")
        if percent <= 0:
            return self._adjacent(tokens)
        template, place = self._adjacent(tokens[:percent]), self.scope.place(tokens[0].offset)
        right = tokens[percent + 1 :]
        if all(piece.text is None or piece.text.isdigit() for piece in template):
            self._adjacent(right)
            return unknown(place)
        if len(right) == 1 and right[0].kind == "{":
            return formats.printf(template, self._dictionary(right[0].items), place, self.scope.path)
        if len(right) == 1 and right[0].kind == "(":
            positional = tuple(self.evaluate(each) for each in split(right[0].items))
        else:
            positional = (self._adjacent(right),)
        return formats.printf(template, positional, place, self.scope.path)

    def _dictionary(self, tokens: Tokens) -> dict[str, Value]:
        pairs: dict[str, Value] = {}
        for entry in split(tokens):
            colon = find(entry, ":")
            if colon == 1 and entry[0].kind == STRING:
                pairs[entry[0].text] = self.evaluate(entry[2:])
        return pairs

    def _adjacent(self, tokens: Sequence[Token]) -> Value:
        """Concatenates adjacent literals and names.

        Preprocessor conditions between them become path conditions.
        """
        values: list[Value] = []
        at = 0
        held: list[Branch] = []
        while at < len(tokens):
            token = tokens[at]
            if token.kind == CONDITIONAL:
                if held:
                    held.pop()
                if token.branch is not None:
                    held.append(token.branch)
                at += 1
                continue
            value, at = self._primary(tokens, at)
            values.append(under(value, tuple(held)))
        return joined(values)

    def _primary(self, tokens: Sequence[Token], at: int) -> tuple[Value, int]:
        token = tokens[at]
        place, path = self.scope.place(token.offset), self.scope.path
        value: Value
        name = ""
        if token.kind in (STRING, NUMBER):
            value, at = known(token.text, place, path), at + 1
        elif token.kind == FORMATTED:
            offset = token.offset
            value = formats.formatted(
                token.text, place, path, lambda text: self.evaluate(read_expression(text, offset))
            )
            at += 1
        elif token.kind == NAME:
            value, at, name = self._named(tokens, at)
        elif token.kind == "(":
            at += 1
            if at < len(tokens) and is_cast(token.items) and tokens[at].kind in (NAME, STRING, NUMBER, "("):
                return self._primary(tokens, at)
            value = self._list(token.items) if find(token.items, ",") >= 0 else self.evaluate(token.items)
        elif token.kind in "[{":
            before = tokens[at - 1] if at else None
            following = tokens[at + 1].kind if at + 1 < len(tokens) else ""
            if (
                token.kind == "{"
                and before is not None
                and (before.kind in "([" or before.text in ("mutable", "->", "noexcept"))
            ):
                self.scope.block(token.items)
                return unknown(place), at + 1
            if token.kind == "[" and following in ("(", "{") and at == 0:
                return unknown(place), at + 1  # the capture list of a lambda
            value, at = self._list(token.items), at + 1
        elif token.text == "-" and at + 1 < len(tokens) and tokens[at + 1].kind == NUMBER:
            value, at = known("-" + tokens[at + 1].text, place, path), at + 2
        elif token.text in ("&", "*", ".", "@", "!", "~", "-", "+", "++", "--", "::", "->"):
            return (), at + 1
        else:
            return (() if token.text == "," else unknown(place)), at + 1
        return self._postfix(value, name, tokens, at)

    def _list(self, items: Tokens) -> Value:
        """Evaluates the elements of a list; the separator ELEMENT precedes each of them."""
        values = [self.evaluate(each) for each in split(items)]
        return joined(
            piece
            for value in values
            if value
            for piece in (known(ELEMENT, value[0].place, value[0].path), value)
        )

    def _named(self, tokens: Sequence[Token], at: int) -> tuple[Value, int, str]:
        """Evaluates a qualified name, or a call if an argument list follows."""
        name, receiver = tokens[at].text, ""
        offset = tokens[at].offset
        at += 1
        while at + 1 < len(tokens) and tokens[at].text in (".", "->", "::") and tokens[at + 1].kind == NAME:
            # A method call on a value is evaluated later, by `_postfix`, when that value is known.
            called = at + 2 < len(tokens) and tokens[at + 2].kind == "("
            of_value = tokens[at].text != "::" and tokens[at + 1].text in ON_VALUES
            if called and of_value and name not in MODULES:
                break
            receiver, name = name, tokens[at + 1].text
            at += 2
        at = past_template(tokens, at)
        at += at + 1 < len(tokens) and tokens[at].text == "!" and tokens[at + 1].kind in "(["
        if at < len(tokens) and (tokens[at].kind == "(" or (tokens[at].kind == "{" and name in CONVERSIONS)):
            return self._call(name, receiver, tokens[at].items, offset), at + 1, ""
        return self.scope.value(name, self.scope.place(offset)), at, name

    def _postfix(self, value: Value, name: str, tokens: Sequence[Token], at: int) -> tuple[Value, int]:
        while at < len(tokens):
            token = tokens[at]
            following = tokens[at + 1] if at + 1 < len(tokens) else None
            if token.kind == "[":
                self.evaluate(token.items)
                value = unknown(self.scope.place(token.offset)) if value else value
                at += 1
            elif token.text in (".", "->", "?") and following is not None and following.kind == NAME:
                after = past_template(tokens, at + 2)
                if after < len(tokens) and tokens[after].kind == "(":
                    value = self._method(value, name, following, tokens[after].items)
                    at = after + 1
                else:
                    value, name = (
                        self.scope.value(following.text, self.scope.place(following.offset)),
                        following.text,
                    )
                    at += 2
            elif token.text in ("++", "--"):
                at += 1
            else:
                break
        return value, at

    def _method(self, value: Value, receiver: str, token: Token, items: Tokens) -> Value:
        method = token.text
        if method in SAME:
            return value
        if method == "format":
            positional, named, _ = self.arguments(items)
            place = self.scope.place(token.offset)
            return formats.braces(value, positional, named, place, self.scope.path)
        if method == "join":
            positional, _, _ = self.arguments(items)
            return joined_by(value, positional[0] if positional else ())
        call = self._prepared(method, receiver, items, token.offset, method=True)
        result = self.scope.called(call)
        if result is not None:
            return result
        if method in APPENDING and call.arguments:
            return joined((value, call.arguments[-1]))
        return unknown(call.place)

    def _call(self, name: str, receiver: str, items: Tokens, offset: int) -> Value:
        call = self._prepared(name, receiver, items, offset, method=bool(receiver))
        result = self.scope.called(call)
        if result is not None:
            return result
        return text_made(call, self.scope.path)

    def _prepared(self, name: str, receiver: str, items: Tokens, offset: int, method: bool) -> Call:
        positional, named, tokens = self.arguments(items)
        return Call(name, receiver, positional, named, tokens, self.scope.place(offset), method)

    def arguments(self, items: Tokens) -> tuple[tuple[Value, ...], dict[str, Value], tuple[Tokens, ...]]:
        """Evaluates arguments.

        Returns the positional values, the keyword values, and the tokens of the positional arguments.
        """
        positional: list[Value] = []
        named: dict[str, Value] = {}
        tokens = []
        for each in split(first_branches(items)):
            if len(each) > 1 and each[0].kind == NAME and each[1].text == "=":
                named[each[0].text] = self.evaluate(each[2:])
            else:
                positional.append(self.evaluate(each))
                tokens.append(each)
        return tuple(positional), named, tuple(tokens)


def _operands(tokens: Sequence[Token], *operators: str) -> list[list[Token]]:
    operands: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind == PUNCTUATOR and token.text in operators:
            operands.append([])
        else:
            operands[-1].append(token)
    return [operand for operand in operands if operand]


def _is_number(value: Value) -> bool:
    text = text_of(value)
    return text is not None and text[:1].isdigit()
