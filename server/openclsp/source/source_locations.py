"""Locations that the source map returns: written ranges, macro uses and expansion steps."""

from __future__ import annotations

from openclsp.dataclass import dataclass
from openclsp.source.document import DocumentName
from openclsp.source.macros import Macro


@dataclass(frozen=True, slots=True)
class Span:
    """A range of bytes of a document."""

    document: DocumentName
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Step:
    """One macro expansion that a token came through.

    `Preprocessed.definition` of the root unit returns the present place of the definition.
    """

    macro: Macro

    @property
    def name(self) -> str:
        """The macro's name."""
        return self.macro.name.decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Written:
    """A range as written in a document.

    `steps` are the macro expansions that lead to it, outermost first.
    """

    document: DocumentName
    start: int
    end: int
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class MacroUse:
    """A use of a macro's name in a document.

    `expansion` is its expanded text; None if it was not expanded.
    """

    name: str
    document: DocumentName
    start: int
    end: int
    macro: Macro
    definition_text: str
    expansion: str | None
