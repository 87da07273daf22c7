"""Protocol ranges in the documents of an analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from openclsp.lsp.positions import range_between

if TYPE_CHECKING:
    from openclsp.ide.feature_results import Location
    from openclsp.lsp.session.analysis_session import DocumentAnalysis
    from openclsp.source.text import Encoding, Text


class DocumentRanges:
    """Converts locations into protocol ranges; each document is read once."""

    def __init__(self, analysed: DocumentAnalysis, encoding: Encoding) -> None:
        self._analysed, self._encoding = analysed, encoding
        self._texts: dict[str, Text] = {}
        self._uris: dict[str, str] = {}

    def range(self, location: Location) -> types.Range:
        """The range of a location in its document."""
        text = self._texts.get(location.document)
        if text is None:
            text = self._texts[location.document] = self._analysed.text_of(location.document)
        return range_between(text, location.start, location.end, self._encoding)

    def uri(self, document: str) -> str:
        """The URI of a document."""
        found = self._uris.get(document)
        if found is None:
            found = self._uris[document] = self._analysed.uri_of(document)
        return found

    def location(self, location: Location) -> types.Location:
        """The protocol's location."""
        return types.Location(self.uri(location.document), self.range(location))
