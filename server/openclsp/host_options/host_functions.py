"""Functions of host code, and the calls in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.host_options.host_lexer import HostTokens
from openclsp.host_options.symbolic_text import HostPlace, PathCondition, SymbolicText


@dataclass(frozen=True, slots=True)
class HostCall:
    """A call as written.

    `receiver` is the variable before the last dot; `tokens` are the unevaluated arguments; `is_method_call`
    is true for a method call.
    """

    name: str
    receiver: str
    arguments: tuple[SymbolicText, ...]
    keywords: Mapping[str, SymbolicText]
    tokens: tuple[HostTokens, ...]
    place: HostPlace
    is_method_call: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class RecordedCall:
    """A call with its evaluated arguments, path condition and enclosing function."""

    call: HostCall
    path: PathCondition
    function: str


@dataclass(slots=True)
class HostFunction:
    """A host function: `returns` is its result, `nonlocal_values` the values assigned to non-local variables."""

    name: str
    parameters: tuple[str, ...]
    body: HostTokens
    calls: list[RecordedCall] = field(default_factory=list)
    returns: SymbolicText | None = None
    nonlocal_values: dict[str, SymbolicText] = field(default_factory=dict)
