"""The state of a host function during its interpretation: variables, path condition and calls."""

from __future__ import annotations

from typing import Protocol

from openclsp.host_options.expression_evaluator import ExpressionEvaluator
from openclsp.host_options.function_variables import FunctionVariables
from openclsp.host_options.host_functions import HostCall, HostFunction, RecordedCall
from openclsp.host_options.host_lexer import NAME, STRING, HostTokens
from openclsp.host_options.program_sources import sources_of_value, written_sources
from openclsp.host_options.symbolic_text import (
    HostPlace,
    PathCondition,
    SymbolicText,
    TextPiece,
    unknown_text,
)


class HostFileScope(Protocol):
    """The part of a host file that its functions share: constants, macros and functions."""

    condition_ends_at_brace: bool
    """Whether a condition ends at the brace of its body, as in Python, Rust and Go."""

    def place(self, offset: int) -> HostPlace:
        """Returns the file and the line that contain a character offset."""
        ...

    def value_of_constant(self, name: str, scope: FunctionScope) -> SymbolicText | None:
        """Returns the value of an object-like macro or constant of the file; None if there is none."""
        ...

    def result_of_call(self, call: HostCall, scope: FunctionScope) -> SymbolicText | None:
        """Returns what a function or macro of the file returns for a call; None if that is unknown."""
        ...

    def declare_function(self, function: HostFunction) -> None:
        """Records a function that is defined in the file, to be interpreted later."""
        ...


class FunctionScope:
    """The state of one function during its interpretation, in which its expressions are evaluated."""

    def __init__(self, file_scope: HostFileScope, function: HostFunction, name: str) -> None:
        self.file_scope, self.function = file_scope, function
        self.evaluator = ExpressionEvaluator(self, name)
        self.name = name
        self.path_condition: PathCondition = ()
        self.variables = FunctionVariables(
            function.parameters, self.place(0), lists=file_scope.condition_ends_at_brace
        )
        self.returned: list[SymbolicText] = []

    def place(self, offset: int) -> HostPlace:
        return self.file_scope.place(offset)

    def value(self, name: str, place: HostPlace) -> SymbolicText:
        """Returns the value of a local variable or constant that is used at `place`.

        For any other name, returns unknown text that refers to a non-local variable.
        """
        if name in self.variables.values:
            return self.variables.values[name]
        if name in ("None", "NULL", "nullptr", "null", "nil"):
            return ()
        constant = self.file_scope.value_of_constant(name, self)
        return constant if constant is not None else (TextPiece(None, place, self.path_condition, -1, name),)

    def interpret_block(self, body: HostTokens) -> None:
        """Interprets the statements of a body; implemented by `FunctionInterpreter`."""
        raise NotImplementedError

    def record_call(self, call: HostCall) -> SymbolicText | None:
        """Records a call and applies its effects on variables; returns its result, None if unknown."""
        for tokens in call.tokens:
            if len(tokens) == 2 and tokens[0].text == "&" and tokens[1].text in self.variables.values:
                self.variables.values[tokens[1].text] = unknown_text(call.place, self.path_condition)
        self._invalidate_parsed_numbers(call)
        declared = (name for name, value in self.variables.values.items() if not value)
        for name, sources in written_sources(call, declared).items():
            self.variables.values[name] = unknown_text(call.place, self.path_condition, sources)
        written = self.variables.apply_writing_call(call, self.path_condition)
        if written is not None:
            return written
        if any(call.arguments) or call.keywords or sources_of_value(call.receiver_value):
            self.function.calls.append(RecordedCall(call, self.path_condition, self.function.name))
        return self.file_scope.result_of_call(call, self)

    def _invalidate_parsed_numbers(self, call: HostCall) -> None:
        """Discards the known values of numbers that a command-line parser may set.

        For example, the call `options.add("size", size)` may set `size`.
        """
        texts = [tokens[0].text for tokens in call.tokens if len(tokens) == 1 and tokens[0].kind == STRING]
        if not texts or any("%" in text for text in texts) or self.file_scope.condition_ends_at_brace:
            return
        for tokens in call.tokens:
            name = tokens[0].text if len(tokens) == 1 and tokens[0].kind == NAME else ""
            value = self.variables.values.get(name, ())
            if value and all(piece.text is not None and piece.text.isdecimal() for piece in value):
                self.variables.values[name] = unknown_text(call.place, self.path_condition)
