"""The walk over a function of host code: what its variables hold, line by line, and what it calls with that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Final, Protocol

from openclsp.dataclass import dataclass
from openclsp.workspace.host_options.conditions import verdict
from openclsp.workspace.host_options.expressions import APPENDING, Call, Evaluator, split
from openclsp.workspace.host_options.formats import printf
from openclsp.workspace.host_options.lexing import (
    CONDITIONAL,
    NAME,
    PUNCTUATOR,
    STRING,
    Branch,
    Token,
    Tokens,
)
from openclsp.workspace.host_options.values import (
    ELEMENT,
    Path,
    Piece,
    Place,
    Value,
    joined,
    known,
    replaced,
    under,
    unknown,
)

_LOOPS: Final = frozenset(("for", "while", "foreach", "loop"))
_PLAIN: Final = frozenset(
    ("do", "try", "finally", "with", "unsafe", "else", "synchronized", "using", "async")
)
_SKIPPED: Final = frozenset(("import", "from", "typedef", "goto", "break", "continue", "package", "pass"))
_DECLARING: Final = frozenset(
    ("namespace", "class", "struct", "union", "interface", "impl", "trait", "mod", "extern", "object")
)
_COPYING: Final = {
    "strcpy": 1,
    "strncpy": 1,
    "strlcpy": 1,
    "strcat": 1,
    "strncat": 1,
    "strlcat": 1,
    "stpcpy": 1,
}
_PRINTING: Final = {
    "sprintf": 1,
    "snprintf": 2,
    "_snprintf": 2,
    "asprintf": 1,
    "vsprintf": 1,
    "sprintf_s": 2,
    "strcat_s": 2,
}
_ASSIGNING: Final = frozenset(("=", ":=", "+="))
_CHANGING: Final = frozenset(("-", "*", "/", "%", "|", "&", "^", ">>"))


@dataclass(frozen=True, slots=True, eq=False)
class FoundCall:
    """A call with the values of its arguments, and the conditions and the function that it stands under."""

    call: Call
    path: Path
    function: str


@dataclass(slots=True)
class Function:
    """A function of the host. `returns` is what it gives back, `fields` what it leaves in variables that are not its own."""

    name: str
    parameters: tuple[str, ...]
    body: Tokens
    calls: list[FoundCall] = field(default_factory=list)
    returns: Value | None = None
    fields: dict[str, Value] = field(default_factory=dict)
    strings: list[tuple[str, Place]] = field(default_factory=list)


class Program(Protocol):
    """The file around the functions."""

    until_brace: bool
    """Whether a condition ends at the brace of its body, as in Python, Rust and Go."""

    def place(self, offset: int) -> Place:
        """The line of an offset."""
        ...

    def constant(self, name: str, scope: Walk) -> Value | None:
        """The value of a macro without parameters or of a constant of the file."""
        ...

    def result(self, call: Call, scope: Walk) -> Value | None:
        """What a function or macro of the file gives for these arguments."""
        ...

    def declare(self, function: Function) -> None:
        """A function that was found."""
        ...


class Walk:
    """One function's walk; it is the scope of the function's expressions."""

    def __init__(self, program: Program, function: Function, name: str) -> None:
        self.program, self.function = program, function
        self.evaluator = Evaluator(self, name)
        self.name = name
        self.path: Path = ()
        self.variables: dict[str, Value] = {}
        self.own: set[str] = set(function.parameters)
        for index, parameter in enumerate(function.parameters):
            if parameter:
                self.variables[parameter] = (Piece(None, self.place(0), (), index),)
        self.returned: list[Value] = []

    def place(self, offset: int) -> Place:
        return self.program.place(offset)

    def value(self, name: str, place: Place) -> Value:
        if name in self.variables:
            return self.variables[name]
        if name in ("None", "NULL", "nullptr", "null", "nil"):
            return ()
        constant = self.program.constant(name, self)
        return constant if constant is not None else (Piece(None, place, self.path, -1, name),)

    def run(self) -> None:
        """Walks over the whole function."""
        self.block(self.function.body)
        self.function.returns = joined(self.returned) if len(self.returned) == 1 else None
        self.function.fields = {
            name: value for name, value in self.variables.items() if name not in self.own and value
        }

    def block(self, body: Tokens) -> None:
        outer = self.path
        at = 0
        while at < len(body):
            at = self.statement(body, at)
        self.path = outer

    def inside(self, branch: Branch | None, body: Sequence[Token]) -> None:
        """Runs statements that stand under a condition."""
        outer = self.path
        if branch is not None:
            self.path = (*outer, branch)
        at = 0
        while at < len(body):
            at = self.statement(body, at)
        self.path = outer

    def statement(self, tokens: Sequence[Token], at: int) -> int:
        """Obeys the statement at `at`; the index after it."""
        token = tokens[at]
        if token.kind == CONDITIONAL:
            if token.text in ("else", "elif", "endif") and self.path:
                self.path = self.path[:-1]
            if token.branch is not None:
                self.path = (*self.path, token.branch)
            return at + 1
        if token.kind == "{":
            self.block(token.items)
            return at + 1
        if token.kind == NAME:
            word = token.text
            if word in ("if", "elif"):
                return self._if(tokens, at)
            if word in _LOOPS:
                return self._loop(tokens, at)
            if word in ("switch", "match") and self._body(tokens, at) < len(tokens):
                return self._switch(tokens, at)
            if word in ("catch", "except") and self._body(tokens, at) < len(tokens):
                body = self._body(tokens, at)
                self.inside(Branch(f"{self.name}!{token.offset}", 0, 2), tokens[body].items)
                return body + 1
            if word in _PLAIN and self._body(tokens, at, short=True) < len(tokens):
                body = self._body(tokens, at)
                self.evaluator.evaluate(tokens[at + 1 : body])
                self.block(tokens[body].items)
                return body + 1
            if word in ("do", "else", "try"):
                return at + 1
            if word in ("def", "class") and self._body(tokens, at) < len(tokens):
                return self._definition(tokens, at)
        return self._expression(tokens, at)

    def _body(self, tokens: Sequence[Token], at: int, short: bool = False) -> int:
        """The index of the next `{`, before any `;`."""
        for index in range(at, len(tokens)):
            if tokens[index].kind == "{":
                return index
            if tokens[index].text == ";" or (short and tokens[index].text == "="):
                break
        return len(tokens)

    def _condition_end(self, tokens: Sequence[Token], at: int) -> int:
        if self.program.until_brace:
            return self._body(tokens, at)
        for index in range(at + 1, min(at + 4, len(tokens))):
            if tokens[index].kind == "(":
                return index + 1
        return min(at + 1, len(tokens))

    def _end(self, tokens: Sequence[Token], at: int) -> int:
        """The index after the statement that begins at `at`, without obeying it."""
        while at < len(tokens) and tokens[at].kind == CONDITIONAL:
            at += 1
        if at >= len(tokens):
            return at
        if tokens[at].kind == "{":
            return at + 1
        word = tokens[at].text if tokens[at].kind == NAME else ""
        if word in ("if", "elif", *_LOOPS):
            end = self._end(tokens, self._condition_end(tokens, at))
            while word in ("if", "elif") and end < len(tokens) and tokens[end].text in ("else", "elif"):
                end = self._end(tokens, end + 1 if tokens[end].text == "else" else end)
            return end
        for index in range(at, len(tokens)):
            if tokens[index].text == ";" and tokens[index].kind == PUNCTUATOR:
                return index + 1
            if (
                tokens[index].kind == "{"
                and index > at
                and tokens[index - 1].kind == "("
                and word in ("switch", "try", "do")
            ):
                return index + 1
        return len(tokens)

    def _if(self, tokens: Sequence[Token], at: int) -> int:
        bodies: list[tuple[int, int]] = []
        start = at
        settled = has_else = False
        while True:
            condition = self._condition_end(tokens, at)
            head = [token for token in tokens[at + 1 : condition] if token.kind != CONDITIONAL]
            self.evaluator.evaluate(head)
            holds = verdict(head)
            end = self._end(tokens, condition)
            if holds is not False and not settled:
                bodies.append((condition, end))
            settled = settled or holds is True
            following = tokens[end] if end < len(tokens) else None
            if following is None or following.kind != NAME or following.text not in ("elif", "else"):
                break
            at = end
            if following.text == "else":
                at = end + 1
                if at >= len(tokens) or tokens[at].text != "if" or tokens[at].kind != NAME:
                    end = self._end(tokens, at)
                    has_else = True
                    bodies += [] if settled else [(at, end)]
                    break
        settled = settled or has_else
        chain = f"{self.name}:{tokens[start].offset}"
        count = len(bodies) + (not settled)
        for index, (first, last) in enumerate(bodies):
            self.inside(Branch(chain, index, count) if count > 1 else None, tokens[first:last])
        return max(end, start + 1)

    def _loop(self, tokens: Sequence[Token], at: int) -> int:
        condition = self._condition_end(tokens, at)
        head = tokens[at + 1 : condition]
        if len(head) == 1 and head[0].kind == "(":
            head = head[0].items
        names = [token for token in head if token.kind == NAME]
        between = next((index for index, token in enumerate(head) if token.text in (":", "in", "range")), -1)
        end = self._end(tokens, condition)
        self._forget_counters(tokens[at:end])
        if between > 0 and names and not any(token.text == ";" for token in head):
            elements = self.evaluator.evaluate(head[between + 1 :])
            variable = next((token.text for token in reversed(head[:between]) if token.kind == NAME), "")
            self._set(variable, elements, own=True)
        else:
            self.inside(None, head)
            self._forget_counters(tokens[at:end])
        self.inside(None, tokens[condition:end])
        return max(end, at + 1)

    def _forget_counters(self, tokens: Sequence[Token]) -> None:
        """What a loop changes otherwise than by adding to it is not known at its beginning."""
        for index, token in enumerate(tokens):
            if token.items:
                self._forget_counters(token.items)
            if token.kind != NAME or token.text not in self.variables or index + 1 >= len(tokens):
                continue
            following = tokens[index + 1].text
            after = tokens[index + 2].text if index + 2 < len(tokens) else ""
            counted = following in ("++", "--") or (index > 0 and tokens[index - 1].text in ("++", "--"))
            if counted or (following in _CHANGING and after == "="):
                self.variables[token.text] = unknown(self.place(token.offset))

    def _switch(self, tokens: Sequence[Token], at: int) -> int:
        body = self._body(tokens, at)
        self.evaluator.evaluate(tokens[at + 1 : body])
        groups: list[list[Token]] = []
        default = False
        label = False
        for token in tokens[body].items:
            if token.kind == NAME and token.text in ("case", "default", "_"):
                if not label:
                    groups.append([])
                label = True
                default = default or token.text != "case"
            elif label and (token.text == ":" or token.kind == "{"):
                label = False
                if token.kind == "{" and groups:
                    groups[-1].append(token)
            elif not label and groups:
                groups[-1].append(token)
        chain = f"{self.name}:{tokens[at].offset}"
        for index, group in enumerate(groups):
            self.inside(Branch(chain, index, len(groups) + (not default)), group)
        return body + 1

    def _definition(self, tokens: Sequence[Token], at: int) -> int:
        """`def` and `class` of Python."""
        body = self._body(tokens, at)
        name = tokens[at + 1].text
        if tokens[at].text == "class":
            self.block(tokens[body].items)
            return body + 1
        parameters = next((token.items for token in tokens[at:body] if token.kind == "("), ())
        names = tuple(each[0].text if each[0].kind == NAME else "" for each in split(parameters))
        self.program.declare(Function(name, names, tokens[body].items))
        return body + 1

    def _expression(self, tokens: Sequence[Token], at: int) -> int:
        end = at
        while end < len(tokens):
            token = tokens[end]
            if token.kind == PUNCTUATOR and token.text == ";":
                break
            if (
                token.kind == "{"
                and end > at
                and tokens[end - 1].kind == "("
                and not _has_assignment(tokens[at:end])
            ):
                # a macro that opens a block
                self.evaluator.evaluate(tokens[at:end])
                self.block(token.items)
                return end + 1
            end += 1
        statement = [
            token for token in tokens[at:end] if token.kind != CONDITIONAL or token.branch is not None
        ]
        if statement:
            self._simple(statement)
        for token in tokens[at:end]:
            # the conditions of the preprocessor that begin or end within a statement hold on after it
            if (
                token.kind == CONDITIONAL
                and token.text == "endif"
                and self.path
                and "#" in self.path[-1].chain
            ):
                self.path = self.path[:-1]
        return end + 1

    def _simple(self, statement: list[Token]) -> None:
        first = statement[0]
        if first.kind == NAME and first.text in _SKIPPED:
            return
        if first.kind == NAME and first.text == "return":
            self.returned.append(self.evaluator.evaluate(statement[1:]))
            return
        operator = next(
            (i for i, token in enumerate(statement) if token.kind == PUNCTUATOR and token.text in _ASSIGNING),
            -1,
        )
        if operator > 0:
            self._assign(statement, operator)
            return
        shift = next((i for i, token in enumerate(statement) if token.text == "<<"), -1)
        if shift > 0:
            name = _target(statement[:shift])
            value = self.evaluator.evaluate(statement[shift + 1 :])
            if name and (name in self.variables or shift == 1):
                self._append(name, value)
            return
        declared = self._declared(statement)
        if not declared:
            self.evaluator.evaluate(statement)

    def _assign(self, statement: list[Token], operator: int) -> None:
        name = _target(statement[:operator])
        text = statement[operator].text
        before = statement[operator - 1]
        changed = before.kind == PUNCTUATOR and before.text in _CHANGING
        own = operator > 1 and statement[operator - 2].text not in (".", "->", "::") and not changed
        own = own or (self.program.until_brace and operator == 1) or text == ":="
        value = self.evaluator.evaluate(statement[operator + 1 :])
        if not name:
            return
        if changed:
            self._set(name, unknown(self.place(before.offset), self.path), own=own)
        elif text == "+=":
            self._append(name, value)
        elif before.kind == "[" and name in self.variables and statement[0].text == name:
            self._append(name, joined((known(ELEMENT, self.place(before.offset), self.path), value)))
        else:
            self._set(name, value, own=own)

    def _declared(self, statement: list[Token]) -> bool:
        """`std::string options("…");` and `std::string options{…};`, and a variable without a value."""
        if len(statement) < 2 or statement[0].kind != NAME:
            return False
        last, name = statement[-1], statement[-2]
        if last.kind in "({" and name.kind == NAME and len(statement) > 2:
            before = statement[-3]
            if before.kind == NAME or before.text in (">", "*", "&"):
                parts = [self.evaluator.evaluate(part) for part in split(last.items)]
                call = Call(
                    before.text, "", tuple(parts), {}, tuple(split(last.items)), self.place(name.offset)
                )
                self.called(call)
                self._set(name.text, joined(parts, ELEMENT), own=True)
                return True
        while len(statement) > 2 and statement[-1].kind == "[":
            statement = statement[:-1]
        named = statement[-1].kind == NAME and (
            statement[-2].kind == NAME or statement[-2].text in (">", "*")
        )
        if named and all(_is_of_declaration(token) for token in statement):
            self._set(statement[-1].text, (), own=True)
            return True
        return False

    def _set(self, name: str, value: Value, own: bool) -> None:
        if not name:
            return
        if own and name not in self.variables:
            self.own.add(name)
        self.variables[name] = replaced(self.variables.get(name, ()), value, self.path)

    def _append(self, name: str, value: Value) -> None:
        if name not in self.variables:
            self.variables[name] = (Piece(None, value[0].place if value else self.place(0), (), -1, name),)
        self.variables[name] = joined((self.variables[name], under(value, self.path)))

    def called(self, call: Call) -> Value | None:
        """Obeys what a call does to variables, and takes note of it."""
        if call.name in _PRINTING and len(call.arguments) > _PRINTING[call.name]:
            self._print(call, _PRINTING[call.name])
            return ()
        if call.name in _COPYING and len(call.arguments) > 1:
            name = _target(call.tokens[0])
            if "cat" in call.name:
                self._append(name, call.arguments[1])
            else:
                self._set(name, call.arguments[1], own=False)
            return call.arguments[1]
        if call.name in APPENDING and call.receiver and call.arguments:
            separator = (
                "" if call.name in ("append", "push_str", "concat") and not self._is_list(call) else ELEMENT
            )
            value = (
                joined((known(separator, call.place, self.path), call.arguments[-1]))
                if separator
                else call.arguments[-1]
            )
            self._append(call.receiver, value)
            return self.variables[call.receiver]
        for tokens in call.tokens:
            if len(tokens) == 2 and tokens[0].text == "&" and tokens[1].text in self.variables:
                self.variables[tokens[1].text] = unknown(call.place, self.path)
        if any(call.arguments) or call.keywords:
            self.function.calls.append(FoundCall(call, self.path, self.function.name))
        return self.program.result(call, self)

    def _is_list(self, call: Call) -> bool:
        """In Python what is appended is an element."""
        return self.program.until_brace

    def _print(self, call: Call, at: int) -> None:
        target = call.tokens[0]
        name = _target(target)
        if call.name == "strcat_s":
            self._append(name, call.arguments[at])
            return
        value = printf(call.arguments[at], call.arguments[at + 1 :], call.place, self.path)
        appended = any(token.text == "+" or token.kind == "[" for token in target)
        if appended:
            self._append(name, value)
        else:
            self._set(name, value, own=False)


def _target(tokens: Sequence[Token]) -> str:
    """The variable that an assignment's left side means: the last name outside brackets, of a sum the first."""
    name = ""
    for token in tokens:
        if token.kind == "(" and not name and len(tokens) > 1:
            continue
        if token.kind == PUNCTUATOR and token.text in ("+", ":"):
            break
        if token.kind == NAME:
            name = token.text
    return name


def _is_of_declaration(token: Token) -> bool:
    return token.kind in (NAME, STRING) or token.text in ("<", ">", "*", "&", ",", "::") or token.kind in "(["


def _has_assignment(tokens: Sequence[Token]) -> bool:
    return any(
        token.kind == PUNCTUATOR and token.text in (*_ASSIGNING, "->", "<<") for token in tokens
    ) or any(token.kind == NAME and token.text in ("return", "new") for token in tokens)
