"""Scores how well the type of a candidate fits at the cursor."""

from __future__ import annotations

from openclsp.dataclass import dataclass
from openclsp.language.spaces import encloses
from openclsp.semantics.types.type_model import Enum, Pointer, Scalar, Type
from openclsp.semantics.types.type_structure import decayed, is_unknown

_FITS, _CONVERTS, _REFUSED = 1.6, 1.0, 0.3


@dataclass(frozen=True, slots=True)
class ExpectedType:
    """The types that are possible at the cursor.

    If `is_index`, the cursor is in a subscript, and every integer type is possible. Otherwise, `types` lists
    the possible types; if it is empty, every type is possible.
    """

    types: tuple[Type, ...] = ()
    is_index: bool = False


def fit_of(type_: Type | None, expected: ExpectedType) -> float:
    """Scores how well a value of the type fits where `expected` types are possible.

    The score is above 1 if the type fits without a conversion, below 1 if it cannot be converted, and 1
    otherwise or if nothing is known.
    """
    if type_ is None or is_unknown(type_):
        return 1.0
    value = decayed(type_)
    if expected.is_index:
        integer = isinstance(value, Enum) or (isinstance(value, Scalar) and not value.floating)
        return _FITS if integer else _REFUSED
    if not expected.types:
        return 1.0
    return max(_fit(value, each) for each in expected.types)


def _fit(value: Type, wanted: Type) -> float:
    value, wanted = value.unqualified, wanted.unqualified
    if value is wanted:
        return _FITS
    if isinstance(wanted, Pointer) or isinstance(value, Pointer):
        if not isinstance(wanted, Pointer) or not isinstance(value, Pointer):
            # a pointer may be indexed, and a number may be the offset of one
            return _REFUSED if isinstance(wanted, Pointer) else _CONVERTS
        return _fit_pointers(value, wanted)
    return _CONVERTS


def _fit_pointers(value: Pointer, wanted: Pointer) -> float:
    given, space = value.pointee.space, wanted.pointee.space
    if given is not None and space is not None and not encloses(space, given):
        return _REFUSED
    return _FITS if value.pointee.unqualified is wanted.pointee.unqualified else _CONVERTS
