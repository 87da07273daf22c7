"""Cache of the diagnostics for findings in included files."""

from __future__ import annotations

from openclsp.ide.diagnostics.per_item_diagnostics import ItemDiagnostic
from openclsp.ide.diagnostics.severity_settings import tag_of_rule
from openclsp.ide.feature_results import Diagnostic
from openclsp.ide.unit_config import unit_config
from openclsp.lsp.positions import range_numbers
from openclsp.lsp.session.analysis_session import DocumentAnalysis
from openclsp.lsp.session.cached_findings import CachedFinding
from openclsp.lsp.session.client_capabilities import ClientCapabilities
from openclsp.lsp.session.client_diagnostics import convert_included_diagnostic, include_directives
from openclsp.lsp.session.serialized_diagnostics import (
    SerializedDiagnostic,
    make_group_member,
    serialize_diagnostic,
)
from openclsp.rules.finding import Finding
from openclsp.source.document import DocumentName


class IncludedDiagnostics:
    """Cache of diagnostics for findings in included files, which are reported at the include directive.

    It is valid while the directives do not move, the files are the same, and the same documents are open.
    """

    def __init__(self) -> None:
        self._state: tuple[object, ...] = ()
        self._cached: dict[int, CachedFinding] = {}
        self._directives: dict[DocumentName, tuple[int, int]] | None = None

    def prepare(self, analysed: DocumentAnalysis, client: ClientCapabilities, *, keep: bool) -> None:
        """Prepares for a new version of the document.

        Clears the cache if it is invalid or if `keep` is False.
        """
        self._directives = None
        inclusions = analysed.unit.preprocessed.includes
        if not (self._cached or inclusions):
            return
        text = analysed.unit.document.text
        state = (
            [
                (each.preprocessed, range_numbers(text, each.start, each.end, client.encoding))
                for each in inclusions
            ],
            frozenset(analysed.snapshot.documents),
        )
        if not keep or state != self._state:
            self._cached.clear()
        self._state = state

    def cached(self, finding: Finding) -> CachedFinding | None:
        """Returns the cached diagnostic of a finding; None if it is not cached."""
        return self._cached.get(id(finding))

    def serialize_finding(
        self,
        analysed: DocumentAnalysis,
        client: ClientCapabilities,
        finding: Finding,
        item_diagnostic: ItemDiagnostic,
    ) -> CachedFinding:
        """Serialises a finding in an included file; caches it if it does not depend on the root's text."""
        found = item_diagnostic.reported
        serialized = None if found is None else self.serialize(analysed, client, found)
        cached = CachedFinding(finding, item_diagnostic.items, serialized, included=True)
        unit, root = analysed.unit, analysed.document.name
        is_independent_of_root = all(
            each.item.group.part.preprocessed is not unit.preprocessed for each in item_diagnostic.items
        )
        related = () if found is None else found.related
        if is_independent_of_root and all(each.location.document != root for each in related):
            self._cached[id(finding)] = cached
        return cached

    def serialize(
        self, analysed: DocumentAnalysis, client: ClientCapabilities, found: Diagnostic
    ) -> SerializedDiagnostic | None:
        """Serialises a diagnostic of an included file; None if the open document does not show it.

        The document shows no diagnostics of documents that are open themselves. If it is analysed for a
        fragment, the including kernel shows those of other files.
        """
        # Hints with a tag fade a name. At the include directive they would only distract.
        if tag_of_rule(found.code) or analysed.is_open(found.location.document):
            return None
        directive = self.directive(analysed, found.location.document)
        if directive is None:
            return None
        location = found.location
        # These diagnostics are sorted after the document's own ones at the directive, by included file
        # and location.
        order = (
            f"\U0010ffff{location.document}",
            f"{location.start:012}{location.end:012}{found.code} {found.message}",
        )
        client_diagnostic = convert_included_diagnostic(analysed, client, found, directive)
        member = make_group_member(client_diagnostic, found, client, analysed.document.uri)
        return serialize_diagnostic(client_diagnostic, "", order, member)

    def directive(self, analysed: DocumentAnalysis, document: DocumentName) -> tuple[int, int] | None:
        """Returns the byte range of the include directive at which a document's diagnostics are reported.

        None if they are not reported.
        """
        if self._directives is None:
            self._directives = include_directives(analysed)
        is_root = not unit_config(analysed.unit).subject
        return self._directives.get(document, (0, 0) if is_root else None)
