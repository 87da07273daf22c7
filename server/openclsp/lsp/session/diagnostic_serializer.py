"""Serialises the diagnostics of one version of a document."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from openclsp.ide.diagnostics.per_item_diagnostics import ItemDiagnostic, PerItemDiagnostics
from openclsp.ide.feature_results import Diagnostic
from openclsp.lsp.session.analysis_session import DocumentAnalysis
from openclsp.lsp.session.cached_findings import CachedFinding, CachedItem
from openclsp.lsp.session.client_capabilities import ClientCapabilities
from openclsp.lsp.session.client_diagnostics import inactive_code_diagnostics
from openclsp.lsp.session.included_diagnostics import IncludedDiagnostics
from openclsp.lsp.session.serialized_diagnostics import (
    LineEdit,
    SerializedDiagnostic,
    serialize_diagnostic,
    serialize_own_diagnostic,
)
from openclsp.rules.finding import Finding
from openclsp.semantics.facts.entities import ItemKey


class DiagnosticSerializer:
    """Serialises the diagnostics `found` of one version of a document.

    If the root document has ignore comments, diagnostics that are not reported are serialised too.
    """

    def __init__(
        self,
        analysed: DocumentAnalysis,
        client: ClientCapabilities,
        found: PerItemDiagnostics,
        included: IncludedDiagnostics,
    ) -> None:
        self.analysed, self.found = analysed, found
        self._client, self._included = client, included

    def serialize(self, diagnostic: ItemDiagnostic) -> SerializedDiagnostic | None:
        """Serialises a diagnostic; None if the document does not show it."""
        if diagnostic.found.location.document != self.analysed.document.name:
            if diagnostic.reported is None:
                return None
            return self._included.serialize(self.analysed, self._client, diagnostic.reported)
        if diagnostic.reported is not None:
            return serialize_own_diagnostic(self.analysed, self._client, diagnostic.reported)
        if self.found.has_comments:
            return serialize_own_diagnostic(self.analysed, self._client, diagnostic.found, is_reported=False)
        return None

    def serialize_about_comment(self, found: Diagnostic) -> SerializedDiagnostic | None:
        """Serialises a diagnostic about an ignore comment."""
        return self.serialize(self.found.diagnostic_about_comment(found))

    def serialize_item(
        self,
        key: ItemKey,
        findings: Sequence[Finding],
        cached_item: CachedItem | None,
        edit: LineEdit | None,
        changed: AbstractSet[ItemKey],
    ) -> list[CachedFinding]:
        """Returns the diagnostics of an item's findings, reusing cached ones that the edit cannot have changed."""
        by_finding = {} if cached_item is None else {id(each.finding): each for each in cached_item.reusable}
        made: list[CachedFinding] = []
        for finding in findings:
            # Findings are compared by identity: queries return the same objects while nothing has changed,
            # and `cached` keeps the objects alive.
            cached = by_finding.get(id(finding)) if by_finding else None
            if cached is not None and edit is not None:
                cached = cached.after_edit(self.analysed.unit, edit, changed)
            if cached is None:
                cached = self._included.cached(finding)
            if cached is None:
                each = self.found.diagnostic_of_finding(key, finding)
                if each is None:
                    cached = CachedFinding(finding, (), None)
                elif each.found.location.document != self.analysed.document.name:
                    cached = self._included.serialize_finding(self.analysed, self._client, finding, each)
                else:
                    cached = CachedFinding(finding, each.items, self.serialize(each))
            made.append(cached)
        return made

    def root_line(self, diagnostic: SerializedDiagnostic) -> int:
        """Returns the line (from 0) of the root document where a diagnostic starts; -1 in another document."""
        root = self.analysed.unit.document.name
        source = diagnostic.source
        if source is None or source.location.document != root or root != self.analysed.document.name:
            return -1
        return diagnostic.numbers[0]

    def inactive_code(self) -> list[SerializedDiagnostic]:
        """Serialises the diagnostics of inactive branches, for clients that fade unnecessary code."""
        if not self._client.supports_unnecessary_tag:
            return []
        uri = self.analysed.document.uri
        found = inactive_code_diagnostics(self.analysed, self._client)
        return [serialize_diagnostic(each, uri) for each in found]
