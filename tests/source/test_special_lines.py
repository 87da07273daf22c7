"""Edits that may change directives are always recognised."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openclsp.source.special_lines import changes_directives
from openclsp.source.text import Text

from .marks import run

HEADERS = {"a.h": "int a;\n", "b.h": "int b;\n#define B\n"}
PIECES = (
    *('#include "a.h"', '#include "b.h"', "#define A 1", "#undef A", "#if A", "#ifdef B", "#else", "#endif"),
    *(
        "#",
        "%:",
        "??=",
        "/*",
        "*/",
        "//",
        "\\",
        "??/",
        '"',
        "'",
        'R"(',
        ')"',
        "\n",
        "\r",
        " ",
        "\f",
        "{",
        "}",
    ),
    *("A", "B", "__LINE__", "#if __LINE__ > 3", "__COUNTER__", "#if __COUNTER__", "int x;", "if", "include"),
    *("{% if x %}", "${x}", '"int y;"', "${"),
)


def _directives(text: bytes) -> tuple[object, ...]:
    unit = run(text, HEADERS)
    return unit.documents(), frozenset(unit.macros), unit.unknown_includes


@settings(max_examples=1500, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14), st.data())
def test_an_edit_that_changes_no_directive(pieces: list[str], data: st.DataObject) -> None:
    separator = data.draw(st.sampled_from(("", "\n", "\n\nint f;\n\n")))
    old = Text.of(separator.join(pieces).encode())
    start = data.draw(st.integers(0, len(old.data)))
    end = data.draw(st.integers(start, len(old.data)))
    new = old.replace(start, end, "".join(data.draw(st.lists(st.sampled_from(PIECES), max_size=2))).encode())
    if not changes_directives(old, new):
        assert _directives(old.data) == _directives(new.data)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("#define A\n\n\nint x;\n\n", "#define A\n\n\nint y;\n\n", False),
        ("#define A\n\n\nint x;\n\n", "#define A\n\n\nint x, y;\nfloat z;\n\n", False),
        ("/*\n\n\nint x;\n\n\n*/\n", "/*\n\n\nint y;\n\n\n*/\n", False),
        ("/*\n\n\nint x;\n\n\n*/\n", "/*\n\n\nint x; */\n\n\n*/\n", True),
        ("#define A\n\n\nint x;\n\n", "#define AB\n\n\nint x;\n\n", True),
        ("#define A \\\n B\n\n", "#define A \\\n C\n\n", True),
        ("int x;\n\n\n#if __LINE__ > 4\n#endif", "int x;\n\n\n\n#if __LINE__ > 4\n#endif", True),
    ],
)
def test_what_changes_directives(old: str, new: str, expected: bool) -> None:
    assert changes_directives(Text.of(old.encode()), Text.of(new.encode())) is expected
