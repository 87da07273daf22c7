"""On-demand queries for the flow, memory effects and token meanings of items."""

from __future__ import annotations

from array import array

from openclsp.semantics.database.query_database import Query
from openclsp.semantics.database.typed_body import typed_body
from openclsp.semantics.database.unit_inputs import TRACK_NAME_SPACES
from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.flow.flow_queries import CARRYING, SOLUTION
from openclsp.semantics.flow.function_flow import function_flows
from openclsp.semantics.flow.graph import FunctionFlow
from openclsp.semantics.memory.barriers import MemoryQueries
from openclsp.semantics.memory.memory_programs import program
from openclsp.semantics.memory.memory_steps import NO_PROGRAM, MemoryProgram
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.typing.token_meanings import compute_token_meanings, generic_tokens


def _compute_token_meanings(unit: TranslationUnit, key: ItemKey) -> array[int]:
    typed = typed_body(unit, key)
    return array("H") if typed is None else compute_token_meanings(typed)


TOKEN_MEANINGS: Query[ItemKey, array[int]] = Query("token meanings", _compute_token_meanings, array("H"))
"""The meanings of an item's tokens, without results of the flow analysis."""


def _compute_flow(unit: TranslationUnit, key: ItemKey) -> tuple[FunctionFlow, ...]:
    typed = typed_body(unit, key)
    if typed is None or typed.trace is None:
        return ()
    carrying = unit.database.read(CARRYING, SOLUTION)
    annotated: frozenset[int] = frozenset()
    if unit.database.read(TRACK_NAME_SPACES, ""):
        words: array[int] = unit.database.get(TOKEN_MEANINGS, key)
        annotated = generic_tokens(words)
    flows = function_flows(typed, typed.trace, annotated, carrying=carrying)[0]
    # a store is reported with the source text of its target
    unit.depend_on_text(key, [store.place for flow in flows for store in flow.stores if store.name])
    return flows


FLOW: Query[ItemKey, tuple[FunctionFlow, ...]] = Query("flow", _compute_flow, ())
"""The pointer flow within an item, if the dialect has generic pointers; else empty."""


def _compute_program(unit: TranslationUnit, key: ItemKey) -> MemoryProgram:
    typed = typed_body(unit, key)
    return NO_PROGRAM if typed is None else program(typed)


PROGRAM: Query[ItemKey, MemoryProgram] = Query("program", _compute_program, NO_PROGRAM)
"""The memory effects of an item."""
MEMORY = MemoryQueries(PROGRAM)
