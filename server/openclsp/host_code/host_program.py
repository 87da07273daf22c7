"""The OpenCL C programs of a host file, each a text with a source map to the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.host_code.string_value import (
    PieceKind,
    StringValue,
    ValuePiece,
    missing_header,
)
from openclsp.source.comments import without_comments, without_comments_and_literals

_BEFORE_STATEMENT: Final = re.compile(rb"(?:\A|[;}\n]|\*/)[ \t]*\Z")
_BEGINS_STATEMENT: Final = re.compile(
    rb"[ \t]*(?:\r?\n|\Z|\#|//|/\*|(?:__)?kernel\b|void\b|typedef\b|static\b|inline\b|struct\b|__attribute__|[}]|__constant\b|constant\b)"
)
_SPLICED: Final = re.compile(rb"\\\r?\n\Z")


@dataclass(frozen=True, slots=True)
class HostProgram:
    """An OpenCL C program in a host file: its text, with the source map.

    - `start`, `end`: the bytes of the host file from the beginning of the first literal to the end of the
      last one.
    - `is_complete`: the host file shows that a build gets exactly this text, so an unknown name is an error.
    - `is_fragment`: the text is only a part of a program, so nothing is reported about it.
    - `cell`: the cell that contains the program, if the host file is a notebook.
    """

    value: StringValue
    start: int
    end: int
    is_complete: bool = False
    is_fragment: bool = False
    cell: NotebookCell | None = None


@dataclass(frozen=True, slots=True)
class NotebookCell:
    """A cell of a notebook: its text, and a program in it, with offsets in the cell's text."""

    text: StringValue
    program: HostProgram


@dataclass(frozen=True, slots=True)
class HostPrograms:
    """The programs of a host file, in order.

    `problem`: the reason why the file could not be searched, or empty.
    """

    programs: tuple[HostProgram, ...]
    problem: str = ""

    def at(self, host_offset: int) -> tuple[int, int] | None:
        """Returns the index of the program at an offset of the host file, and the offset in its text.

        Returns None if no program contains the offset.
        """
        for index, program in enumerate(self.programs):
            if program.start <= host_offset <= program.end:
                offset = program.value.value_offset(host_offset)
                if offset is not None:
                    return index, offset
        return None


NO_PROGRAMS: Final = HostPrograms(())


_END_OF_PROGRAM: Final = re.compile(rb"(?:\}|\#[ \t]*endif)[ \t\r\n\\;\0]*\Z")


def make_program(value: StringValue, *, is_complete: bool, is_part: bool = False) -> HostProgram:
    """Makes a program from the value of a string.

    A hole (unknown text) that may consist of whole declarations is replaced by an `#include` of a missing
    header.

    - `is_complete`: a build gets exactly this text. Otherwise, an `#include` of a missing header precedes the
      text, because the host may prepend declarations.
    - `is_part`: the host joins the text with other texts, and some of them cannot be read.
    """
    written = [piece for piece in value.pieces if piece.kind is not PieceKind.ADDED]
    start = min((each.start for each in value.literals), default=written[0].host_start if written else 0)
    end = max((each.end for each in value.literals), default=written[-1].host_end if written else 0)
    pieces: list[tuple[bytes, ValuePiece]] = []
    if not is_complete:
        header = missing_header(b"")
        pieces.append((header, ValuePiece(0, len(header), start, start, PieceKind.ADDED, -1)))
    before = b"\n"
    for index, piece in enumerate(value.pieces):
        text = value.data[piece.start : piece.end]
        if piece.kind is PieceKind.HOLE:
            after = value.data[piece.end : piece.end + 80]
            if _BEFORE_STATEMENT.search(before) and (
                _BEGINS_STATEMENT.match(after) or _is_hole(value.pieces, index + 1)
            ):
                text = b"\n" + missing_header(text)
        elif _is_lone_conversion(text, piece, value) and _BEFORE_STATEMENT.search(before):
            piece = piece._replace(kind=PieceKind.HOLE)
            text = b"\n" + missing_header(b"")
        elif piece.kind is PieceKind.ADDED and _SPLICED.search(before + text):
            text = text.lstrip(b"\n")
        before = (before + text)[-80:]
        pieces.append((text, piece))
    if _SPLICED.search(before):
        # A line that ends with a backslash needs a next line.
        pieces.append((b"\n", ValuePiece(0, 1, end, end, PieceKind.ADDED, -1)))
    made = _assembled(pieces, value)
    # A text that does not end like a program may be its first part, even if no other part was found.
    is_part = is_part or value.has_holes or _END_OF_PROGRAM.search(without_comments(made.data)) is None
    is_fragment = is_part and not is_complete and not _is_balanced(made.data)
    return HostProgram(made, start, end, is_complete, is_fragment)


def _is_lone_conversion(text: bytes, piece: ValuePiece, value: StringValue) -> bool:
    """Whether a piece of `value` is the whole content of a literal `"%s"`.

    `text` contains the bytes of the piece.
    """
    if piece.kind is not PieceKind.COPIED or piece.literal < 0 or text != b"%s":
        return False
    literal = value.literals[piece.literal]
    return (literal.content_start, literal.content_end) == (piece.host_start, piece.host_end)


def _is_balanced(text: bytes) -> bool:
    """Whether a text has as many closing as opening braces, and as many closing as opening parentheses."""
    code = without_comments_and_literals(text)
    return code.count(b"{") == code.count(b"}") and code.count(b"(") == code.count(b")")


def _is_hole(pieces: Sequence[ValuePiece], index: int) -> bool:
    return index < len(pieces) and pieces[index].kind is PieceKind.HOLE


def _assembled(parts: Sequence[tuple[bytes, ValuePiece]], value: StringValue) -> StringValue:
    pieces: list[ValuePiece] = []
    at = 0
    for text, piece in parts:
        if text:
            pieces.append(piece._replace(start=at, end=at + len(text)))
            at += len(text)
    return StringValue(b"".join(text for text, _ in parts), tuple(pieces), value.literals)
