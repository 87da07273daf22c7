"""Makes each program of a host file a document, and maps results and edits back to the host file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.host_code.host_language import HostLanguage, host_language_of_file
from openclsp.host_code.host_program import HostProgram
from openclsp.host_code.notebook_cells import find_notebook_programs
from openclsp.host_code.program_finder import find_programs
from openclsp.host_code.program_names import program_name
from openclsp.host_code.string_edits import edits_of_host
from openclsp.host_code.string_value import PieceKind, pieces_between
from openclsp.source.document import Document
from openclsp.source.text import Edit, Text

_CODES_OF_WHOLE_PROGRAMS: Final = frozenset(("unknown-name",))
_REDEFINITION: Final = "conflicting-redeclaration"


@dataclass(frozen=True, slots=True)
class ProgramDocument:
    """A program of the host file `host`, as a document.

    The folder in the document's name is that of the host file. `index` is the program's number among the
    programs of the host file, from 0.
    """

    host: Document
    program: HostProgram
    index: int
    document: Document

    def is_written(self, start: int, end: int) -> bool:
        """Whether at least one byte of a range of the program is written in the host file.

        A hole (unknown text) is not written there, nor is text that a library adds.
        """
        value = self.program.value
        if start == end:
            piece = value.piece_at(start) or value.piece_at(max(start - 1, 0))
            return piece is not None and piece.kind not in (PieceKind.ADDED, PieceKind.HOLE)
        return any(
            piece.kind not in (PieceKind.ADDED, PieceKind.HOLE) for piece in pieces_between(value, start, end)
        )

    def reports(self, code: str, start: int, end: int) -> bool:
        """Whether a diagnostic with the given code, about a range of the program, is reported.

        It is not reported if no byte of the range is written in the host file, if the program is a fragment,
        or if an unknown part of the program may cause the diagnostic.
        """
        program = self.program
        if program.is_fragment or (code in _CODES_OF_WHOLE_PROGRAMS and not program.is_complete):
            return False
        if code == _REDEFINITION and not program.is_complete and len(program.value.literals) > 1:
            # The literals may be alternatives, of which the host builds only one.
            return False
        return self.is_written(start, end)

    def host_range(self, start: int, end: int) -> tuple[int, int]:
        """Returns the range of the host file that the bytes `start` to `end` of the program come from."""
        first, last = self.program.value.host_range(start, end)
        size = len(self.host.text.data)
        return min(first, size), min(last, size)

    def host_edits(self, edits: Iterable[tuple[int, int, bytes]]) -> tuple[Edit, ...] | None:
        """Converts edits of the program (start, end, new text) to edits of the host file.

        Returns None if the notation of a literal cannot express an edit, or if the edited host file does not
        contain the edited program.
        """
        wanted = list(edits)
        made: list[Edit] = []
        for start, end, text in wanted:
            host = _edits_of_program(self.program, self.host.text.data, start, end, text)
            if host is None:
                return None
            made += host
        made.sort(key=lambda each: (each.start, each.old_end))
        if any(one.old_end > other.start for one, other in pairwise(made)):
            return None
        expected = _edited(self.program.value.data, [Edit(*each) for each in wanted])
        found = program_documents(
            Document(self.host.name, Text.of(_edited(self.host.text.data, made))), _language_of(self)
        )
        if self.index >= len(found) or found[self.index].document.text.data != expected:
            return None
        return tuple(made)


def _edits_of_program(
    program: HostProgram, host: bytes, start: int, end: int, text: bytes
) -> list[Edit] | None:
    cell = program.cell
    if cell is None:
        edits = edits_of_host(program.value, host, start, end, text)
        return None if edits is None else list(edits)
    own = edits_of_host(cell.program.value, cell.text.data, start, end, text)
    made: list[Edit] = []
    for each in own or ():
        within = edits_of_host(cell.text, host, each.start, each.old_end, each.new)
        if within is None:
            return None
        made += within
    return None if own is None else made


def program_documents(host: Document, language: HostLanguage | None = None) -> tuple[ProgramDocument, ...]:
    """Finds the programs of a host file.

    By default, the ending of the file's name determines the language.
    """
    language = language or host_language_of_file(host.name)
    if language is None:
        return ()
    notebook = language is HostLanguage.NOTEBOOK
    data = host.text.data
    found = find_notebook_programs(data) if notebook else find_programs(data, language)
    return tuple(
        ProgramDocument(host, program, index, Document.of(program_name(host.name, index), program.value.data))
        for index, program in enumerate(found.programs)
    )


def _language_of(document: ProgramDocument) -> HostLanguage | None:
    return host_language_of_file(document.host.name)


def _edited(data: bytes, edits: Sequence[Edit]) -> bytes:
    pieces: list[bytes] = []
    at = 0
    for edit in sorted(edits, key=lambda each: each.start):
        pieces += (data[at : edit.start], edit.new)
        at = edit.old_end
    return b"".join((*pieces, data[at:]))
