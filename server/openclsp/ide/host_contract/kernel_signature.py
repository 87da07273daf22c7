"""The parameters of a kernel, as far as the host's calls depend on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import Enum

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Location


class ParameterKind(Enum):
    """The kind of argument that a kernel parameter expects; the value describes the parameter."""

    UNKNOWN = "unknown"
    BUFFER = "a pointer to global or constant memory"
    LOCAL = "a pointer to local memory"
    IMAGE = "an image"
    SAMPLER = "a sampler"
    VALUE = "passed by value"


@dataclass(frozen=True, slots=True)
class KernelParameter:
    """A parameter of a kernel.

    - `size`: the size of a value in bytes, None if it is unknown.
    - `is_float`: whether a value is a floating-point number; None if it is not a single number.
    - `type_name`: the name of a type that is not built in. Another build may define this type differently.
    """

    name: str
    declaration: str
    location: Location
    kind: ParameterKind
    size: int | None = None
    is_float: bool | None = None
    type_name: str = ""


@dataclass(frozen=True, slots=True)
class KernelSignature:
    """The definition of a kernel.

    `location` is the location of the name. `parameters` is None if their number is unknown. `work_group`
    contains the numbers of the attribute `reqd_work_group_size`; it is empty without the attribute, or if the
    numbers are computed.
    """

    name: str
    location: Location
    parameters: tuple[KernelParameter, ...] | None
    work_group: tuple[int, ...] = ()


def common_signature(found: Sequence[KernelSignature]) -> KernelSignature | None:
    """Combines all definitions of a kernel into one signature; None if there are none.

    Properties that differ between the definitions are unknown. The locations are those of the first
    definition.
    """
    if not found:
        return None
    first = found[0]
    parameters = first.parameters
    for other in found[1:]:
        if parameters is None or other.parameters is None or len(parameters) != len(other.parameters):
            parameters = None
            break
        parameters = tuple(map(_common_parameter, parameters, other.parameters))
    groups = {each.work_group for each in found}
    return replace(first, parameters=parameters, work_group=first.work_group if len(groups) == 1 else ())


def _common_parameter(first: KernelParameter, other: KernelParameter) -> KernelParameter:
    if first.kind is not other.kind:
        return replace(first, kind=ParameterKind.UNKNOWN, size=None, is_float=None)
    return replace(
        first,
        size=first.size if first.size == other.size else None,
        is_float=first.is_float if first.is_float is other.is_float else None,
    )


def near_names(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """Returns the names in `known` for which `name` may be a misspelling, the nearest first."""
    from difflib import get_close_matches

    return tuple(get_close_matches(name, sorted(set(known)), n=3, cutoff=0.8))
