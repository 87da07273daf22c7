"""Serialised diagnostics, which can be moved by an edit, and merged with similar ones into one.

An edit changes only the line numbers of the diagnostics after it. The JSON of a diagnostic is therefore
stored as a format string with `%d` for each number, so that the diagnostic can be moved without being
computed again.
"""

from __future__ import annotations

from collections.abc import Sequence
from json.encoder import encode_basestring_ascii

from openclsp.dataclass import dataclass
from openclsp.ide.diagnostics.diagnostic_folding import summarise_group
from openclsp.ide.feature_results import Diagnostic, DiagnosticGroup
from openclsp.lsp.session.analysis_session import DocumentAnalysis
from openclsp.lsp.session.client_capabilities import ClientCapabilities
from openclsp.lsp.session.client_diagnostics import (
    SEVERITIES,
    ClientDiagnostic,
    convert_diagnostic,
)
from openclsp.rules.finding import Severity


@dataclass(frozen=True, slots=True, eq=False)
class LineEdit:
    """An edit that replaced the lines `first_line` to `last_line` (inclusive, from 0) of the old text.

    If `last_line` is less than `first_line`, no line was replaced.

    - `line_delta`: the number of lines of the new text minus that of the old text
    - `changes_preprocessing`: whether the preprocessing of other lines may have changed, because the edit
      changed macros or conditions
    """

    first_line: int
    last_line: int
    line_delta: int
    changes_preprocessing: bool


@dataclass(frozen=True, slots=True, eq=False)
class GroupMember:
    """The part of a diagnostic that is used to merge it with similar ones: see `serialize_group`.

    - `group_key`: equal for the similar diagnostics of one document
    - `prefix`: the part of the message that names the included file
    - `message`: the message without the prefix
    - `related_uri`: the URI of the related location that is listed for this member; empty if the client gets
      none
    - `number_index`: the index of this location's first number in `SerializedDiagnostic.numbers`
    """

    diagnostic_group: DiagnosticGroup
    group_key: str
    client_diagnostic: ClientDiagnostic
    prefix: str
    message: str
    related_uri: str
    number_index: int


@dataclass(frozen=True, slots=True, eq=False)
class SerializedDiagnostic:
    """A diagnostic serialised as JSON in `json`.

    - `pattern`: the JSON with `%d` for each of `numbers`
    - `numbers`: line and column of the start and of the end, first of the diagnostic itself, then of each
      related location
    - `order`: the range and the text, by which diagnostics are sorted; equal for duplicates
    - `first_line`, `last_line`: the lowest and highest line in `numbers`
    - `mentions_other_documents`: whether a related location is in another document
    - `group_member`: set if the diagnostic can be merged with similar ones
    - `source`: the diagnostic of the analysis, whose locations are those before it was moved; None if it
      cannot have fixes
    - `is_reported`: False if it only shows that an ignore comment is used
    - `members`: for a merged diagnostic, those that were merged
    """

    # The type allows any length: compiled code unpacks a tuple of known length and packs it again at each
    # comparison.
    order: tuple[int | str, ...]
    pattern: bytes
    numbers: tuple[int, ...]
    first_line: int
    last_line: int
    json: bytes
    mentions_other_documents: bool = False
    group_member: GroupMember | None = None
    severity: Severity = Severity.ERROR
    source: Diagnostic | None = None
    is_reported: bool = True
    members: tuple[SerializedDiagnostic, ...] = ()

    @property
    def lines(self) -> tuple[int, ...]:
        """The first and last line of each of the diagnostic's ranges."""
        return self.numbers[::2]

    def is_touched_by(self, edit: LineEdit) -> bool:
        """Whether an edit replaces a line in which a range of the diagnostic starts or ends."""
        if self.last_line < edit.first_line or self.first_line > edit.last_line:
            return False
        for line in self.lines:
            if edit.first_line <= line <= edit.last_line:
                return True
        return False

    def move_lines(self, line_delta: int, first_line: int) -> SerializedDiagnostic:
        """Returns the diagnostic after `line_delta` lines were inserted before line `first_line`."""
        numbers = list(self.numbers)
        numbers[::2] = lines = [line + line_delta if line >= first_line else line for line in self.lines]
        now = tuple(numbers)
        order = (lines[0], self.order[1], lines[1], *self.order[3:])
        data = self.pattern % now
        return SerializedDiagnostic(
            order,
            self.pattern,
            now,
            min(lines),
            max(lines),
            data,
            self.mentions_other_documents,
            self.group_member,
            self.severity,
            self.source,
            self.is_reported,
        )


def sort_key(
    diagnostic: SerializedDiagnostic,
) -> tuple[int | str, tuple[int | str, ...], tuple[int, ...]]:
    """Returns the sort key of a serialised diagnostic.

    Two items of one macro's expansion may yield diagnostics that differ only in their related locations. The
    key contains these locations, because the order in which the items were checked depends on earlier edits.
    """
    # Sorting compares the first element of a key faster if it is a number.
    return diagnostic.order[0], diagnostic.order, diagnostic.numbers


def identity(diagnostic: SerializedDiagnostic) -> tuple[int | str, ...]:
    """Returns the range and the text of a serialised diagnostic, which are equal for duplicates."""
    return diagnostic.order


def group_of(diagnostic: SerializedDiagnostic) -> str | None:
    """Returns a key that similar diagnostics of one document share; None if there cannot be similar ones."""
    return None if diagnostic.group_member is None else diagnostic.group_member.group_key


def drop_repeated_names(diagnostics: list[SerializedDiagnostic]) -> list[SerializedDiagnostic]:
    """Returns the diagnostics; of similar ones with the same `DiagnosticGroup.name`, only the first.

    Diagnostics are similar if `group_of` returns the same key for them. Those without a key or a name are all
    returned.
    """
    if all(each.group_member is None for each in diagnostics):
        return diagnostics
    found: list[SerializedDiagnostic] = []
    named: set[tuple[str, str]] = set()
    for each in sorted(diagnostics, key=sort_key):
        if each.group_member is not None and each.group_member.diagnostic_group.name:
            name = each.group_member.group_key, each.group_member.diagnostic_group.name
            if name in named:
                continue
            named.add(name)
        found.append(each)
    return found


def make_group_member(
    client_diagnostic: ClientDiagnostic, diagnostic: Diagnostic, client: ClientCapabilities, uri: str
) -> GroupMember | None:
    """Returns the data by which a diagnostic is merged with similar ones into a single diagnostic.

    The diagnostic is in the document `uri` or in an included file. Returns None if it is always shown alone.
    """
    if diagnostic.group is None:
        return None
    group_key = f"{diagnostic.location.document}\0{diagnostic.group.group}"
    prefix = client_diagnostic.message[: len(client_diagnostic.message) - len(diagnostic.message)]
    related_uri, number_index = (
        (client_diagnostic.related[0][0], 4) if prefix and client_diagnostic.related else (uri, 0)
    )
    if not client.supports_related_information:
        related_uri = ""
    return GroupMember(
        diagnostic.group, group_key, client_diagnostic, prefix, diagnostic.message, related_uri, number_index
    )


def serialize_group(diagnostics: Sequence[SerializedDiagnostic]) -> bytes:
    """Serialises a group of similar diagnostics as one, whose message summarises them."""
    members = [each.group_member for each in diagnostics if each.group_member is not None]
    first, numbers = members[0], diagnostics[0].numbers
    summary = summarise_group(
        first.client_diagnostic.code, first.message, [each.diagnostic_group.name for each in members]
    )
    related = [(document, message) for document, _, message in first.client_diagnostic.related]
    if first.prefix and related:
        related[0] = related[0][0], summary.message
    for number, message in summary.places:
        member = members[number]
        if member.related_uri:
            related.append((member.related_uri, message))
            numbers += diagnostics[number].numbers[member.number_index : member.number_index + 4]
    found = first.client_diagnostic
    severity = SEVERITIES[found.severity]
    pattern = _json_pattern(
        first.prefix + summary.message,
        severity,
        found.code,
        found.source,
        found.tag,
        tuple(related),
        found.page_uri,
    )
    return pattern % numbers


def serialize_own_diagnostic(
    analysed: DocumentAnalysis, client: ClientCapabilities, found: Diagnostic, *, is_reported: bool = True
) -> SerializedDiagnostic:
    """Serialises a diagnostic that is located in the open document."""
    client_diagnostic, uri = convert_diagnostic(analysed, client, found), analysed.document.uri
    member = make_group_member(client_diagnostic, found, client, uri)
    return serialize_diagnostic(client_diagnostic, uri, group_member=member, is_reported=is_reported)


def serialize_diagnostic(
    found: ClientDiagnostic,
    uri: str = "",
    order: tuple[str, str] = ("", ""),
    group_member: GroupMember | None = None,
    *,
    is_reported: bool = True,
) -> SerializedDiagnostic:
    """Serialises a diagnostic of the document `uri` (LSP 3.17, "Diagnostic").

    Diagnostics with the same range are sorted by code and message, or by `order` if it is given.
    """
    range_, related = found.range_numbers, found.related
    related_texts = tuple([(document, message) for document, _, message in related])
    severity = SEVERITIES[found.severity]
    pattern = _json_pattern(
        found.message,
        severity,
        found.code,
        found.source,
        found.tag,
        related_texts,
        found.page_uri,
    )
    numbers: tuple[int, ...] = range_
    for _, there, _ in related:
        numbers += there
    lines = numbers[::2]
    mentions_other_documents = False
    for document, _ in related_texts:
        mentions_other_documents = mentions_other_documents or document != uri
    first, then = order if order[0] else (found.code, found.message)
    return SerializedDiagnostic(
        (*range_, first, then),
        pattern,
        numbers,
        min(lines),
        max(lines),
        pattern % numbers,
        mentions_other_documents,
        group_member,
        found.severity,
        found.source_diagnostic,
        is_reported,
    )


def _json_pattern(
    message: str,
    severity: int,
    code: str,
    source: str,
    tag: int,
    related: tuple[tuple[str, str], ...],
    page_uri: str,
) -> bytes:
    """Returns the JSON of a diagnostic, with `%d` for each number of its ranges."""
    parts = [
        f'{{"range":{_RANGE},"message":{_json_string(message)}',
        f',"severity":{severity},"code":"{code}","source":{_json_string(source)}',
    ]
    if page_uri:
        parts.append(f',"codeDescription":{{"href":{_json_string(page_uri)}}}')
    if tag:
        parts.append(f',"tags":[{tag}]')
    if related:
        related_json = [
            f'{{"location":{{"uri":{_json_string(document)},"range":{_RANGE}}},"message":{_json_string(message)}}}'
            for document, message in related
        ]
        parts.append(f',"relatedInformation":[{",".join(related_json)}]')
    return ("".join(parts) + "}").encode()


_RANGE = '{"start":{"line":%d,"character":%d},"end":{"line":%d,"character":%d}}'


def _json_string(text: str) -> str:
    """Serialises a string as JSON, escaped for use in a `%` format string."""
    return encode_basestring_ascii(text).replace("%", "%%")
