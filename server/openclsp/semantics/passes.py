"""Bounded cache of typing passes, shared by the queries that read them.

The facts for the rules are read first. Pointer flow, memory effects and token meanings are read from the same
pass, each by its own query, perhaps never. So the result of a pass is kept for a while, within limits; a
query that comes later types the item again, with the same result.
"""

from __future__ import annotations

from openclsp.semantics.context import Context
from openclsp.semantics.engine import Query
from openclsp.semantics.entities import ItemKey
from openclsp.semantics.inputs import CONTENT
from openclsp.semantics.retyping import LOGGED_ROWS, retyped
from openclsp.semantics.translation_unit import TranslationUnit

_MAXIMUM_ROWS = 100_000
"""The limit for table rows of all kept passes, at some 200 bytes each."""
_KEPT = "passes"
_LAST = "last pass"
"""The key of the last logged pass in `TranslationUnit.kept`."""


class Pass:
    """One pass over an item. Compared by identity, so that a new pass always invalidates its readers."""

    __slots__ = ("context",)

    def __init__(self, context: Context | None) -> None:
        self.context = context


class _Kept:
    """The last pass over each item, oldest first, and their total rows."""

    __slots__ = ("passes", "rows")

    def __init__(self) -> None:
        self.passes: dict[ItemKey, Pass] = {}
        self.rows = 0

    def add(self, key: ItemKey, made: Pass, rows: int) -> None:
        """Adds a pass and drops an earlier one over the same item.

        No query reads the earlier one again. When such passes were kept, 1,500 edits without a pause took 40
        MB.
        """
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
    """Computes `PASS`: continues a begun item, retypes an edited one, or types it as a whole."""
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
    """Types an edited item incrementally from the last pass; None if that is not possible."""
    last: tuple[ItemKey, Pass, Context] | None = unit.kept.get(_LAST)
    if last is None or last[0] != key or not unit.engine.resume(PASS, key, last[1], CONTENT, key):
        return None
    return retyped(last[2], unit.table(key), unit.names(key))


PASS: Query[ItemKey, Pass] = Query("pass", _passed, Pass(None))


def typed_body(unit: TranslationUnit, key: ItemKey) -> Context | None:
    """The item typed with its body, with a trace and deferred calls; None if there is no such item.

    The calling query is recomputed whenever the item is typed again.
    """
    if not unit.engine.read(CONTENT, key):
        return None
    found = unit.engine.get(PASS, key).context
    if found is None or not unit.has_numbers_of(found):
        found = unit.typed(key, bodies=True, deferring=True, trace=True, values=False)
    return found


def let_go(unit: TranslationUnit) -> None:
    """Drops all kept passes, after their readers have run."""
    kept: _Kept | None = unit.kept.pop(_KEPT, None)
    if kept is not None:
        for each in kept.passes.values():
            each.context = None
