"""Text with normalised identifiers: everything else is unchanged, and every place maps back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openclsp.source.normalized_identifiers import NAME, normalize_identifiers
from openclsp.source.parser import parse

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
        ('f("in it" L"w" u8"q")', 'name("in it" L"w" u8"q")'),
        ("a = 'b';", "a = 'b';"),
        ('a("\\n");', 'a("\\n");'),
        ("a /* b */ // c\nd", "name /* b */ // c\nname"),
        ("a = 'b; c;", "a = 'b; c;"),
        ('a = "b;\nc;', 'a = "b;\nc;'),
        ("#include b", "#include b"),
        ("\\u00e9t\\u00e9", "\\u00e9t\\u00e9"),
        ("a$b é", "a$b é"),
    ],
)
def test_only_names_are_normalised(text: str, same: str) -> None:
    assert normalize_identifiers(text.encode()).text == same.encode()


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(WORDS + MARKS), max_size=30).map("".join))
def test_every_place_outside_of_a_name_is_found_again(text: str) -> None:
    data = text.encode()
    names = normalize_identifiers(data)
    inside = {
        place
        for end, real in zip(names.ends, names.real_ends, strict=True)
        for place in range(end - len(NAME) + 1, end)
    }
    for place in range(len(names.text) + 1):
        if place not in inside:
            real = names.real(place)
            assert names.offset(real) == place
            if place - 1 not in inside and 0 < place <= len(names.text) and place not in names.ends:
                assert data[real - 1] == names.text[place - 1]
    assert names.real(len(names.text)) == len(data)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(WORDS + MARKS), max_size=30).map("".join))
def test_to_the_parser_it_is_the_same_text(text: str) -> None:
    data = text.encode()
    names = normalize_identifiers(data)
    tree, same = parse(data).root_node, parse(names.text).root_node
    if not tree.has_error:
        assert str(tree) == str(same)
        assert [each.start_byte for each in tree.children] == [
            names.real(each.start_byte) for each in same.children
        ]
    pending = [same]
    while pending:
        node = pending.pop()
        pending += node.children
        for place in (node.start_byte, node.end_byte):
            assert not any(end - len(NAME) < place < end for end in names.ends), "a token within a name"
