"""Folding ranges of texts as written."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openclsp.ide.structure.folding import compute_folding_ranges
from openclsp.ide.structure.text_structure import read_structure
from openclsp.source.text import Text


def folded_lines(source: str, limit: int = 5000) -> list[tuple[int, int, str]]:
    """First line, last hidden line and kind of each range, lines from 0."""
    text = Text.of(source.encode())
    found = compute_folding_ranges(text, read_structure(text.data), limit)
    return [(text.line_of(each.start), each.last_line, each.kind.value) for each in found]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("kernel void k(void) {\n  int a;\n}\n", [(0, 1, "")]),
        ("kernel void k(void)\n{\n  int a;\n}\n", [(1, 2, "")]),
        ("if (a) {\n b;\n} else {\n c;\n}\n", [(0, 1, ""), (2, 3, "")]),
        ("void f(int a,\n       int b)\n{\n}\n", [(0, 1, "")]),
        ("void f(\n  int a,\n  int b\n) {\n  a;\n}\n", [(0, 2, ""), (3, 4, "")]),
        ("void f(int a,\n  int b) {\n  a;\n}\n", [(1, 2, "")]),
        ("f(a,\n  b);\n", [(0, 1, "")]),
        ("constant int t[] = {\n  1,\n  2,\n};\n", [(0, 2, "")]),
        ("int a[\n  4\n];\n", [(0, 1, "")]),
        ("/* one\n   two */\nint a;\n", [(0, 1, "comment")]),
        ("/* one\n   two */ int a;\n", []),
        ("/* open\n", [(0, 1, "comment")]),
        ("// one\n// two\n// three\nint a;\n// four\n", [(0, 2, "comment")]),
        ("// one\n\n// two\n", []),
        ("int a; // one\n// two\n", []),
        ("// one \\\n   continued\n", [(0, 1, "comment")]),
        ("#ifdef A\nint a;\n#else\nint b;\n#endif\n", [(0, 1, ""), (2, 3, "")]),
        ("#if A\na\n#elif B\nb\n#elifdef C\nc\n#endif\n", [(0, 1, ""), (2, 3, ""), (4, 5, "")]),
        ("  #  if 0 /* it's */\n don't }\n # endif\nvoid f() {\n a;\n}\n", [(0, 1, ""), (3, 4, "")]),
        ("#if 1\n#endif\n", []),
        ("#define F(x) { \\\n  x; \\\n  x; }\nint a;\n", [(0, 2, "")]),
        ('#include "a.h"\n#include <b.h>\nint a;\n#include "c.h"\n', [(0, 1, "imports")]),
        ("#pragma region a\nint a;\n#pragma endregion\n", [(0, 2, "region")]),
        (
            "// region a\nint a;\n// region b\nint b;\n//#endregion\n// endregion\n",
            [(0, 5, "region"), (2, 4, "region")],
        ),
        ("// region a\nint a;\n", []),
        ('constant char *s = "{ /* //";\nint a;\n', []),
        ("int c = '{';\nint a;\n}\n", []),
    ],
)
def test_what_folds(source: str, expected: list[tuple[int, int, str]]) -> None:
    assert folded_lines(source) == expected
    assert folded_lines(source.replace("\n", "\r\n")) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        # a brace that is not closed yet costs its own range only
        ("void f() {\n  if (a) {\n}\nvoid g() {\n  b;\n}\n", [(3, 4, "")]),
        # parentheses left open do not hide the end of the body
        ("void f() {\n  g(a, (b;\n}\nvoid h() {\n c;\n}\n", [(0, 1, ""), (3, 4, "")]),
        ("void f() {\n  a]);\n}\n", [(0, 1, "")]),
        # alternatives of one head
        (
            "#ifdef A\nvoid f(int a) {\n#else\nvoid f(float a) {\n#endif\n  b;\n}\n",
            [(0, 1, ""), (1, 5, ""), (2, 3, "")],
        ),
        ("#if A\nvoid f() {\n", []),
        ("#else\n#endif\n#elif\n}\n", []),
    ],
)
def test_half_typed_code(source: str, expected: list[tuple[int, int, str]]) -> None:
    assert folded_lines(source) == expected


def test_the_inside_of_brackets_is_folded_where_columns_can_be() -> None:
    text = Text.of(b"void f() {\n  a;\n}\n")
    (found,) = compute_folding_ranges(text, read_structure(text.data))
    assert text.data[found.start : found.end] == b"\n  a;\n"


def test_beyond_the_limit_the_longest_are_kept() -> None:
    source = "void f() {\n" + "if (a) {\n b;\n}\n" * 5 + "}\n"
    assert folded_lines(source, 2) == [(0, 15, ""), (1, 2, "")]


PIECES = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "/*",
    "*/",
    "//",
    '"',
    "'",
    "\n",
    "\n#if A\n",
    "\n#else\n",
    "\n#endif\n",
    "\\\n",
    "a",
]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_any_text_has_proper_ranges(pieces: list[str]) -> None:
    text = Text.of("".join(pieces).encode())
    found = compute_folding_ranges(text, read_structure(text.data))
    for each in found:
        assert 0 <= each.start <= each.end <= len(text.data)
        assert text.line_of(each.start) < each.last_line < text.line_count
    lines = [text.line_of(each.start) for each in found]
    assert lines == sorted(set(lines))


@pytest.mark.parametrize(
    "piece", ["(", "{", "[", "#if 1\n(", "#if 1\n#else\n}", "/*", "\\\n", '"', "// region\n", "#"]
)
def test_unbalanced_text_takes_linear_time(piece: str) -> None:
    """Searching through all open brackets at each mark would take minutes."""
    text = Text.of((piece * 40_000).encode())
    begun = time.process_time()
    compute_folding_ranges(text, read_structure(text.data))
    assert time.process_time() - begun < 20
