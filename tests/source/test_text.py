"""Line and column computation, compared with a naive model."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openclsp.source import text as text_module
from openclsp.source.text import LONG_LINE, Edit, Encoding, Position, Text, difference

from ..interpreted import interpreted

PIECES = (
    b"\n", b"\r\n", b"\r", b"\n", b"a", b"kernel ", b"\f", b"\v", b"\x1c", b"\x85", "\u0085".encode(), "\u2028".encode(),
    "é".encode(), "√".encode(), "😀".encode(), b"\xff", b"\xf0\x9f", b"\x80", b"\xc3", b"\xed\xa0\x80", b"\t",
)  # fmt: skip
texts = st.lists(st.sampled_from(PIECES), max_size=40).map(b"".join)
encodings = st.sampled_from(("utf-8", "utf-16", "utf-32"))


def lines_of(data: bytes) -> list[tuple[int, bytes]]:
    """Start and content of every line."""
    lines = []
    start = 0
    for match in re.finditer(rb"\r\n|\r|\n", data):
        lines.append((start, data[start : match.start()]))
        start = match.end()
    return [*lines, (start, data[start:])]


def units(content: bytes, encoding: Encoding) -> list[tuple[int, int]]:
    """Byte length and width in units of every character."""
    found = []
    for character in content.decode("utf-8", "surrogateescape"):
        size = len(character.encode("utf-8", "surrogateescape"))
        if encoding == "utf-8":
            found += [(1, 1)] * size
        else:
            found.append((size, 2 if encoding == "utf-16" and ord(character) > 0xFFFF else 1))
    return found


def position(data: bytes, offset: int, encoding: Encoding) -> Position:
    line, (start, content) = [
        (number, line) for number, line in enumerate(lines_of(data)) if line[0] <= offset
    ][-1]
    at = column = 0
    for size, width in units(content, encoding):
        if start + at + size > offset:
            break
        at += size
        column += width
    return Position(line, column)


def offset(data: bytes, line: int, column: int, encoding: Encoding) -> int:
    lines = lines_of(data)
    if line >= len(lines):
        return len(data)
    start, content = lines[line]
    at = 0
    for size, width in units(content, encoding):
        if column < width:
            break
        column -= width
        at += size
    return start + at


@settings(deadline=None)
@given(texts)
def test_lines_end_at_line_feeds_and_carriage_returns_only(data: bytes) -> None:
    text = Text.of(data)
    assert [(text.line_start(i), text.line(i)) for i in range(text.line_count)] == lines_of(data)


@settings(deadline=None)
@given(texts, encodings)
def test_every_offset_has_the_position_that_counting_gives(data: bytes, encoding: Encoding) -> None:
    text = Text.of(data)
    for at in range(len(data) + 1):
        assert text.position(at, encoding) == position(data, at, encoding)


@settings(deadline=None, max_examples=30)
@given(texts, encodings)
def test_positions_in_a_long_line(data: bytes, encoding: Encoding) -> None:
    begin = b"a\n" + b"x" * (LONG_LINE - len(data) // 2)
    whole = begin + data + b"y" * LONG_LINE
    text = Text.of(whole)
    for at in (*range(len(begin) - 2, len(begin) + len(data) + 2), len(whole), 0):
        assert text.position(at, encoding) == position(whole, at, encoding)


@interpreted(text_module)
def test_many_positions_in_a_long_line_read_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read = 0
    counting = text_module._units

    def counted(characters: str, encoding: Encoding) -> int:
        nonlocal read
        read += len(characters)
        return counting(characters, encoding)

    monkeypatch.setattr(text_module, "_units", counted)
    text = Text.of("é".encode() + b"x" * 400_000)
    for at in range(0, 400_000, 1_000):
        assert text.position(at, "utf-16").column == max(at - 1, 0)
    assert read < 400_000 + 400 * LONG_LINE


@settings(deadline=None)
@given(texts, encodings)
def test_every_position_has_the_offset_that_counting_gives(data: bytes, encoding: Encoding) -> None:
    text = Text.of(data)
    for line in range(text.line_count + 2):
        for column in range(12):
            assert text.offset(line, column, encoding) == offset(data, line, column, encoding)


@settings(max_examples=300, deadline=None)
@given(texts, st.lists(st.tuples(st.integers(0, 90), st.integers(0, 12), texts), max_size=8))
def test_an_edited_text_is_the_text_of_the_edited_bytes(
    data: bytes, edits: list[tuple[int, int, bytes]]
) -> None:
    text = Text.of(data)
    for start, length, new in edits:
        start = min(start, len(data))
        end = min(start + length, len(data))
        text = text.apply(Edit(start, end, new))
        data = data[:start] + new + data[end:]
        assert text.data == data
        assert [(text.line_start(i), text.line(i)) for i in range(text.line_count)] == lines_of(data)
        for at in range(0, len(data) + 1, 3):
            assert text.line_of(at) == position(data, at, "utf-8").line
            line, begin, following = text.lines.around(at)
            assert (line, begin) == (text.line_of(at), text.line_start(line))
            assert following == (text.line_start(line + 1) if line + 1 < text.line_count else -1)


@settings(max_examples=20, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 9000), st.integers(0, 3000)), min_size=1, max_size=8)
)
def test_a_table_of_many_chunks_stays_right(edits: list[tuple[float, int, int]]) -> None:
    data = b"".join(b"%d\n" % (number * 7919) for number in range(3000))
    text = Text.of(data)
    for share, removed, added in edits:
        start = round(share * len(data))
        end = min(start + removed, len(data))
        new = b"x\r\n" * added
        text = text.replace(start, end, new)
        data = data[:start] + new + data[end:]
    fresh = Text.of(data)
    assert text.line_count == fresh.line_count
    assert [text.line_start(i) for i in range(text.line_count)] == [
        fresh.line_start(i) for i in range(fresh.line_count)
    ]


def test_an_offset_outside_the_text_is_moved_to_its_end() -> None:
    text = Text.of(b"ab\ncd")
    assert text.offset(0, 99, "utf-16") == 2
    assert text.offset(99, 0, "utf-16") == 5
    assert text.replace(99, 99, b"!").data == b"ab\ncd!"


@given(texts | st.text("ab", max_size=600).map(str.encode), st.integers(0, 600), st.integers(0, 300), texts)
def test_the_difference_that_an_edit_tells_is_the_smallest_one(
    data: bytes, start: int, size: int, new: bytes
) -> None:
    text = Text.of(data)
    after = text.replace(start, start + size, new)
    # other objects, of which nobody told anything
    assert difference(data, after.data) == difference(bytes(bytearray(data)), bytes(bytearray(after.data)))
