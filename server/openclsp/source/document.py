"""Documents: a name and a text."""

from __future__ import annotations

from typing import TypeAlias

from openclsp.dataclass import dataclass
from openclsp.source.text import Text

DocumentName: TypeAlias = str


@dataclass(frozen=True, slots=True)
class Document:
    """A text under the name by which its owner (an editor, a folder) knows it: a path or a URI."""

    name: DocumentName
    text: Text

    @staticmethod
    def of(name: DocumentName, data: bytes) -> Document:
        """The document `name` with the bytes `data`."""
        return Document(name, Text.of(data))
