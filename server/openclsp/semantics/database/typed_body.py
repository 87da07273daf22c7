"""Bounded cache of typing passes, shared by the queries that read them.

Facts for rules, pointer flow, memory effects and token meanings are computed by separate queries from the
same pass. Facts are usually requested first, and the others later or never, so a pass is kept for a while. If
it has been dropped, the item is typed again, with the same result.
"""

from __future__ import annotations

from openclsp.semantics.database.query_database import Query
from openclsp.semantics.database.unit_inputs import CONTENT
from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.typing import item_typing
from openclsp.semantics.typing.incremental_typing import LOGGED_NODES
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.semantics.unit_caches import UnitCache

_MAXIMUM_NODES = 100_000
"""The limit for table nodes of all kept passes, at some 200 bytes each."""


class TypingPass:
    """One typing pass over an item.

    Passes are compared by identity, so that a new pass always invalidates its readers.
    """

    __slots__ = ("context",)

    def __init__(self, context: TypingContext | None) -> None:
        self.context = context


class _Kept:
    """The last typing pass over each item, oldest first, and the number of syntax nodes of these items."""

    __slots__ = ("nodes", "passes")

    def __init__(self) -> None:
        self.passes: dict[ItemKey, TypingPass] = {}
        self.nodes = 0

    def add(self, key: ItemKey, made: TypingPass, nodes: int) -> None:
        """Adds a typing pass over an item and drops the earlier pass over the same item.

        Keeping the earlier passes would cost 40 MB in 1,500 edits without a pause. `nodes` is the number of
        the item's syntax nodes.
        """
        self._drop(key)
        self.passes[key] = made
        self.nodes += nodes
        while self.nodes > _MAXIMUM_NODES and len(self.passes) > 1:
            self._drop(next(iter(self.passes)))

    def _drop(self, key: ItemKey) -> None:
        before = self.passes.pop(key, None)
        if before is not None and before.context is not None:
            self.nodes -= len(before.context.table.kind)
            before.context = None


_KEPT: UnitCache[_Kept] = UnitCache("passes")
_LAST: UnitCache[tuple[ItemKey, TypingPass, TypingContext]] = UnitCache("last pass")
"""The last logged pass."""


def _compute_pass(unit: TranslationUnit, key: ItemKey) -> TypingPass:
    """Computes the query `PASS`: types an item with its body.

    If the head is typed already, only the rest is typed. An edited item is typed incrementally if possible.
    """
    if not unit.database.read(CONTENT, key):
        return TypingPass(None)
    context = unit.finish_typing(key) or _update_last_pass(unit, key)
    if context is None:
        logged = unit.is_edited and len(unit.table(key).kind) >= LOGGED_NODES
        context = unit.typed(key, bodies=True, deferring=True, trace=True, values=False, logged=logged)
    unit.depend_on_numbers(context)
    made = TypingPass(context)
    if context.log is not None:
        unit.caches.set(_LAST, (key, made, context))
    unit.caches.get_or_make(_KEPT, _Kept).add(key, made, len(context.table.kind))
    return made


def _update_last_pass(unit: TranslationUnit, key: ItemKey) -> TypingContext | None:
    """Types an edited item incrementally, starting from the last typing pass that has a log.

    Returns None if that pass was over another item, or if a dependency of the pass other than the item's
    content has changed.
    """
    last = unit.caches.get(_LAST)
    if (
        last is None
        or last[0] != key
        or not unit.database.reuse_dependencies(PASS, key, last[1], CONTENT, key)
    ):
        return None
    table = unit.table(key)
    typing = item_typing.update(last[2], table, unit.names(key))
    if not typing.partial:
        unit.typed_tokens += len(table.tokens)
    return typing.result


PASS: Query[ItemKey, TypingPass] = Query("pass", _compute_pass, TypingPass(None), transient=True)


def typed_body(unit: TranslationUnit, key: ItemKey) -> TypingContext | None:
    """Returns the result of typing an item with its body; None if there is no such item.

    It contains a trace (the value of every expression), and the calls whose arguments are checked later. The
    calling query is recomputed whenever the item is typed again.
    """
    if not unit.database.read(CONTENT, key):
        return None
    found = unit.database.get(PASS, key).context
    if found is None or not _numbers_match(unit, found):
        found = unit.typed(key, bodies=True, deferring=True, trace=True, values=False)
    return found


def kept_body(unit: TranslationUnit, key: ItemKey) -> TypingContext | None:
    """Returns the result of typing an item with its body, if it is still cached; otherwise None.

    The calling query is recomputed whenever the item is typed again.
    """
    if not unit.database.read(CONTENT, key):
        return None
    found = unit.database.get(PASS, key).context
    return found if found is not None and _numbers_match(unit, found) else None


def _numbers_match(unit: TranslationUnit, typed: TypingContext) -> bool:
    """Whether the number literals in `Item.numbers` still have the texts that the typing pass saw.

    They may differ: a typing pass stays valid after an edit of a literal whose value no query uses.
    """
    tokens = typed.table.tokens
    return all(tokens[token_index] == text for token_index, text in unit.by_key[typed.item].numbers)


def drop_kept_passes(unit: TranslationUnit) -> None:
    """Frees the cached results of typing passes. Call it after the queries that use them have run."""
    kept = unit.caches.pop(_KEPT)
    if kept is not None:
        for each in kept.passes.values():
            each.context = None
