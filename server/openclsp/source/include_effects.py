"""What included documents change in the document that includes them."""

from __future__ import annotations

from openclsp.source.directives import Directives
from openclsp.source.document import Document
from openclsp.source.include_cache import Entry
from openclsp.source.preprocessing_run import (
    Session,
)


class IncludeEffects(Directives):
    """A run that collects the effects and the dependencies of included documents."""

    def __init__(self, document: Document, session: Session, first_row: int = 0) -> None:
        super().__init__(document, session, first_row)
        self.words: frozenset[bytes] = frozenset()
        """The words of the included documents"""
        self.present: frozenset[bytes] = frozenset()
        """Those of the words that were macros"""
        self.once_asked: dict[str, bool] = {}
        """Whether each document asked for was in `Session.once`, at the first time"""
        self.height = 0
        """Levels of inclusion nested in this document"""

    def replay_effects(self, entry: Entry, offset: int) -> None:
        """Applies a cached document's effects to the session, as if it had been read again."""
        for name, macro in entry.effects.macros.items():
            self.set_macro(name, macro, offset)
        self.session.defined |= entry.effects.defined
        self.session.once |= entry.effects.once
        self.session.lacks_header |= entry.effects.lacks_header

    def adopt_dependencies(self, entry: Entry) -> None:
        """Adds an included document's dependencies to this document's own."""
        inputs = entry.inputs
        used = self.session.expander.used
        self.session.uneven = self.session.uneven.with_(entry.uneven)
        for name, macro in inputs.macros.items():
            used.setdefault(name, macro)
        for document, included in inputs.once.items():
            self.once_asked.setdefault(document, included)
        self.words |= inputs.words
        self.present |= inputs.present
        self.loads.extend(inputs.loads)
        self.newly_defined |= entry.effects.defined
        self.once_effects |= entry.effects.once
        self.height = max(self.height, inputs.height + 1)
