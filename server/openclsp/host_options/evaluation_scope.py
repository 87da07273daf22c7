"""The environment that the evaluation of a host expression needs."""

from __future__ import annotations

from typing import Protocol

from openclsp.host_options.host_functions import HostCall
from openclsp.host_options.host_lexer import HostTokens
from openclsp.host_options.symbolic_text import HostPlace, PathCondition, SymbolicText


class EvaluationScope(Protocol):
    """The environment of an expression: the enclosing function's state."""

    @property
    def path_condition(self) -> PathCondition:
        """The current path condition."""
        ...

    def place(self, offset: int) -> HostPlace:
        """Returns the line of a character offset."""
        ...

    def value(self, name: str, place: HostPlace) -> SymbolicText:
        """Returns the value of a variable or constant."""
        ...

    def record_call(self, call: HostCall) -> SymbolicText | None:
        """Records a call; returns its result if known."""
        ...

    def interpret_block(self, body: HostTokens) -> None:
        """Interprets the body of an anonymous function."""
        ...
