"""A document: a name and a text."""

from __future__ import annotations

from typing import TypeAlias

from openclsp.dataclass import dataclass
from openclsp.source.text import Text

DocumentName: TypeAlias = str


@dataclass(frozen=True, slots=True)
class Document:
    """A text under the name that its owner uses.

    The owner is an editor or a folder; the name is a path or a URI.
    """

    name: DocumentName
    text: Text

    @staticmethod
    def of(name: DocumentName, data: bytes) -> Document:
        """Creates the document `name` from the bytes `data`."""
        return Document(name, Text.of(data))
