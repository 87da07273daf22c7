"""Converts diagnostics of a unit to diagnostics of the open document, in protocol terms."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from openclsp.dataclass import dataclass
from openclsp.ide import diagnostic_limit
from openclsp.ide.answers import Diagnostic, RelatedLocation
from openclsp.ide.diagnostics import unlimited_diagnostics
from openclsp.ide.severities import severity_of
from openclsp.lsp.client import Client
from openclsp.lsp.positions import Stretch, places_between, range_of
from openclsp.lsp.session import Analysed
from openclsp.rules.finding import Severity
from openclsp.source.document import DocumentName
from openclsp.source.preprocessed import Preprocessed

if TYPE_CHECKING:
    from lsprotocol import types

SOURCE = "openclsp"
_INACTIVE = "inactive-code"

SEVERITIES = {Severity.ERROR: 1, Severity.WARNING: 2, Severity.INFORMATION: 3, Severity.HINT: 4}
UNNECESSARY = 1
"""The tag of faded code; like the severities, a number of the protocol (LSP 3.17, "Diagnostic")."""

Related = tuple[str, Stretch, str]
"""A related location: the URI of its document, its range, and its message."""


@dataclass(frozen=True, slots=True)
class Report:
    """A diagnostic as the client sees it.

    It is located at bytes `start` to `end` (exclusive) of the open document.
    `answer` is the diagnostic of the analysis; None if it cannot have fixes. `faded`: the code is
    unnecessary.
    """

    start: int
    end: int
    stretch: Stretch
    severity: Severity
    code: str
    source: str
    message: str
    related: tuple[Related, ...] = ()
    faded: bool = False
    answer: Diagnostic | None = None

    @property
    def diagnostic(self) -> types.Diagnostic:
        """The diagnostic as lsprotocol's object."""
        from lsprotocol import types

        return types.Diagnostic(
            range_of(self.stretch),
            self.message,
            severity=types.DiagnosticSeverity(SEVERITIES[self.severity]),
            code=self.code,
            source=self.source,
            tags=[types.DiagnosticTag(UNNECESSARY)] if self.faded else None,
            related_information=[
                types.DiagnosticRelatedInformation(types.Location(uri, range_of(stretch)), message)
                for uri, stretch, message in self.related
            ]
            or None,
        )


@dataclass(frozen=True, slots=True)
class _Pending:
    """A report that is made only if it is among those shown: its positions cost a look at their lines."""

    start: int
    end: int
    severity: Severity
    make: Callable[[], Report]


def reports(analysed: Analysed, client: Client) -> list[Report]:
    """The diagnostics of the open document, sorted by location, at most the limit; none if the project excludes it.

    A diagnostic of an included file is reported at its `#include`, unless that file is open itself. Inactive
    branches are marked for clients that fade unnecessary code.
    """
    if analysed.unit.unit.excluded:
        return []
    answers = unlimited_diagnostics(analysed.unit)
    own = analysed.document.name
    found = [
        _Pending(
            answer.location.start,
            answer.location.end,
            answer.severity,
            partial(report, analysed, client, answer),
        )
        for answer in answers
        if answer.location.document == own
    ]
    elsewhere = [
        answer
        for answer in answers
        if answer.location.document != own and not analysed.is_open(answer.location.document)
    ]
    if elsewhere:
        found_at = directives(analysed)
        alone = not analysed.unit.unit.subject
        for answer in elsewhere:
            directive = found_at.get(answer.location.document, (0, 0) if alone else None)
            # Other files of a unit that is analysed for a fragment are reported with the including kernel.
            if directive is not None:
                made = partial(included, analysed, client, answer, directive)
                found.append(_Pending(*directive, answer.severity, made))
    if client.fades:
        for faded in inactive(analysed, client):
            found.append(_Pending(faded.start, faded.end, faded.severity, partial(_itself, faded)))
    found.sort(key=lambda each: (each.start, each.end))
    severity = diagnostic_limit.notice_severity(analysed.unit.unit.project)

    def notice(left_out: _Pending, message: str) -> _Pending | None:
        if severity is None:
            return None
        start, end = left_out.start, left_out.end
        stretch = places_between(analysed.document.text, start, end, client.encoding)
        made = limit_notice(start, end, stretch, severity, message)
        return _Pending(start, end, severity, partial(_itself, made))

    return [each.make() for each in diagnostic_limit.limited(found, lambda each: each.severity, notice)]


def limit_notice(start: int, end: int, stretch: Stretch, severity: Severity, message: str) -> Report:
    """The notice that diagnostics are left out, at the place of the first of them."""
    return Report(start, end, stretch, severity, diagnostic_limit.CODE, SOURCE, message)


def _itself(made: Report) -> Report:
    return made


def report(analysed: Analysed, client: Client, answer: Diagnostic) -> Report:
    """Converts a diagnostic that is located in the open document."""
    place = answer.location
    return _report(analysed, client, answer, (place.start, place.end), answer.message, answer.related)


def included(analysed: Analysed, client: Client, answer: Diagnostic, directive: tuple[int, int]) -> Report:
    """Converts a diagnostic of an included file; moves it to the bytes of the include directive."""
    place = answer.location
    line = analysed.text_of(place.document).line_of(place.start) + 1
    message = f"in included file {os.path.basename(place.document)}, line {line}: {answer.message}"
    related = (RelatedLocation(place, answer.message), *answer.related)
    return _report(analysed, client, answer, directive, message, related)


def _report(
    analysed: Analysed,
    client: Client,
    answer: Diagnostic,
    place: tuple[int, int],
    message: str,
    related: Sequence[RelatedLocation],
) -> Report:
    start, end = place
    document = analysed.document
    text, own, encoding = document.text, document.name, client.encoding
    shown: list[Related] = []
    for each in related if client.related_information else ():
        there = each.location
        if there.document == own:
            stretch = places_between(text, there.start, there.end, encoding)
            shown.append((document.uri, stretch, each.message))
        else:
            stretch = places_between(analysed.text_of(there.document), there.start, there.end, encoding)
            shown.append((analysed.uri_of(there.document), stretch, each.message))
    return Report(
        start,
        end,
        places_between(text, start, end, encoding),
        answer.severity,
        answer.code,
        _source(analysed),
        message,
        tuple(shown),
        answer=answer,
    )


def _source(analysed: Analysed) -> str:
    """The protocol's `source`; for a fragment it names the including kernel, on which its meaning depends."""
    unit = analysed.unit.unit
    return f"{SOURCE}, {unit.choices[-1]}" if unit.subject else SOURCE


def inactive(analysed: Analysed, client: Client) -> Iterator[Report]:
    """Diagnostics for inactive branches, for clients that fade unnecessary code."""
    text = analysed.document.text
    severity = severity_of(analysed.unit.unit.project, _INACTIVE, Severity.HINT)
    if severity is None:
        return
    for first, last in _inactive_lines(analysed):
        start, end = text.line_start(first), text.line_end(last - 1)
        stretch = places_between(text, start, end, client.encoding)
        message = "not compiled under these options"
        yield Report(start, end, stretch, severity, _INACTIVE, SOURCE, message, faded=True)


def _inactive_lines(analysed: Analysed) -> Iterator[tuple[int, int]]:
    """The line ranges (end exclusive) that are inactive in every inclusion of the open document."""
    own = _own(analysed)
    everywhere = own[0].inactive if own else ()
    for other in own[1:]:
        both = ((max(a, c), min(b, d)) for a, b in everywhere for c, d in other.inactive)
        everywhere = tuple((first, last) for first, last in both if first < last)
    yield from everywhere


def _own(analysed: Analysed) -> list[Preprocessed]:
    """The preprocessing results of the open document: one for the root, otherwise one per inclusion."""
    name = analysed.document.name
    return [unit for unit in analysed.unit.preprocessed.units() if unit.document.name == name]


def directives(analysed: Analysed) -> dict[DocumentName, tuple[int, int]]:
    """The byte range of the directive through which each included document was first included.

    All directives are in the open document.
    """
    found: dict[DocumentName, tuple[int, int]] = {}
    for preprocessed in _own(analysed):
        for inclusion in preprocessed.includes:
            for unit in inclusion.unit.units():
                found.setdefault(unit.document.name, (inclusion.start, inclusion.end))
                _spliced(unit, found, (inclusion.start, inclusion.end))
        _spliced(preprocessed, found, None)
    return found


def _spliced(
    unit: Preprocessed, found: dict[DocumentName, tuple[int, int]], directive: tuple[int, int] | None
) -> None:
    """Adds the documents included within lines of `unit`, at `directive` or else at their line."""
    if not unit.trace.splices:
        return
    text = unit.document.text
    for number, row in enumerate(unit.source_map.rows):
        for segment in row.segments if row is not None else ():
            if segment.document is not None and segment.document not in found:
                found[segment.document] = directive or (text.line_start(number), text.line_end(number))
