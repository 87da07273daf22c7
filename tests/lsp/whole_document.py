"""The diagnostics of a document computed from those of the whole unit, for comparison with the server's cache."""

from __future__ import annotations

from openclsp.ide.diagnostics import diagnostic_limit
from openclsp.ide.diagnostics.diagnostics import unlimited_diagnostics
from openclsp.ide.diagnostics.severity_settings import tag_of_rule
from openclsp.ide.unit_config import unit_config
from openclsp.lsp.positions import range_numbers
from openclsp.lsp.session.analysis_session import DocumentAnalysis
from openclsp.lsp.session.client_capabilities import ClientCapabilities
from openclsp.lsp.session.client_diagnostics import (
    ClientDiagnostic,
    convert_diagnostic,
    convert_included_diagnostic,
    inactive_code_diagnostics,
    include_directives,
    limit_notice,
)


def whole_document_diagnostics(
    analysed: DocumentAnalysis, client: ClientCapabilities
) -> list[ClientDiagnostic]:
    """All diagnostics of the document, sorted by location, without any that an earlier version left."""
    config = unit_config(analysed.unit)
    if config.is_excluded:
        return []
    own, directives = analysed.document.name, include_directives(analysed)
    found: list[ClientDiagnostic] = []
    for each in unlimited_diagnostics(analysed.unit, tagged=client.shows_tagged_hints):
        document = each.location.document
        if document == own:
            found.append(convert_diagnostic(analysed, client, each))
        elif not analysed.is_open(document) and not tag_of_rule(each.code):
            directive = directives.get(document, None if config.subject else (0, 0))
            if directive is not None:
                found.append(convert_included_diagnostic(analysed, client, each, directive))
    if client.supports_unnecessary_tag:
        found += inactive_code_diagnostics(analysed, client)
    found.sort(key=lambda each: (each.start, each.end))

    def notice(left_out: ClientDiagnostic, message: str) -> ClientDiagnostic | None:
        severity = diagnostic_limit.notice_severity(config.project)
        if severity is None:
            return None
        place = left_out.start, left_out.end
        range_ = range_numbers(analysed.document.text, *place, client.encoding)
        return limit_notice(client, *place, range_, severity, message)

    return list(diagnostic_limit.limited(found, lambda each: each.severity, notice))
