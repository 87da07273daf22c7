"""Returns to published diagnostics the diagnostics of the analysis from which they were made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from openclsp.ide.diagnostics.diagnostic_folding import fold_group
from openclsp.ide.diagnostics.per_item_diagnostics import PerItemDiagnostics
from openclsp.ide.feature_results import Diagnostic
from openclsp.lsp.session.analysis_session import DocumentAnalysis
from openclsp.lsp.session.client_capabilities import ClientCapabilities
from openclsp.lsp.session.client_diagnostics import (
    convert_diagnostic,
    convert_included_diagnostic,
    include_directives,
)
from openclsp.lsp.session.serialized_diagnostics import SerializedDiagnostic

if TYPE_CHECKING:
    from lsprotocol import types


def resolve_diagnostics(
    analysed: DocumentAnalysis, client: ClientCapabilities, published: Sequence[SerializedDiagnostic]
) -> Iterator[tuple[Diagnostic, types.Diagnostic]]:
    """Yields, for each published diagnostic, the diagnostic of the analysis and that of the protocol.

    Their locations are those in the document's current text. Skips notices, which no analysis made.
    """
    if not published:
        return
    found = PerItemDiagnostics(analysed.unit, tagged=client.shows_tagged_hints)
    directives = include_directives(analysed)
    for each in published:
        sources = [_current_source(found, member) for member in each.members or (each,)]
        members = [source for source in sources if source is not None]
        if not members:
            continue
        diagnostic = fold_group(members) if len(members) > 1 else members[0]
        document = diagnostic.location.document
        if document == analysed.document.name:
            converted = convert_diagnostic(analysed, client, diagnostic)
        else:
            directive = directives.get(document, (0, 0))
            converted = convert_included_diagnostic(analysed, client, diagnostic, directive)
        yield diagnostic, converted.protocol_diagnostic


def _current_source(found: PerItemDiagnostics, published: SerializedDiagnostic) -> Diagnostic | None:
    """Returns the diagnostic of the analysis, created again, because edits may have moved it.

    Those that belong to no item are created again for each version of the text anyway.
    """
    source = published.source
    if source is None or source.origin is None:
        return source
    created = found.diagnostic_of_finding(*source.origin)
    return None if created is None else created.reported
