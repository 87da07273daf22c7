"""Extracts the names that an OpenCL C file declares, and the names from other files that it may use.

The tokens are read without preprocessing, so this is fast and approximate. The uses of a function's own local
names are omitted, because they cannot refer to another file.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from enum import Enum
from itertools import accumulate
from typing import Final

from openclsp.dataclass import dataclass

_TOKEN: Final = re.compile(
    rb"""//(?:[^\\\r\n]|\\\r?\n|\\.)*|/\*.*?(?:\*/|\Z)|"(?:[^"\\\r\n]|\\.)*"?|'(?:[^'\\\r\n]|\\.)*'?
    |(?P<directive>^[ \t]*\#[ \t]*(?P<kind>\w*))
    |(?P<name>[A-Za-z_]\w*)|\.?[0-9](?:[eEpP][+-]|[\w.])*|(?P<mark>->|[{}()\[\];=,.*:])""",
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
_DIRECTIVE_END: Final = re.compile(rb"(?:[^\\\r\n]|\\\r?\n|\\.)*", re.DOTALL)
_NO_TYPES: Final = frozenset(
    (b"return", b"else", b"goto", b"case", b"sizeof", b"do", b"typeof", b"struct", b"union", b"enum")
)
_TAG_WORDS: Final = frozenset((b"struct", b"union", b"enum"))
_COMMON: Final = frozenset(
    b"""auto break case char const continue default do double else enum extern float for goto if inline int long
    register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
    kernel __kernel global __global local __local constant __constant private __private generic __generic
    uchar ushort uint ulong half bool size_t ptrdiff_t __attribute__ defined""".split()
)
"""Words that are not names of a program, and are therefore not stored."""
_AFTER_NAME: Final = frozenset((b"=", b";", b",", b"[", b")", b":"))

DIRECTIVE: Final = 1
"""The name is in a directive, for example in the body of a macro."""
MEMBER: Final = 2
"""The name follows `.` or `->`."""
TAG: Final = 4
"""The name follows `struct`, `union` or `enum`."""
_FLAG_BITS: Final = 3


class DeclaredKind(Enum):
    """The kind of a declaration at program scope; the value is its name in messages."""

    FUNCTION = "function"
    KERNEL = "kernel"
    STRUCT = "struct"
    ENUM = "enum"
    ENUMERATOR = "enumerator"
    TYPE = "type"
    VARIABLE = "variable"
    MACRO = "macro"


@dataclass(frozen=True, slots=True)
class DeclaredName:
    """A declaration at program scope: a name and the offset of its first byte."""

    name: str
    kind: DeclaredKind
    start: int
    is_definition: bool


@dataclass(frozen=True, slots=True, eq=False)
class FileNames:
    """The names that one file declares and uses.

    - `declared`: its declarations at program scope
    - `uses`: for each name, the byte offsets of its uses in ascending order, each packed with flags into an
      integer (see `decode_use`)
    - `lines`: the byte offsets at which lines begin
    - `is_ascii`: whether each byte is one unit in every position encoding
    """

    declared: tuple[DeclaredName, ...]
    uses: Mapping[bytes, array[int]]
    lines: array[int]
    is_ascii: bool
    size: int

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Returns the line and the column of a byte offset; both count from 0, columns in bytes."""
        line = bisect_right(self.lines, offset) - 1
        return line, offset - self.lines[line]


def decode_use(use: int) -> tuple[int, int]:
    """Returns the byte offset and the flags of a use."""
    return use >> _FLAG_BITS, use & ((1 << _FLAG_BITS) - 1)


def encode_use(start: int, flags: int) -> int:
    """Packs the byte offset and the flags of a use into an integer: the inverse of `decode_use`.

    Adding `encode_use(distance, 0)` to a use moves it by `distance` bytes.
    """
    return start << _FLAG_BITS | flags


def extract_file_names(data: bytes) -> FileNames:
    """Extracts from a file's text the names that it declares and uses."""
    reader = _NameReader(data)
    reader.read()
    return _names_of(reader)


def extract_whole_constructs(data: bytes) -> FileNames | None:
    """Extracts the names of a part of a file; the part must begin between constructs at program scope.

    Returns None if the part ends within a construct, or within a comment.
    """
    reader = _NameReader(data)
    reader.read()
    return _names_of(reader) if reader.ends_between_constructs else None


def _names_of(reader: _NameReader) -> FileNames:
    uses = {name: array("I", found) for name, found in reader.uses.items() if name not in _COMMON}
    return FileNames(
        tuple(reader.declared), uses, line_starts(reader.data), reader.data.isascii(), len(reader.data)
    )


def line_starts(data: bytes) -> array[int]:
    """Returns the byte offsets at which the lines of a text begin."""
    starts = array("I", accumulate(map(len, data.splitlines(keepends=True)), initial=0))
    if len(starts) > 1 and not data.endswith((b"\n", b"\r")):
        starts.pop()
    return starts


class _NameReader:
    """Reads the names of a text from its tokens, one construct at program scope after the other."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.declared: list[DeclaredName] = []
        self.uses: dict[bytes, list[int]] = {}
        self.ends_between_constructs = False
        """Whether the text ends between two constructs; known after `read`."""
        self._braces = self._parentheses = 0
        self._has_open_comment = False
        self._begin_construct()

    def _begin_construct(self) -> None:
        self._pending: list[tuple[bytes, int]] = []
        self._own: set[bytes] = set()
        self._words: list[tuple[bytes, int]] = []
        """The names at program scope since the construct began"""
        self._function: tuple[bytes, int] | None = None
        self._has_body = False
        self._is_enumeration = False
        self._is_initialised = False

    def read(self) -> None:
        """Reads the tokens of the whole text."""
        before: list[bytes] = [b";", b";", b";"]
        directive_end = -1
        tokens = list(self._tokens())
        for index, (text, start, kind) in enumerate(tokens):
            if kind is not None:
                end = _DIRECTIVE_END.match(self.data, start)
                directive_end = end.end() if end is not None else start
                if kind == b"define" and index + 1 < len(tokens):
                    name, place, _ = tokens[index + 1]
                    if place < directive_end:
                        self._declare(name, DeclaredKind.MACRO, place, True)
                continue
            if start < directive_end:
                if text[:1].isalpha() or text[:1] == b"_":
                    self._use(text, start, DIRECTIVE)
                continue
            after = tokens[index + 1][0] if index + 1 < len(tokens) else b";"
            if text[:1].isalpha() or text[:1] == b"_":
                self._read_name(text, start, before, after)
            else:
                self._read_mark(text, before)
            before = [text, before[0], before[1]]
        is_open = self._braces or self._parentheses or self._words or self._pending or self._is_initialised
        self.ends_between_constructs = not is_open and not self._has_open_comment
        self._end_construct(False)

    def _tokens(self) -> Iterator[tuple[bytes, int, bytes | None]]:
        """Yields the names, the punctuation marks of declarations, and the `#` of each directive.

        Each is a triple of its text, its start offset, and the kind of the directive, which is None for names
        and marks.
        """
        for match in _TOKEN.finditer(self.data):
            if match["name"] is not None:
                yield match["name"], match.start("name"), None
            elif match["mark"] is not None:
                yield match["mark"], match.start("mark"), None
            elif match["directive"] is not None:
                yield b"#", match.start(), match["kind"]
            elif match.end() == len(self.data) and match[0].startswith(b"/*"):
                self._has_open_comment = len(match[0]) < 4 or not match[0].endswith(b"*/")

    def _read_name(self, name: bytes, start: int, before: list[bytes], after: bytes) -> None:
        previous = before[0]
        if previous in (b".", b"->"):
            self._use(name, start, MEMBER)
            return
        if previous in _TAG_WORDS:
            self._use(name, start, TAG)
            if after == b"{" and not self._braces:
                kind = DeclaredKind.ENUM if previous == b"enum" else DeclaredKind.STRUCT
                self._declare(name, kind, start, True)
            if previous == b"enum":
                self._is_enumeration = True
            self._words.append((name, start))
            return
        if name == b"enum":
            self._is_enumeration = True
        if name in _COMMON:
            self._words.append((name, start))
            return
        if self._is_enumeration and self._braces == 1 and previous in (b"{", b","):
            self._declare(name, DeclaredKind.ENUMERATOR, start, True)
            self._use(name, start, 0)
            return
        if self._is_own_declaration(previous, before, after):
            self._own.add(name)
        if not self._braces and not self._parentheses:
            if after == b"(" and self._function is None and self._words:
                self._function = name, start
            self._words.append((name, start))
        self._pending.append((name, start))

    def _is_own_declaration(self, previous: bytes, before: list[bytes], after: bytes) -> bool:
        """Whether this occurrence of a name declares it in a function body, a parameter list or a struct.

        `previous` is the token before the name, and `after` the token after it. `before` lists the last three
        tokens before the name, the nearest one first.
        """
        in_parameters = not self._braces and self._parentheses > 0 and self._function is not None
        if not (self._braces or in_parameters) or after not in _AFTER_NAME:
            return False
        if previous == b"*":
            base, beyond = before[1], before[2]
            starts = (b";", b"{", b"}", b"(", b",") if in_parameters else (b";", b"{", b"}")
            return _is_word(base) and base not in _NO_TYPES and (beyond in starts or _is_word(beyond))
        return _is_word(previous) and previous not in _NO_TYPES

    def _read_mark(self, mark: bytes, before: list[bytes]) -> None:
        if mark == b"{":
            if not self._braces and self._function is not None and not self._is_initialised:
                self._has_body = True
            self._braces += 1
        elif mark == b"}":
            self._braces = max(self._braces - 1, 0)
            if not self._braces and self._has_body:
                # Unbalanced parentheses in a body do not affect the next function.
                self._parentheses = 0
                self._end_construct(True)
        elif mark in (b"(", b"["):
            if mark == b"[" and not self._braces and not self._parentheses and _is_word(before[0]):
                self._declare_variable()
            self._parentheses += 1
        elif mark in (b")", b"]"):
            self._parentheses = max(self._parentheses - 1, 0)
        elif not self._braces and not self._parentheses:
            if mark == b"=":
                self._is_initialised = True
                self._declare_variable()
            elif mark == b";":
                self._end_construct(False)
            elif mark == b"," and _is_word(before[0]):
                self._declare_variable()
        elif mark == b";" and not self._braces:
            # A parenthesis is missing, because parentheses outside braces never contain a semicolon.
            self._parentheses = 0
            self._end_construct(False)

    def _declare_variable(self) -> None:
        is_typedef = bool(self._words) and self._words[0][0] == b"typedef"
        if self._function is None and len(self._words) > 1 and not self._is_word_of_type() and not is_typedef:
            self._declare(self._words[-1][0], DeclaredKind.VARIABLE, self._words[-1][1], True)

    def _is_word_of_type(self) -> bool:
        return self._words[-1][0] in _COMMON or self._words[-2][0] in _TAG_WORDS

    def _end_construct(self, is_function_body: bool) -> None:
        words = self._words
        is_typedef = bool(words) and words[0][0] == b"typedef"
        if is_typedef and len(words) > 1 and words[-1][0] not in _COMMON:
            self._declare(words[-1][0], DeclaredKind.TYPE, words[-1][1], True)
        elif self._function is not None:
            kernel = any(word in (b"kernel", b"__kernel") for word, _ in words)
            kind = DeclaredKind.KERNEL if kernel else DeclaredKind.FUNCTION
            self._declare(self._function[0], kind, self._function[1], is_function_body)
        elif not self._is_initialised and len(words) > 1 and not self._is_word_of_type():
            self._declare(words[-1][0], DeclaredKind.VARIABLE, words[-1][1], True)
        own = self._own
        for name, start in self._pending:
            if name not in own:
                self._use(name, start, 0)
        self._begin_construct()

    def _declare(self, name: bytes, kind: DeclaredKind, start: int, is_definition: bool) -> None:
        if name not in _COMMON and (not self.declared or self.declared[-1].start != start):
            self.declared.append(DeclaredName(name.decode("ascii", "replace"), kind, start, is_definition))

    def _use(self, name: bytes, start: int, flags: int) -> None:
        self.uses.setdefault(name, []).append(encode_use(start, flags))


def _is_word(text: bytes) -> bool:
    return text[:1].isalpha() or text[:1] == b"_"
