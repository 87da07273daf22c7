"""The result of preprocessing a document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal

from openclsp.dataclass import dataclass
from openclsp.source.code_extraction import Code
from openclsp.source.document import Document, DocumentName
from openclsp.source.macros import Macro
from openclsp.source.source_locations import Span
from openclsp.source.source_map import SourceMap

Severity = Literal["error", "warning", "information", "hint"]


TEMPLATE: Final = "template"
"""Code of the problem that a document is a template"""
INCLUDE_LIMIT: Final = "include-too-deep"
"""Code of the problem that an include is not read because of a limit, or because it would be endless"""


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem that the preprocessor found, with its byte range.

    `name`: the missing header or the undefined macro that causes the problem, if any.
    """

    code: str
    severity: Severity
    message: str
    document: DocumentName
    start: int
    end: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Pragma:
    """A pragma: its text without the directive's name, and its range in the document.

    `offset` is its place in the expanded text.
    """

    offset: int
    text: str
    document: DocumentName
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Inclusion:
    """An #include between top-level items; `preprocessed` is the result of preprocessing its document.

    `offset` is its place in the includer's expanded text; `start` to `end` is the range of the directive.
    """

    offset: int
    start: int
    end: int
    preprocessed: Preprocessed


@dataclass(frozen=True, slots=True)
class NameRead:
    """An undefined name in a condition, with its byte range."""

    name: str
    document: DocumentName
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Guess:
    """A conditional whose branch was guessed, because its conditions contain undefined names.

    - `start`, `end`: the range of the opening directive.
    - `names`: the undefined names.
    - `hidden`: the names that the inactive branches would declare or define.
    - `unbalanced`: some inactive branch has unbalanced brackets.
    """

    document: DocumentName
    start: int
    end: int
    names: tuple[NameRead, ...]
    hidden: frozenset[str]
    unbalanced: bool = False
    uncertain: tuple[tuple[int, int], ...] = ()
    """The stretches that were read although a missing header may decide otherwise"""
    closed: int = 0
    """Where its #endif begins"""
    includes: bool = False
    """Whether an inactive branch may include a document"""


def in_order(problem: Problem) -> tuple[int, int, str]:
    """Returns the sort key for the problems of one document."""
    return problem.start, problem.end, problem.code


@dataclass(frozen=True, slots=True)
class Trace:
    """Properties of a run that decide how a later run can reuse its result.

    - `stateful`: rows cannot be expanded separately, for example because of `__COUNTER__` or `#line`.
    - `positional`: some expansion contains the number of its line.
    - `splices`: some document is included within an item.
    - `entangled`: the arguments of some macro call contain a directive.
    - `formed`: the names that `##` formed.
    - `bytes_produced`: an upper bound on the bytes that macros produced.
    - `steps`: an upper bound on the steps of macro expansion in the document.
    - `steps_included`: the steps in the documents that it includes.
    - `unbalanced`: some document that is included between items has unbalanced brackets.
    - `unexpanded`: the macros with a use, here or in an included document, whose expansion would be too large.
    """

    stateful: bool
    positional: bool
    splices: bool
    entangled: bool = False
    formed: frozenset[bytes] = frozenset()
    bytes_produced: int = 0
    steps: int = 0
    steps_included: int = 0
    unbalanced: bool = False
    unexpanded: frozenset[bytes] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Preprocessed:
    """The result of preprocessing: the expanded text, its source map, and what was found in the text.

    `text` has one row for each raw line. Each row ends in \\n, except the last one if it is empty. A document
    included between top-level items has a result of its own, in `includes`. All fields except `macros`
    concern only this document and the documents that are spliced into its items.
    """

    document: Document
    text: bytes
    source_map: SourceMap
    problems: tuple[Problem, ...]
    inactive: tuple[tuple[int, int], ...]
    """Line ranges, from 0, end exclusive"""
    pragmas: tuple[Pragma, ...]
    includes: tuple[Inclusion, ...]
    unknown_includes: tuple[str, ...]
    """Names of the headers that were not loaded"""
    guesses: tuple[Guess, ...]
    macros: Mapping[bytes, Macro]
    """All macros defined at the end"""
    trace: Trace
    code: Code
    """The code that was read, of the same length and lines as the document"""
    earlier: Preprocessed | None = None
    """The state before an edit hid much of the text.

    An edit that undoes this starts from there.
    """

    def with_included(self) -> Iterator[Preprocessed]:
        """Yields this result and those of all documents included between items, in text order."""
        pending = [self]
        while pending:
            each = pending.pop()
            yield each
            pending.extend(inclusion.preprocessed for inclusion in reversed(each.includes))

    def definition(self, macro: Macro) -> Span | None:
        """Returns the present range of the definition of a macro that is used in this document.

        Returns None for a predefined macro. Must be called on the result for the root document: the result
        for an included document may be older than the last edit of the document that defines the macro.
        """
        if macro.document is None:
            return None
        for part in self.with_included():
            if part.document.name == macro.document:
                span = part.source_map.definition(macro)
                if span is not None:
                    return span
        # a document spliced into an item: the item is read again whenever the document changes
        return Span(macro.document, macro.start, macro.end)

    def documents(self) -> frozenset[DocumentName]:
        """Returns the names of this document and of all documents that it includes.

        They include documents that are spliced into an item.
        """
        found: set[DocumentName] = set()
        for each in self.with_included():
            found.add(each.document.name)
            if each.trace.splices:
                found |= each.spliced()
        return frozenset(found)

    def spliced(self) -> frozenset[DocumentName]:
        """Returns the names of the documents from which text is spliced into an item of this document."""
        rows = (row for row in self.source_map.rows if row is not None)
        return frozenset(
            segment.document for row in rows for segment in row.segments if segment.document is not None
        )

    @property
    def all_problems(self) -> tuple[Problem, ...]:
        """The problems of this document and of all documents that it includes."""
        return tuple(problem for part in self.with_included() for problem in part.problems)

    @property
    def hidden_names(self) -> frozenset[str]:
        """The names that inactive branches of guesses may declare or define, here or in an included document."""
        return frozenset().union(*(guess.hidden for part in self.with_included() for guess in part.guesses))

    @property
    def may_include_more(self) -> bool:
        """Whether the program may include documents that this result does not contain.

        Another build may select another branch of a guess, and includes beyond a limit are not read.
        """
        return any(
            problem.code == INCLUDE_LIMIT for part in self.with_included() for problem in part.problems
        ) or any(guess.includes for part in self.with_included() for guess in part.guesses)

    @property
    def has_unknown_include(self) -> bool:
        """Whether some header of the unit was not loaded. Any undeclared name may then be declared in it."""
        return any(part.unknown_includes for part in self.with_included())
