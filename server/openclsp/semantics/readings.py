"""On-demand queries for the flow, memory effects and token meanings of items."""

from __future__ import annotations

from array import array

from openclsp.semantics.barriers import MemoryQueries
from openclsp.semantics.engine import Query
from openclsp.semantics.entities import ItemKey
from openclsp.semantics.flow.functions import function_flows
from openclsp.semantics.flow.graph import FunctionFlow
from openclsp.semantics.flow.queries import CARRYING, SOLUTION
from openclsp.semantics.inputs import MEANINGS_WANTED
from openclsp.semantics.meanings import generic_leaves, meanings
from openclsp.semantics.memory_steps import NO_PROGRAM, Program, program
from openclsp.semantics.passes import typed_body
from openclsp.semantics.translation_unit import TranslationUnit


def _words(unit: TranslationUnit, key: ItemKey) -> array[int]:
    typed = typed_body(unit, key)
    return array("H") if typed is None else meanings(typed)


WORDS: Query[ItemKey, array[int]] = Query("words", _words, array("H"))
"""The meanings of an item's tokens, without results of the flow analysis."""


def _flow(unit: TranslationUnit, key: ItemKey) -> tuple[FunctionFlow, ...]:
    typed = typed_body(unit, key)
    if typed is None or typed.trace is None:
        return ()
    carrying = unit.engine.read(CARRYING, SOLUTION)
    shown: frozenset[int] = frozenset()
    if unit.engine.read(MEANINGS_WANTED, ""):
        words: array[int] = unit.engine.get(WORDS, key)
        shown = generic_leaves(words)
    flows = function_flows(typed, typed.trace, shown, carrying=carrying)[0]
    # a store is reported with the source text of its target
    unit.rest_on_text(key, [store.place for flow in flows for store in flow.stores if store.name])
    return flows


FLOW: Query[ItemKey, tuple[FunctionFlow, ...]] = Query("flow", _flow, ())
"""The pointer flow within an item, if the dialect has generic pointers; else empty."""


def _program(unit: TranslationUnit, key: ItemKey) -> Program:
    typed = typed_body(unit, key)
    return NO_PROGRAM if typed is None else program(typed)


PROGRAM: Query[ItemKey, Program] = Query("program", _program, NO_PROGRAM)
"""The memory effects of an item."""
MEMORY = MemoryQueries(PROGRAM)
