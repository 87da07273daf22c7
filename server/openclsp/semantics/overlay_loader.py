"""A loader of included documents that wraps another loader and replaces the texts of some documents."""

from __future__ import annotations

from collections.abc import Mapping

from openclsp.dataclass import dataclass
from openclsp.source.document import Document, DocumentName
from openclsp.source.options import Loader, Refusal
from openclsp.source.text import Text


@dataclass(frozen=True, slots=True)
class OverlayLoader:
    """Loads documents with `loader`, and replaces the text of each document that `texts` contains."""

    loader: Loader
    texts: Mapping[DocumentName, Text]

    def load(self, name: str, angled: bool, includer: DocumentName) -> Document | Refusal:
        """Loads the included document, with its replacement text if there is one."""
        found = self.loader.load(name, angled, includer)
        if isinstance(found, Document) and found.name in self.texts:
            return Document(found.name, self.texts[found.name])
        return found
