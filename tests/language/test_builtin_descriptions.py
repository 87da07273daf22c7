"""Every built-in function has a description, and every description a function."""

from __future__ import annotations

import re

import pytest
from openclsp.language.builtin_functions import is_builtin_function_name, tables
from openclsp.language.builtin_functions.descriptions import described_names, description
from openclsp.language.builtin_functions.notation import families

_NAMES = sorted({family.name for table in tables() for family in families(table)})


def test_each_function_has_one() -> None:
    assert [name for name in _NAMES if not description(name)] == []


def test_none_is_of_a_function_that_does_not_exist() -> None:
    assert [name for name in described_names() if not is_builtin_function_name(name)] == []
    assert description("no_such_function") == ""


def test_they_are_sentences_with_every_word_filled_in() -> None:
    for name in _NAMES:
        text = description(name)
        assert re.fullmatch(r"[^{}]*[.]", text), text
        assert "  " not in text and " ," not in text, text
        assert len(text) < 260, text


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("vload3", "3 elements"),
        ("vload_half3", "3 halves"),
        ("vloada_half3", "* 4"),
        ("vstore_half4_rtp", "upwards"),
        ("convert_uchar4_sat_rte", "`uchar4`, rounded to nearest even"),
        ("atom_xor", "bitwise exclusive or"),
        (
            "atomic_fetch_min_explicit",
            "smaller of the object and the argument, with the given memory order",
        ),
        ("work_group_scan_exclusive_max", "largest of the values of the work-items before this one"),
        ("to_local", "into local"),
        ("acosh", "inverse hyperbolic cosine"),
    ],
)
def test_families_say_what_their_names_say(name: str, word: str) -> None:
    assert word in description(name)
