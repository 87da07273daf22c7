"""`SymbolicText.replaced` changes the given fields only, and accepts None as a value."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import EntityRef, Origin, Place
from openclsp.semantics.facts.values import Constancy, Value
from openclsp.semantics.types.known_types import FLOAT, INT

ORIGIN = Origin(EntityRef(("declaration", "x", 0), 0), 0)
OTHER = Origin(EntityRef(("declaration", "y", 0), 3), 1)
VALUE = Value(
    INT,
    Place(1, 2),
    True,
    ORIGIN,
    "x",
    True,
    True,
    Constancy.CONSTANT,
    7,
    True,
    True,
    (0, ORIGIN, "held"),
    Space.LOCAL,
    FLOAT,
    True,
    True,
)


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"type": FLOAT},
        {"place": Place(3, 5)},
        {"lvalue": False},
        {"origin": None},
        {"origin": OTHER},
        {"null": False, "string": False, "fixed": False},
        {"constancy": Constancy.UNKNOWN},
        {"number": None},
        {"number": 0},
        {"held": None},
        {"held": (2, OTHER, "other")},
        {"hidden": None},
        {"hidden": Space.GLOBAL},
    ],
    ids=str,
)
def test_replaced_changes_the_given_fields_only(changed: dict[str, Any]) -> None:
    made = VALUE.replaced(**changed)
    wanted = {each.name: getattr(VALUE, each.name) for each in fields(VALUE)} | changed
    assert {each.name: getattr(made, each.name) for each in fields(made)} == wanted
    assert (made == VALUE) == (not changed)
    assert hash(VALUE.replaced()) == hash(VALUE)
