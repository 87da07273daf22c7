"""Serialised diagnostics, which can be moved by an edit and folded into groups.

After an edit, the diagnostics behind it only change their line numbers. A serialised diagnostic therefore
keeps its JSON as a format string with `%d` for each number, so that moving it does not compute it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from json.encoder import encode_basestring_ascii

from openclsp.dataclass import dataclass
from openclsp.ide.answers import Diagnostic, Fold
from openclsp.ide.folding import summary
from openclsp.lsp.client import Client
from openclsp.lsp.reports import SEVERITIES, UNNECESSARY, Report, report
from openclsp.lsp.session import Analysed
from openclsp.rules.finding import Severity


@dataclass(frozen=True, slots=True, eq=False)
class Edit:
    """An edit in lines (from 0): lines `first` to `last` were replaced, by `by` lines more than before.

    If `last` is less than `first`, no line was replaced. `reread`: the preprocessing of the other lines may
    have changed too, because the edit changed macros or conditions.
    """

    first: int
    last: int
    by: int
    reread: bool


@dataclass(frozen=True, slots=True, eq=False)
class Folding:
    """What a diagnostic contributes to the single diagnostic of its group.

    `message` lacks the `prefix` that names the included file. `where` is the URI of the related location that
    is listed for this member (empty if the client gets none), and `at` the index of its first number in
    `Row.numbers`.
    """

    fold: Fold
    group: str
    found: Report
    prefix: str
    message: str
    where: str
    at: int


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A diagnostic serialised as JSON in `data`.

    `pattern` is the JSON with `%d` for each of `numbers`: line and column of the start and of the end, first
    of the diagnostic itself, then of each related location. `order` is the sort key, and equal for
    duplicates. `first` and `last` are the lowest and highest line in `numbers`. `elsewhere`: a related
    location is in another document. `folding` is set if the diagnostic can be folded into a group.
    """

    order: tuple[int, int, int, int, str, str]
    pattern: bytes
    numbers: tuple[int, ...]
    first: int
    last: int
    data: bytes
    elsewhere: bool = False
    folding: Folding | None = None
    severity: Severity = Severity.ERROR

    @property
    def lines(self) -> tuple[int, ...]:
        """The first and last line of each of its locations."""
        return self.numbers[::2]

    def touches(self, edit: Edit) -> bool:
        """Whether one of its locations starts or ends in the replaced lines of an edit."""
        if self.last < edit.first or self.first > edit.last:
            return False
        for line in self.lines:
            if edit.first <= line <= edit.last:
                return True
        return False

    def moved(self, by: int, since: int) -> Row:
        """The diagnostic after `by` lines were inserted before line `since`."""
        numbers = list(self.numbers)
        numbers[::2] = lines = [line + by if line >= since else line for line in self.lines]
        now = tuple(numbers)
        order = (lines[0], self.order[1], lines[1], *self.order[3:])
        data = self.pattern % now
        return Row(
            order,
            self.pattern,
            now,
            min(lines),
            max(lines),
            data,
            self.elsewhere,
            self.folding,
            self.severity,
        )


def in_order(row: Row) -> tuple[int, int, int, int, str, str]:
    """The sort key of a serialised diagnostic."""
    return row.order


def first_of_each_name(rows: list[Row]) -> list[Row]:
    """Drops those of an item's diagnostics that repeat a name already in the same group."""
    if all(each.folding is None for each in rows):
        return rows
    found: list[Row] = []
    named: set[tuple[str, str]] = set()
    for each in sorted(rows, key=in_order):
        if each.folding is not None and each.folding.fold.name:
            name = each.folding.group, each.folding.fold.name
            if name in named:
                continue
            named.add(name)
        found.append(each)
    return found


def folding(shown_as: Report, found: Diagnostic, client: Client, uri: str) -> Folding | None:
    """The group data of a diagnostic in the document `uri` or an included file.

    None without a group.
    """
    if found.fold is None:
        return None
    group = f"{found.location.document}\0{found.fold.group}"
    prefix = shown_as.message[: len(shown_as.message) - len(found.message)]
    where, at = (shown_as.related[0][0], 4) if prefix and shown_as.related else (uri, 0)
    if not client.related_information:
        where = ""
    return Folding(found.fold, group, shown_as, prefix, found.message, where, at)


def summarised(rows: Sequence[Row]) -> bytes:
    """The JSON of the single diagnostic that represents a group."""
    members = [each.folding for each in rows if each.folding is not None]
    first, numbers = members[0], rows[0].numbers
    told = summary(first.found.code, first.message, [each.fold.name for each in members])
    related = [(document, message) for document, _, message in first.found.related]
    if first.prefix and related:
        related[0] = related[0][0], told.message
    for number, message in told.places:
        member = members[number]
        if member.where:
            related.append((member.where, message))
            numbers += rows[number].numbers[member.at : member.at + 4]
    found = first.found
    severity = SEVERITIES[found.severity]
    pattern = _pattern(
        first.prefix + told.message, severity, found.code, found.source, found.faded, tuple(related)
    )
    return pattern % numbers


def own_row(analysed: Analysed, client: Client, found: Diagnostic) -> Row:
    """Serialises a diagnostic that is located in the open document."""
    shown_as, uri = report(analysed, client, found), analysed.document.uri
    return row(shown_as, uri, folding=folding(shown_as, found, client, uri))


def row(
    found: Report, uri: str = "", order: tuple[str, str] = ("", ""), folding: Folding | None = None
) -> Row:
    """Serialises a diagnostic of the document `uri` (LSP 3.17, "Diagnostic").

    Diagnostics with the same range are sorted by code and message, or by `order` if it is given.
    """
    stretch, related = found.stretch, found.related
    told = tuple([(document, message) for document, _, message in related])
    severity = SEVERITIES[found.severity]
    pattern = _pattern(found.message, severity, found.code, found.source, found.faded, told)
    numbers: tuple[int, ...] = stretch
    for _, there, _ in related:
        numbers += there
    lines = numbers[::2]
    elsewhere = False
    for document, _ in told:
        elsewhere = elsewhere or document != uri
    first, then = order if order[0] else (found.code, found.message)
    return Row(
        (*stretch, first, then),
        pattern,
        numbers,
        min(lines),
        max(lines),
        pattern % numbers,
        elsewhere,
        folding,
        found.severity,
    )


@lru_cache(maxsize=4096)
def _pattern(
    message: str, severity: int, code: str, source: str, faded: bool, related: tuple[tuple[str, str], ...]
) -> bytes:
    """The JSON with `%d` for each number; cached, because many diagnostics differ only in their locations."""
    parts = [
        f'{{"range":{_RANGE},"message":{_text(message)}',
        f',"severity":{severity},"code":"{code}","source":{_text(source)}',
    ]
    if faded:
        parts.append(f',"tags":[{UNNECESSARY}]')
    if related:
        told = [
            f'{{"location":{{"uri":{_text(document)},"range":{_RANGE}}},"message":{_text(message)}}}'
            for document, message in related
        ]
        parts.append(f',"relatedInformation":[{",".join(told)}]')
    return ("".join(parts) + "}").encode()


_RANGE = '{"start":{"line":%d,"character":%d},"end":{"line":%d,"character":%d}}'


def _text(text: str) -> str:
    """A string as JSON, escaped for use in a `%` format string."""
    return encode_basestring_ascii(text).replace("%", "%%")
