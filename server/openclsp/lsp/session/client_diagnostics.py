"""Converts the diagnostics of a unit to protocol diagnostics of the open document."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from openclsp.dataclass import dataclass
from openclsp.ide.diagnostics import diagnostic_limit
from openclsp.ide.diagnostics.severity_settings import UNNECESSARY, effective_severity, tag_of_rule
from openclsp.ide.feature_results import Diagnostic, RelatedLocation
from openclsp.ide.unit_config import unit_config
from openclsp.lsp.positions import RangeNumbers, make_range, range_numbers
from openclsp.lsp.session.analysis_session import DocumentAnalysis
from openclsp.lsp.session.client_capabilities import ClientCapabilities
from openclsp.lsp.session.code_pages import page_uri
from openclsp.rules.finding import Severity
from openclsp.source.document import DocumentName
from openclsp.source.preprocessed import Preprocessed

if TYPE_CHECKING:
    from lsprotocol import types

SOURCE = "openclsp"
_INACTIVE = "inactive-code"

SEVERITIES = {Severity.ERROR: 1, Severity.WARNING: 2, Severity.INFORMATION: 3, Severity.HINT: 4}

RelatedRange = tuple[str, RangeNumbers, str]
"""A related location: the URI of its document, its range, and its message."""


@dataclass(frozen=True, slots=True)
class ClientDiagnostic:
    """A diagnostic as the client sees it, at bytes `start` to `end` (exclusive) of the open document.

    - `source_diagnostic`: the diagnostic of the analysis; None if it cannot have fixes
    - `tag`: a number of the protocol, `UNNECESSARY` or `DEPRECATED`; 0 without a tag
    - `page_uri`: the page about the code; empty if the client shows no link
    """

    start: int
    end: int
    range_numbers: RangeNumbers
    severity: Severity
    code: str
    source: str
    message: str
    related: tuple[RelatedRange, ...] = ()
    tag: int = 0
    source_diagnostic: Diagnostic | None = None
    page_uri: str = ""

    @property
    def protocol_diagnostic(self) -> types.Diagnostic:
        """The diagnostic as lsprotocol's object."""
        from lsprotocol import types

        return types.Diagnostic(
            make_range(self.range_numbers),
            self.message,
            severity=types.DiagnosticSeverity(SEVERITIES[self.severity]),
            code=self.code,
            code_description=types.CodeDescription(self.page_uri) if self.page_uri else None,
            source=self.source,
            tags=[types.DiagnosticTag(self.tag)] if self.tag else None,
            related_information=[
                types.DiagnosticRelatedInformation(types.Location(uri, make_range(range_)), message)
                for uri, range_, message in self.related
            ]
            or None,
        )


def limit_notice(
    client: ClientCapabilities,
    start: int,
    end: int,
    range_: RangeNumbers,
    severity: Severity,
    message: str,
) -> ClientDiagnostic:
    """Returns the diagnostic that counts the omitted diagnostics, placed at the first of these.

    `message` contains the count; the other parameters describe the place and the severity.
    """
    page = page_uri(diagnostic_limit.CODE, client)
    return ClientDiagnostic(
        start, end, range_, severity, diagnostic_limit.CODE, SOURCE, message, page_uri=page
    )


def convert_diagnostic(
    analysed: DocumentAnalysis, client: ClientCapabilities, diagnostic: Diagnostic
) -> ClientDiagnostic:
    """Converts a diagnostic that is located in the open document."""
    place = diagnostic.location
    return _client_diagnostic(
        analysed, client, diagnostic, (place.start, place.end), diagnostic.message, diagnostic.related
    )


def convert_included_diagnostic(
    analysed: DocumentAnalysis, client: ClientCapabilities, diagnostic: Diagnostic, directive: tuple[int, int]
) -> ClientDiagnostic:
    """Converts a diagnostic of an included file to one at the include directive, the bytes `directive`."""
    place = diagnostic.location
    line = analysed.text_of(place.document).line_of(place.start) + 1
    message = f"in included file {os.path.basename(place.document)}, line {line}: {diagnostic.message}"
    related = (RelatedLocation(place, diagnostic.message), *diagnostic.related)
    return _client_diagnostic(analysed, client, diagnostic, directive, message, related)


def _client_diagnostic(
    analysed: DocumentAnalysis,
    client: ClientCapabilities,
    diagnostic: Diagnostic,
    place: tuple[int, int],
    message: str,
    related: Sequence[RelatedLocation],
) -> ClientDiagnostic:
    start, end = place
    document = analysed.document
    text, own, encoding = document.text, document.name, client.encoding
    converted: list[RelatedRange] = []
    for each in related if client.supports_related_information else ():
        there = each.location
        if there.document == own:
            range_ = range_numbers(text, there.start, there.end, encoding)
            converted.append((document.uri, range_, each.message))
        else:
            range_ = range_numbers(analysed.text_of(there.document), there.start, there.end, encoding)
            converted.append((analysed.uri_of(there.document), range_, each.message))
    return ClientDiagnostic(
        start,
        end,
        range_numbers(text, start, end, encoding),
        diagnostic.severity,
        diagnostic.code,
        source_of_diagnostics(analysed),
        message,
        tuple(converted),
        tag=client.supported_tag(tag_of_rule(diagnostic.code)),
        source_diagnostic=diagnostic,
        page_uri=page_uri(diagnostic.code, client),
    )


def source_of_diagnostics(analysed: DocumentAnalysis) -> str:
    """Returns the field `source` of the protocol's diagnostics.

    For a fragment it names the including kernel, because the diagnostic depends on this kernel.
    """
    unit = unit_config(analysed.unit)
    return f"{SOURCE}, {unit.choices[-1]}" if unit.subject else SOURCE


def inactive_code_diagnostics(
    analysed: DocumentAnalysis, client: ClientCapabilities
) -> Iterator[ClientDiagnostic]:
    """Yields diagnostics for inactive branches, for clients that fade unnecessary code."""
    text = analysed.document.text
    severity = effective_severity(unit_config(analysed.unit).project, _INACTIVE, Severity.HINT)
    if severity is None:
        return
    for first, last in _inactive_lines(analysed):
        start, end = text.line_start(first), text.line_end(last - 1)
        range_ = range_numbers(text, start, end, client.encoding)
        message = "not compiled under these options"
        yield ClientDiagnostic(
            start,
            end,
            range_,
            severity,
            _INACTIVE,
            SOURCE,
            message,
            tag=UNNECESSARY,
            page_uri=page_uri(_INACTIVE, client),
        )


def _inactive_lines(analysed: DocumentAnalysis) -> Iterator[tuple[int, int]]:
    """Yields the line ranges (end exclusive) that are inactive in every inclusion of the open document."""
    own = _preprocessed_inclusions(analysed)
    everywhere = own[0].inactive if own else ()
    for other in own[1:]:
        both = ((max(a, c), min(b, d)) for a, b in everywhere for c, d in other.inactive)
        everywhere = tuple((first, last) for first, last in both if first < last)
    yield from everywhere


def _preprocessed_inclusions(analysed: DocumentAnalysis) -> list[Preprocessed]:
    """Returns the preprocessing results of the open document: one for each inclusion.

    Inclusions within an item, such as a function body, do not count. The root document counts as included
    once.
    """
    name = analysed.document.name
    return [part for part in analysed.unit.preprocessed.with_included() if part.document.name == name]


def include_directives(analysed: DocumentAnalysis) -> dict[DocumentName, tuple[int, int]]:
    """Returns, for each included document, the byte range of the directive that leads to it.

    The directive is in the open document, even if the document is included by another included document.
    """
    found: dict[DocumentName, tuple[int, int]] = {}
    for preprocessed in _preprocessed_inclusions(analysed):
        for inclusion in preprocessed.includes:
            for part in inclusion.preprocessed.with_included():
                found.setdefault(part.document.name, (inclusion.start, inclusion.end))
                _add_spliced_documents(part, found, (inclusion.start, inclusion.end))
        _add_spliced_documents(preprocessed, found, None)
    return found


def _add_spliced_documents(
    unit: Preprocessed, found: dict[DocumentName, tuple[int, int]], directive: tuple[int, int] | None
) -> None:
    """Adds to `found` the documents included within items of `unit`, each with a byte range.

    The range is `directive` if it is given, otherwise that of the line of `unit` that includes the document.
    """
    if not unit.trace.splices:
        return
    text = unit.document.text
    for number, mapped in enumerate(unit.source_map.rows):
        for segment in mapped.segments if mapped is not None else ():
            if segment.document is not None and segment.document not in found:
                found[segment.document] = directive or (text.line_start(number), text.line_end(number))
