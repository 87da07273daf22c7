"""Findings of an item under edit that reuse the flow findings of an earlier text.

While the user types, the flow analysis is postponed. The most recent flow findings of the item are reused
meanwhile, except at the edited tokens. Provisional findings depend on earlier texts, so they are not a query,
and no query may read them.
"""

from __future__ import annotations

import operator
from typing import NamedTuple

from openclsp.rules.finding import Finding
from openclsp.rules.runner.item_findings import (
    BODY_FINDINGS,
    LAST_FLOW_FINDINGS,
    BodyFindings,
    join_findings,
    prepare_item,
    select_flow_findings,
)
from openclsp.semantics.database.typed_body import typed_body
from openclsp.semantics.facts.entities import Place
from openclsp.semantics.flow.flow_queries import POINTS_TO
from openclsp.semantics.flow.points_to_values import PointsTo
from openclsp.semantics.items.item import Item
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.shared_ends import shared_ends


class ProvisionalFindings(NamedTuple):
    """The findings of an item under edit, and the flow findings among them.

    - `body`: the findings that follow from the item's own text
    - `held`: the points-to sets from which the flow findings were computed
    - `flow`: the flow findings, except those that repeat findings in `body`
    - `findings`: all findings of the item
    """

    body: BodyFindings
    held: PointsTo
    flow: tuple[Finding, ...]
    findings: tuple[Finding, ...]


def provisional_findings(
    unit: TranslationUnit, item: Item, shown: tuple[Finding, ...], before: ProvisionalFindings | None
) -> ProvisionalFindings | None:
    """Returns the findings of an item, with flow findings that were computed for an earlier text.

    Returns None if the item's most recent flow findings cannot be reused. They can be reused only if the
    shape of the item's syntax tree, the item's points-to sets and its invalid entities are unchanged.
    `shown` contains the item's findings before this update. `before` is the item's provisional result since
    the flow was last solved; None if there is none.
    """
    last, key = unit.caches.get(LAST_FLOW_FINDINGS), item.key
    if not unit.dialect.generic or last is None or (last.key != key and before is None):
        return None
    prepare_item(unit, item)
    body, held = unit.database.get(BODY_FINDINGS, key), unit.database.read(POINTS_TO, key)
    if before is not None and before.body is body and before.held is held:
        # another item is edited now
        flow = before.flow
    else:
        typed = typed_body(unit, key)
        if typed is None or last.key != key or last.invalid != body.invalid or last.held is not held:
            return None
        if not typed.table.same_shape(last.table):
            return None
        front, back = shared_ends(last.table.tokens, typed.table.tokens)
        edited = Place(front, len(typed.table.tokens) - back)
        kept = [finding for finding in last.findings if not finding.place.overlaps(edited)]
        flow = select_flow_findings(kept, body)
    found = join_findings(unit, key, flow)
    item.table = item.typed_head = None
    if len(found) == len(shown) and not any(map(operator.is_not, found, shown)):
        # the same tuple, so that its diagnostics are not encoded again
        found = shown
    return ProvisionalFindings(body, held, flow, found)
