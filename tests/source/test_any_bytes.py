"""Preprocessing gives a result for any bytes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .kernels import LINES, SNIPPETS, kernels
from .marks import NAME, run

soup = st.lists(st.sampled_from([*LINES, *SNIPPETS, "__VA_OPT__(", "#define F(x, ...) x ## __VA_ARGS__ #x", "F(", "R\"(", "_Pragma("]), max_size=30)  # fmt: skip


def holds_together(data: bytes) -> None:
    unit = run(data, {"types.h": "#define TWO 2\nint a = TWO\n"})
    source_map = unit.source_map
    rows = unit.document.text.line_count
    assert len(source_map.rows) == rows
    assert unit.text.count(b"\n") in (rows, rows - 1)
    for problem in unit.problems:
        assert 0 <= problem.start <= problem.end
    for offset in range(0, len(unit.text) + 1, 5):
        source_map.written(offset, offset + 4)
        source_map.spelled(offset, offset + 4)
    for offset in range(0, len(data) + 2, 3):
        source_map.expanded(NAME, offset)
        source_map.macro_at(offset)


@settings(deadline=None, max_examples=200)
@given(st.binary(max_size=200))
def test_random_bytes(data: bytes) -> None:
    holds_together(data)


@settings(deadline=None, max_examples=300)
@given(st.text(alphabet="#defin ABif()\\\n\r/*\"',.+-1x<>_%:R", max_size=80))
def test_random_text(text: str) -> None:
    holds_together(text.encode())


@settings(deadline=None, max_examples=300)
@given(soup, st.sampled_from(["", " ", "\n"]))
def test_pieces_of_kernels_in_any_order(pieces: list[str], joint: str) -> None:
    holds_together(joint.join(pieces).encode())


@settings(deadline=None, max_examples=150)
@given(kernels(), st.floats(0, 1))
def test_truncated_kernels(data: bytes, share: float) -> None:
    holds_together(data[: round(share * len(data))])


def test_an_empty_document() -> None:
    unit = run(b"")
    assert (unit.text, unit.problems) == (b"", ())


def test_a_long_document() -> None:
    line = b"#define A(x) x\nint a = A(1); /* c */ float b = 0x1p3f;\n"
    assert len(run(line * 20000).source_map.rows) == 40001


@pytest.mark.parametrize(
    "line",
    [
        'R"a(',
        'R"a{}(',
        "/*",
        '"',
        "#if 0",
        "#if 1",
        "F(",
        "F((",
        "F( /*",
        "F",
        "F(1) \\",
        "F(F",
        "_Pragma(",
        "F \0\0 \t",
    ],
)
def test_what_is_opened_again_and_again_takes_no_more_than_its_length(line: str) -> None:
    # Each of these took minutes where every opening looked for its end.
    lines = [line.format(number) for number in range(10_000)]
    assert len(run("#define F(x) x\n" + "\n".join(lines)).source_map.rows) == 10_001


@pytest.mark.parametrize("white", [b"\0", b" ", b"\t\f"])
def test_white_space_without_end(white: bytes) -> None:
    # Searching for a token from every byte of it took minutes.
    for data in (white * 50_000, b"#define F(x) x\nF" + white * 50_000, b"F" + white * 50_000 + b"\nF\n"):
        unit = run(data, defines=(("F", "1"),))
        unit.source_map.macro_at(len(data) - 1)
        unit.source_map.expanded(NAME, len(data) - 1)
