"""The syntax of marks in the kernels of a page, and its errors."""

from __future__ import annotations

import pytest
from openclsp.language.dialect import REFERENCE_DIALECTS
from openclsp.rules.runner.page import PageError, parse_page

from .marked_block import assert_marked_diagnostics
from .marked_page import HoverMark, Mark, MarkedPage, marked, strip_marks

HEADER = """# some-code: What is wrong

- Severity: error | warning
- Dialects: CL1.2 CL2.0
- Clause: OpenCL C 6.7
- clang: err_one err_two
"""


def page(body: str) -> MarkedPage:
    return marked(parse_page(f"{HEADER}\n{body}"))


def test_prose_is_what_stands_around_the_blocks() -> None:
    assert page("Prose.\n\n```cl\nint a;\n```\n\nMore.\n").prose == "Prose.\n\n\nMore."


def test_a_block_stands_in_all_dialects_unless_it_says_otherwise() -> None:
    read = page(
        '```cl\nint a;\n```\n\n```cl name="b" dialects="CL3.0-generic" clang="differs: a bug"\nint b;\n```\n'
    )
    first, second = read.blocks
    assert first.dialects == tuple(dialect.name for dialect in REFERENCE_DIALECTS)
    assert (first.text, first.name, first.clang_differs) == ("int a;\n", "", "")
    assert (second.name, second.dialects, second.clang_differs) == ("b", ("CL3.0-generic",), "a bug")
    assert read.page.text.split("\n")[second.line - 1] == "int b;"


def test_marks_stand_at_the_end_of_their_line_or_below_it() -> None:
    (block,) = page(
        "```cl\n"
        "int a;    // error[x], hint[y-z]\n"
        "//  ^ object: private\n"
        "//^^^ warning[x]\n"
        "//  ^ error[x]: its last words (`a`)\n"
        "int *p;\n"
        "//   ^ type: global int *private p\n"
        "```\n"
    ).blocks
    assert block.marks == (
        Mark(0, "error", "x"),
        Mark(0, "hint", "y-z"),
        Mark(0, "warning", "x", (2, 5)),
        Mark(0, "error", "x", (4, 5), "its last words (`a`)"),
    )
    assert block.hovers == (
        HoverMark(0, 4, "object", "private"),
        HoverMark(4, 5, "type", "global int *private p"),
    )


def test_a_fix_belongs_to_the_block_before_it() -> None:
    (block,) = page(
        "```cl\nint a; // error[x]\n```\n"
        '```fix title="Do `it`" preferred dialects="CL2.0"\nint b;\n```\n'
        '```fix title="Newer" dialect="CL3.0"\n```\n'
    ).blocks
    do, newer = block.fixes
    assert (do.title, do.text, do.preferred, do.dialects) == ("Do `it`", "int b;\n", True, ("CL2.0",))
    assert (newer.dialect, newer.text, newer.preferred) == ("CL3.0", "", False)
    assert newer.dialects == block.dialects


def test_marks_are_no_part_of_the_kernel() -> None:
    text = "int a;   // error[x], error[y]\n  // ^^ error[x]\nint b; // a comment\n//  ^ space: global\n"
    assert strip_marks(text) == "int a;\nint b; // a comment\n"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("```cl\nint a;\n", "has no end"),
        ('```cl dialects="CL9"\n```\n', "no dialect 'CL9'"),
        ('```cl colour="red"\n```\n', "unknown attribute 'colour'"),
        ("```cl name=b\n```\n", "cannot read"),
        ('```cl name="b"\n```\n```cl name="b"\n```\n', "a second block 'b'"),
        ('```fix title="t"\n```\n', "a cl block before it"),
        ("```cl\n```\n```fix\n```\n", "needs a title"),
        ("```cl\nint a; // see error[x]\n```\n", "not a comment of its own"),
        ('```cl clang="differs"\n```\n', "`differs: why`"),
    ],
)
def test_an_invalid_page_is_an_error_with_its_line(body: str, message: str) -> None:
    with pytest.raises(PageError, match=message):
        page(body)


def test_a_missing_diagnostic_is_named() -> None:
    """CONTRIBUTING.md quotes the message."""
    (block,) = page("```cl\nint a; // hint[some-code]\n```\n").blocks
    with pytest.raises(
        AssertionError, match="Right contains 1 more item:\n *{\\(0, 'hint', 'some-code'\\): 1}"
    ):
        assert_marked_diagnostics(block, "CL2.0")
