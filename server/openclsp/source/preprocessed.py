"""What preprocessing a document gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from openclsp.dataclass import dataclass
from openclsp.source.code import Code
from openclsp.source.document import Document, DocumentName
from openclsp.source.macros import Macro
from openclsp.source.source_map import SourceMap, Span

Severity = Literal["error", "warning", "information", "hint"]


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault that preprocessing found, at a range of bytes of a document. `name` is the header or the macro that it is about,
    where something is missing."""

    code: str
    severity: Severity
    message: str
    document: DocumentName
    start: int
    end: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Pragma:
    """The text of a pragma after the word itself; `offset` is its place in the expanded text."""

    offset: int
    text: str
    document: DocumentName
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Inclusion:
    """An #include between top-level items: `offset` is its place in the includer's expanded text, start to end its directive."""

    offset: int
    start: int
    end: int
    unit: Preprocessed


@dataclass(frozen=True, slots=True)
class NameRead:
    """A name that stands for nothing and that a condition reads, at a range of bytes."""

    name: str
    document: DocumentName
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Guess:
    """A condition whose branch was guessed, since it reads names that are defined nowhere.

    `hidden` are the names that the branches left out would have declared or defined. `unbalanced`: one of them has a
    bracket without its partner.
    """

    document: DocumentName
    start: int
    end: int
    names: tuple[NameRead, ...]
    hidden: frozenset[str]
    unbalanced: bool = False
    doubtful: tuple[tuple[int, int], ...] = ()
    """The stretches that were read though a header is missing that may decide otherwise"""


def in_order(problem: Problem) -> tuple[int, int, str]:
    """The key by which the problems of one document are sorted."""
    return problem.start, problem.end, problem.code


@dataclass(frozen=True, slots=True)
class Trace:
    """What a partial run needs to know of the run before it.

    `stateful`: a part of the text cannot be expanded without what went before. `positional`: some expansion
    tells the number of its line. `splices`: some included document stands within an item. `entangled`: a macro
    call's arguments hold a directive. `formed`: the names that `##` made. `made`: macros have brought no more than so
    many bytes. `uneven`: a document that is included between items has brackets without their partners.
    """

    stateful: bool
    positional: bool
    splices: bool
    entangled: bool = False
    formed: frozenset[bytes] = frozenset()
    made: int = 0
    uneven: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Preprocessed:
    """The expanded text of a document and what the preprocessor learned on the way.

    `text` has one row for each raw line; each row ends in \\n, except an empty last one. Everything but
    `macros` speaks of this document alone; what an included one has to say is in its own unit under `includes`.
    """

    document: Document
    text: bytes
    source_map: SourceMap
    problems: tuple[Problem, ...]
    inactive: tuple[tuple[int, int], ...]
    """Ranges of lines, from 0, the last exclusive"""
    pragmas: tuple[Pragma, ...]
    includes: tuple[Inclusion, ...]
    unknown_includes: tuple[str, ...]
    """Names of the headers that could not be had"""
    guesses: tuple[Guess, ...]
    macros: Mapping[bytes, Macro]
    """Every macro that is defined at the end"""
    trace: Trace
    code: Code
    """What of the document was read; of its length and lines"""
    earlier: Preprocessed | None = None
    """The state before an edit hid much of the text: when that is undone, what was hidden is taken from there"""

    def units(self) -> Iterator[Preprocessed]:
        """This unit, and every one that it includes, in the order of their text."""
        pending = [self]
        while pending:
            unit = pending.pop()
            yield unit
            pending.extend(inclusion.unit for inclusion in reversed(unit.includes))

    def definition(self, macro: Macro) -> Span | None:
        """Where a macro that this document or one of its includes uses is defined now; None for a predefined one. This must
        be the unit's root: an included document may have been read before the defining one was edited."""
        if macro.document is None:
            return None
        defining = [unit.source_map for unit in self.units() if unit.document.name == macro.document]
        for source_map in defining:
            if len(defining) == 1 or source_map.history.defines(macro):
                return source_map.definition(macro)
        # a document within an item: that item is read again whenever the document changes
        return Span(macro.document, macro.start, macro.end)

    def documents(self) -> frozenset[DocumentName]:
        """The names of this document and of all that it includes, also of those that stand within an item."""
        found: set[DocumentName] = set()
        for unit in self.units():
            found.add(unit.document.name)
            if unit.trace.splices:
                found |= unit.spliced()
        return frozenset(found)

    def spliced(self) -> frozenset[DocumentName]:
        """The names of the documents that stand, in whole or in part, within an item of this one."""
        rows = (row for row in self.source_map.rows if row is not None)
        return frozenset(
            segment.document for row in rows for segment in row.segments if segment.document is not None
        )

    @property
    def all_problems(self) -> tuple[Problem, ...]:
        """The problems of this document and of all that it includes."""
        return tuple(problem for unit in self.units() for problem in unit.problems)

    @property
    def hidden_names(self) -> frozenset[str]:
        """The names that a guess hides, here or in an included document."""
        return frozenset().union(*(guess.hidden for unit in self.units() for guess in unit.guesses))

    @property
    def has_unknown_include(self) -> bool:
        """Whether any header, here or in an included document, could not be had: then no name is undeclared."""
        return any(unit.unknown_includes for unit in self.units())
