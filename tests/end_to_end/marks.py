"""Kernels with marks, and positions computed as an editor does, independently of the server's code."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lsprotocol import types

_MARK = re.compile("⟪(.*?)⟫", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Marked:
    """A kernel without its marks, and the characters (from 0, end exclusive) that were between `⟪` and `⟫`."""

    text: str
    spans: tuple[tuple[int, int], ...]

    @staticmethod
    def of(source: str) -> Marked:
        """Removes the marks of a kernel."""
        text, spans, at = "", [], 0
        for mark in _MARK.finditer(source):
            text += source[at : mark.start()]
            spans.append((len(text), len(text) + len(mark[1])))
            text += mark[1]
            at = mark.end()
        return Marked(text + source[at:], tuple(spans))


def position(text: str, at: int, encoding: str) -> types.Position:
    """The position of the character at `at`."""
    lines = re.split("\r\n|\n|\r", text[:at])
    return types.Position(len(lines) - 1, _units(lines[-1], encoding))


def character(text: str, place: types.Position, encoding: str) -> int:
    """The character at a position, which must be one of the text's."""
    starts = [0, *(end.end() for end in re.finditer("\r\n|\n|\r", text))]
    at = starts[place.line]
    while position(text, at, encoding) != place:
        at += 1
    return at


def range_of(text: str, span: tuple[int, int], encoding: str) -> types.Range:
    """The range of some characters."""
    return types.Range(position(text, span[0], encoding), position(text, span[1], encoding))


def edited(text: str, edits: list[types.TextEdit], encoding: str) -> str:
    """The text after edits whose positions all refer to the original text."""
    spans = [
        (
            character(text, edit.range.start, encoding),
            character(text, edit.range.end, encoding),
            edit.new_text,
        )
        for edit in edits
    ]
    for start, end, new in sorted(spans, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _units(line: str, encoding: str) -> int:
    if encoding == "utf-8":
        return len(line.encode())
    return len(line) if encoding == "utf-32" else len(line.encode("utf-16-le")) // 2
