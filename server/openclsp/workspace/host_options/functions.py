"""Functions of host code, and the calls in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.workspace.host_options.lexing import Tokens
from openclsp.workspace.host_options.values import Path, Place, Value


@dataclass(frozen=True, slots=True)
class Call:
    """A call as written.

    `receiver` is the variable before the last dot; `tokens` are the unevaluated arguments; `method` is true
    for a method call.
    """

    name: str
    receiver: str
    arguments: tuple[Value, ...]
    keywords: Mapping[str, Value]
    tokens: tuple[Tokens, ...]
    place: Place
    method: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class FoundCall:
    """A call with its evaluated arguments, path condition and enclosing function."""

    call: Call
    path: Path
    function: str


@dataclass(slots=True)
class Function:
    """A host function: `returns` is its result, `fields` the values assigned to non-local variables."""

    name: str
    parameters: tuple[str, ...]
    body: Tokens
    calls: list[FoundCall] = field(default_factory=list)
    returns: Value | None = None
    fields: dict[str, Value] = field(default_factory=dict)
