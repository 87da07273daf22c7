"""What a client is shown of a document, kept as it was written for the last version: only what an edit can have made
another diagnostic is written anew, and what it moves gets other line numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from json.encoder import encode_basestring_ascii
from typing import NamedTuple

from lsprotocol import types

from openclsp.ide.apart import Apart, apart
from openclsp.lsp.client import Client
from openclsp.lsp.positions import Stretch
from openclsp.lsp.reports import SEVERITIES, Report, inactive, report, reports
from openclsp.lsp.session import Analysed
from openclsp.rules.finding import Finding
from openclsp.semantics.entities import ItemKey
from openclsp.semantics.items import Item
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.text import Text, difference
from openclsp.workspace.units import Unit

_KEPT = "shown diagnostics"


class Row(NamedTuple):
    """A diagnostic as the protocol writes it. `pattern` is that with `%d` for each of `lines`; `order` sorts, and is the same
    for what is said twice. `elsewhere`: it speaks of places in other documents too."""

    order: tuple[int, int, int, int, str, str]
    pattern: bytes
    lines: tuple[int, ...]
    data: bytes
    elsewhere: bool = False

    def moved(self, by: int, since: int) -> Row:
        """The same where `by` lines are more before line `since`."""
        lines = tuple([line + by if line >= since else line for line in self.lines])
        return Row(
            (lines[0], self.order[1], lines[1], *self.order[3:]), self.pattern, lines, self.pattern % lines
        )


class _Stood(NamedTuple):
    """An item in which rows have places, and the line on which it began."""

    key: ItemKey
    item: Item
    line: int

    @staticmethod
    def of(unit: TranslationUnit, key: ItemKey) -> _Stood:
        """The item as it stands now."""
        item = unit.by_key[key]
        return _Stood(key, item, _line(item))

    def after(self, unit: TranslationUnit, edit: _Edit) -> _Stood | None:
        """The item after an edit; None where another may stand for it."""
        item = unit.by_key.get(self.key)
        if item is None or edit.first <= self.line <= edit.last:
            return None
        line = self.line + edit.by if self.line > edit.last else self.line
        if item is not self.item and (item.digest != self.item.digest or _line(item) != line):
            return None
        return self if item is self.item and line == self.line else _Stood(self.key, item, line)


def _line(item: Item) -> int:
    return item.group.fragment.preprocessed.source_map.lines.find(item.start)


class _Shown(NamedTuple):
    """The row of each finding of an item, None where it is not told, between the first and the last line of all; `items` are
    those that they were made from."""

    findings: Sequence[Finding]
    items: tuple[_Stood, ...]
    rows: tuple[Row | None, ...]
    first: int
    last: int

    @staticmethod
    def of(findings: Sequence[Finding], items: tuple[_Stood, ...], rows: tuple[Row | None, ...]) -> _Shown:
        """These rows, with the lines that they speak of."""
        lines = [line for each in rows if each is not None for line in each.lines]
        return _Shown(findings, items, rows, min(lines, default=0), max(lines, default=-1))

    def after(self, unit: TranslationUnit, edit: _Edit) -> _Shown | None:
        """The rows after an edit of the document; None where it may have made others of them."""
        items = [each.after(unit, edit) for each in self.items]
        if None in items:
            return None
        if self.last < edit.first:
            return self
        rows = [each for each in self.rows if each is not None]
        if any(edit.first <= line <= edit.last for row in rows for line in row.lines):
            return None
        stood = tuple([each for each in items if each is not None])
        if not edit.by:
            return self._replace(items=stood)
        by, since = edit.by, edit.last + 1
        moved = tuple([None if each is None else each.moved(by, since) for each in self.rows])
        first = self.first + by if self.first >= since else self.first
        last = self.last + by if self.last >= since else self.last
        return _Shown(self.findings, stood, moved, first, last)


class _Edit(NamedTuple):
    """Lines `first` to `last` of a text became others, and `by` more; none did where `last` is before `first`."""

    first: int
    last: int
    by: int


class Shown:
    """What was last shown of a document that is a unit's root."""

    def __init__(self) -> None:
        self._items: dict[ItemKey, _Shown] = {}
        self._text: Text | None = None
        self._told: Unit | None = None
        self._rereadings = -1

    def rows(self, analysed: Analysed, client: Client) -> list[Row] | None:
        """The rows of all diagnostics, in no order; None where they have to be made all at once."""
        unit, text = analysed.unit, analysed.document.text
        found = None
        if unit.document.name == analysed.document.name and not unit.unit.excluded:
            found = apart(unit)
        edit = self._edit(unit, text)
        before, self._items = self._items, {}
        if found is None:
            return None
        rows: list[Row] = []
        uri = analysed.document.uri
        for key, findings in found.findings.items():
            known = before.get(key)
            kept = None if known is None or edit is None else known.after(unit, edit)
            if kept is None or kept.findings is not findings:
                made = _made(analysed, client, found, key, findings, kept)
                if made is None:
                    return None
                kept = made
            now = [each for each in kept.rows if each is not None]
            # lines of other documents move by other edits
            if not any(each.elsewhere for each in now):
                self._items[key] = kept
            rows += now
        rows += [row(report(analysed, client, each), uri) for each in found.beside]
        if client.fades:
            rows += [row(each, uri) for each in inactive(analysed, client)]
        self._text, self._told, self._rereadings = text, unit.unit, unit.rereadings
        return rows

    def _edit(self, unit: TranslationUnit, text: Text) -> _Edit | None:
        """How the text became another one since the last time; None where more may have changed than its lines."""
        before, self._text = self._text, None
        if before is None or self._told is not unit.unit or self._rereadings != unit.rereadings:
            return None
        changed = difference(before.data, text.data)
        if changed is None:
            return _Edit(text.line_count + 1, text.line_count + 1, 0)
        start, old_end, new_end = changed
        first, last = before.line_of(start), before.line_of(old_end)
        if before.line_start(last) == old_end and text.line_start(text.line_of(new_end)) == new_end:
            # the line behind the edit is the same line, and only moves
            last -= 1
        return _Edit(first, last, text.line_count - before.line_count)


def shown(analysed: Analysed, client: Client) -> bytes:
    """All diagnostics of the open document, sorted by place, as the elements of the protocol's list."""
    kept = analysed.unit.kept.setdefault(_KEPT, Shown())
    rows = kept.rows(analysed, client)
    if rows is None:
        return written(reports(analysed, client))
    rows.sort()
    return b",".join(_once(rows))


def written(found: Iterable[Report]) -> bytes:
    """Diagnostics as the elements of the protocol's list."""
    return b",".join([row(each).data for each in found])


def _once(rows: Iterable[Row]) -> Iterator[bytes]:
    before: tuple[object, ...] | None = None
    for each in rows:
        if each.order != before:
            yield each.data
        before = each.order


def _made(
    analysed: Analysed,
    client: Client,
    found: Apart,
    key: ItemKey,
    findings: Sequence[Finding],
    kept: _Shown | None,
) -> _Shown | None:
    """The rows of an item's findings, of which those that were there before are kept; None where the whole unit has to be
    looked at."""
    known = {} if kept is None else dict(zip(map(id, kept.findings), kept.rows, strict=True))
    new = [each for each in findings if id(each) not in known]
    made = found.of(key, new)
    if made is None:
        return None
    told, places = made
    uri = analysed.document.uri
    for finding, diagnostic in zip(new, told, strict=True):
        known[id(finding)] = None if diagnostic is None else row(report(analysed, client, diagnostic), uri)
    stood = {} if kept is None else {each.key: each for each in kept.items}
    stood |= {each: _Stood.of(analysed.unit, each) for each in places | {key}}
    return _Shown.of(findings, tuple(stood.values()), tuple([known[id(each)] for each in findings]))


def row(found: Report, uri: str = "") -> Row:
    """A diagnostic of the document `uri` as the protocol writes it (LSP 3.17, "Diagnostic")."""
    line, column, end_line, end_column = found.stretch
    lines = [line, end_line]
    parts = [
        f'{{"range":{_range(found.stretch)},"message":{_text(found.message)}',
        f',"severity":{SEVERITIES[found.severity].value},"code":"{found.code}","source":{_text(found.source)}',
    ]
    if found.faded:
        parts.append(f',"tags":[{types.DiagnosticTag.Unnecessary.value}]')
    elsewhere = False
    if found.related:
        related = []
        for document, there, message in found.related:
            lines += (there[0], there[2])
            elsewhere = elsewhere or document != uri
            related.append(
                f'{{"location":{{"uri":{_text(document)},"range":{_range(there)}}},"message":{_text(message)}}}'
            )
        parts.append(f',"relatedInformation":[{",".join(related)}]')
    pattern = ("".join(parts) + "}").encode()
    order = (line, column, end_line, end_column, found.code, found.message)
    return Row(order, pattern, tuple(lines), pattern % tuple(lines), elsewhere)


def _range(stretch: Stretch) -> str:
    return f'{{"start":{{"line":%d,"character":{stretch[1]}}},"end":{{"line":%d,"character":{stretch[3]}}}}}'


def _text(text: str) -> str:
    """A string as JSON, in a pattern."""
    return encode_basestring_ascii(text).replace("%", "%%")
