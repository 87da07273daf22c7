"""Analyses one host file: its functions, the calls in them, and the kernels that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.workspace.host_options.functions import Call, FoundCall, Function
from openclsp.workspace.host_options.heads import function_shape, is_access, is_type_head
from openclsp.workspace.host_options.lexing import (
    CONDITIONAL,
    FORMATTED,
    NUMBER,
    PUNCTUATOR,
    STRING,
    Branch,
    HostText,
    Macro,
    Token,
    Tokens,
    read_host,
)
from openclsp.workspace.host_options.macro_calls import MacroCalls, agreeing
from openclsp.workspace.host_options.statements import Walk
from openclsp.workspace.host_options.values import (
    Path,
    Place,
    Value,
    joined,
    substituted,
    under,
)
from openclsp.workspace.scan import Kind, ScannedFile

UNTIL_BRACE: Final = frozenset((Kind.PYTHON, Kind.RUST, Kind.GO))
MAXIMUM_NESTING: Final = 12
"""Maximum depth of function calls, and of nested macros, that are followed."""

MENTION: Final = re.compile(
    r"(?<![\w./%\\{}$+*-])[\w./%\\{}$+*-]*\.(?:cl|ocl|opencl|clc)(?![\w.])|(?<![\w./%-])[\w./%-]*\.cl\.h(?!\w)",
    re.IGNORECASE,
)
"""Matches the name of a kernel file within a text"""


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in host text: of a kernel file, or possibly of a kernel function."""

    text: str
    place: Place
    function: str


@dataclass(frozen=True, slots=True, eq=False)
class HostFile:
    """The result of the analysis of one host file.

    `mentions` are names of kernel files; `kernels` are names of kernel functions, with the host function that
    requests them. `parameters` are those of the file's functions. `fields` maps each non-local variable to
    the functions that assign it and the assigned values.
    """

    path: str
    calls: tuple[FoundCall, ...] = ()
    parameters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    mentions: tuple[Mention, ...] = ()
    kernels: tuple[Mention, ...] = ()
    fields: Mapping[str, tuple[tuple[str, Value], ...]] = field(default_factory=dict)


def read_host_file(file: ScannedFile, data: bytes, macros: Mapping[str, Macro] | None = None) -> HostFile:
    """Analyses a host file; `macros` are function-like macros of other files that produce options."""
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    return _File(
        file.path, read_host(file.kind, text, file.path), file.kind in UNTIL_BRACE, macros or {}
    ).read()


class _File:
    """The state shared by the interpreters of the functions of one file."""

    def __init__(self, path: str, text: HostText, until_brace: bool, macros: Mapping[str, Macro]) -> None:
        self.path, self.text, self.until_brace = path, text, until_brace
        self.functions: list[Function] = []
        self.waiting: dict[int, Function] = {}
        """Functions not yet interpreted, in order, by identity"""
        self.by_name: dict[str, Function] = {}
        self.walking: list[str] = []
        self.own = frozenset(macro.name for macro in text.macros)
        self.macros = {**macros, **agreeing(text.macros)}
        self.macro_calls = MacroCalls(self.macros)
        self.top = Function("", (), ())

    def read(self) -> HostFile:
        walk = Walk(self, self.top, self.path)
        if self.until_brace and not self.path.endswith((".rs", ".go")):
            walk.block(self.text.tokens)
        else:
            self._declarations(self.text.tokens, walk)
        self.top.fields = {name: value for name, value in walk.variables.values.items() if value}
        while self.waiting:
            self._walk(self.waiting.pop(next(iter(self.waiting))))
        functions = [self.top, *self.functions]
        fields: dict[str, list[tuple[str, Value]]] = {}
        for function in functions:
            for name, value in function.fields.items():
                fields.setdefault(name, []).append((function.name, value))
        mentions = [
            mention for function in functions for mention in self._mentions(function.body, function.name)
        ]
        if not self.functions or self.text.tokens:
            bodies = frozenset(id(function.body) for function in self.functions)
            mentions += self._mentions(_outside(self.text.tokens, bodies), "")
        mentions += [
            Mention(name, self.place(offset), "")
            for name, offset in self.text.included
            if MENTION.search(name)
        ]
        calls = tuple(call for function in functions for call in function.calls)
        return HostFile(
            self.path,
            calls,
            {function.name: function.parameters for function in functions if function.name},
            tuple(dict.fromkeys(mentions)),
            tuple(_kernel_names(calls)),
            {name: tuple(values) for name, values in fields.items()},
        )

    def place(self, offset: int) -> Place:
        return Place(self.path, self.text.line(offset))

    def declare(self, function: Function) -> None:
        self.functions.append(function)
        self.waiting[id(function)] = function
        self.by_name[function.name] = function

    def constant(self, name: str, scope: Walk) -> Value | None:
        macro = self.macros.get(name)
        if (
            macro is not None
            and macro.parameters is None
            and macro.body
            and len(self.walking) < MAXIMUM_NESTING
        ):
            return self._within(f"#{name}", scope, macro.body)
        value = self.top.fields.get(name)
        return value if value is not None and scope.function is not self.top else None

    def _within(self, name: str, scope: Walk, body: Sequence[Token]) -> Value | None:
        if name in self.walking:
            return None
        self.walking.append(name)
        try:
            return scope.evaluator.evaluate(body)
        finally:
            self.walking.pop()

    def result(self, call: Call, scope: Walk) -> Value | None:
        macro = self.macros.get(call.name)
        if macro is not None and macro.parameters is not None:
            nested = any(self._is_call(name) for name in self.walking)
            body = self.macro_calls.body(macro, call.tokens, nested=nested)
            if macro.name not in self.own:
                # The macro is defined in another file: attribute its tokens to the line of the call.
                offset = self.text.lines[call.place.line - 1]
                body = tuple(token._replace(offset=offset) for token in body)
            return self._within(f"#{call.name}", scope, body)
        function = self.by_name.get(call.name)
        if function is None or len(self.walking) >= MAXIMUM_NESTING:
            return None
        if self.waiting.pop(id(function), None) is not None:
            self._walk(function)
        if function.returns is None:
            return None
        return substituted(function.returns, call.arguments, scope.path)

    def _is_call(self, walked: str) -> bool:
        """Whether the entry of `walking` is the body of a function-like macro."""
        macro = self.macros.get(walked.removeprefix("#")) if walked.startswith("#") else None
        return macro is not None and macro.parameters is not None

    def _walk(self, function: Function) -> None:
        self.walking.append(function.name)
        walk = Walk(self, function, f"{self.path}/{function.name}")
        try:
            walk.run()
        finally:
            self.walking.pop()

    def _declarations(self, tokens: Sequence[Token], walk: Walk) -> None:
        """Interprets declarations outside functions: functions, and variables with initialisers."""
        start = 0
        for index, token in enumerate(tokens):
            if (
                token.kind == PUNCTUATOR
                and token.text in (";", ":")
                and not (token.text == ":" and not is_access(tokens[start:index]))
            ):
                self._declaration(tokens[start:index], walk)
                start = index + 1
            elif token.kind == "{":
                head = [each for each in tokens[start:index] if each.kind != CONDITIONAL]
                parameters = function_shape(head)
                if parameters is not None and not is_type_head(head):
                    name, names = parameters
                    self.declare(Function(name, names, token.items))
                    start = index + 1
                elif is_type_head(head):
                    self._declarations(token.items, walk)
                    start = index + 1
                elif not any(each.text == "=" for each in head):
                    following = tokens[index + 1].text if index + 1 < len(tokens) else ""
                    start = start if following in (";", "=", ",") else index + 1
        self._declaration(tokens[start:], walk)

    def _declaration(self, tokens: Sequence[Token], walk: Walk) -> None:
        plain = [token for token in tokens if token.kind != CONDITIONAL]
        number = len(plain) > 1 and plain[-1].kind == NUMBER and plain[-2].text == "="
        if number and not any(token.text in _CONSTANT for token in plain):
            plain = [*plain[:-1], plain[-1]._replace(kind=PUNCTUATOR, text="?")]
        has_value = any(token.text == "=" for token in plain) or (plain and plain[-1].kind in "{(")
        if has_value and any(token.kind in (STRING, NUMBER) or token.kind in "([{" for token in plain):
            walk.inside(None, plain)

    def _mentions(self, tokens: Sequence[Token], function: str) -> Iterator[Mention]:
        for token in tokens:
            if token.items:
                yield from self._mentions(token.items, function)
            elif token.kind in (STRING, FORMATTED) and len(token.text) < 4096:
                for match in MENTION.finditer(token.text):
                    yield Mention(match[0], self.place(token.offset), function)


def _outside(tokens: Tokens, bodies: frozenset[int]) -> Tokens:
    """Returns the tokens without the function bodies, which are given by identity."""
    return tuple(
        token._replace(items=_outside(token.items, bodies)) if token.items else token
        for token in tokens
        if id(token.items) not in bodies or not token.items
    )


_CONSTANT: Final = frozenset(("const", "constexpr", "final", "val", "let", "define"))


_ASKING: Final = re.compile(r"clCreateKernel|create_kernel|createKernel|Kernel|GetKernel|get_kernel")


def _kernel_names(calls: Sequence[FoundCall]) -> Iterator[Mention]:
    """Yields the names of kernel functions that the calls request."""
    for found in calls:
        if _ASKING.search(found.call.name) is None:
            continue
        for argument in found.call.arguments:
            if len(argument) == 1 and argument[0].text is not None and argument[0].text.isidentifier():
                yield Mention(argument[0].text, found.call.place, found.function)


def resolved_fields(value: Value, file: HostFile, function: str, depth: int = 0) -> Value:
    """Replaces the variables in a value by the values that the file's other functions assign."""
    if not any(piece.field for piece in value):
        return value
    parts: list[Value] = []
    for piece in value:
        if not piece.field:
            parts.append((piece,))
            continue
        given = [
            (name, _own(each, piece.field))
            for name, each in file.fields.get(piece.field, ())
            if name != function
        ]
        if not given or depth > 3:
            parts.append((piece._replace(field=""),))
            continue
        chain = f"{file.path}/{piece.field}"
        for index, (name, each) in enumerate(given):
            path: Path = (Branch(chain, index, len(given) + 1),) if len(given) > 1 else ()
            inner = resolved_fields(each, file, name, depth + 1)
            parts.append(under(tuple(p._replace(parameter=-1) for p in inner), (*piece.path, *path)))
    return joined(parts)


def _own(value: Value, name: str) -> Value:
    return tuple(piece for piece in value if piece.field != name)
