"""Invalid client messages leave the text correct and the answers those of a fresh document."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .buffer import Buffer
from .talk import Talk, talks

KERNEL = """\
#define SPACE global
kernel void k(SPACE int *g, int n) {
    local int *l = g; // ü🚀
}
"""
FAULT = "pointer-conversion"


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[Talk, Talk]]:
    with talks(tmp_path) as both:
        yield both


class Sloppy:
    """A client that sends arbitrary changes, and a second server that gets the expected text."""

    def __init__(self, pair: tuple[Talk, Talk], uri: str, text: str = KERNEL) -> None:
        self.talk, self.fresh = pair
        self.buffer = Buffer(self.talk, uri, text)

    @property
    def text(self) -> str:
        """The server's text."""
        document = self.talk.server.open_documents.get_by_uri(self.buffer.uri)
        assert document is not None
        return document.text.data.decode()

    def change(self, *changes: dict[str, Any], version: object = 2) -> None:
        """Sends changes."""
        document = {"uri": self.buffer.uri, "version": version}
        self.talk.notify("textDocument/didChange", textDocument=document, contentChanges=list(changes))

    def holds(self, text: str) -> None:
        """Asserts that the server has this text and gives the answers of a server that gets it from the start."""
        assert self.text == text
        self.buffer.text = text
        other = Buffer(self.fresh, self.buffer.uri, text)
        for each in (self.buffer, other):
            each.settle()
        places = [0, len(text) // 2, len(text)]
        assert self.buffer.answers(places) == other.answers(places)
        other.close()

    def faults(self) -> list[str]:
        """The codes of the errors."""
        return [each["code"] for each in self.buffer.diagnostics() if each["severity"] == 1]


@pytest.fixture
def sloppy(pair: tuple[Talk, Talk], tmp_path: Path) -> Sloppy:
    return Sloppy(pair, (tmp_path / "k.cl").as_uri())


def put(line: int, column: int, end_line: int, end_column: int, text: str) -> dict[str, Any]:
    start, end = ({"line": row, "character": at} for row, at in ((line, column), (end_line, end_column)))
    return {"range": {"start": start, "end": end}, "text": text}


@pytest.mark.parametrize("versions", [(5, 4, 3), (2, 2, 2), (1, 1, 1), (0, -1, -7), (9, 2, 9)])
def test_versions_that_repeat_or_go_back(sloppy: Sloppy, versions: tuple[int, ...]) -> None:
    """Changes apply in the order of arrival, whatever their version numbers are."""
    assert sloppy.faults() == [FAULT]
    text = KERNEL
    for version, (old, new) in zip(
        versions, (("local", "global"), ("global", "constant"), ("int n", "int m")), strict=True
    ):
        line = next(at for at, each in enumerate(text.split("\n")) if old in each)
        column = text.split("\n")[line].index(old)
        sloppy.change(put(line, column, line, column + len(old), new), version=version)
        text = text.replace(old, new, 1)
        sloppy.holds(text)


OUT_OF_RANGE = {
    "a line behind the end": (put(99, 0, 99, 0, "int a;\n"), KERNEL + "int a;\n"),
    "a range to behind the end": (put(3, 0, 4000, 7, "}\n"), KERNEL),
    "a column behind the line": (put(3, 99, 3, 1 << 30, " "), KERNEL[:-1] + " \n"),
    "the greatest numbers": (put(2**31 - 1, 2**31 - 1, 2**31 - 1, 2**31 - 1, "\n"), KERNEL + "\n"),
    "a range that ends before it begins": (put(1, 8, 1, 0, "void "), KERNEL.replace("kernel v", "void ")),
    "within a surrogate pair": (put(2, 27, 2, 27, ""), KERNEL),
}


@pytest.mark.parametrize("what", OUT_OF_RANGE)
def test_out_of_range(sloppy: Sloppy, what: str) -> None:
    """A column after the end of a line means the line's end (LSP 3.17, "Position"), a line after the last one the text's end."""
    change, expected = OUT_OF_RANGE[what]
    sloppy.change(change)
    sloppy.holds(expected)


UNREADABLE = {
    "a negative line": put(-1, 0, 0, 0, "x"),
    "no text": {"range": put(0, 0, 0, 0, "")["range"]},
    "half a range": {"range": {"start": {"line": 0, "character": 0}}, "text": "x"},
    "words for numbers": {"range": {"start": {"line": "a", "character": 0}, "end": {}}, "text": "x"},
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_a_change_that_cannot_be_read_costs_nothing_else(sloppy: Sloppy, what: str) -> None:
    sloppy.change(UNREADABLE[what])
    after = sloppy.text
    assert after in (KERNEL, "x" + KERNEL)
    sloppy.talk.crashes.clear()
    sloppy.holds(after)
    sloppy.change(put(2, 4, 2, 9, "global"), version=3)
    sloppy.holds(after.replace("local int", "global int"))


def test_whole_texts_and_parts_in_one_notification(sloppy: Sloppy) -> None:
    sloppy.change(
        put(0, 0, 0, 0, "int a;\n"), {"text": KERNEL}, put(2, 4, 2, 9, "global"), put(0, 0, 1, 0, "")
    )
    sloppy.holds(KERNEL.replace("local int", "global int").partition("\n")[2])
    sloppy.change()
    sloppy.holds(sloppy.text)


def test_opened_twice_and_closed_twice(sloppy: Sloppy) -> None:
    assert sloppy.faults() == [FAULT]
    sloppy.buffer.text = KERNEL.replace("local", "global")
    sloppy.buffer.open()
    sloppy.holds(sloppy.buffer.text)
    sloppy.buffer.close()
    sloppy.buffer.close()
    sloppy.change(put(0, 0, 0, 0, "int a;\n"))
    assert sloppy.talk.server.open_documents.get_by_uri(sloppy.buffer.uri) is None
    sloppy.buffer.text = KERNEL
    sloppy.buffer.open()
    assert sloppy.faults() == [FAULT]
    sloppy.holds(KERNEL)


def test_the_file_changes_on_disk_while_it_is_open(sloppy: Sloppy, tmp_path: Path) -> None:
    path = tmp_path / "k.cl"
    for kind, text in ((1, "int other;\n"), (2, ""), (2, KERNEL * 2), (3, None)):
        if text is None:
            path.unlink()
        else:
            path.write_text(text)
        sloppy.talk.notify("workspace/didChangeWatchedFiles", changes=[{"uri": path.as_uri(), "type": kind}])
        sloppy.holds(KERNEL)
    sloppy.change(put(2, 4, 2, 9, "global"))
    sloppy.holds(KERNEL.replace("local", "global"))


def test_ten_files_edited_in_turns(pair: tuple[Talk, Talk], tmp_path: Path) -> None:
    """Each file includes the one before it, so that an edit of one affects all later ones."""
    first = "typedef global int *place_t;\n"
    texts = [
        first if not n else f'#include "f{n - 1}.cl"\nvoid u{n}(local int *l) {{ place_t p = l; }}\n'
        for n in range(10)
    ]
    files = [Sloppy(pair, (tmp_path / f"f{n}.cl").as_uri(), text) for n, text in enumerate(texts)]
    turns = [
        (0, "global", "local"),
        (4, "place_t", "local int *"),
        (9, "local", "constant"),
        (0, "local", "constant"),
    ]
    for turn, (number, old, new) in enumerate(turns):
        text = texts[number]
        at = text.find(old)
        if at >= 0:
            row, column = text.count("\n", 0, at), at - (text.rfind("\n", 0, at) + 1)
            files[number].change(put(row, column, row, column + len(old), new), version=turn + 2)
            texts[number] = text[:at] + new + text[at + len(old) :]
        # the other server has the same files open, but was told of each text only now
        others = [Buffer(pair[1], file.buffer.uri, text) for file, text in zip(files, texts, strict=True)]
        for each in (*(file.buffer for file in files), *others):
            each.settle()
        for file, other, text in zip(files, others, texts, strict=True):
            file.buffer.text = text
            assert file.text == text
            assert file.buffer.answers([len(text) - 5]) == other.answers([len(text) - 5])
        for other in others:
            other.close()
    assert any(file.faults() for file in files)


def _clamped(text: str, line: int, column: int) -> int:
    """The character at a position, as LSP 3.17 clamps it; the texts of this test have one UTF-16 unit for each."""
    lines = text.split("\n")
    if line >= len(lines):
        return len(text)
    return sum(len(each) + 1 for each in lines[:line]) + min(column, len(lines[line]))


numbers = st.one_of(st.integers(0, 12), st.sampled_from([99, 2**16, 2**31 - 1]))
wild_changes = st.tuples(
    numbers, numbers, numbers, numbers, st.sampled_from(["", "x", "\n", "{", "/*", "int a;\n", "\n\n"])
)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(wild_changes, st.integers(-3, 3)), min_size=1, max_size=10))
def test_any_positions_and_versions(
    pair: tuple[Talk, Talk], tmp_path: Path, changes: list[tuple[tuple[int, int, int, int, str], int]]
) -> None:
    text = KERNEL.replace("ü🚀", "u")
    sloppy = Sloppy(pair, (tmp_path / "wild.cl").as_uri(), text)
    for (line, column, end_line, end_column, new), version in changes:
        sloppy.change(put(line, column, end_line, end_column, new), version=version)
        start, end = sorted((_clamped(text, line, column), _clamped(text, end_line, end_column)))
        text = text[:start] + new + text[end:]
    sloppy.holds(text)
    sloppy.buffer.close()
