"""Values of character constants (C99 6.4.4.4)."""

from __future__ import annotations

import pytest
from openclsp.semantics.typing.literals import character


@pytest.mark.parametrize(
    ("content", "value"),
    [
        ("a", 97),
        (r"\0", 0),
        (r"\n", 10),
        (r"\\", 92),
        (r"\'", 39),
        (r"\101", 65),
        (r"\x41", 65),
        (r"\xff", -1),
        ("ab", None),
        ("", None),
    ],
)
def test_the_value_of_a_character(content: str, value: int | None) -> None:
    assert character(content) == value
