"""Compatible pointee types (C99 6.2.7)."""

from __future__ import annotations

import pytest
from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.semantics.types.compatibility import Compatibility, pointees, types
from openclsp.semantics.types.known_types import (
    CHAR,
    FLOAT,
    INT,
    LONG,
    UCHAR,
    UINT,
    named,
)
from openclsp.semantics.types.type_model import (
    CONST,
    UNKNOWN,
    VOID,
    Type,
    array_of,
    enum,
    pointer_to,
    record,
    vector,
)

_BOOL = named("bool", Dialect.of("CL1.2"))
assert _BOOL is not None
BOOL: Type = _BOOL
SAME, SIGN, DIFFERENT = Compatibility.SAME, Compatibility.SIGN, Compatibility.DIFFERENT


def pointer(space: Space | None, pointee: Type = INT) -> Type:
    return pointer_to(pointee.with_space(space))


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (INT, INT.with_space(Space.GLOBAL).with_qualifiers(CONST), SAME),
        (INT, UINT, SIGN),
        (CHAR, UCHAR, SIGN),
        (CHAR, BOOL, DIFFERENT),
        (INT, LONG, DIFFERENT),
        (INT, FLOAT, DIFFERENT),
        (INT, UNKNOWN, SAME),
        (INT, VOID, DIFFERENT),
        (vector(INT, 4), vector(INT, 4), SAME),
        (vector(INT, 4), vector(UINT, 4), DIFFERENT),
        (vector(INT, 4), vector(INT, 2), DIFFERENT),
        (vector(INT, 4), INT, DIFFERENT),
        (array_of(INT, 4), array_of(INT, None), SAME),
        (array_of(INT, 4), array_of(INT, 5), DIFFERENT),
        (array_of(INT, 4), array_of(UINT, 4), DIFFERENT),
        (record("struct", "s", 1), record("struct", "s", 2), SAME),
        (record("struct", "s", 1), record("struct", "t", 3), DIFFERENT),
        (record("struct", "typedef s", 4), record("struct", "typedef s", 5), DIFFERENT),
        (record("struct", "s", 1), record("union", "s", 6), DIFFERENT),
        (enum("e", 1), UINT, SAME),
        (enum("e", 1), CHAR, DIFFERENT),
        (enum("e", 1), enum("f", 2), DIFFERENT),
        (pointer(Space.GLOBAL), pointer(Space.GLOBAL), SAME),
        (pointer(Space.GLOBAL), pointer(Space.LOCAL), DIFFERENT),
        (pointer(Space.GLOBAL), pointer(Space.UNKNOWN), SAME),
        (pointer(Space.GLOBAL), pointer(None), SAME),
        (pointer(Space.GLOBAL), pointer(Space.GLOBAL, UINT), DIFFERENT),
        (pointer(Space.GLOBAL), pointer(Space.GLOBAL, VOID), DIFFERENT),
        (pointer(Space.GLOBAL), INT, DIFFERENT),
    ],
)
def test_two_types(a: Type, b: Type, expected: Compatibility) -> None:
    assert types(a, b) is expected
    assert types(b, a) is expected


def test_a_pointer_to_void_is_compatible_with_every_pointer() -> None:
    assert pointees(VOID.with_space(Space.LOCAL), record("struct", "s", 1)) is SAME
    assert pointees(INT, UINT) is SIGN
    assert pointees(INT, FLOAT) is DIFFERENT
