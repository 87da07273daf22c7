"""Analyses one host file: its functions, the calls in them, and the kernels that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.host_options.declaration_headers import (
    is_access_specifier,
    opens_type_scope,
    parse_function_header,
)
from openclsp.host_options.function_scope import FunctionScope
from openclsp.host_options.host_functions import HostCall, HostFunction, RecordedCall
from openclsp.host_options.host_lexer import (
    CONDITIONAL,
    FORMATTED,
    NUMBER,
    PUNCTUATOR,
    STRING,
    ConditionBranch,
    HostMacro,
    HostToken,
    HostTokens,
    TokenisedHostText,
    tokenise_host_text,
)
from openclsp.host_options.host_macro_expansion import HostMacroExpander, index_macros
from openclsp.host_options.kernel_file_names import KERNEL_FILE_NAME
from openclsp.host_options.statement_interpreter import FunctionInterpreter
from openclsp.host_options.symbolic_text import (
    HostPlace,
    PathCondition,
    SymbolicText,
    add_path_condition,
    concatenate,
    substitute_parameters,
)
from openclsp.project.project_scan import ScannedFile, ScannedFileKind

KINDS_WITHOUT_CONDITION_PARENTHESES: Final = frozenset(
    (ScannedFileKind.PYTHON, ScannedFileKind.RUST, ScannedFileKind.GO)
)
MAXIMUM_NESTING: Final = 12
"""Maximum depth of function calls, and of nested macros, that are followed."""


@dataclass(frozen=True, slots=True)
class KernelMention:
    """The name of a kernel file or kernel function in host text, with the host function that contains it."""

    text: str
    place: HostPlace
    function: str


@dataclass(frozen=True, slots=True, eq=False)
class HostFile:
    """The result of the analysis of one host file.

    - `calls`: the calls in it, with evaluated arguments.
    - `parameters`: the parameter names of each function.
    - `mentions`: the names of kernel files in its text.
    - `requested_kernels`: the names of the kernel functions for which it creates kernel objects.
    - `nonlocal_values`: for each non-local variable, the functions that assign it, with the assigned values.
    """

    path: str
    calls: tuple[RecordedCall, ...] = ()
    parameters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    mentions: tuple[KernelMention, ...] = ()
    requested_kernels: tuple[KernelMention, ...] = ()
    nonlocal_values: Mapping[str, tuple[tuple[str, SymbolicText], ...]] = field(default_factory=dict)


def analyse_host_file(
    file: ScannedFile, data: bytes, macros: Mapping[str, HostMacro] | None = None
) -> HostFile:
    """Analyses a host file; `macros` are the function-like macros in other files that expand to options."""
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    return _HostFileAnalyser(
        file.path,
        tokenise_host_text(file.kind, text, file.path),
        file.kind in KINDS_WITHOUT_CONDITION_PARENTHESES,
        macros or {},
    ).analyse()


class _HostFileAnalyser:
    """Analyses one host file; its state is shared by the interpreters of the file's functions."""

    def __init__(
        self, path: str, text: TokenisedHostText, until_brace: bool, macros: Mapping[str, HostMacro]
    ) -> None:
        self.path, self.text, self.condition_ends_at_brace = path, text, until_brace
        self.functions: list[HostFunction] = []
        self.uninterpreted_functions: dict[int, HostFunction] = {}
        """Functions not yet interpreted, in order, by identity"""
        self.by_name: dict[str, HostFunction] = {}
        self.active_calls: list[str] = []
        self.own_macros = frozenset(macro.name for macro in text.macros)
        self.macros = {**macros, **index_macros(text.macros)}
        self.macro_calls = HostMacroExpander(self.macros)
        self.top = HostFunction("", (), ())

    def analyse(self) -> HostFile:
        interpreter = FunctionInterpreter(self, self.top, self.path)
        if self.condition_ends_at_brace and not self.path.endswith((".rs", ".go")):
            interpreter.interpret_block(self.text.tokens)
        else:
            self._interpret_declarations(self.text.tokens, interpreter)
        self.top.nonlocal_values = {
            name: value for name, value in interpreter.variables.values.items() if value
        }
        while self.uninterpreted_functions:
            self._interpret_function(
                self.uninterpreted_functions.pop(next(iter(self.uninterpreted_functions)))
            )
        functions = [self.top, *self.functions]
        fields: dict[str, list[tuple[str, SymbolicText]]] = {}
        for function in functions:
            for name, value in function.nonlocal_values.items():
                fields.setdefault(name, []).append((function.name, value))
        mentions = [
            mention for function in functions for mention in self._find_mentions(function.body, function.name)
        ]
        if not self.functions or self.text.tokens:
            bodies = frozenset(id(function.body) for function in self.functions)
            mentions += self._find_mentions(_without_function_bodies(self.text.tokens, bodies), "")
        mentions += [
            KernelMention(name, self.place(offset), "")
            for name, offset in self.text.included
            if KERNEL_FILE_NAME.search(name)
        ]
        calls = tuple(call for function in functions for call in function.calls)
        return HostFile(
            self.path,
            calls,
            {function.name: function.parameters for function in functions if function.name},
            tuple(dict.fromkeys(mentions)),
            tuple(_requested_kernels(calls)),
            {name: tuple(values) for name, values in fields.items()},
        )

    def place(self, offset: int) -> HostPlace:
        return HostPlace(self.path, self.text.line_of(offset))

    def declare_function(self, function: HostFunction) -> None:
        self.functions.append(function)
        self.uninterpreted_functions[id(function)] = function
        self.by_name[function.name] = function

    def value_of_constant(self, name: str, scope: FunctionScope) -> SymbolicText | None:
        macro = self.macros.get(name)
        if (
            macro is not None
            and macro.parameters is None
            and macro.body
            and len(self.active_calls) < MAXIMUM_NESTING
        ):
            return self._evaluate_macro_body(f"#{name}", scope, macro.body)
        value = self.top.nonlocal_values.get(name)
        return value if value is not None and scope.function is not self.top else None

    def _evaluate_macro_body(
        self, name: str, scope: FunctionScope, body: Sequence[HostToken]
    ) -> SymbolicText | None:
        if name in self.active_calls:
            return None
        self.active_calls.append(name)
        try:
            return scope.evaluator.evaluate(body)
        finally:
            self.active_calls.pop()

    def result_of_call(self, call: HostCall, scope: FunctionScope) -> SymbolicText | None:
        macro = self.macros.get(call.name)
        if macro is not None and macro.parameters is not None:
            nested = any(self._is_function_like_macro(name) for name in self.active_calls)
            body = self.macro_calls.substitute_arguments(macro, call.tokens, nested=nested)
            if macro.name not in self.own_macros:
                # The macro is defined in another file: attribute its tokens to the line of the call.
                offset = self.text.lines[call.place.line - 1]
                body = tuple(token._replace(offset=offset) for token in body)
            return self._evaluate_macro_body(f"#{call.name}", scope, body)
        function = self.by_name.get(call.name)
        if function is None or len(self.active_calls) >= MAXIMUM_NESTING:
            return None
        if self.uninterpreted_functions.pop(id(function), None) is not None:
            self._interpret_function(function)
        if function.returns is None:
            return None
        return substitute_parameters(function.returns, call.arguments, scope.path_condition)

    def _is_function_like_macro(self, entry: str) -> bool:
        """Whether `entry`, an element of `active_calls`, names a function-like macro, as in `#NAME`."""
        macro = self.macros.get(entry.removeprefix("#")) if entry.startswith("#") else None
        return macro is not None and macro.parameters is not None

    def _interpret_function(self, function: HostFunction) -> None:
        self.active_calls.append(function.name)
        interpreter = FunctionInterpreter(self, function, f"{self.path}/{function.name}")
        try:
            interpreter.interpret_function()
        finally:
            self.active_calls.pop()

    def _interpret_declarations(self, tokens: Sequence[HostToken], interpreter: FunctionInterpreter) -> None:
        """Interprets the declarations of functions and of initialised variables outside function bodies."""
        start = 0
        for index, token in enumerate(tokens):
            if (
                token.kind == PUNCTUATOR
                and token.text in (";", ":")
                and not (token.text == ":" and not is_access_specifier(tokens[start:index]))
            ):
                self._interpret_declaration(tokens[start:index], interpreter)
                start = index + 1
            elif token.kind == "{":
                head = [each for each in tokens[start:index] if each.kind != CONDITIONAL]
                parameters = parse_function_header(head)
                if parameters is not None and not opens_type_scope(head):
                    name, names = parameters
                    self.declare_function(HostFunction(name, names, token.items))
                    start = index + 1
                elif opens_type_scope(head):
                    self._interpret_declarations(token.items, interpreter)
                    start = index + 1
                elif not any(each.text == "=" for each in head):
                    following = tokens[index + 1].text if index + 1 < len(tokens) else ""
                    start = start if following in (";", "=", ",") else index + 1
        self._interpret_declaration(tokens[start:], interpreter)

    def _interpret_declaration(self, tokens: Sequence[HostToken], interpreter: FunctionInterpreter) -> None:
        plain = [token for token in tokens if token.kind != CONDITIONAL]
        number = len(plain) > 1 and plain[-1].kind == NUMBER and plain[-2].text == "="
        if number and not any(token.text in _CONSTANT_KEYWORDS for token in plain):
            plain = [*plain[:-1], plain[-1]._replace(kind=PUNCTUATOR, text="?")]
        has_value = any(token.text == "=" for token in plain) or (plain and plain[-1].kind in "{(")
        if has_value and any(token.kind in (STRING, NUMBER) or token.kind in "([{" for token in plain):
            interpreter.interpret_under_condition(None, plain)

    def _find_mentions(self, tokens: Sequence[HostToken], function: str) -> Iterator[KernelMention]:
        for token in tokens:
            if token.items:
                yield from self._find_mentions(token.items, function)
            elif token.kind in (STRING, FORMATTED) and len(token.text) < 4096:
                for match in KERNEL_FILE_NAME.finditer(token.text):
                    yield KernelMention(match[0], self.place(token.offset), function)


def _without_function_bodies(tokens: HostTokens, bodies: frozenset[int]) -> HostTokens:
    """Returns the tokens without the function bodies; `bodies` contains the ids of their token tuples."""
    return tuple(
        token._replace(items=_without_function_bodies(token.items, bodies)) if token.items else token
        for token in tokens
        if id(token.items) not in bodies or not token.items
    )


_CONSTANT_KEYWORDS: Final = frozenset(("const", "constexpr", "final", "val", "let", "define"))


_KERNEL_REQUEST: Final = re.compile(r"clCreateKernel|create_kernel|createKernel|Kernel|GetKernel|get_kernel")


def _requested_kernels(calls: Sequence[RecordedCall]) -> Iterator[KernelMention]:
    """Yields the names of the kernel functions for which the calls create kernel objects."""
    for found in calls:
        if _KERNEL_REQUEST.search(found.call.name) is None:
            continue
        for argument in found.call.arguments:
            if len(argument) == 1 and argument[0].text is not None and argument[0].text.isidentifier():
                yield KernelMention(argument[0].text, found.call.place, found.function)


def resolve_nonlocal_values(
    value: SymbolicText, file: HostFile, function: str, depth: int = 0
) -> SymbolicText:
    """Replaces the non-local variables in a value by what the file's other functions assign to them."""
    if not any(piece.nonlocal_variable for piece in value):
        return value
    parts: list[SymbolicText] = []
    for piece in value:
        if not piece.nonlocal_variable:
            parts.append((piece,))
            continue
        given = [
            (name, _without_own_references(each, piece.nonlocal_variable))
            for name, each in file.nonlocal_values.get(piece.nonlocal_variable, ())
            if name != function
        ]
        if not given or depth > 3:
            parts.append((piece._replace(nonlocal_variable=""),))
            continue
        chain = f"{file.path}/{piece.nonlocal_variable}"
        for index, (name, each) in enumerate(given):
            path: PathCondition = (ConditionBranch(chain, index, len(given) + 1),) if len(given) > 1 else ()
            inner = resolve_nonlocal_values(each, file, name, depth + 1)
            parts.append(
                add_path_condition(
                    tuple(p._replace(parameter=-1) for p in inner), (*piece.path_condition, *path)
                )
            )
    return concatenate(parts)


def _without_own_references(value: SymbolicText, name: str) -> SymbolicText:
    return tuple(piece for piece in value if piece.nonlocal_variable != name)
