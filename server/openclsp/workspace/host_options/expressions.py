"""What an expression of host code comes to, as far as it is text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Final, Protocol

from openclsp.dataclass import dataclass
from openclsp.workspace.host_options import formats
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

_SEPARATORS: Final = frozenset(
    (
        "==",
        "!=",
        "<",
        ">",
        "<=",
        ">=",
        "&&",
        "||",
        "-",
        "*",
        "/",
        "//",
        "**",
        "|",
        "&",
        "^",
        "=",
        ":=",
        "=>",
        ":",
        ";",
    )
)
_WORDS_BETWEEN: Final = frozenset(
    ("and", "or", "not", "in", "is", "lambda", "as", "await", "new", "delete", "throw", "return")
)
_CONVERSIONS_WORDS: Final = """string String str AString std_string to_string ToString toString stringify lexical_cast from repr
    int float QString CString wstring string_view Twine static_cast reinterpret_cast const_cast strdup
    hcstrdup _strdup fspath Some Ok CString to_str list tuple set vector array span move forward ref
    cref"""
_CONVERSIONS: Final = frozenset(_CONVERSIONS_WORDS.split())
"""What gives text as it is given text"""
_SAME_WORDS: Final = """c_str str data encode decode toString as_str as_ref as_bytes to_string to_owned begin end cbegin
    cend strip trim rstrip lstrip copy get value clone into unwrap iter toArray toList toStdString
    constData string generic_string"""
_SAME: Final = frozenset(_SAME_WORDS.split())
"""Methods that give what they are called on"""
_PRINTF: Final = frozenset(
    ["Sprintf", "StrFormat", "StringPrintf", "g_strdup_printf", "string_format", "strprintf", "asprintf"]
)


@dataclass(frozen=True, slots=True)
class Call:
    """A call as it is written: `receiver` is the variable before the last dot, `tokens` the arguments unevaluated; `method` is whether it is called on something."""

    name: str
    receiver: str
    arguments: tuple[Value, ...]
    keywords: Mapping[str, Value]
    tokens: tuple[Tokens, ...]
    place: Place
    method: bool = False


class Scope(Protocol):
    """What an expression sees of the function that it stands in."""

    @property
    def path(self) -> Path:
        """The conditions that hold."""
        ...

    def place(self, offset: int) -> Place:
        """The line of an offset."""
        ...

    def value(self, name: str, place: Place) -> Value:
        """What the variable or constant holds."""
        ...

    def called(self, call: Call) -> Value | None:
        """Takes note of a call; its result, where that is known."""
        ...

    def block(self, body: Tokens) -> None:
        """Runs the body of a function without a name."""
        ...


@dataclass(slots=True)
class Evaluator:
    """Evaluates the expressions of one scope."""

    scope: Scope
    chain: str
    depth: int = field(default=0)

    def evaluate(self, tokens: Sequence[Token]) -> Value:
        """The value of the expression; every call in it is told to the scope."""
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
        question = _find(tokens, "?")
        if question > 0:
            colon = _colon(tokens, question)
            if colon > 0:
                self.evaluate(tokens[:question])
                if _texts(tokens[:question]) == _texts(tokens[question + 1 : colon]):
                    return self.evaluate(tokens[question + 1 : colon])
                return self._either(
                    tokens[question + 1 : colon], tokens[colon + 1 :], tokens[question], place
                )
        condition = _find(tokens, "if", NAME)
        otherwise = _find(tokens, "else", NAME)
        if 0 < condition < otherwise:
            self.evaluate(tokens[condition + 1 : otherwise])
            if _texts(tokens[:condition]) == _texts(tokens[condition + 1 : otherwise]):
                return self.evaluate(tokens[:condition])
            return self._either(tokens[:condition], tokens[otherwise + 1 :], tokens[condition], place)
        loop = _find(tokens, "for", NAME)
        if loop > 0:
            self.evaluate(tokens[loop + 1 :])
            self.evaluate(tokens[:loop])
            return unknown(place)
        return self._operators(tokens, place)

    def _either(self, yes: Sequence[Token], no: Sequence[Token], at: Token, place: Place) -> Value:
        chain = f"{self.chain}?{at.offset}"
        values = [
            (Branch(chain, 0, 2), self.evaluate(yes)),
            (Branch(chain, 1, 2), () if _is_nothing(no) else self.evaluate(no)),
        ]
        return alternatives(values, place)

    def _operators(self, tokens: Sequence[Token], place: Place) -> Value:
        parts: list[list[Token]] = [[]]
        plain = True
        for index, token in enumerate(tokens):
            if token.kind == PUNCTUATOR and token.text in _SEPARATORS and not _is_unary(tokens, index):
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
        operands: list[list[Token]] = [[]]
        for token in tokens:
            if token.kind == PUNCTUATOR and token.text in ("+", "<<", "+="):
                operands.append([])
            else:
                operands[-1].append(token)
        operands = [operand for operand in operands if operand]
        values = [self._product(operand) for operand in operands]
        if len(values) > 1 and all(operand[0].kind == NUMBER and len(operand) == 1 for operand in operands):
            return unknown(self.scope.place(tokens[0].offset))
        return joined(values)

    def _product(self, tokens: list[Token]) -> Value:
        percent = _find(tokens, "%")
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
            colon = _find(entry, ":")
            if colon == 1 and entry[0].kind == STRING:
                pairs[entry[0].text] = self.evaluate(entry[2:])
        return pairs

    def _adjacent(self, tokens: Sequence[Token]) -> Value:
        """Literals and names side by side, as the compiler joins them; conditions of the preprocessor between them."""
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
            if at < len(tokens) and _is_type(token.items) and tokens[at].kind in (NAME, STRING, NUMBER, "("):
                return self._primary(tokens, at)
            value = self._list(token.items) if _find(token.items, ",") >= 0 else self.evaluate(token.items)
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
                return unknown(place), at + 1  # what a function without a name captures
            value, at = self._list(token.items), at + 1
        elif token.text == "-" and at + 1 < len(tokens) and tokens[at + 1].kind == NUMBER:
            value, at = known("-" + tokens[at + 1].text, place, path), at + 2
        elif token.text in ("&", "*", ".", "@", "!", "~", "-", "+", "++", "--", "::", "->"):
            return (), at + 1
        else:
            return (() if token.text == "," else unknown(place)), at + 1
        return self._postfix(value, name, tokens, at)

    def _list(self, items: Tokens) -> Value:
        """The elements, each with the mark of one before it."""
        values = [self.evaluate(each) for each in split(items)]
        return joined(
            piece
            for value in values
            if value
            for piece in (known(ELEMENT, value[0].place, value[0].path), value)
        )

    def _named(self, tokens: Sequence[Token], at: int) -> tuple[Value, int, str]:
        """A name with its qualifiers, and the call of it if it is one."""
        name, receiver = tokens[at].text, ""
        offset = tokens[at].offset
        at += 1
        while at + 1 < len(tokens) and tokens[at].text in (".", "->", "::") and tokens[at + 1].kind == NAME:
            # what is called on a value is taken later, when that value is known
            called = at + 2 < len(tokens) and tokens[at + 2].kind == "("
            of_value = tokens[at].text != "::" and tokens[at + 1].text in _ON_VALUES
            if called and of_value and name not in _MODULES:
                break
            receiver, name = name, tokens[at + 1].text
            at += 2
        at = _past_template(tokens, at)
        at += at + 1 < len(tokens) and tokens[at].text == "!" and tokens[at + 1].kind in "(["
        if at < len(tokens) and (tokens[at].kind == "(" or (tokens[at].kind == "{" and name in _CONVERSIONS)):
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
                after = _past_template(tokens, at + 2)
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
        if method in _SAME:
            return value
        if method == "format":
            positional, named, _ = self.arguments(items)
            place = self.scope.place(token.offset)
            return formats.braces(value, positional, named, place, self.scope.path)
        if method == "join":
            positional, _, _ = self.arguments(items)
            return _joined_by(value, positional[0] if positional else ())
        call = self._prepared(method, receiver, items, token.offset, method=True)
        result = self.scope.called(call)
        if result is not None:
            return result
        if method in APPENDING and call.arguments:
            return joined((value, call.arguments[-1]))
        return unknown(call.place)

    def _call(self, name: str, receiver: str, items: Tokens, offset: int) -> Value:
        call = self._prepared(name, receiver, items, offset, method=bool(receiver))
        place, path = call.place, self.scope.path
        result = self.scope.called(call)
        if result is not None:
            return result
        if not call.arguments:
            return unknown(place)
        first = call.arguments[0]
        if name in _CONVERSIONS:
            return first
        if name in ("format", "asString") or name in _PRINTF:
            if name in _PRINTF or any(piece.text and "%" in piece.text for piece in first):
                return formats.printf(first, call.arguments[1:], place, path)
            return formats.braces(first, call.arguments[1:], call.keywords, place, path)
        if name in ("StrCat", "concat"):
            return joined(call.arguments)
        if name == "join" and receiver in ("path", "filepath", "os"):
            return joined(call.arguments, "/")
        if name in ("join", "StrJoin") and len(call.arguments) > 1:
            return _joined_by(*call.arguments[:2])
        if name == "accumulate":
            return joined((*call.arguments[2:3], _joined_by((), first)))
        return unknown(place)

    def _prepared(self, name: str, receiver: str, items: Tokens, offset: int, method: bool) -> Call:
        positional, named, tokens = self.arguments(items)
        return Call(name, receiver, positional, named, tokens, self.scope.place(offset), method)

    def arguments(self, items: Tokens) -> tuple[tuple[Value, ...], dict[str, Value], tuple[Tokens, ...]]:
        """The arguments by place, those by name, and the tokens of the former."""
        positional: list[Value] = []
        named: dict[str, Value] = {}
        tokens = []
        for each in split(_first_branches(items)):
            if len(each) > 1 and each[0].kind == NAME and each[1].text == "=":
                named[each[0].text] = self.evaluate(each[2:])
            else:
                positional.append(self.evaluate(each))
                tokens.append(each)
        return tuple(positional), named, tuple(tokens)


APPENDING_WORDS: Final = """append push_back emplace_back emplace insert add extend push push_str concat"""
APPENDING: Final = frozenset(APPENDING_WORDS.split())
"""Methods that put what they are given to the end of what they are called on"""
_MODULES: Final = frozenset(("path", "filepath", "String", "fmt", "strings", "format", "std"))
"""What stands before a dot without being a value"""
_ON_VALUES: Final = _SAME | APPENDING | {"format", "join"}


def split(tokens: Sequence[Token], separator: str = ",") -> list[Tokens]:
    """The tokens between commas; nothing for nothing, and nothing after a last comma."""
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind == PUNCTUATOR and token.text == separator:
            parts.append([])
        else:
            parts[-1].append(token)
    if not parts[-1]:
        parts.pop()
    return [tuple(part) for part in parts]


def _first_branches(tokens: Tokens) -> Tokens:
    """Arguments with only the first of the alternatives that the preprocessor chooses from: each has as many commas."""
    if not any(token.kind == CONDITIONAL for token in tokens):
        return tokens
    result: list[Token] = []
    open_: list[bool] = []
    for token in tokens:
        if token.kind == CONDITIONAL:
            if token.branch is None:
                open_ = open_[:-1]
            elif token.text.startswith("if"):
                open_.append(True)
            elif open_:
                open_[-1] = False
            if token.text.startswith("if") or token.branch is None:
                result.append(token)
        elif all(open_):
            result.append(token)
    return tuple(result)


def _texts(tokens: Sequence[Token]) -> list[str]:
    return [token.text for token in tokens]


def _find(tokens: Sequence[Token], text: str, kind: str = PUNCTUATOR) -> int:
    for index, token in enumerate(tokens):
        if token.kind == kind and token.text == text:
            return index
    return -1


def _colon(tokens: Sequence[Token], question: int) -> int:
    depth = 0
    for index in range(question + 1, len(tokens)):
        if tokens[index].kind != PUNCTUATOR:
            continue
        if tokens[index].text == "?":
            depth += 1
        elif tokens[index].text == ":":
            if depth == 0:
                return index
            depth -= 1
    return -1


def _is_nothing(tokens: Sequence[Token]) -> bool:
    return len(tokens) == 1 and tokens[0].text in ("None", "NULL", "nullptr", "null", "0")


def _is_unary(tokens: Sequence[Token], index: int) -> bool:
    before = tokens[index - 1] if index else None
    return tokens[index].text in ("-", "*", "&") and (
        before is None or (before.kind == PUNCTUATOR and before.text not in ("++", "--"))
    )


def _is_type(tokens: Tokens) -> bool:
    """Whether what stands in parentheses looks like the type of a cast."""
    return (
        bool(tokens)
        and all((token.kind == NAME) or token.text in ("*", "::", "&", "<", ">") for token in tokens)
        and (tokens[-1].text == "*" or (tokens[-1].kind == NAME and tokens[-1].text in _TYPES))
    )


_TYPES_WORDS: Final = (
    """int unsigned long short char size_t float double cl_int cl_uint uint32_t int32_t String"""
)
_TYPES: Final = frozenset(_TYPES_WORDS.split())


def _past_template(tokens: Sequence[Token], at: int) -> int:
    """The index after `<…>` where a call or a list follows that; else `at`."""
    if at >= len(tokens) or tokens[at].text != "<":
        return at
    depth = 0
    for index in range(at, min(at + 40, len(tokens))):
        text = tokens[index].text if tokens[index].kind == PUNCTUATOR else ""
        depth += (text == "<") - (text == ">")
        if depth == 0:
            following = index + 1 < len(tokens) and tokens[index + 1].kind in ("(", "{")
            return index + 1 if following else at
        if text in (";", "=", "&&", "||"):
            break
    return at


def _joined_by(first: Value, second: Value) -> Value:
    """A list's elements with the separator between them; either may come first, for languages differ in this."""
    text = text_of(first)
    separator, elements = (text, second) if text is not None and len(text) <= 3 else (text_of(second), first)
    between = " " if separator is None else separator
    return tuple(
        piece if piece.text is None else piece._replace(text=piece.text.replace(ELEMENT, between))
        for piece in elements
    )
