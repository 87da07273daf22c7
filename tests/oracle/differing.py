"""Compares two results for one program: the lines that only one of them calls an error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .clang import Error
from .deviations import explained
from .ours import Diagnostic


@dataclass(frozen=True, slots=True)
class DifferingLine:
    """A line (from 1) that clang alone (`by_clang`), or openclsp alone, calls an error, and its words.

    `reason` is why that is agreed, or None.
    """

    line: int
    by_clang: bool
    message: str
    reason: str | None


def differing_lines(
    text: str, theirs: Sequence[Error], ours: Sequence[Diagnostic]
) -> Iterator[DifferingLine]:
    """Compare line by line; where a line has several errors, its first one speaks. A code stands before our message."""
    clang = {error.line: error.message for error in reversed(theirs)}
    own = {item.line: f"[{item.code}] {item.message}" for item in reversed(ours) if item.is_error}
    for line in sorted(clang.keys() ^ own.keys()):
        by_clang = line in clang
        message = clang[line] if by_clang else own[line]
        yield DifferingLine(line, by_clang, message, explained(text, message, by_clang))
