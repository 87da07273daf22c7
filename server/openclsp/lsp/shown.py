"""Cache of a document's serialised diagnostics, updated incrementally after an edit.

Only diagnostics that an edit may have changed are computed again; those that it moved get new line numbers.
The result always equals that for a new analysis of the text, which tests/lsp/test_shown.py verifies.
"""

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
    """The item after an edit; None if its contents or its start line may have changed."""
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
        # Tokens of a macro expansion may come from another macro now, so that their locations differ.
        if edit.reread and not (at.plain and plain):
            return None
    return at if item is at.item and line == at.line else Standing(at.key, item, line, plain)


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    """A finding's serialised diagnostic (None: not reported) and the items that contain its locations.

    `included`: the finding is located in an included file.
    """

    finding: Finding
    items: tuple[Standing, ...]
    row: Row | None
    included: bool = False

    def after(self, unit: TranslationUnit, edit: Edit) -> _Kept | None:
        """The diagnostic after an edit of the document; None if the edit may have changed it."""
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
    """The cached diagnostics of one item's findings."""

    __slots__ = ("findings", "kept", "rows", "visible", "whole")

    def __init__(self, findings: Sequence[Finding], kept: list[_Kept]) -> None:
        self.findings = findings
        self.rows = [each.row for each in kept if each.row is not None]
        self.visible = first_of_each_name(self.rows)
        # Diagnostics with locations in other documents are excluded: edits of those documents move them.
        self.kept = [
            each for each in kept if not each.included and (each.row is None or not each.row.elsewhere)
        ]
        self.whole = len(self.kept) == len(findings)
        """Whether all findings are cached: then nothing is computed again while they are the same."""

    def touched_by(self, edit: Edit) -> bool:
        """Whether a diagnostic has a location in the lines of an edit."""
        for each in self.rows:
            if each.touches(edit):
                return True
        return False


class _Included:
    """Cache of diagnostics for findings in included files, which are reported at the include directive.

    It is valid while the directives do not move, the files are the same, and the same documents are open.
    """

    def __init__(self) -> None:
        self._state: tuple[object, ...] = ()
        self._kept: dict[int, _Kept] = {}
        self._directives: dict[DocumentName, tuple[int, int]] | None = None

    def renew(self, analysed: Analysed, *, keep: bool) -> None:
        """Prepares for a new version of the document: clears an invalid cache, and any unless `keep`."""
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
        """The cached diagnostic of a finding."""
        return self._kept.get(id(finding))

    def made(self, analysed: Analysed, client: Client, finding: Finding, told: Told) -> _Kept:
        """Serialises a finding in an included file; caches it if independent of the root's text."""
        found = told.diagnostic
        now = None
        if found is not None and not analysed.is_open(found.location.document):
            if self._directives is None:
                self._directives = directives(analysed)
            directive = self._directives.get(found.location.document, (0, 0))
            where = found.location
            # Sorts after the document's own diagnostics at the directive, then by included file and location.
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
    """The diagnostics cache of a document.

    `_items` holds the diagnostics for the text `_text`, if not None.
    """

    def __init__(self) -> None:
        self._items: dict[ItemKey, _Shown] = {}
        self._included = _Included()
        self._text: Text | None = None
        self._past: tuple[Text, dict[ItemKey, _Shown]] | None = None
        """The previous text and its diagnostics, because an edit is often undone."""
        self._told: Unit | None = None
        self._readings = -1, -1
        self._came: set[ItemKey] | None = None
        self._by_item: defaultdict[ItemKey, set[ItemKey]] = defaultdict(set)
        self._groups: dict[str, tuple[list[Row], bytes]] = {}
        """The members of each group of more than one at the last call, and the JSON for the group."""

    def _note(self, key: ItemKey, now: _Shown) -> None:
        """Records the other items that contain locations of an item's diagnostics."""
        for each in now.kept:
            for there in each.items:
                if there.key is not key:
                    self._by_item[there.key].add(key)

    def _touched(self) -> set[ItemKey]:
        """The changed items, and those whose diagnostics have or once had locations in a changed item."""
        came = self._came or _NONE
        found = set(came)
        for item in came:
            found |= self._by_item.get(item, _NONE)
        return found

    def rows(self, analysed: Analysed, client: Client) -> list[Row] | None:
        """All diagnostics, unsorted; None if they cannot be computed item by item: see `apart`."""
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
        # If an edit neither moves lines nor changes preprocessing, an item's diagnostics stay valid unless a
        # location is in a changed item or in the replaced lines, and need not be visited one by one.
        patched = edit is not None and not edit.by and not edit.reread
        if not patched:
            self._by_item.clear()
        # Cleared first: if this update is aborted, the next one must not use a partial result.
        before, self._items = self._items, {}
        self._included.renew(analysed, keep=edit is not None and not edit.reread)
        if found is None:
            return None
        # After an undo, the diagnostics of the version before the last one are valid again.
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
        """The JSON array elements for sorted diagnostics, each with its row.

        Drops duplicates from several items. A group becomes one diagnostic at its first member's location;
        its JSON is reused while its members do not change.
        """
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
        """The edit from the last text to this one; None if other inputs may have changed too."""
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
            # The edit ends at the start of a line in both texts: that line is not replaced, only moved.
            last -= 1
        return Edit(first, last, text.line_count - before.line_count, reread)


def _are_same(findings: Sequence[Finding], others: Sequence[Finding]) -> bool:
    if findings is others:
        return True
    return len(findings) == len(others) and all(a is b for a, b in zip(findings, others, strict=True))


def shown(analysed: Analysed, client: Client) -> bytes:
    """All diagnostics of the open document as JSON array elements, sorted by location."""
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
    """All diagnostics as JSON array elements; with `flow_waits`, those of an earlier flow solution.

    If the client shows semantic tokens or inlay hints, the data for these is recorded in the same pass.
    """
    if client.shows_tokens:
        analysed.unit.engine.set(MEANINGS_WANTED, "", True)
    analysed.unit.flow_waits = flow_waits
    try:
        return shown(analysed, client)
    finally:
        analysed.unit.flow_waits = False


def publication(uri: str, version: int, diagnostics: bytes) -> bytes:
    """The `textDocument/publishDiagnostics` message for diagnostics given as JSON array elements."""
    return (
        b'{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics",'
        b'"params":{"uri":%s,"version":%d,"diagnostics":[%s]}}'
    ) % (json.dumps(uri).encode(), version, diagnostics)


def written(found: Iterable[Report]) -> bytes:
    """Serialises diagnostics as JSON array elements."""
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
    """The diagnostics of an item's findings, reusing cached ones that the edit cannot have changed.

    None if the diagnostics depend on more than the item, so that they must be computed for the whole unit.
    """
    kept = {} if known is None else {id(each.finding): each for each in known.kept}
    made: list[_Kept] = []
    for finding in findings:
        # By identity: queries return the same objects while nothing changed, and `known` keeps them alive.
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
