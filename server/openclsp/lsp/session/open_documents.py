"""The open documents: immutable texts to which the client's edits are applied in order of arrival."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from openclsp.dataclass import dataclass
from openclsp.lsp.positions import BYTE_ORDER_MARK, blank_byte_order_mark, encode_text, offsets_of_range
from openclsp.lsp.uris import document_name, document_uri
from openclsp.source.document import Document
from openclsp.source.text import Encoding, Text

if TYPE_CHECKING:
    from lsprotocol import types

_CPP_LANGUAGES = frozenset({"clcpp", "openclcpp", "opencl-cpp"})
_OPENCL_LANGUAGES = frozenset({"opencl", "opencl-c", "openclc", "opencl c", "ocl", "cl"})
_C_LANGUAGES = frozenset({"c", "cpp", "c++", "objective-c", "objective-cpp", "cuda", "cuda-cpp", "hip"})

_CLOSED = -1
"""The value of `opening` for a document that is not open."""


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """One version of a document that is open in the editor.

    - `uri`: the URI in the client's spelling
    - `name`: the name of the document in the analysis
    - `opening`: the number of documents opened in this session so far; it distinguishes version 1 of a
      reopened file from the first version 1
    """

    uri: str
    name: str
    language: str
    version: int
    text: Text
    opening: int
    edited: bool = False
    """Whether this version is the result of an edit."""
    has_byte_order_mark: bool = False
    """Whether the client's text starts with a byte order mark, for which `text` has blanks."""

    @property
    def client_version(self) -> int | None:
        """The version number of the client; None for a document that is not open."""
        return None if self.opening == _CLOSED else self.version

    @property
    def document(self) -> Document:
        """The document as the analysis represents it."""
        return Document(self.name, self.text)

    @property
    def cpp_for_opencl(self) -> bool:
        """Whether the client's language identifier means C++ for OpenCL."""
        return self.language in _CPP_LANGUAGES

    @property
    def is_called_opencl(self) -> bool:
        """Whether the client's language identifier means OpenCL C."""
        return self.language.lower() in _OPENCL_LANGUAGES

    @property
    def is_called_c(self) -> bool:
        """Whether the client's language identifier means C or a similar language.

        Editors use these identifiers for headers of OpenCL C too.
        """
        return self.language.lower() in _C_LANGUAGES

    @property
    def is_python(self) -> bool:
        """Whether the client's language identifier is Python, where OpenCL C occurs only in strings."""
        return self.language.lower() == "python"

    def is_same_version(self, other: OpenDocument | None) -> bool:
        """Whether `other` is the same version: the same opening of the document, and the same text object."""
        return other is not None and other.text is self.text and other.opening == self.opening


def make_open_document(
    uri: str, language: str, version: int, text: str, opening: int = 1, encoding: Encoding = "utf-16"
) -> OpenDocument:
    """Creates a document from the parameters of `textDocument/didOpen`; for `opening`, see the class."""
    data = encode_text(blank_byte_order_mark(text, encoding))
    marked = text.startswith(BYTE_ORDER_MARK)
    name = document_name(uri)
    return OpenDocument(uri, name, language, version, Text.of(data), opening, has_byte_order_mark=marked)


def make_closed_document(name: str, text: Text, language: str = "") -> OpenDocument:
    """Creates a document that is not open, so that it can be analysed like an open one."""
    return OpenDocument(document_uri(name), name, language, 0, text, _CLOSED)


def _replace_start(
    text: Text, old_end: int, written: str, encoding: Encoding, *, marked: bool
) -> tuple[Text, bool]:
    """Replaces the bytes of a text before `old_end`; `marked` is whether its first blanks stand for a byte order mark.

    Returns the new text, and whether its first blanks stand for a mark. A mark that is not at the start is an
    ordinary character.
    """
    blanks = blank_byte_order_mark(BYTE_ORDER_MARK, encoding)
    if marked and not old_end:
        written, old_end = written + BYTE_ORDER_MARK, len(blanks)
    text = text.replace(0, old_end, encode_text(written))
    mark = BYTE_ORDER_MARK.encode()
    if not text.data.startswith(mark):
        return text, False
    return text.replace(0, len(mark), blanks.encode()), True


class OpenDocuments:
    """The open documents by name. Owned by the event loop; the documents themselves are immutable."""

    def __init__(self) -> None:
        self._open: dict[str, OpenDocument] = {}
        self._openings = 0

    def __iter__(self) -> Iterator[OpenDocument]:
        return iter(tuple(self._open.values()))

    def get_by_uri(self, uri: str) -> OpenDocument | None:
        """Returns the document with this URI, in any spelling; None if it is not open."""
        return self._open.get(document_name(uri))

    def get_by_name(self, name: str) -> OpenDocument | None:
        """Returns the document with this name; None if it is not open."""
        return self._open.get(name)

    def all_by_name(self) -> Mapping[str, OpenDocument]:
        """Returns a copy of the open documents by name."""
        return dict(self._open)

    def open(self, item: types.TextDocumentItem, encoding: Encoding = "utf-16") -> OpenDocument:
        """Adds a document and returns it; if it is already open, the new text replaces the old one."""
        self._openings += 1
        document = make_open_document(
            item.uri, item.language_id, item.version, item.text, self._openings, encoding
        )
        self._open[document.name] = document
        return document

    def apply_changes(
        self,
        identifier: types.VersionedTextDocumentIdentifier,
        changes: Sequence[types.TextDocumentContentChangeEvent],
        encoding: Encoding,
    ) -> OpenDocument | None:
        """Applies the changes in order, each to the result of the one before it; returns the new version.

        Returns None if the document is not open.
        """
        from lsprotocol import types

        document = self.get_by_uri(identifier.uri)
        if document is None:
            return None
        text, marked = document.text, document.has_byte_order_mark
        for change in changes:
            if not isinstance(change, types.TextDocumentContentChangePartial):
                text = Text.of(encode_text(blank_byte_order_mark(change.text, encoding)))
                marked = change.text.startswith(BYTE_ORDER_MARK)
                continue
            start, old_end = offsets_of_range(text, change.range, encoding)
            if start:
                text = text.replace(start, old_end, encode_text(change.text))
            else:
                text, marked = _replace_start(text, old_end, change.text, encoding, marked=marked)
        changed = OpenDocument(
            document.uri,
            document.name,
            document.language,
            identifier.version,
            text,
            document.opening,
            edited=True,
            has_byte_order_mark=marked,
        )
        self._open[document.name] = changed
        return changed

    def add(self, uri: str, name: str, language: str, version: int, text: Text) -> OpenDocument:
        """Adds and returns a document that the client did not open: a program in a string of a host file."""
        self._openings += 1
        document = OpenDocument(uri, name, language, version, text, self._openings)
        self._open[name] = document
        return document

    def set_version(self, document: OpenDocument) -> None:
        """Replaces an open document by its version `document`."""
        self._open[document.name] = document

    def close(self, uri: str) -> OpenDocument | None:
        """Removes a document and returns it; None if it was not open."""
        return self._open.pop(document_name(uri), None)
