"""The locations that a source map returns: ranges in documents, macro uses and macro expansions."""

from __future__ import annotations

from openclsp.dataclass import dataclass
from openclsp.source.document import DocumentName
from openclsp.source.macros import Macro


@dataclass(frozen=True, slots=True)
class Span:
    """A byte range of a document."""

    document: DocumentName
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Step:
    """A macro expansion that produced a token.

    `Preprocessed.definition`, called on the result for the root document, returns the present range of the
    macro's definition.
    """

    macro: Macro

    @property
    def name(self) -> str:
        """The macro's name."""
        return self.macro.name.decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Written:
    """The range of a document from which expanded text comes.

    `steps` are the macro expansions that lead to the text, the outermost first.
    """

    document: DocumentName
    start: int
    end: int
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class MacroUse:
    """A use of a macro, at the range of its name in a document.

    `expansion` is the text that the macro expands to there; None if it is not expanded.
    """

    name: str
    document: DocumentName
    start: int
    end: int
    macro: Macro
    definition_text: str
    expansion: str | None
