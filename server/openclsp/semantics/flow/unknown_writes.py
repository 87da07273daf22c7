"""Unknown writes by built-in functions and inline assembly.

Both write through their pointer arguments: a built-in function writes through parameters that point to
non-`const` data. The module `plain_data` models built-in functions that copy plain data. The solution models
calls of functions that are declared but not defined.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from openclsp.semantics.facts.entities import Entity, EntityKind, Place
from openclsp.semantics.flow.builder_state import BOUND
from openclsp.semantics.flow.expression_flow import handles
from openclsp.semantics.flow.expression_values import set_number
from openclsp.semantics.flow.graph import ANYWHERE, Flow, Store
from openclsp.semantics.flow.graph_builder import Builder
from openclsp.semantics.flow.memory_access import type_of, write
from openclsp.semantics.types.type_model import (
    CONST,
    Array,
    Pointer,
    Type,
)
from openclsp.source.parser import FIELDS, kind

_VALUE = FIELDS["value"]
_IDENTIFIER = kind("identifier")
_OPERANDS = frozenset((kind("gnu_asm_output_operand"), kind("gnu_asm_input_operand")))
_VARIABLES = (EntityKind.VARIABLE, EntityKind.PARAMETER)

_READING = re.compile(
    r"vloada?(_half)?\d*|prefetch|printf|get_fence|to_(global|local|private)|wait_group_events|write_pipe.*"
    r"|(sub_group|work_group)_.*|__builtin_(prefetch|nontemporal_load|object_size|constant_p|assume_aligned|expect)"
)
"""Functions that write nothing through their pointers"""
_WRITTEN = {
    "__builtin_memcpy": 0,
    "__builtin_memmove": 0,
    "__builtin_memset": 0,
    "__builtin_nontemporal_store": 1,
    "async_work_group_copy": 0,
    "async_work_group_strided_copy": 0,
}
"""The only argument through which a function writes, if it has other pointer arguments"""


def note_writes(
    builder: Builder, name: str, nodes: Sequence[int], arguments: Sequence[Flow], place: Place
) -> None:
    """Records that a built-in function may store unknown values where its arguments point to."""
    if _READING.fullmatch(name) is not None:
        return
    written = _WRITTEN.get(name)
    for number, (node, address) in enumerate(zip(nodes, arguments, strict=True)):
        if written is None or number == written:
            _write(builder, type_of(builder, node), address, place)


def _write(builder: Builder, type_: Type | None, address: Flow, place: Place) -> None:
    pointee = (
        type_.pointee if isinstance(type_, Pointer) else type_.element if isinstance(type_, Array) else None
    )
    if pointee is not None and not pointee.qualifiers & CONST:
        _put_anything(builder, address, place)


@handles("gnu_asm_expression")
def _assembly(builder: Builder, node: int) -> Flow:
    """Evaluates inline assembly: adds unknown writes to its operands and to their pointees.

    Typing does not resolve the operands. A name is taken for every variable of that name in the function; if
    there is none, for the program-scope variable.
    """
    table = builder.table
    place = builder.ctx.place(node)
    operands = [each for each in range(node, table.skip[node]) if table.kind[each] in _OPERANDS]
    values = [table.child(each, _VALUE) for each in operands]
    names = {
        table.text(each)
        for value in values
        if value >= 0
        for each in range(value, table.skip[value])
        if table.kind[each] == _IDENTIFIER
    }
    own = [each for each in builder.ctx.entities.values() if each.name in names and each.kind in _VARIABLES]
    for entity in own:
        _set(builder, entity, place)
    for name in names - {each.name for each in own}:
        symbol = builder.ctx.names.symbol(name)
        if symbol is not None and symbol.kind is EntityKind.VARIABLE:
            _put_anything(builder, builder.object_at(symbol.type, symbol.ref, name, place), place)
    return ()


def _set(builder: Builder, entity: Entity, place: Place) -> None:
    """Adds an unknown write to a variable and to the memory that it points to."""
    number = entity.ref.number
    builder.origins[number] = BOUND
    set_number(builder, entity, 0)
    if not builder.is_tracked(entity):
        _put_anything(builder, builder.object_at(entity.type, entity.ref, entity.name, place), place)
    elif builder.environment is not None and number in builder.environment.flows:
        if isinstance(entity.type, Pointer):
            _put_anything(builder, builder.environment.flows[number], place)
        builder.assign(number, builder.unknown(place), entity.name, place)


def _put_anything(builder: Builder, address: Flow, place: Place) -> None:
    if builder.environment is not None and address:
        write(builder, Store(address, (ANYWHERE,), builder.unknown(place), place, ""))
