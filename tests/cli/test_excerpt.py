"""Carets below source lines, for any content of the line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from openclsp.cli.excerpt import ExcerptMark, display_width, marked_line, printable


def test_a_mark_of_several_columns_with_its_label():
    shown, rows = marked_line(
        b"int *p = q;", [ExcerptMark(9, 10, "^"), ExcerptMark(0, 3, "-", "declared here")], 80
    )
    assert "\n".join((shown, *rows)) == "int *p = q;\n         ^\n--- declared here"


def test_an_empty_range_and_a_place_after_the_end_are_marked():
    assert marked_line(b"int", [ExcerptMark(0, 0, "^"), ExcerptMark(3, 3, "^"), ExcerptMark(9, 12, "^")], 80)[
        1
    ] == [
        "^",
        "   ^",
        "   ^",
    ]


def test_what_is_outside_of_the_window_is_marked_under_the_ellipsis():
    shown, rows = marked_line(
        b"a" * 50 + b"b" + b"c" * 50,
        [ExcerptMark(50, 51, "^"), ExcerptMark(0, 2, "-"), ExcerptMark(99, 101, "-")],
        30,
    )
    assert shown[0] == shown[-1] == "…"
    assert shown[rows[0].index("^")] == "b"
    assert rows[1] == "-"
    assert rows[2].index("-") == len(shown) - 1


def test_a_line_of_a_megabyte_costs_no_more_than_its_window():
    line = b"int a; " * 100_000 + b"g" + b" int b;" * 100_000
    shown, (row,) = marked_line(line, [ExcerptMark(700_000, 700_001, "^")], 80)
    assert len(shown) <= 80
    assert shown[row.index("^")] == "g"
    assert shown[row.index("^") - 7 : row.index("^")] == "int a; "


@given(
    st.text(max_size=300).map(lambda text: text * 4),
    st.integers(0, 1300),
    st.integers(0, 1300),
    st.integers(1, 120),
)
def test_marks_stay_below_their_line(text, first, last, width):
    line = text.encode("utf-8", "surrogatepass").replace(b"\n", b" ")
    shown, (row,) = marked_line(line, [ExcerptMark(min(first, last), max(first, last), "^")], width)
    limit = max(width, 20)
    assert display_width(shown) <= limit
    assert len(row) <= limit + 1
    assert "^" in row
    assert printable(shown) == shown
