"""Finds programs in the code cells of a Jupyter notebook, and maps them to the JSON text of the file.

A cell's text is the concatenation of JSON strings, one for each line. A cell that begins with `%%cl_kernel`
(pyopencl's extension of IPython) is OpenCL C itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.host_code.c_literals import decode_escapes
from openclsp.host_code.host_language import HostLanguage
from openclsp.host_code.host_program import HostProgram, HostPrograms, NotebookCell, make_program
from openclsp.host_code.host_words import MAXIMUM_HOST_BYTES, may_hold_kernel
from openclsp.host_code.program_finder import find_programs
from openclsp.host_code.string_value import (
    Notation,
    PieceKind,
    StringLiteral,
    StringValue,
    ValuePiece,
    added,
    join_values,
    pieces_between,
    slice_of,
)

_STRING: Final = rb'"(?:[^"\\]|\\[\s\S])*"'
_CELL: Final = re.compile(
    rb'"cell_type"\s*:\s*"(?P<type>\w+)"|"source"\s*:\s*(?P<source>\[(?:[\s,]*'
    + _STRING
    + rb")*[\s,]*\]|"
    + _STRING
    + rb")"
)
_LINE: Final = re.compile(_STRING)
_CELL_OF_ANOTHER_LANGUAGE: Final = re.compile(rb"\s*%%(?!time\b|timeit\b|capture\b|prun\b)")
_COMMAND: Final = re.compile(rb"^([ \t]*)[%!]", re.MULTILINE)
"""A line that is no Python: `%matplotlib inline`, `!pip install`"""
_KERNEL_NAME: Final = re.compile(rb"kernel\b[^;{}()]{0,400}?\bvoid\s+([A-Za-z_]\w{0,255})\s*\(")
_CELL_OF_OPENCL: Final = re.compile(rb"%%cl_kernel[^\n]*\n")


def find_notebook_programs(data: bytes) -> HostPrograms:
    """Finds the programs in a notebook.

    A notebook that contains none of the words of a kernel is not searched further.
    """
    if not may_hold_kernel(data):
        return HostPrograms(())
    if len(data) > MAXIMUM_HOST_BYTES:
        return HostPrograms((), f"is larger than {MAXIMUM_HOST_BYTES // (1024 * 1024)} MB")
    found = [_placed(program, cell) for cell in _cells(data) for program in _programs_of(cell)]
    return HostPrograms(tuple(found))


@dataclass(frozen=True, slots=True)
class NotebookCode:
    """The Python code of a notebook: the Python cells in order, each followed by a line end.

    `kernels` are the names of the kernels in cells of OpenCL C: IPython makes each of them a variable.
    """

    text: StringValue
    kernels: frozenset[str]


def read_notebook_code(data: bytes) -> NotebookCode:
    """Reads the Python code of a notebook; each IPython command is made a comment."""
    parts: list[StringValue] = []
    kernels: set[str] = set()
    for cell in _cells(data):
        if _CELL_OF_OPENCL.match(cell.data) is not None:
            kernels.update(match[1].decode() for match in _KERNEL_NAME.finditer(cell.data))
        elif _CELL_OF_ANOTHER_LANGUAGE.match(cell.data) is None:
            python = _COMMAND.sub(lambda match: match[1] + b"#", cell.data)
            parts += (replace(cell, data=python), added(b"\n", cell.host_range(len(python), len(python))[0]))
    return NotebookCode(join_values(parts), frozenset(kernels))


def _cells(data: bytes) -> Iterator[StringValue]:
    """Yields the texts of the code cells.

    The search relies on the order of the keys in notebook files: `cell_type` precedes `source`.
    """
    is_code = False
    for match in _CELL.finditer(data):
        if match["type"] is not None:
            is_code = match["type"] == b"code"
        elif is_code:
            yield join_values(
                _read_line(data, *line.span()) for line in _LINE.finditer(data, *match.span("source"))
            )
            is_code = False


def _read_line(data: bytes, start: int, end: int) -> StringValue:
    return decode_escapes(data, StringLiteral(start, start + 1, end - 1, end, Notation.JSON, b'"'))


def _programs_of(cell: StringValue) -> tuple[HostProgram, ...]:
    magic = _CELL_OF_OPENCL.match(cell.data)
    if magic is None:
        return find_programs(cell.data, HostLanguage.PYTHON).programs
    start, end = magic.end(), len(cell.data)
    literal = StringLiteral(start, start, end, end, Notation.CPP_RAW, b"\0")
    piece = ValuePiece(0, end - start, start, end, PieceKind.COPIED, 0)
    whole = StringValue(cell.data[start:], (piece,) if end > start else (), (literal,))
    return (make_program(whole, is_complete=False),)


def _placed(program: HostProgram, cell: StringValue) -> HostProgram:
    """Returns the program with its offsets in the cell mapped to offsets in the notebook file."""
    pieces: list[ValuePiece] = []
    for piece in program.value.pieces:
        if piece.kind is not PieceKind.COPIED:
            start, end = cell.host_range(piece.host_start, piece.host_end)
            pieces.append(piece._replace(host_start=start, host_end=end))
            continue
        shift = piece.start - piece.host_start
        for each in pieces_between(cell, piece.host_start, piece.host_end):
            part = slice_of(cell, max(each.start, piece.host_start), min(each.end, piece.host_end)).pieces[0]
            at = max(each.start, piece.host_start) + shift
            length = part.end - part.start
            pieces.append(
                ValuePiece(at, at + length, part.host_start, part.host_end, part.kind, piece.literal)
            )
    literals = tuple(_placed_literal(each, cell) for each in program.value.literals)
    start, end = cell.host_range(program.start, program.end)
    value = StringValue(program.value.data, tuple(pieces), literals)
    found = NotebookCell(cell, program)
    return HostProgram(value, start, end, program.is_complete, program.is_fragment, found)


def _placed_literal(literal: StringLiteral, cell: StringValue) -> StringLiteral:
    start, end = cell.host_range(literal.start, literal.end)
    first, last = cell.host_range(literal.content_start, literal.content_end)
    return StringLiteral(start, first, last, end, literal.notation, literal.closing)
