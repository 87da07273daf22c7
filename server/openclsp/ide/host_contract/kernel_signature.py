"""The parameters of a kernel, as far as the host must know them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import Enum

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Location


class ParameterKind(Enum):
    """What a kernel expects as an argument. The value is its name in a message, after "is"."""

    UNKNOWN = "unknown"
    BUFFER = "a pointer to global or constant memory"
    LOCAL = "a pointer to local memory"
    IMAGE = "an image"
    SAMPLER = "a sampler"
    VALUE = "passed by value"


@dataclass(frozen=True, slots=True)
class KernelParameter:
    """A parameter of a kernel.

    `size` is the size of a value in bytes, None if it is unknown. `is_float` is None unless the value is one
    number. `type_name` is the name of a type that is not built in; another build may define it differently.
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

    `parameters` is None if their number is unknown. `work_group` holds the numbers of `reqd_work_group_size`;
    it is empty if there is none or they are computed. `location` is that of the name.
    """

    name: str
    location: Location
    parameters: tuple[KernelParameter, ...] | None
    work_group: tuple[int, ...] = ()


def common_signature(found: Sequence[KernelSignature]) -> KernelSignature | None:
    """Returns what all definitions of a kernel have in common; None if there is none.

    What they do not agree on is unknown. The places are those of the first one.
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
    """Returns the known names that a name may be a misspelling of, the nearest first."""
    from difflib import get_close_matches

    return tuple(get_close_matches(name, sorted(set(known)), n=3, cutoff=0.8))
