"""A loader of included documents with some texts replaced."""

from __future__ import annotations

from collections.abc import Mapping

from openclsp.dataclass import dataclass
from openclsp.source.document import Document, DocumentName
from openclsp.source.options import Loader, Refusal
from openclsp.source.text import Text


@dataclass(frozen=True, slots=True)
class OverlayLoader:
    """A loader that replaces the texts of some documents."""

    loader: Loader
    texts: Mapping[DocumentName, Text]

    def load(self, name: str, angled: bool, includer: DocumentName) -> Document | Refusal:
        """Loads the included document, with its replacement text if there is one."""
        found = self.loader.load(name, angled, includer)
        if isinstance(found, Document) and found.name in self.texts:
            return Document(found.name, self.texts[found.name])
        return found
