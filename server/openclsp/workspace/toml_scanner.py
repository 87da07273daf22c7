"""Scanner for the positions of keys and values in a TOML text, which may be incomplete.

The scanner accepts every text. `toml_parser` decides what is valid, and computes the values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field
from enum import Enum
from typing import Final

from openclsp.dataclass import dataclass

MAXIMUM_TOKENS: Final = 100_000
"""The maximum number of tokens that are scanned; a file of the maximum size has fewer."""

_TOKEN: Final = re.compile(
    rb"""(?P<space>[ \t\r]+)
    |(?P<newline>\n)
    |(?P<comment>\#[^\n]*)
    |(?P<string>\"\"\"(?:[^"\\]|\\.|"(?!""))*(?:\"\"\")?|'''(?:[^']|'(?!''))*(?:''')?
        |"(?:[^"\\\n]|\\[^\n])*"?|'[^'\n]*'?)
    |(?P<bare>[^\s\#"'=\[\]{},.]+(?:\.\d[^\s\#"'=\[\]{},.]*)?)
    |(?P<mark>[=\[\]{},.])
    |(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_KEY_LINE: Final = re.compile(rb"""[ \t]*(?:\[\[?[ \t]*[\w"'.-]+[ \t]*\]|[\w."'-]+[ \t]*=)""")
"""The start of a line that cannot continue an array: a header, or a key with its `=`"""

KeyPath = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TomlEntry:
    """A key or the header of a table, with its byte ranges.

    - `path`: its names, preceded by those of the enclosing tables
    - `items`: for a key, the byte ranges of the strings and other simple values in its value
    """

    path: KeyPath
    start: int
    end: int
    is_header: bool = False
    items: tuple[tuple[int, int], ...] = ()


class TomlPlace(Enum):
    """The kinds of positions in a TOML text, by what can be typed there."""

    KEY = "key"
    HEADER = "header"
    VALUE = "value"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class TomlCursor:
    """The key or value that is being typed at the end of a text.

    - `path`: the path of the table in which a key is typed, or of the key whose value is typed
    - `word`: the typed part of the name or value, without the opening `quote`
    - `is_array`: whether the value is in an array
    """

    place: TomlPlace
    path: KeyPath = ()
    word: bytes = b""
    quote: bytes = b""
    is_array: bool = False


@dataclass(slots=True)
class _Scanner:
    """The state of the scanner between two tokens."""

    data: bytes
    entries: list[TomlEntry] = field(default_factory=list)
    table: KeyPath = ()
    """The table of the last header"""
    tables: list[KeyPath] = field(default_factory=list)
    """The tables that enclose the position: for each inline table, the path of its key"""
    brackets: list[bytes] = field(default_factory=list)
    """The open brackets of values"""
    place: TomlPlace = TomlPlace.KEY
    parts: list[tuple[str, int, int]] = field(default_factory=list)
    """The parts of the key or header that is being read, with their byte ranges"""
    entry: int = -1
    """The index of the entry whose value is being read"""
    last: tuple[bytes, bytes] = (b"", b"")
    """The kind and text of the last token"""

    def scan(self) -> None:
        at_line_start = True
        for number, match in enumerate(_TOKEN.finditer(self.data)):
            if number >= MAXIMUM_TOKENS:
                self.place = TomlPlace.NONE
                return
            kind = (match.lastgroup or "").encode()
            text = match[0]
            if at_line_start and self.brackets and _KEY_LINE.match(self.data, match.start()):
                # The array was not closed.
                self._end_line()
            at_line_start = kind == b"newline"
            self.last = kind, text
            if kind == b"newline":
                if not self.brackets:
                    self._end_line()
            elif kind == b"mark":
                self._mark(text, match.start(), match.end())
            elif kind in (b"string", b"bare"):
                self._word(text, match.start(), match.end())

    def _end_line(self) -> None:
        if self.place is TomlPlace.HEADER:
            self._end_header()
        self.place, self.parts, self.entry = TomlPlace.KEY, [], -1
        self.brackets.clear()
        self.tables.clear()

    def _end_header(self) -> None:
        if self.parts:
            self.table = tuple(name for name, _, _ in self.parts)
            self._add_entry(self.table, is_header=True)

    def _add_entry(self, path: KeyPath, *, is_header: bool) -> None:
        self.entries.append(TomlEntry(path, self.parts[0][1], self.parts[-1][2], is_header))

    @property
    def enclosing(self) -> KeyPath:
        """The path of the innermost table that encloses the current position."""
        return self.tables[-1] if self.tables else self.table

    def _mark(self, text: bytes, start: int, end: int) -> None:
        if self.place is TomlPlace.KEY:
            if text == b"[" and not self.parts and not self.brackets:
                self.place = TomlPlace.HEADER
            elif text == b"=" and self.parts:
                path = (*self.enclosing, *(name for name, _, _ in self.parts))
                self._add_entry(path, is_header=False)
                self.place, self.parts, self.entry = TomlPlace.VALUE, [], len(self.entries) - 1
            elif text == b"," and self.brackets:
                self.parts = []
            elif text == b"}" and self.brackets:
                self._close(b"{")
        elif self.place is TomlPlace.HEADER:
            if text == b"]":
                self._end_header()
                self.place, self.parts = TomlPlace.NONE, []
        elif text in (b"[", b"{"):
            self.brackets.append(text)
            if text == b"{":
                self.tables.append(self.entries[self.entry].path)
                self.place, self.parts = TomlPlace.KEY, []
        elif text in (b"]", b"}"):
            self._close(b"[" if text == b"]" else b"{")
        elif text == b"," and self.brackets and self.brackets[-1] == b"{":
            self.place, self.parts = TomlPlace.KEY, []

    def _close(self, bracket: bytes) -> None:
        if bracket in self.brackets:
            while self.brackets.pop() != bracket:
                pass
            if bracket == b"{" and self.tables:
                self.tables.pop()
        self.place, self.parts = TomlPlace.VALUE if self.brackets else TomlPlace.NONE, []

    def _word(self, text: bytes, start: int, end: int) -> None:
        if self.place is TomlPlace.VALUE:
            if 0 <= self.entry < len(self.entries):
                old = self.entries[self.entry]
                items = (*old.items, (start, end)) if len(old.items) < 1000 else old.items
                self.entries[self.entry] = TomlEntry(old.path, old.start, old.end, old.is_header, items)
        elif self.place is not TomlPlace.NONE:
            self.parts.append((_name(text), start, end))


def scan_entries(data: bytes) -> tuple[TomlEntry, ...]:
    """Finds all keys and headers, in the order of the text."""
    scanner = _Scanner(data)
    scanner.scan()
    scanner._end_line()
    return tuple(scanner.entries)


def find_cursor(before: bytes) -> TomlCursor:
    """Determines what can be typed at the end of a text."""
    scanner = _Scanner(before)
    scanner.scan()
    kind, text = scanner.last
    place = scanner.place
    if kind == b"comment" or place is TomlPlace.NONE:
        return TomlCursor(TomlPlace.NONE)
    quote = word = b""
    if kind == b"bare":
        word = text
    elif kind == b"string":
        quote = text[:3] if text[:3] in (b'"""', b"'''") else text[:1]
        closed = len(text) >= 2 * len(quote) and text.endswith(quote)
        if closed:
            return TomlCursor(TomlPlace.NONE)
        word = text[len(quote) :]
    if place is TomlPlace.VALUE:
        if not 0 <= scanner.entry < len(scanner.entries):
            return TomlCursor(TomlPlace.NONE)
        is_array = bool(scanner.brackets) and scanner.brackets[-1] == b"["
        if scanner.entries[scanner.entry].items and not (is_array or word or quote):
            # Nothing can be typed after a complete value.
            return TomlCursor(TomlPlace.NONE)
        return TomlCursor(place, scanner.entries[scanner.entry].path, word, quote, is_array)
    parts = [name for name, _, _ in scanner.parts]
    typed = parts[:-1] if kind in (b"bare", b"string") else parts
    if typed and kind not in (b"mark", b"bare", b"string"):
        # After a complete name, only `=` or a dot can follow.
        return TomlCursor(TomlPlace.NONE)
    enclosing = () if place is TomlPlace.HEADER else scanner.enclosing
    return TomlCursor(place, (*enclosing, *typed), word, quote)


def _name(text: bytes) -> str:
    return text.decode("utf-8", "replace").strip("\"'")


def find_entry(entries: tuple[TomlEntry, ...], path: KeyPath) -> TomlEntry | None:
    """Returns the first entry with this path; if there is none, the entry of the longest prefix that has one.

    For example, an absent `lint.select` gives the entry of the table `lint`. Returns None if no prefix has an
    entry.
    """
    by_path: dict[KeyPath, TomlEntry] = {}
    for each in entries:
        by_path.setdefault(each.path, each)
    while path:
        if path in by_path:
            return by_path[path]
        path = path[:-1]
    return None


def entries_at(entries: tuple[TomlEntry, ...], offset: int) -> Iterator[TomlEntry]:
    """Yields the entries whose key, header or value contains `offset` or ends there."""
    for each in entries:
        ranges = ((each.start, each.end), *each.items)
        if any(start <= offset <= end for start, end in ranges):
            yield each
