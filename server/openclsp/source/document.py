"""Documents, which consist of a name and a text."""

from __future__ import annotations

from typing import TypeAlias

from openclsp.dataclass import dataclass
from openclsp.source.text import Text

DocumentName: TypeAlias = str


@dataclass(frozen=True, slots=True)
class Document:
    """A text and the name by which its owner knows it.

    The owner is the editor (the name is then a URI or a path) or the file system (a path).
    """

    name: DocumentName
    text: Text

    @staticmethod
    def of(name: DocumentName, data: bytes) -> Document:
        """Creates the document `name` from the bytes `data`."""
        return Document(name, Text.of(data))
