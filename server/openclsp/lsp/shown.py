"""What a client is shown of a document, kept as it was written for the last version: only what an edit can have made
another diagnostic is written anew, and what it moves gets other line numbers."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence

from openclsp.dataclass import dataclass
from openclsp.ide import diagnostic_limit
from openclsp.ide.apart import Apart, Told, apart
from openclsp.ide.places import Standing
from openclsp.lsp.client import Client
from openclsp.lsp.reports import (
    Report,
    directives,
    inactive,
    included,
    limit_notice,
    reports,
)
from openclsp.lsp.rows import Edit, Row, first_of_each_name, folding, in_order, own_row, row, summarised
from openclsp.lsp.session import Analysed
from openclsp.rules.finding import Finding
from openclsp.semantics.entities import ItemKey
from openclsp.semantics.inputs import MEANINGS_WANTED
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import DocumentName
from openclsp.source.text import Text, difference
from openclsp.workspace.units import Unit

_KEPT = "shown diagnostics"
_NONE: frozenset[ItemKey] = frozenset()


def _standing_after(at: Standing, unit: TranslationUnit, edit: Edit) -> Standing | None:
    """The item after an edit; None where another may stand for it."""
    item = unit.by_key.get(at.key)
    if item is None or edit.first <= at.line <= edit.last:
        return None
    line = at.line + edit.by if at.line > edit.last else at.line
    if item is not at.item and item.digest != at.item.digest:
        return None
    plain = at.plain
    if item is not at.item or edit.reread:
        start, source_map = item.start, item.group.fragment.preprocessed.source_map
        if source_map.lines.find(start) != line:
            return None
        plain = source_map.shift(line, start, start + item.length) is not None
        # what a macro spells may be spelled by another one now
        if edit.reread and not (at.plain and plain):
            return None
    return at if item is at.item and line == at.line else Standing(at.key, item, line, plain)


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    """The row of a finding, None where it is not told, and the items in which it has places. `included`: it lies in an
    included file."""

    finding: Finding
    items: tuple[Standing, ...]
    row: Row | None
    included: bool = False

    def after(self, unit: TranslationUnit, edit: Edit) -> _Kept | None:
        """The row after an edit of the document; None where it may have made another of it."""
        row = self.row
        before = row is not None and row.last < edit.first
        unmoved = before or (not edit.by and (row is None or row.first > edit.last))
        if unmoved and not edit.reread:
            by_key = unit.by_key
            for each in self.items:
                if by_key.get(each.key) is not each.item:
                    break
            else:
                return self
        items: list[Standing] = []
        for each in self.items:
            now = _standing_after(each, unit, edit)
            if now is None:
                return None
            items.append(now)
        if row is not None and not before:
            if row.touches(edit):
                return None
            row = row.moved(edit.by, edit.last + 1) if edit.by else row
        return _Kept(self.finding, tuple(items), row)


class _Shown:
    """What is kept of an item's findings, and the rows of those that are told."""

    __slots__ = ("findings", "kept", "rows", "visible", "whole")

    def __init__(self, findings: Sequence[Finding], kept: list[_Kept]) -> None:
        self.findings = findings
        self.rows = [each.row for each in kept if each.row is not None]
        self.visible = first_of_each_name(self.rows)
        # lines of other documents move by other edits
        self.kept = [
            each for each in kept if not each.included and (each.row is None or not each.row.elsewhere)
        ]
        self.whole = len(self.kept) == len(findings)
        """Whether nothing has to be made anew as long as the findings stay"""

    def touched_by(self, edit: Edit) -> bool:
        """Whether a row has places in the lines of an edit."""
        for each in self.rows:
            if each.touches(edit):
                return True
        return False


class _Included:
    """What is found in included files, each at the directive that includes it: kept while the directives stay where they are,
    the files are the same, and the same documents are open."""

    def __init__(self) -> None:
        self._state: tuple[object, ...] = ()
        self._kept: dict[int, _Kept] = {}
        self._directives: dict[DocumentName, tuple[int, int]] | None = None

    def renew(self, analysed: Analysed, *, keep: bool) -> None:
        """Look at another version of the document; nothing is kept where more may have changed than its lines."""
        self._directives = None
        inclusions = analysed.unit.preprocessed.includes
        if not (self._kept or inclusions):
            return
        state = (
            [(each.unit, each.start, each.end) for each in inclusions],
            frozenset(analysed.world.documents),
        )
        if not keep or state != self._state:
            self._kept.clear()
        self._state = state

    def known(self, finding: Finding) -> _Kept | None:
        """What was made of a finding."""
        return self._kept.get(id(finding))

    def made(self, analysed: Analysed, client: Client, finding: Finding, told: Told) -> _Kept:
        """What is made of a finding in an included file."""
        found = told.diagnostic
        now = None
        if found is not None and not analysed.is_open(found.location.document):
            if self._directives is None:
                self._directives = directives(analysed)
            directive = self._directives.get(found.location.document, (0, 0))
            where = found.location
            order = (
                f"\U0010ffff{where.document}",
                f"{where.start:012}{where.end:012}{found.code} {found.message}",
            )
            shown_as = included(analysed, client, found, directive)
            now = row(shown_as, "", order, folding(shown_as, found, client, analysed.document.uri))
        made = _Kept(finding, told.items, now, included=True)
        unit, root = analysed.unit, analysed.document.name
        apart_from_root = all(
            each.item.group.fragment.preprocessed is not unit.preprocessed for each in told.items
        )
        related = () if found is None else found.related
        if apart_from_root and all(each.location.document != root for each in related):
            self._kept[id(finding)] = made
        return made


class Shown:
    """What was last shown of a document that is a unit's root."""

    def __init__(self) -> None:
        self._items: dict[ItemKey, _Shown] = {}
        self._included = _Included()
        self._text: Text | None = None
        self._past: tuple[Text, dict[ItemKey, _Shown]] | None = None
        """What was shown of the text before the last one: an edit is often taken back"""
        self._told: Unit | None = None
        self._readings = -1, -1
        self._came: set[ItemKey] | None = None
        self._by_item: defaultdict[ItemKey, set[ItemKey]] = defaultdict(set)
        self._groups: dict[str, tuple[list[Row], bytes]] = {}
        """The rows of each group of more than one as they were last time, and what was written of them"""

    def _note(self, key: ItemKey, now: _Shown) -> None:
        """In which other items an item's rows have places."""
        for each in now.kept:
            for there in each.items:
                if there.key is not key:
                    self._by_item[there.key].add(key)

    def _touched(self) -> set[ItemKey]:
        """The items whose rows have places in items that became others since the last time; some of them may only have had
        such rows once."""
        came = self._came or _NONE
        found = set(came)
        for item in came:
            found |= self._by_item.get(item, _NONE)
        return found

    def rows(self, analysed: Analysed, client: Client) -> list[Row] | None:
        """The rows of all diagnostics, in no order; None where they have to be made all at once."""
        unit, text = analysed.unit, analysed.document.text
        found = None
        if unit.document.name == analysed.document.name and not unit.unit.excluded:
            found = apart(unit)
        last, past = self._text, self._past
        self._past = None
        edit = self._edit(unit, text)
        if self._came is None:
            self._came = set()
            unit.followers.append(self._came)
        patched = edit is not None and not edit.by and not edit.reread
        if not patched:
            self._by_item.clear()
        before, self._items = self._items, {}
        self._included.renew(analysed, keep=edit is not None and not edit.reread)
        if found is None:
            return None
        again: dict[ItemKey, _Shown] = {}
        if edit is not None and past is not None and past[0].data == text.data:
            again = past[1]
        items: dict[ItemKey, _Shown] = {}
        rows: list[Row] = []
        touched = self._touched() if patched else None
        for key, findings in found.findings.items():
            known = None if edit is None else before.get(key)
            now: _Shown | None = None
            if known is not None and edit is not None and touched is not None:
                stays = known.whole and known.findings is findings
                if stays and key not in touched and not known.touched_by(edit):
                    now = known
            if now is None:
                if again:
                    now = again.get(key)
                    if now is not None and not (now.whole and _are_same(now.findings, findings)):
                        now = None
                if now is None:
                    made = _made(analysed, client, found, key, findings, known, edit, self._included)
                    if made is None:
                        return None
                    now = _Shown(findings, made)
                self._note(key, now)
            items[key] = now
            rows += now.visible
        self._items = items
        uri = analysed.document.uri
        for told in found.beside:
            if told.diagnostic is not None:
                rows.append(own_row(analysed, client, told.diagnostic))
        if client.fades:
            rows += [row(each, uri) for each in inactive(analysed, client)]
        self._came.clear()
        if edit is not None and last is not None:
            self._past = past if last.data == text.data else (last, before)
        self._text, self._told = text, unit.unit
        self._readings = unit.rereadings, unit.renewals
        return rows

    def folded(self, rows: Iterable[Row]) -> list[tuple[Row, bytes]]:
        """The elements of the protocol's list with their rows, of rows in their order: what several items say alike once, and
        each group at its first place. A group of which no row is another one is not written again."""
        before: tuple[object, ...] | None = None
        groups: dict[str, tuple[int, list[Row]]] = {}
        found: list[tuple[Row, bytes]] = []
        for each in rows:
            if each.order == before:
                continue
            before = each.order
            if each.folding is not None:
                group = groups.get(each.folding.group)
                if group is not None:
                    group[1].append(each)
                    continue
                groups[each.folding.group] = len(found), [each]
            found.append((each, each.data))
        last, self._groups = self._groups, {}
        for name, (at, members) in groups.items():
            if len(members) > 1:
                known = last.get(name)
                if known is None or known[0] != members:
                    known = members, summarised(members)
                self._groups[name] = known
                found[at] = members[0], known[1]
        return found

    def _edit(self, unit: TranslationUnit, text: Text) -> Edit | None:
        """How the text became another one since the last time; None where more may have changed than its lines."""
        before, self._text = self._text, None
        rereadings, renewals = self._readings
        if before is None or self._told is not unit.unit or renewals != unit.renewals:
            return None
        reread = rereadings != unit.rereadings
        changed = difference(before.data, text.data)
        if changed is None:
            return Edit(text.line_count + 1, text.line_count + 1, 0, reread)
        start, old_end, new_end = changed
        first, last = before.line_of(start), before.line_of(old_end)
        if before.line_start(last) == old_end and text.line_start(text.line_of(new_end)) == new_end:
            # the line behind the edit is the same line, and only moves
            last -= 1
        return Edit(first, last, text.line_count - before.line_count, reread)


def _are_same(findings: Sequence[Finding], others: Sequence[Finding]) -> bool:
    if findings is others:
        return True
    return len(findings) == len(others) and all(a is b for a, b in zip(findings, others, strict=True))


def shown(analysed: Analysed, client: Client) -> bytes:
    """All diagnostics of the open document, sorted by place, as the elements of the protocol's list."""
    kept = analysed.unit.kept.setdefault(_KEPT, Shown())
    rows = kept.rows(analysed, client)
    if rows is None:
        return written(reports(analysed, client))
    rows.sort(key=in_order)
    return b",".join([data for _, data in _limited(analysed, kept.folded(rows))])


def _limited(analysed: Analysed, elements: list[tuple[Row, bytes]]) -> Sequence[tuple[Row, bytes]]:
    severity = diagnostic_limit.notice_severity(analysed.unit.unit.project)

    def notice(left_out: tuple[Row, bytes], message: str) -> tuple[Row, bytes] | None:
        if severity is None:
            return None
        line, column, last, end, *_ = left_out[0].numbers
        made = row(limit_notice(0, 0, (line, column, last, end), severity, message))
        return made, made.data

    return diagnostic_limit.limited(elements, lambda each: each[0].severity, notice)


def shown_of(analysed: Analysed, client: Client, *, flow_waits: bool) -> bytes:
    """The same, with the flow as it last was where that is asked for again soon; what the client is going to ask for beside
    is kept on the way."""
    if client.shows_tokens:
        analysed.unit.engine.set(MEANINGS_WANTED, "", True)
    analysed.unit.flow_waits = flow_waits
    try:
        return shown(analysed, client)
    finally:
        analysed.unit.flow_waits = False


def publication(uri: str, version: int, diagnostics: bytes) -> bytes:
    """The message that tells a client the diagnostics of a document, of which these are the elements of the list."""
    return (
        b'{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics",'
        b'"params":{"uri":%s,"version":%d,"diagnostics":[%s]}}'
    ) % (json.dumps(uri).encode(), version, diagnostics)


def written(found: Iterable[Report]) -> bytes:
    """Diagnostics as the elements of the protocol's list."""
    return b",".join([row(each).data for each in found])


def _made(
    analysed: Analysed,
    client: Client,
    found: Apart,
    key: ItemKey,
    findings: Sequence[Finding],
    known: _Shown | None,
    edit: Edit | None,
    beyond: _Included,
) -> list[_Kept] | None:
    """The rows of an item's findings, of which those that are known stay where the edit lets them; None where the whole unit
    has to be looked at."""
    kept = {} if known is None else {id(each.finding): each for each in known.kept}
    made: list[_Kept] = []
    for finding in findings:
        before = kept.get(id(finding)) if kept else None
        if before is not None and edit is not None:
            before = before.after(analysed.unit, edit)
        if before is None:
            before = beyond.known(finding)
        if before is None:
            told = found.of(key, finding)
            if told is None:
                return None
            if told.elsewhere:
                before = beyond.made(analysed, client, finding, told)
            else:
                shown_as = None
                if told.diagnostic is not None:
                    shown_as = own_row(analysed, client, told.diagnostic)
                before = _Kept(finding, told.items, shown_as)
        made.append(before)
    return made
