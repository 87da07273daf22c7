"""Places of tokens compare equal by value, not by identity."""

from __future__ import annotations

import pytest
from openclsp.semantics.facts.entities import Place, place_of


@pytest.mark.parametrize(
    ("first", "last"), [(0, 0), (0, 1), (7, 9), (1023, 1024), (1024, 1025), (5, 5000), (9, 8), (-1, 0)]
)
def test_a_place_has_its_bounds(first: int, last: int) -> None:
    found = place_of(first, last)
    assert (found.first, found.last) == (first, last)
    assert found == Place(first, last) == place_of(first, last)


def test_a_short_place_is_one_object() -> None:
    assert place_of(12, 13) is place_of(12, 13)
    assert place_of(12, 13) is not place_of(12, 14)
