"""The interface through which expressions are evaluated in the scope of a function."""

from __future__ import annotations

from typing import Protocol

from openclsp.host_options.host_functions import HostCall
from openclsp.host_options.host_lexer import HostTokens
from openclsp.host_options.symbolic_text import HostPlace, PathCondition, SymbolicText


class EvaluationScope(Protocol):
    """The scope in which an expression is evaluated: the state of the enclosing function."""

    @property
    def path_condition(self) -> PathCondition:
        """The current path condition."""
        ...

    def place(self, offset: int) -> HostPlace:
        """Returns the file and the line that contain a character offset."""
        ...

    def value(self, name: str, place: HostPlace) -> SymbolicText:
        """Returns the value of a variable or constant that is used at `place`."""
        ...

    def record_call(self, call: HostCall) -> SymbolicText | None:
        """Records a call, and returns its result; None if the result is unknown."""
        ...

    def interpret_block(self, body: HostTokens) -> None:
        """Interprets the body of an anonymous function."""
        ...
