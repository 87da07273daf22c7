"""Interned types: equal types are one object, spelled as in OpenCL C."""

from __future__ import annotations

import pytest
from openclsp.language.spaces import Space
from openclsp.semantics.types.known_types import FLOAT, INT
from openclsp.semantics.types.type_model import CONST, Type, array_of, function, pointer_to, spell, vector
from openclsp.semantics.types.type_structure import levels

GLOBAL_INT = INT.with_space(Space.GLOBAL)
POINTER = pointer_to(GLOBAL_INT)
LOCAL_ARRAY = array_of(INT.with_space(Space.LOCAL), 4)


@pytest.mark.parametrize(
    ("type_", "name", "text"),
    [
        (INT, "", "int"),
        (GLOBAL_INT.with_qualifiers(CONST), "x", "global const int x"),
        (POINTER, "", "global int *"),
        (POINTER.with_space(Space.PRIVATE), "p", "global int *private p"),
        (pointer_to(POINTER.with_space(Space.LOCAL)), "q", "global int *local *q"),
        (LOCAL_ARRAY, "a", "local int a[4]"),
        (pointer_to(LOCAL_ARRAY).with_space(Space.PRIVATE), "r", "local int (*private r)[4]"),
        (function(POINTER, (FLOAT,)), "f", "global int *f(float)"),
        (pointer_to(function(INT, ())), "g", "int (*g)(void)"),
        (vector(FLOAT, 4), "v", "float4 v"),
    ],
)
def test_spelling(type_: Type, name: str, text: str) -> None:
    assert spell(type_, name) == text


def test_equal_types_are_one_object() -> None:
    assert pointer_to(INT.with_space(Space.GLOBAL)) is POINTER
    assert array_of(INT, 4).with_space(Space.LOCAL) is LOCAL_ARRAY
    assert LOCAL_ARRAY.with_space(None) is array_of(INT, 4)
    assert POINTER.with_space(Space.PRIVATE).unqualified is POINTER


def test_an_array_lies_where_its_elements_lie() -> None:
    assert LOCAL_ARRAY.space is Space.LOCAL
    assert LOCAL_ARRAY.unqualified is array_of(INT, 4)


def test_levels_go_down_the_pointers_and_take_an_array_for_its_elements() -> None:
    type_ = array_of(pointer_to(POINTER.with_space(Space.LOCAL)).with_space(Space.PRIVATE), 2)
    assert [each.space for each in levels(type_)] == [Space.PRIVATE, Space.LOCAL, Space.GLOBAL]
