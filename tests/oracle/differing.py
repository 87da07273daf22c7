"""Compares two results for one program: the lines on which only one of them reports an error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .clang import Error
from .deviations import explained
from .ours import Diagnostic


@dataclass(frozen=True, slots=True)
class DifferingLine:
    """A line (from 1) on which only clang (`by_clang`) or only openclsp reports an error, and the message.

    `reason` is the agreed reason, or None.
    """

    line: int
    by_clang: bool
    message: str
    reason: str | None


def differing_lines(
    text: str, theirs: Sequence[Error], ours: Sequence[Diagnostic]
) -> Iterator[DifferingLine]:
    """Compares line by line; of several errors on a line, the first counts. Our message begins with its code."""
    clang = {error.line: error.message for error in reversed(theirs)}
    own = {item.line: f"[{item.code}] {item.message}" for item in reversed(ours) if item.is_error}
    for line in sorted(clang.keys() ^ own.keys()):
        by_clang = line in clang
        message = clang[line] if by_clang else own[line]
        yield DifferingLine(line, by_clang, message, explained(text, message, by_clang))
