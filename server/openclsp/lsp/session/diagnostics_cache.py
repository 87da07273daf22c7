"""Cache of a document's serialised diagnostics, updated incrementally after an edit.

Only diagnostics that an edit may have changed are computed again; diagnostics that it moved get new line
numbers. The result always equals that for a new analysis of the text: see
tests/lsp/test_diagnostics_cache.py.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from typing import Any

from openclsp.ide.diagnostics import diagnostic_limit
from openclsp.ide.diagnostics.diagnostic_joining import DiagnosticForm, join_diagnostics
from openclsp.ide.diagnostics.per_item_diagnostics import PerItemDiagnostics
from openclsp.ide.diagnostics.settings_filter import may_be_defined_elsewhere
from openclsp.ide.unit_config import unit_config
from openclsp.lsp.session.analysis_session import DocumentAnalysis
from openclsp.lsp.session.cached_findings import CachedItem, are_same_findings
from openclsp.lsp.session.client_capabilities import ClientCapabilities
from openclsp.lsp.session.client_diagnostics import (
    ClientDiagnostic,
    limit_notice,
)
from openclsp.lsp.session.diagnostic_serializer import DiagnosticSerializer
from openclsp.lsp.session.included_diagnostics import IncludedDiagnostics
from openclsp.lsp.session.serialized_diagnostics import (
    LineEdit,
    SerializedDiagnostic,
    group_of,
    identity,
    serialize_diagnostic,
    serialize_group,
    sort_key,
)
from openclsp.rules.finding import Finding, Severity
from openclsp.semantics.database.unit_inputs import TRACK_NAME_SPACES
from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.unit_caches import UnitCache
from openclsp.source.text import Text, difference
from openclsp.workspace.units import UnitConfig

_NONE: frozenset[ItemKey] = frozenset()


class DiagnosticsCache:
    """The diagnostics cache of a document.

    `_items` holds the diagnostics for the text `_text`; the cache is empty if `_text` is None.
    """

    def __init__(self) -> None:
        # The keys are item keys, of type `Any`: compiled code unpacks a tuple of known type and packs it
        # again at each use, and each keystroke looks up all keys.
        self._items: dict[Any, CachedItem] = {}
        self._included = IncludedDiagnostics()
        self._text: Text | None = None
        self._previous: tuple[Text, dict[Any, CachedItem]] | None = None
        """The previous text and its diagnostics, which are valid again if an edit is undone."""
        self._unit_config: UnitConfig | None = None
        self._revisions = -1, -1
        self._has_comments = False
        """Whether `_items` holds diagnostics that are not reported too, because there are ignore comments."""
        self._answers: dict[str, bool] = {}
        """The answers of `may_be_defined_elsewhere` on which the diagnostics in `_items` depend."""
        self._changed_keys: set[ItemKey] | None = None
        self._dependents: defaultdict[ItemKey, set[ItemKey]] = defaultdict(set)
        self._groups: dict[str | None, tuple[list[SerializedDiagnostic], SerializedDiagnostic]] = {}
        """The members of each group that the last join folded, and the diagnostic of the group."""
        self._previous_groups = self._groups

    def _record_dependents(self, key: ItemKey, cached: CachedItem) -> None:
        """Records the other items that contain locations of an item's diagnostics."""
        for each in cached.reusable:
            for anchor in each.items:
                if anchor.key is not key:
                    self._dependents[anchor.key].add(key)

    def _affected_keys(self) -> set[ItemKey]:
        """Returns the keys of changed items, and of items with diagnostics located in a changed item.

        Locations that diagnostics had in earlier versions of the text count too.
        """
        changed = self._changed_keys or _NONE
        found = set(changed)
        for item in changed:
            found |= self._dependents.get(item, _NONE)
        return found

    def update(
        self, analysed: DocumentAnalysis, client: ClientCapabilities, *, allow_stale_flow: bool = False
    ) -> list[SerializedDiagnostic]:
        """Returns all diagnostics of the document, joined by `join_diagnostics`.

        The result is empty if the project excludes the document. `allow_stale_flow` is passed to
        `explain_findings`.
        """
        unit, text = analysed.unit, analysed.document.text
        if unit_config(unit).is_excluded:
            self._text, self._items = None, {}
            return []
        found = PerItemDiagnostics(unit, tagged=client.shows_tagged_hints, allow_stale_flow=allow_stale_flow)
        can_reuse = found.depend_on_items_only and unit.document.name == analysed.document.name
        last_text, before, previous = self._text, self._items, self._previous
        edit = self._take_edit(unit, text)
        if (
            not can_reuse
            or found.has_comments != self._has_comments
            or any(may_be_defined_elsewhere(unit, name) != was for name, was in self._answers.items())
        ):
            edit = None
        # Cleared first: if this update is aborted, the next one must not use a partial result.
        self._items, self._previous = {}, None
        if self._changed_keys is None:
            self._changed_keys = set()
            unit.change_listeners.append(self._changed_keys)
        self._included.prepare(analysed, client, keep=edit is not None and not edit.changes_preprocessing)
        serializer = DiagnosticSerializer(analysed, client, found, self._included)
        diagnostics: list[SerializedDiagnostic] = []
        if can_reuse:
            # After an undo, the diagnostics of the version before the last one are valid again.
            items_before_undo: dict[Any, CachedItem] = {}
            if edit is not None and previous is not None and previous[0].data == text.data:
                items_before_undo = previous[1]
            items = self._update_items(serializer, edit, before, items_before_undo, diagnostics)
            diagnostics += filter(None, map(serializer.serialize, found.diagnostics_outside_items()))
            self._items, self._text, self._unit_config = items, text, unit_config(unit)
            self._has_comments = found.has_comments
            self._answers = found.answers_about_names | (self._answers if edit is not None else {})
            self._revisions = unit.reexpansion_count, unit.header_revision
            if edit is not None and last_text is not None:
                self._previous = previous if last_text.data == text.data else (last_text, before)
        else:
            diagnostics += filter(None, map(serializer.serialize, found.everything()))
        self._changed_keys.clear()
        return self._join(serializer, diagnostics)

    def _update_items(
        self,
        serializer: DiagnosticSerializer,
        edit: LineEdit | None,
        before: dict[Any, CachedItem],
        items_before_undo: dict[Any, CachedItem],
        diagnostics: list[SerializedDiagnostic],
    ) -> dict[Any, CachedItem]:
        """Returns the diagnostics of all items that have findings, and adds them to `diagnostics`.

        Those that stay valid are taken from `before`. `items_before_undo` are those of the version to which the edit
        returns; empty if it is a new one.
        """
        # If an edit neither moves lines nor changes preprocessing, an item's diagnostics stay valid unless a
        # location is in a changed item or in the replaced lines. They need not be checked one by one.
        keeps_lines = edit is not None and not edit.line_delta and not edit.changes_preprocessing
        if not keeps_lines:
            self._dependents.clear()
        changed: AbstractSet[ItemKey] = self._changed_keys or _NONE
        affected: set[Any] | None = self._affected_keys() if keeps_lines else None
        items: dict[Any, CachedItem] = {}
        has_comments = serializer.found.has_comments
        key: Any
        findings: Sequence[Finding]
        for key, findings in serializer.found.findings.items():
            cached = None if edit is None else before.get(key)
            updated: CachedItem | None = None
            if cached is not None and edit is not None and affected is not None:
                is_same = cached.is_fully_reusable and cached.findings is findings
                if is_same and key not in affected and not cached.is_touched_by(edit):
                    updated = cached
            if updated is None:
                if items_before_undo:
                    updated = items_before_undo.get(key)
                    if updated is not None and not (
                        updated.is_fully_reusable and are_same_findings(updated.findings, findings)
                    ):
                        updated = None
                if updated is None:
                    updated = CachedItem(
                        findings, serializer.serialize_item(key, findings, cached, edit, changed)
                    )
                self._record_dependents(key, updated)
            items[key] = updated
            diagnostics += updated.diagnostics if has_comments else updated.without_repeated_names
        return items

    def _join(
        self, serializer: DiagnosticSerializer, diagnostics: list[SerializedDiagnostic]
    ) -> list[SerializedDiagnostic]:
        """Joins the diagnostics of all items, and adds those of inactive branches."""
        self._previous_groups, self._groups = self._groups, {}
        form = DiagnosticForm(
            sort_key=sort_key,
            identity=identity,
            group_of=group_of,
            fold=self._fold_group,
            root_line=serializer.root_line,
            code=_code,
            is_reported=_is_reported,
            of_comment=serializer.serialize_about_comment,
        )
        joined = join_diagnostics(serializer.analysed.unit, diagnostics, form)
        inactive = serializer.inactive_code()
        return sorted([*joined, *inactive], key=sort_key) if inactive else joined

    def _fold_group(self, members: list[SerializedDiagnostic]) -> SerializedDiagnostic:
        """Returns the single diagnostic that is shown for the similar diagnostics `members`.

        The result of the previous version is reused if its members are the same objects.
        """
        name = group_of(members[0])
        cached = self._previous_groups.get(name)
        if cached is None or cached[0] != members:
            merged = replace(members[0], json=serialize_group(members), members=tuple(members))
            cached = members, merged
        self._groups[name] = cached
        return cached[1]

    def _take_edit(self, unit: TranslationUnit, text: Text) -> LineEdit | None:
        """Returns the edit from the last text to this one; None if other inputs may have changed too.

        Forgets the last text: only an update that is not aborted records the text for which `_items` holds.
        """
        before, self._text = self._text, None
        reexpansion_count, header_revision = self._revisions
        if (
            before is None
            or self._unit_config is not unit_config(unit)
            or header_revision != unit.header_revision
        ):
            return None
        changes_preprocessing = reexpansion_count != unit.reexpansion_count
        changed = difference(before.data, text.data)
        if changed is None:
            return LineEdit(text.line_count + 1, text.line_count + 1, 0, changes_preprocessing)
        start, old_end, new_end = changed
        first, last = before.line_of(start), before.line_of(old_end)
        if before.line_start(last) == old_end and text.line_start(text.line_of(new_end)) == new_end:
            # The edit ends at the start of a line in both texts: that line is not replaced, only moved.
            last -= 1
        return LineEdit(first, last, text.line_count - before.line_count, changes_preprocessing)


_CACHE: UnitCache[DiagnosticsCache] = UnitCache("diagnostics")


def document_diagnostics(
    analysed: DocumentAnalysis,
    client: ClientCapabilities,
    *,
    allow_stale_flow: bool = False,
    with_hints: bool = True,
) -> Sequence[SerializedDiagnostic]:
    """Returns the diagnostics of the document, sorted by location; those that are hints only with `with_hints`.

    Their number is limited by `diagnostic_limit.limited`. A diagnostic of an included file is reported at its
    `#include`, unless that file is open itself. Inactive branches are marked for clients that fade unnecessary
    code. With `allow_stale_flow`, the diagnostics may be those of an earlier flow solution.
    """
    cache = analysed.unit.caches.get_or_make(_CACHE, DiagnosticsCache)
    diagnostics = cache.update(analysed, client, allow_stale_flow=allow_stale_flow)
    if not with_hints:
        diagnostics = [each for each in diagnostics if each.severity is not Severity.HINT]
    return diagnostic_limit.limited(diagnostics, _severity, partial(_notice, analysed, client))


def serialize_diagnostics(
    analysed: DocumentAnalysis, client: ClientCapabilities, *, allow_stale_flow: bool = False
) -> bytes:
    """Returns all diagnostics of the open document as JSON array elements: see `document_diagnostics`."""
    found = document_diagnostics(analysed, client, allow_stale_flow=allow_stale_flow)
    return b",".join([each.json for each in found])


def _code(diagnostic: SerializedDiagnostic) -> str:
    return "" if diagnostic.source is None else diagnostic.source.code


def _is_reported(diagnostic: SerializedDiagnostic) -> bool:
    return diagnostic.is_reported


def _severity(diagnostic: SerializedDiagnostic) -> Severity:
    return diagnostic.severity


def _notice(
    analysed: DocumentAnalysis, client: ClientCapabilities, left_out: SerializedDiagnostic, message: str
) -> SerializedDiagnostic | None:
    # The severity is computed only here, because that reads the rule's page, and the first diagnostics must
    # not wait for it.
    severity = diagnostic_limit.notice_severity(unit_config(analysed.unit).project)
    if severity is None:
        return None
    line, column, last, end, *_ = left_out.numbers
    return serialize_diagnostic(limit_notice(client, 0, 0, (line, column, last, end), severity, message))


def serialize_diagnostics_for_client(
    analysed: DocumentAnalysis, client: ClientCapabilities, *, allow_stale_flow: bool
) -> bytes:
    """Returns all diagnostics as JSON array elements: see `serialize_diagnostics`.

    If the client shows semantic tokens or inlay hints, the analysis also records the data for these.
    """
    if client.shows_tokens_or_hints:
        analysed.unit.database.set(TRACK_NAME_SPACES, "", True)
    return serialize_diagnostics(analysed, client, allow_stale_flow=allow_stale_flow)


def publish_diagnostics_message(uri: str, version: int, diagnostics: bytes) -> bytes:
    """Returns a `textDocument/publishDiagnostics` message; `diagnostics` are JSON array elements."""
    return (
        b'{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics",'
        b'"params":{"uri":%s,"version":%d,"diagnostics":[%s]}}'
    ) % (json.dumps(uri).encode(), version, diagnostics)


def serialize_client_diagnostics(found: Iterable[ClientDiagnostic]) -> bytes:
    """Serialises diagnostics as JSON array elements."""
    return b",".join([serialize_diagnostic(each).json for each in found])
