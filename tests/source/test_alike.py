"""Text with all names alike: what is no name stays, and every place is found again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openclsp.source.alike import alike
from openclsp.source.tree import parse

WORDS = ["x", "out", "a_long_name", "float4", "if", "global", "0x1Fu", "1e+5f", ".5", "L", "u8", "$", "é"]
MARKS = [
    " ",
    "\n",
    "(",
    ")",
    "*",
    "+",
    '"',
    "'",
    '"s"',
    "'c'",
    "\\",
    "/",
    "// x\n",
    "/* y */",
    "{",
    "}",
    ";",
    "#",
]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("global float *out = in;", "global float *name = name;"),
        ("if (first1) second();", "if (name) name();"),
        ("0xFFu + 1.0f + 1e+5f + x", "0xFFu + 1.0f + 1e+5f + name"),
        ('"in \\" it" \'c\' L"w" u8\'q\'', '"in \\" it" \'c\' L"w" u8\'q\''),
        ("a /* b */ // c\nd", "name /* b */ // c\nname"),
    ],
)
def test_names_are_alike_and_nothing_else(text: str, same: str) -> None:
    assert alike(text.encode()).text == same.encode()


@given(st.lists(st.sampled_from(WORDS + MARKS), max_size=30).map("".join))
def test_every_place_outside_of_a_name_is_found_again(text: str) -> None:
    data = text.encode()
    names = alike(data)
    inside = {
        place for end, real in zip(names.ends, names.real_ends, strict=True) for place in range(end - 3, end)
    }
    for place in range(len(names.text) + 1):
        if place not in inside:
            real = names.real(place)
            assert names.offset(real) == place
            if place - 1 not in inside and 0 < place <= len(names.text) and place not in names.ends:
                assert data[real - 1] == names.text[place - 1]
    assert names.real(len(names.text)) == len(data)


@given(st.lists(st.sampled_from(WORDS + MARKS), max_size=30).map("".join))
def test_to_the_parser_it_is_the_same_text(text: str) -> None:
    data = text.encode()
    names = alike(data)
    tree, same = parse(data).root_node, parse(names.text).root_node
    if not tree.has_error:
        assert str(tree) == str(same)
        assert [each.start_byte for each in tree.children] == [
            names.real(each.start_byte) for each in same.children
        ]
