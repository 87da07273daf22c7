"""Converts locations in documents of the analysis, and in other files of the project, to protocol ranges."""

from __future__ import annotations

from collections.abc import Callable
from json.encoder import encode_basestring_ascii
from typing import TYPE_CHECKING

from lsprotocol import types

from openclsp.lsp.positions import make_range, range_numbers

if TYPE_CHECKING:
    from openclsp.ide.feature_results import Location
    from openclsp.lsp.positions import RangeNumbers
    from openclsp.lsp.session.analysis_session import DocumentAnalysis
    from openclsp.lsp.session.project_access import ProjectAccess
    from openclsp.source.text import Encoding, Text
    from openclsp.workspace.name_index import ProjectNames


class DocumentRanges:
    """Converts locations to protocol ranges; each document is read at most once.

    An ASCII file of the name index is not read at all, because the index has the starts of its lines.
    """

    def __init__(
        self,
        analysed: DocumentAnalysis,
        encoding: Encoding,
        project: ProjectAccess | None = None,
        names: Callable[[], ProjectNames] | None = None,
    ) -> None:
        self._analysed, self._encoding, self._project, self._names = analysed, encoding, project, names
        self._texts: dict[str, Text] = {}
        self._uris: dict[str, str] = {}
        self._own = analysed.unit.preprocessed.documents()

    def _text(self, document: str) -> Text:
        found = self._texts.get(document)
        if found is None:
            other = None
            if self._project is not None and document not in self._own:
                other = self._project.read(document)
            found = self._analysed.text_of(document) if other is None else other.text
            self._texts[document] = found
        return found

    def _numbers(self, location: Location) -> RangeNumbers:
        document = location.document
        if self._names is not None and document not in self._own:
            project = self._names()
            names = project.index.names_of(document, project.opened)
            if names is not None and names.is_ascii:
                line, column = names.line_and_column(location.start)
                return line, column, line, column + location.end - location.start
        return range_numbers(self._text(document), location.start, location.end, self._encoding)

    def range(self, location: Location) -> types.Range:
        """Returns the range of a location in its document."""
        return make_range(self._numbers(location))

    def uri(self, document: str) -> str:
        """Returns the URI of a document."""
        found = self._uris.get(document)
        if found is None:
            found = self._uris[document] = self._analysed.uri_of(document)
        return found

    def location(self, location: Location) -> types.Location:
        """Returns the protocol's location object."""
        return types.Location(self.uri(location.document), self.range(location))

    def location_json(self, location: Location) -> str:
        """Returns the protocol's location as JSON.

        An answer may have thousands of locations, and creating an object for each takes too long.
        """
        uri = encode_basestring_ascii(self.uri(location.document))
        return f'{{"uri":{uri},"range":{self.range_json(location)}}}'

    def range_json(self, location: Location) -> str:
        """Returns the range of a location as JSON."""
        line, column, last_line, last_column = self._numbers(location)
        return (
            f'{{"start":{{"line":{line},"character":{column}}},'
            f'"end":{{"line":{last_line},"character":{last_column}}}}}'
        )
