"""Composes successive rounds of edits into edits of the original documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Location, TextEdit


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of a changed document: bytes `start` to `end` of the original document, or `new` text."""

    start: int
    end: int
    new: bytes | None = None

    @property
    def size(self) -> int:
        return self.end - self.start if self.new is None else len(self.new)

    def part(self, first: int, last: int) -> _Piece:
        if self.new is None:
            return _Piece(self.start + first, self.start + last)
        return _Piece(0, 0, self.new[first:last])


@dataclass(slots=True)
class EditComposition:
    """Documents that are edited in several rounds.

    `edits` returns the combined edits of the original documents.
    """

    _pieces: dict[str, list[_Piece]] = field(default_factory=dict)
    _sizes: dict[str, int] = field(default_factory=dict)

    def copy(self) -> EditComposition:
        """Returns a copy that can be changed independently."""
        return EditComposition(dict(self._pieces), dict(self._sizes))

    def apply(self, edits: Iterable[TextEdit], sizes: dict[str, int]) -> None:
        """Applies edits, which are sorted by place, to the current documents.

        `sizes` contains the current size in bytes of each document.
        """
        for edit in reversed(tuple(edits)):
            name = edit.location.document
            if name not in self._pieces:
                self._sizes[name] = sizes[name]
                self._pieces[name] = [_Piece(0, sizes[name])]
            new = _Piece(0, 0, edit.text.encode("utf-8", "surrogateescape"))
            pieces = self._pieces[name]
            total = sum(piece.size for piece in pieces)
            before = _between(pieces, 0, edit.location.start)
            self._pieces[name] = [*before, new, *_between(pieces, edit.location.end, total)]

    def edits(self) -> tuple[TextEdit, ...]:
        """Returns the edits that turn the original documents into the current ones, sorted by place."""
        return tuple(edit for name in sorted(self._pieces) for edit in self._edits(name))

    def _edits(self, name: str) -> Iterator[TextEdit]:
        at, written = 0, b""
        for piece in (*self._pieces[name], _Piece(self._sizes[name], self._sizes[name])):
            if piece.new is not None:
                written += piece.new
                continue
            if written or piece.start > at:
                yield TextEdit(Location(name, at, piece.start), written.decode("utf-8", "surrogateescape"))
            at, written = piece.end, b""


def _between(pieces: Iterable[_Piece], first: int, last: int) -> Iterator[_Piece]:
    at = 0
    for piece in pieces:
        start, end = max(first - at, 0), min(last - at, piece.size)
        if start < end:
            yield piece.part(start, end)
        at += piece.size
