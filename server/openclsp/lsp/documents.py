"""The open documents: our own immutable texts, edited in the order in which the client's changes arrive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from openclsp.dataclass import dataclass
from openclsp.lsp.positions import encoded, offsets_of, without_byte_order_mark
from openclsp.lsp.uris import name_of
from openclsp.source.document import Document
from openclsp.source.text import Encoding, Text

if TYPE_CHECKING:
    from lsprotocol import types

_CPP_LANGUAGES = frozenset({"clcpp", "openclcpp", "opencl-cpp"})
_OPENCL_LANGUAGES = frozenset({"opencl", "opencl-c", "openclc", "opencl c", "ocl", "cl"})


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """One version of a document that is open in the editor.

    `uri` is as the client spells it, `name` is what the analysis calls the document. `opening` numbers the times that
    any document was opened, so that version 1 of a file that was closed and opened again is not taken for the first.
    """

    uri: str
    name: str
    language: str
    version: int
    text: Text
    opening: int
    edited: bool = False
    """Whether this version came of an edit."""

    @property
    def document(self) -> Document:
        """The document as the analysis takes it."""
        return Document(self.name, self.text)

    @property
    def cpp_for_opencl(self) -> bool:
        """Whether the editor calls this C++ for OpenCL."""
        return self.language in _CPP_LANGUAGES

    @property
    def called_opencl(self) -> bool:
        """Whether the editor calls this OpenCL C."""
        return self.language.lower() in _OPENCL_LANGUAGES

    def same_version(self, other: OpenDocument | None) -> bool:
        """Whether the other is this very version: its text is the same object."""
        return other is not None and other.text is self.text and other.opening == self.opening


def opened(
    uri: str, language: str, version: int, text: str, opening: int = 1, encoding: Encoding = "utf-16"
) -> OpenDocument:
    """A document as the client opens it; `opening` is the first one unless given."""
    data = encoded(without_byte_order_mark(text, encoding))
    return OpenDocument(uri, name_of(uri), language, version, Text.of(data), opening)


class Documents:
    """All documents that are open. Belongs to the event loop; what it hands out is immutable."""

    def __init__(self) -> None:
        self._open: dict[str, OpenDocument] = {}
        self._openings = 0

    def __iter__(self) -> Iterator[OpenDocument]:
        return iter(tuple(self._open.values()))

    def get(self, uri: str) -> OpenDocument | None:
        """The document of this URI, however it is spelled; None where it is not open."""
        return self._open.get(name_of(uri))

    def named(self, name: str) -> OpenDocument | None:
        """The document that the analysis knows by this name."""
        return self._open.get(name)

    def by_name(self) -> Mapping[str, OpenDocument]:
        """All open documents by name, as they are now."""
        return dict(self._open)

    def open(self, item: types.TextDocumentItem, encoding: Encoding = "utf-16") -> OpenDocument:
        """A document is opened; opened twice, the later text counts."""
        self._openings += 1
        document = opened(item.uri, item.language_id, item.version, item.text, self._openings, encoding)
        self._open[document.name] = document
        return document

    def change(
        self,
        identifier: types.VersionedTextDocumentIdentifier,
        changes: Sequence[types.TextDocumentContentChangeEvent],
        encoding: Encoding,
    ) -> OpenDocument | None:
        """The changes are applied one after the other, each to the text that the one before it left.

        None where no such document is open: there is nothing that the changes could apply to.
        """
        from lsprotocol import types

        document = self.get(identifier.uri)
        if document is None:
            return None
        text = document.text
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                start, old_end = offsets_of(text, change.range, encoding)
                written = change.text if start else without_byte_order_mark(change.text, encoding)
                text = text.replace(start, old_end, encoded(written))
            else:
                text = Text.of(encoded(without_byte_order_mark(change.text, encoding)))
        changed = OpenDocument(
            document.uri, document.name, document.language, identifier.version, text, document.opening, True
        )
        self._open[document.name] = changed
        return changed

    def close(self, uri: str) -> OpenDocument | None:
        """The document is no longer open; None where it was not."""
        return self._open.pop(name_of(uri), None)
