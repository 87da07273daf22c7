"""The effects of a fix on host code: on the calls of changed kernels, and on programs that share a string."""

from __future__ import annotations

import os.path
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from openclsp.dataclass import dataclass
from openclsp.host_code.program_document import ProgramDocument, program_documents
from openclsp.host_code.program_names import host_of_program
from openclsp.ide.feature_results import TextEdit
from openclsp.source.document import Document, DocumentName
from openclsp.source.text import Text

_KERNEL = b"kernel"


def _count_nothing(document: Document, functions: frozenset[str]) -> int:
    return 0


@dataclass(frozen=True, slots=True)
class HostEffects:
    """Describes what a fix does to host code.

    - `read`: returns the present text of a host file; None if it cannot be read
    - `count_wrong_calls`: returns the number of host calls that do not match the kernels of the given names, for a
      host file or a file of kernels with the given text. By default, calls are not checked.
    """

    read: Callable[[DocumentName], Document | None]
    count_wrong_calls: Callable[[Document, frozenset[str]], int] = _count_nothing

    def describe(
        self, documents: Iterable[Document], edits: Sequence[TextEdit], functions: frozenset[str]
    ) -> str:
        """Describes why the edits of some documents of a unit are wrong for host code; empty if they are not.

        `functions` are the functions with a parameter that gets another address space or type.
        """
        for document in documents:
            own = [
                (each.location.start, each.location.end, each.text.encode("utf-8", "surrogateescape"))
                for each in edits
                if each.location.document == document.name
            ]
            if not own:
                continue
            before, after = document, Document(document.name, Text.of(_edited(document.text.data, own)))
            host = host_of_program(document.name)
            if host is not None:
                found = self.read(host[0])
                programs = () if found is None else program_documents(found)
                if found is None or host[1] >= len(programs):
                    continue
                before = found
                program = programs[host[1]]
                if program.document.text.data != document.text.data:
                    # an earlier round of fixes changed the program
                    if _overlap(programs):
                        return _describe_shared(host[0])
                    continue
                made = program.host_edits(own)
                if made is None:
                    continue
                changed = _edited(before.text.data, [(each.start, each.old_end, each.new) for each in made])
                after = Document(before.name, Text.of(changed))
                now = program_documents(after)
                if any(
                    index != host[1] and one.document.text.data != other.document.text.data
                    for index, (one, other) in enumerate(zip(programs, now, strict=False))
                ):
                    return _describe_shared(host[0])
            changes_kernel = functions and _KERNEL in document.text.data
            if changes_kernel and (
                self.count_wrong_calls(after, functions) > self.count_wrong_calls(before, functions)
            ):
                return "host code passes another argument"
        return ""


def _describe_shared(host: DocumentName) -> str:
    return f"another program in {os.path.basename(host)} contains this text"


def _overlap(programs: Sequence[ProgramDocument]) -> bool:
    """Whether two programs may contain the same bytes of their host file."""
    ranges = sorted(each.host_range(0, len(each.document.text.data)) for each in programs)
    return any(one[1] > other[0] for one, other in pairwise(ranges))


def _edited(data: bytes, edits: Iterable[tuple[int, int, bytes]]) -> bytes:
    pieces: list[bytes] = []
    at = 0
    for start, end, text in sorted(edits):
        pieces += (data[at:start], text)
        at = end
    return b"".join((*pieces, data[at:]))
