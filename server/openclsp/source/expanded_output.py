"""Writes the rows of the expanded text, and records where their segments come from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from openclsp.source.digraphs import BRACKETS, has_digraph, replace_digraphs
from openclsp.source.document import DocumentName
from openclsp.source.expansion import PRAGMA, Expansion
from openclsp.source.lexer import SHARED, SPACE, Spliced, Token
from openclsp.source.macros import Macro
from openclsp.source.row_map import BLANK, COMMENT, RowMacroCall, RowMap, Segment

_LINE_END: Final = re.compile(rb"\r\n|\n|\r")
_WORD_BYTES: Final = frozenset(
    b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$"
) | frozenset(range(0x80, 0x100))
_JOINING: Final = frozenset(
    b"++ -- << >> && || == ## -> <= >= != += -= *= /= %= &= |= ^= <: <% %: %> :> :: // /* .. +. -. "
    b'L" L\' u" U" 8" R" ""'.split()
)


def _followers(last: int) -> frozenset[int]:
    """Returns the first bytes of tokens that a space must separate from a token that ends in `last`."""
    if last in _WORD_BYTES:
        # A pp-number absorbs a period, and a sign after an exponent's letter (C99 6.4.8).
        return _AFTER_EXPONENT if last in b"eEpP" else _AFTER_WORD
    if last == 0x2E:
        return _WORD_BYTES | {0x2E}
    return frozenset(pair[1] for pair in _JOINING if pair[0] == last)


_AFTER_WORD: Final = _WORD_BYTES | frozenset(b".\"'")
_AFTER_EXPONENT: Final = _AFTER_WORD | frozenset(b"+-")


def _joins() -> bytes:
    table = bytearray(1 << 16)
    for last in range(256):
        for first in _followers(last):
            table[256 * last + first] = True
    return bytes(table)


_JOINS: Final = _joins()
"""Whether two tokens need a space between them.

Indexed by 256 * last byte of the first + first byte of the second.
"""


class Output:
    """The expanded text that is being written.

    Source offsets are those of the raw text; `base` is the offset at which the current row's raw line starts.
    """

    def __init__(self, first_row: int) -> None:
        self.first_row = first_row
        self.pieces: list[bytes] = []
        self.rows: list[RowMap | None] = []
        self.pragmas: list[tuple[int, int, bytes, object]] = []
        self.base = 0
        self.column = 0
        self.bytes_produced = 0
        """Bytes that macros have produced so far"""
        self._last = 0x20
        self._segments: list[Segment] = []
        # The open segment, which the next token may extend: its columns and its other fields.
        self._from = -1
        self._to = 0
        self._origin: object = None
        self._shared = False
        self._document: DocumentName | None = None
        self._calls: list[RowMacroCall] = []
        self._home = 0
        self._own = 0
        self._comment = False
        self._special = False

    @property
    def row(self) -> int:
        """The number of the row being written."""
        return self.first_row + len(self.rows)

    def plain_rows(self, data: bytes, start: int, end: int, count: int, line_ends: bool) -> None:
        """Copies `count` whole lines; `line_ends` means that some may end in \\r or \\r\\n."""
        piece = data[start:end]
        if has_digraph(data, start, end):
            piece = replace_digraphs(piece)
        if line_ends:
            piece = piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if count and piece and not piece.endswith(b"\n"):
            piece += b"\n"
        self.pieces.append(piece)
        self.rows.extend([None] * count)

    def blank_rows(self, count: int, last_is_empty: bool) -> None:
        """Writes `count` empty rows; if `last_is_empty`, the last one ends the text without a line end."""
        self.pieces.append(b"\n" * (count - last_is_empty))
        self.rows.extend([BLANK] * count)

    def copy(self, data: bytes, start: int, end: int) -> None:
        """Copies raw text; it may contain line ends in comments and after backslashes."""
        if start >= end:
            return
        if has_digraph(data, start, end):
            data = data[:start] + replace_digraphs(data[start:end]) + data[end:]
        at = start
        for match in _LINE_END.finditer(data, start, end):
            self._copy(data, at, match.start())
            spliced = data[max(match.start() - 16, 0) : match.start()].rstrip(b" \t\f\v").endswith(b"\\")
            at = match.end()
            self.end_row(at)
            self._comment = not spliced
        self._copy(data, at, end)

    def _copy(self, data: bytes, start: int, end: int) -> None:
        if start >= end:
            return
        if self._special and _JOINS[self._last << 8 | data[start]]:
            self._write(b" ")
        column = self.column
        self._write(data[start:end])
        self._close_segment()
        self._from, self._to = column, self.column
        self._origin, self._shared, self._document = start - self.base, False, None

    def _write(self, piece: bytes) -> None:
        self.pieces.append(piece)
        self.column += len(piece)
        self._last = piece[-1]

    def _close_segment(self) -> None:
        if self._from >= 0:
            width = self._to - self._from
            self._segments.append(Segment(self._from, width, self._origin, self._shared, self._document))
            self._from = -1

    def expansion(self, tokens: Sequence[Token], macro: Macro, start: int, name_end: int, end: int) -> None:
        """Writes the expansion of a macro's invocation, which is the raw text from `start` to `end`.

        `name_end` is the end of the macro's name in the raw text.
        """
        column = self.column
        base = self.base
        self._special = True
        write = self.token
        for kind, text, flags, origin in tokens:
            if kind == PRAGMA:
                self.pragmas.append((self.row, self.column, text, origin))
            elif isinstance(origin, Expansion):
                write(text, flags, origin, None)
            elif isinstance(origin, int):
                write(text, flags, origin - base, None)
            elif isinstance(origin, Spliced):
                write(text, flags, Spliced(origin.start - base, origin.end - base), None)
        self.bytes_produced += self.column - column
        self._calls.append(
            RowMacroCall(column, self.column, start - base, end - base, name_end - base, macro)
        )

    def spliced(self, text: bytes, start: int, end: int) -> None:
        """Writes a token whose raw text contains a backslash-newline."""
        self.token(text, 0, Spliced(start - self.base, end - self.base), None)

    def token(self, text: bytes, flags: int, origin: object, document: DocumentName | None) -> None:
        """Writes a token; its origin is relative to the start of the raw line.

        The token is added to the current segment if it has the same origin: if it comes from the same
        expansion, or if its distance from the segment's start is the same in the document and in the row.
        """
        self._special = True
        if len(text) == 2:
            text = BRACKETS.get(text, text)
        column = self.column
        if column and (flags & SPACE and self._last != 0x20 or _JOINS[self._last << 8 | text[0]]):
            self.pieces.append(b" ")
            column += 1
        if text[0] == 0x52 and (b"\n" in text or b"\r" in text):
            text = b" ".join(text.splitlines())
        self.pieces.append(text)
        self._last = text[-1]
        end = self.column = column + len(text)
        shared = flags & SHARED != 0
        # same origin and at most one space apart, as in the document
        if (
            self._from >= 0
            and column - self._to <= 1
            and shared is self._shared
            and document == self._document
        ):
            source = self._origin
            if isinstance(origin, int):
                goes_on = not shared and isinstance(source, int) and origin - source == column - self._from
            else:
                goes_on = source is origin
            if goes_on:
                self._to = end
                return
        self._close_segment()
        self._from, self._to = column, end
        self._origin, self._shared, self._document = origin, shared, document

    def skip_to(self, data: bytes, consumed_from: int, consumed_to: int) -> None:
        """Ends a row for each line end in the text from `consumed_from` to `consumed_to` of the document.

        This is the text of a macro call, of a spliced token, or of a comment that a backslash-newline divides.
        """
        last = consumed_from
        home = 0
        for match in _LINE_END.finditer(data, consumed_from, consumed_to):
            last = match.end()
            home += 1
            # the row lacks at least the beginning of the skipped text
            self._special = True
            self.end_row(last)
            self._special = True
            self._home = home
        if home:
            self._own = consumed_to - last
            if self._own:
                self._write(b" " * self._own)

    def end_row(self, base: int) -> None:
        """Ends the current row and begins the next one.

        `base` is the offset in the document at which the text of the next row begins.
        """
        self.pieces.append(b"\n")
        self.rows.append(self._row_map())
        self.begin(base)

    def finish(self) -> None:
        """Ends the last row of a text without a final line end, unless the row is empty."""
        if self.column or self._special:
            self.end_row(0)

    def comment_rows(self, count: int, last_is_empty: bool) -> None:
        """Writes the rows of an unclosed comment as empty rows; the parameters are those of `blank_rows`."""
        self.pieces.append(b"\n" * (count - last_is_empty))
        self.rows.extend([COMMENT] * count)

    def begin(self, base: int) -> None:
        """Begins a row of the expanded text; its text in the document starts at offset `base`."""
        self.base = base
        self.column = 0
        self._last = 0x20
        self._segments = []
        self._from = -1
        self._calls = []
        self._home = 0
        self._own = 0
        self._comment = False
        self._special = False

    def _row_map(self) -> RowMap | None:
        self._close_segment()
        if self._special:
            return RowMap(tuple(self._segments), tuple(self._calls), self._home, self._own, self._comment)
        return COMMENT if self._comment else None
