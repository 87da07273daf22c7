"""What typing an item with its body gave, kept until what is read from it later was read.

The rules' facts are asked for first. How pointers flow, what is done with memory and what the words mean are read from
the same pass, each by a query of its own, and perhaps never. So what a pass gave stays at hand for a while, within bounds:
whoever comes later types the item again, which gives the same.
"""

from __future__ import annotations

from openclsp.semantics.context import Context
from openclsp.semantics.engine import Query
from openclsp.semantics.entities import ItemKey
from openclsp.semantics.inputs import CONTENT
from openclsp.semantics.retyping import LOGGED_ROWS, retyped
from openclsp.semantics.translation_unit import TranslationUnit

_MAXIMUM_ROWS = 100_000
"""How many rows of tables are kept with what typing them gave: some 200 bytes each."""
_KEPT = "passes"
_LAST = "last pass"
"""Under which the unit keeps the last pass over such an item."""


class Pass:
    """One pass over an item. It equals no other: what was read from one is read again from the next."""

    __slots__ = ("context",)

    def __init__(self, context: Context | None) -> None:
        self.context = context


class _Kept:
    """The last pass over each item, the oldest first, and how many rows they have."""

    __slots__ = ("passes", "rows")

    def __init__(self) -> None:
        self.passes: dict[ItemKey, Pass] = {}
        self.rows = 0

    def add(self, key: ItemKey, made: Pass, rows: int) -> None:
        """One more; what an earlier pass over the same item gave is not asked for again. Kept all the same, the passes of 1,500
        edits without a pause took 40 MB."""
        self._drop(key)
        self.passes[key] = made
        self.rows += rows
        while self.rows > _MAXIMUM_ROWS and len(self.passes) > 1:
            self._drop(next(iter(self.passes)))

    def _drop(self, key: ItemKey) -> None:
        before = self.passes.pop(key, None)
        if before is not None and before.context is not None:
            self.rows -= len(before.context.table.kind)
            before.context = None


def _passed(unit: TranslationUnit, key: ItemKey) -> Pass:
    if not unit.engine.read(CONTENT, key):
        return Pass(None)
    context = unit.go_on(key) or _retyped(unit, key)
    if context is None:
        logged = len(unit.table(key).kind) >= LOGGED_ROWS
        context = unit.typed(key, bodies=True, deferring=True, trace=True, values=False, logged=logged)
    unit.rest_on_values(context)
    made = Pass(context)
    if context.log is not None:
        unit.kept[_LAST] = key, made, context
    kept: _Kept = unit.kept.setdefault(_KEPT, _Kept())
    kept.add(key, made, len(context.table.kind))
    return made


def _retyped(unit: TranslationUnit, key: ItemKey) -> Context | None:
    """An item typed again where an edit changed it, the rest as it was typed last; None where that is not known."""
    last: tuple[ItemKey, Pass, Context] | None = unit.kept.get(_LAST)
    if last is None or last[0] != key or not unit.engine.resume(PASS, key, last[1], CONTENT, key):
        return None
    return retyped(last[2], unit.table(key), unit.names(key))


PASS: Query[ItemKey, Pass] = Query("pass", _passed, Pass(None))


def typed_body(unit: TranslationUnit, key: ItemKey) -> Context | None:
    """An item typed with its body, with the value of every expression and with the calls that parameters judge left to be
    judged later; None where there is no such item. The query that asks is computed anew when the item is typed anew."""
    if not unit.engine.read(CONTENT, key):
        return None
    found = unit.engine.get(PASS, key).context
    if found is None or not unit.has_numbers_of(found):
        found = unit.typed(key, bodies=True, deferring=True, trace=True, values=False)
    return found


def let_go(unit: TranslationUnit) -> None:
    """Everything was read."""
    kept: _Kept | None = unit.kept.pop(_KEPT, None)
    if kept is not None:
        for each in kept.passes.values():
            each.context = None
