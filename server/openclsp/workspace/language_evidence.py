"""Evidence in a program's text that it requires a newer language version than OpenCL C 1.2.

The search uses the tokens of the expanded text, without types. It prefers missed evidence to wrong evidence:
a name that the program declares anywhere, in any scope, does not count, nor does text in an inactive branch.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.language.availability import extension_of
from openclsp.language.newer_names import NEWER_ARGUMENTS, NEWER_EXTENSIONS, NEWER_VECTOR_ARGUMENTS
from openclsp.source.document import DocumentName
from openclsp.source.preprocessed import Preprocessed
from openclsp.workspace.evidence_scanner import (
    MAXIMUM_TOKEN_DISTANCE,
    EvidenceScan,
    OccurrenceRole,
    match_global_variable,
    versions_by_name,
)
from openclsp.workspace.vector_arguments import first_argument_is_vector


@dataclass(frozen=True, slots=True)
class LanguageEvidence:
    """A construct that requires the language version `version` (200 or 300) or later.

    `construct` is the construct's name in messages; `line` counts from 1.
    """

    version: int
    construct: str
    document: DocumentName
    line: int

    @property
    def standard(self) -> str:
        """The required value of `-cl-std`, such as `CL2.0`."""
        return f"CL{self._number}"

    def reason(self, where: str = "") -> str:
        """Returns a clause such as `because `atomic_int` in line 12 requires OpenCL C 2.0 or later`.

        `where` is ` of a.h` if the construct is in another file, else empty.
        """
        return (
            f"because {self.construct} in line {self.line}{where} requires OpenCL C {self._number} or later"
        )

    @property
    def _number(self) -> str:
        return f"{self.version // 100}.{self.version // 10 % 10}"


_SWITCHED_ON: Final = re.compile(r"\s*OPENCL\s+EXTENSION\s+(\w+)\s*:\s*(?:enable|require)\s*")
_BEFORE_GLOBAL_VARIABLE: Final = re.compile(
    rb"(?:\A|[;}])\s*(?:(?:static|extern|const|volatile)\s+)*(?:__)?\Z"
)
"""Matches the text that may precede the variable at program scope: specifiers, after the end of a declaration"""

_OF_VECTORS: Final = frozenset(name.encode() for name in NEWER_VECTOR_ARGUMENTS)


def select_language_evidence(
    preprocessed: Preprocessed, scans: Sequence[tuple[Preprocessed, EvidenceScan]], *, blocks: bool = False
) -> LanguageEvidence | None:
    """Returns the first construct that requires the highest version; None if 1.2 suffices.

    The unit is preprocessed as OpenCL C 1.2. `scans` holds the scans of all its documents, in order. If
    `blocks` is true, an option enables blocks (`^{…}`) in every version, so that they are not evidence.
    """
    hidden = frozenset(name.encode("utf-8", "replace") for name in preprocessed.hidden_names)
    declared = {
        name for _, scan in scans for _, name, role in scan.occurrences if role is OccurrenceRole.DECLARED
    }
    own = declared | hidden | preprocessed.macros.keys()
    best: tuple[int, Preprocessed, int, int, str] | None = None
    for unit, scan in scans:
        used_names = [
            (start, start + len(name), versions_by_name()[name], _describe_name(name))
            for start, name, role in scan.occurrences
            if role is OccurrenceRole.USED
            and name not in own
            and (name not in _OF_VECTORS or first_argument_is_vector(scan.code, start + len(name)))
        ]
        for start, end, version, what in sorted(
            [*used_names, *_constructs(scan, blocks), *_enabled_extensions(unit)]
        ):
            if best is None or version > best[0]:
                best = version, unit, start, end, what
    return None if best is None else _evidence(*best)


def _describe_name(name: bytes) -> str:
    word = name.decode()
    if word in NEWER_ARGUMENTS or word in NEWER_VECTOR_ARGUMENTS:
        return f"this form of `{word}`"
    extension = extension_of(word)
    return f"`{word}` of `{extension}`" if extension else f"`{word}`"


def _enabled_extensions(unit: Preprocessed) -> Iterator[tuple[int, int, int, str]]:
    """Yields (start, end, version, what) for each pragma that enables an extension of OpenCL C 2.0 or later.

    `what` is the extension's name in messages.
    """
    for pragma in unit.pragmas:
        match = _SWITCHED_ON.fullmatch(pragma.text)
        version = 0 if match is None else NEWER_EXTENSIONS.get(match[1], 0)
        if match is not None and version:
            yield pragma.offset, pragma.offset, version, f"`{match[1]}`"


def _evidence(version: int, unit: Preprocessed, start: int, end: int, what: str) -> LanguageEvidence:
    written = unit.source_map.written(start, end)
    text = unit.document.text
    # Text spliced in by an include within an item is attributed to the line of the include directive.
    line = (
        text.line_of(written.start)
        if written.document == unit.document.name
        else unit.text.count(b"\n", 0, start)
    )
    return LanguageEvidence(version, what, unit.document.name, line + 1)


def _constructs(scan: EvidenceScan, blocks: bool) -> Iterator[tuple[int, int, int, str]]:
    """Yields (start, end, version, what) of the first block literal and of a program-scope `global` variable.

    `what` is the construct's name in messages. If `blocks` is true, an option enables blocks, so that they
    are not evidence.
    """
    code = scan.code
    for at in () if blocks else scan.blocks[:1]:
        yield at, at + 1, 200, "the block"
    for start in scan.variables:
        match = match_global_variable(code, start)
        begins = (
            _BEFORE_GLOBAL_VARIABLE.search(code, max(0, start - MAXIMUM_TOKEN_DISTANCE), start) is not None
        )
        if match is not None and begins and code.count(b"{", 0, start) == code.count(b"}", 0, start):
            what = f"the program-scope `global` variable `{match[1].decode('ascii', 'replace')}`"
            yield start, match.end(1), 200, what
            return
