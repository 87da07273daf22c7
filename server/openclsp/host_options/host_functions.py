"""Functions of host code, and the calls in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.host_options.host_lexer import HostTokens
from openclsp.host_options.symbolic_text import HostPlace, PathCondition, SymbolicText


@dataclass(frozen=True, slots=True)
class HostCall:
    """A call in host code, with its arguments.

    - `receiver`: the name before that of the function: `program` in `program.build()`, empty in `build()`.
    - `arguments`, `keywords`: the values of the positional and of the keyword arguments.
    - `tokens`: the positional arguments as tokens.
    - `receiver_value`: the value of the object on which a method is called.
    """

    name: str
    receiver: str
    arguments: tuple[SymbolicText, ...]
    keywords: Mapping[str, SymbolicText]
    tokens: tuple[HostTokens, ...]
    place: HostPlace
    is_method_call: bool = False
    receiver_value: SymbolicText = ()


@dataclass(frozen=True, slots=True, eq=False)
class RecordedCall:
    """A call with its evaluated arguments, path condition and enclosing function."""

    call: HostCall
    path: PathCondition
    function: str


@dataclass(slots=True)
class HostFunction:
    """A host function and the results of its interpretation.

    - `calls`: the calls in its body.
    - `returns`: the value that it returns, None if that is unknown.
    - `nonlocal_values`: the values that it assigns to non-local variables.
    """

    name: str
    parameters: tuple[str, ...]
    body: HostTokens
    calls: list[RecordedCall] = field(default_factory=list)
    returns: SymbolicText | None = None
    nonlocal_values: dict[str, SymbolicText] = field(default_factory=dict)
