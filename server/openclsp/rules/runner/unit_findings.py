"""The findings of a whole unit, cached per item and updated incrementally after edits."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from enum import Enum

from openclsp.dataclass import dataclass
from openclsp.rules.book import missing_barrier
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.runner.argument_findings import DECLARATIONS_OF_NAME, ArgumentFindings
from openclsp.rules.runner.fact_judgement import INVALID_ENTITIES
from openclsp.rules.runner.item_findings import (
    BODY_FINDINGS,
    ITEM_FINDINGS,
    get_item_findings,
)
from openclsp.rules.runner.provisional_findings import ProvisionalFindings, provisional_findings
from openclsp.semantics.database.derived_queries import FLOW, MEMORY, PROGRAM
from openclsp.semantics.database.query_database import Query
from openclsp.semantics.database.typed_body import drop_kept_passes
from openclsp.semantics.database.unit_inputs import FIND_MISSING_BARRIERS
from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.flow.flow_queries import solution
from openclsp.semantics.items.item import Item
from openclsp.semantics.memory.memory_steps import BARRIERS
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.unit_caches import UnitCache
from openclsp.source.parser import kind

_FUNCTION_DEFINITION = kind("function_definition")

SHORT_HEADERS = 131_072
"""The maximum number of included bytes in whose functions errors are searched for, unless all findings are wanted.

Beyond it, opening a kernel would take 0.3 s longer as plain Python."""


def _header_errors(unit: TranslationUnit, key: ItemKey) -> tuple[Finding, ...]:
    found = unit.database.get(BODY_FINDINGS, key).findings
    return tuple([each for each in found if each.severity is Severity.ERROR])


HEADER_ERRORS: Query[ItemKey, tuple[Finding, ...]] = Query("header errors", _header_errors, ())
"""The errors in a function of a header, without those about arguments"""


class HeaderFunctions(Enum):
    """Which findings in the function bodies of headers are reported: none, errors, or all."""

    NONE = "none"
    ERRORS = "errors"
    ALL = "all"


@dataclass(slots=True)
class _UnitFindings:
    """The cached findings of a unit."""

    pending: set[ItemKey]
    """The items to be checked again"""
    arguments: ArgumentFindings
    """The findings about the arguments of calls"""
    items_with_barriers: set[ItemKey] = field(default_factory=set)
    """The items that have barriers"""
    item_findings: dict[ItemKey, tuple[Finding, ...]] = field(default_factory=dict)
    """All other findings by item"""
    merged_findings: dict[ItemKey, tuple[Finding, ...]] = field(default_factory=dict)
    """Both kinds of findings by item, only of items that have any"""
    provisional: dict[ItemKey, ProvisionalFindings] = field(default_factory=dict)
    """The items with provisional findings: they are checked again by each update"""
    only_errors: set[ItemKey] = field(default_factory=set)
    """The items of which only errors are reported"""

    def drop(self, key: ItemKey) -> None:
        """Forgets an item that was removed, or whose findings are not reported."""
        self.item_findings.pop(key, None)
        self.provisional.pop(key, None)
        self.arguments.drop(key)
        self.items_with_barriers.discard(key)
        self.only_errors.discard(key)

    def merge_item(self, key: ItemKey) -> None:
        """Merges an item's findings and the findings about its calls' arguments into `merged_findings`."""
        found = self.item_findings.get(key, ()) + self.arguments.findings_of(key)
        if key in self.only_errors:
            found = tuple([each for each in found if each.severity is Severity.ERROR])
        if found:
            self.merged_findings[key] = found
        else:
            self.merged_findings.pop(key, None)


_FINDINGS: UnitCache[dict[HeaderFunctions, _UnitFindings]] = UnitCache("findings")


def update_unit_findings(
    unit: TranslationUnit, *, header_bodies: bool = False, allow_stale_flow: bool = False
) -> Mapping[ItemKey, tuple[Finding, ...]]:
    """Updates and returns the findings of each item that has any, in no particular order.

    The mapping is shared and changes with the next call. The cost depends on the items that were added or
    touched since the last call and on the callers of changed declarations, not on the size of the unit.

    With `header_bodies`, findings in function bodies of headers are included; otherwise only errors are,
    and only if the headers are short.

    With `allow_stale_flow`, the flow is not solved again, and findings that need it may be those of an
    earlier text. The caller must soon call again without it.
    """
    kept = unit.caches.get_or_make(_FINDINGS, dict)
    checked = _checked_header_functions(unit, header_bodies)
    own = _prepare_update(unit, kept, checked)
    _check_pending_items(unit, own, checked, allow_stale_flow=allow_stale_flow)
    if not allow_stale_flow:
        # The flow solution and the callees' effects need all items typed, which the first pass did. Items
        # whose findings depend on a result that changed become pending, so a second pass checks them.
        if unit.dialect.generic:
            solution(unit, FLOW)
        MEMORY.compute_callee_effects(unit, own.items_with_barriers)
        _distribute_invalidations(unit, kept)
        _check_pending_items(unit, own, checked)
        drop_kept_passes(unit)
    return own.merged_findings


def update_findings_of_items(
    unit: TranslationUnit,
    wanted: Collection[ItemKey],
    *,
    header_bodies: bool = False,
    allow_stale_flow: bool = False,
) -> Mapping[ItemKey, tuple[Finding, ...]]:
    """Returns the findings of the `wanted` items without checking other items.

    The flow is not solved, so findings that need it are those of the last solution, if any. For
    `header_bodies` and `allow_stale_flow`, see `update_unit_findings`.
    """
    kept = unit.caches.get_or_make(_FINDINGS, dict)
    checked = _checked_header_functions(unit, header_bodies)
    own = _prepare_update(unit, kept, checked)
    _check_pending_items(unit, own, checked, wanted, with_flow=False, allow_stale_flow=allow_stale_flow)
    if not allow_stale_flow:
        MEMORY.compute_callee_effects(unit, own.items_with_barriers)
        _distribute_invalidations(unit, kept)
        _check_pending_items(unit, own, checked, wanted, with_flow=False)
        drop_kept_passes(unit)
    for key in own.pending:
        # These tables were built to be checked at once; nothing else needs them before the item is typed
        # again.
        item = unit.by_key.get(key)
        if item is not None:
            item.table = item.typed_head = None
    return {key: own.merged_findings[key] for key in wanted if key in own.merged_findings}


def _prepare_update(
    unit: TranslationUnit, kept: dict[HeaderFunctions, _UnitFindings], checked: HeaderFunctions
) -> _UnitFindings:
    """Returns the cache for `checked`, without removed items, and with the items to be checked again as pending.

    Also checks the calls to functions again whose declarations have changed. `kept` contains the unit's
    caches; if it has none for `checked`, one is created.
    """
    unit.database.set(FIND_MISSING_BARRIERS, "", unit.target.enables(missing_barrier.CODE))
    _distribute_invalidations(unit, kept)
    own = kept.get(checked)
    if own is None:
        own = kept[checked] = _UnitFindings(set(unit.by_key), ArgumentFindings())
    own.pending.update(own.provisional)
    # Removed items are dropped first, so that the re-check below does not visit their calls.
    for key in [key for key in own.pending if key not in unit.by_key]:
        own.drop(key)
        own.merge_item(key)
        own.pending.discard(key)
    for key in own.arguments.recheck_calls(unit):
        own.merge_item(key)
    return own


def _check_pending_items(
    unit: TranslationUnit,
    own: _UnitFindings,
    checked: HeaderFunctions,
    wanted: Collection[ItemKey] | None = None,
    *,
    with_flow: bool = True,
    allow_stale_flow: bool = False,
) -> None:
    """Checks the pending items, or only those among them that are `wanted`.

    - `checked`: which findings in function bodies of headers are reported
    - `with_flow`: whether the flow graphs of the items are computed, too
    - `allow_stale_flow`: whether flow findings of an earlier text may be reused
    """
    pending = set(own.pending) if wanted is None else own.pending.intersection(wanted)
    # in text order, so that declarations are typed before the items that look them up
    known = [unit.by_key[key] for key in pending if key in unit.by_key]
    unit_has_barriers = bool(own.items_with_barriers) or any(
        not BARRIERS.isdisjoint(item.summary.calls) for item in known
    )
    for item in sorted(known, key=_order):
        key = item.key
        if checked is HeaderFunctions.ERRORS and not is_checked(item, False) and is_checked(item, True):
            own.drop(key)
            own.item_findings[key] = unit.database.get(HEADER_ERRORS, key)
            own.arguments.update_item(unit, item)
            own.only_errors.add(key)
        elif is_checked(item, checked is HeaderFunctions.ALL):
            own.only_errors.discard(key)
            before = own.provisional.pop(key, None)
            provisional = None
            if allow_stale_flow:
                provisional = provisional_findings(unit, item, own.item_findings.get(key, ()), before)
            if provisional is None:
                own.item_findings[key] = get_item_findings(unit, item)
            else:
                own.item_findings[key], own.provisional[key] = provisional.findings, provisional
            own.arguments.update_item(unit, item)
            if unit.database.get(BODY_FINDINGS, key).may_call_barrier:
                own.items_with_barriers.add(key)
            else:
                own.items_with_barriers.discard(key)
            if not allow_stale_flow:
                # these queries reuse the typed body, which is still cached now
                if with_flow and unit.dialect.generic:
                    unit.database.get(FLOW, key)
                if unit_has_barriers:
                    unit.database.get(PROGRAM, key)
        else:
            own.drop(key)
        own.merge_item(key)
        own.pending.discard(key)
    own.pending.difference_update(pending)


def _distribute_invalidations(unit: TranslationUnit, kept: Mapping[HeaderFunctions, _UnitFindings]) -> None:
    """Adds to each cache in `kept` the items and names that were invalidated since the last call."""
    suspects, names = unit.database.watch(ITEM_FINDINGS), unit.database.watch(DECLARATIONS_OF_NAME)
    invalid, headers = unit.database.watch(INVALID_ENTITIES), unit.database.watch(HEADER_ERRORS)
    for each in kept.values():
        each.pending.update(unit.changed_keys, suspects, headers)
        each.arguments.changed_names.update(names)
        each.arguments.changed_items.update(invalid)
    for watched in (unit.changed_keys, suspects, names, invalid, headers):
        watched.clear()


def _checked_header_functions(unit: TranslationUnit, header_bodies: bool) -> HeaderFunctions:
    """Returns which findings in function bodies of headers are reported.

    These are all findings with `header_bodies`. Without it, these are errors if the headers are short and the
    root document itself is analysed; otherwise, none.
    """
    if header_bodies:
        return HeaderFunctions.ALL
    if unit.subject != unit.document.name:
        return HeaderFunctions.NONE
    # A header counts once: include guards leave little of its second inclusion.
    documents = {
        each.document.name: len(each.document.text.data) for each in unit.preprocessed.with_included()
    }
    included = sum(documents.values()) - documents[unit.document.name]
    return HeaderFunctions.ERRORS if 0 < included <= SHORT_HEADERS else HeaderFunctions.NONE


def is_checked(item: Item, header_bodies: bool) -> bool:
    """Whether an item is checked.

    A function definition in a header is checked only with `header_bodies`. No item is checked in a document
    whose functions are reduced to declarations.
    """
    part = item.group.part
    if part.declared:
        return False
    return header_bodies or part.checks_bodies or item.kind != _FUNCTION_DEFINITION


def _order(item: Item) -> int:
    return item.order
