"""Local and constant memory used by each item.

The uses of an item are the objects that it declares in such memory, the program-scope variables that it
names, and the functions that it calls. The summary of a kernel follows these uses from item to item
(`ide.kernels.kernel_summary`).

The uses are computed by a query of their own, separately from the findings. An item is typed to find its uses
only if a summary is requested, and a change that does not affect the uses invalidates no summary.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from openclsp.dataclass import dataclass
from openclsp.language.spaces import Space
from openclsp.semantics.database.query_database import Query
from openclsp.semantics.database.unit_inputs import CONTENT
from openclsp.semantics.facts.calls import Call
from openclsp.semantics.facts.declarations import Declaration, Scope
from openclsp.semantics.facts.entities import (
    Entity,
    EntityKind,
    EntityRef,
    ItemKey,
)
from openclsp.semantics.items.unevaluated_operands import has_unevaluated_operands
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.sizes import Layout
from openclsp.semantics.types.type_model import Array, BlockPointer, Opaque, Pointer, Type, spell
from openclsp.semantics.types.type_structure import element_type, is_unknown
from openclsp.semantics.typing.dispatch import is_expression, value_without_facts
from openclsp.semantics.typing.layout_attributes import Alignment, alignment_at, natural_alignment
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import FIELDS, kind

_DECLARATION, _IDENTIFIER = kind("declaration"), kind("identifier")
_DECLARATOR = FIELDS["declarator"]
_INIT_DECLARATOR, _CALL = kind("init_declarator"), kind("call_expression")
_FUNCTION, _ARGUMENTS = FIELDS["function"], FIELDS["arguments"]
WHOLE_ITEM = -1


@dataclass(frozen=True, slots=True)
class MemoryObject:
    """A variable in local, constant or unknown memory.

    `layout` is None if its size is unknown; `why` is then the reason.
    """

    name: str
    space: Space
    ref: EntityRef
    layout: Layout | None
    why: str = ""


class VariableUse(NamedTuple):
    """A use of a program-scope variable.

    `by` is the number of the variable whose initialiser contains the use, or `WHOLE_ITEM` for a use anywhere
    else in the item.
    """

    by: int
    variable: EntityRef


@dataclass(frozen=True, slots=True)
class Uses:
    """The memory use of an item.

    - `calls`: the names of the called functions, each with its type if that is needed to choose among
      overloads.
    - `work_group`: the numbers of a kernel's `reqd_work_group_size`; empty if there is none or they are
      unknown.
    """

    objects: tuple[MemoryObject, ...] = ()
    variable_uses: tuple[VariableUse, ...] = ()
    calls: tuple[tuple[str, Type | None], ...] = ()
    work_group: tuple[int, ...] = ()


_NOTHING = Uses()


def _uses(unit: TranslationUnit, key: ItemKey) -> Uses:
    if not unit.database.read(CONTENT, key):
        return _NOTHING
    ctx = unit.typed(key, bodies=True, trace=True, deferring=True)
    return Uses(
        tuple(_objects(ctx)),
        tuple(dict.fromkeys(_variable_uses(ctx))),
        tuple(dict.fromkeys(_calls(ctx))),
        required_group_size(ctx),
    )


USES: Query[ItemKey, Uses] = Query("memory uses", _uses, _NOTHING)


def _objects(ctx: TypingContext) -> Iterator[MemoryObject]:
    """Yields the variables of an item in local, constant or unknown memory."""
    for fact in ctx.facts:
        if not isinstance(fact, Declaration) or fact.entity.kind is not EntityKind.VARIABLE:
            continue
        entity = fact.entity
        own = element_type(entity.type)
        if own.space not in (Space.LOCAL, Space.CONSTANT, Space.UNKNOWN):
            continue
        if isinstance(own, Opaque) and own.category == "sampler":
            # a sampler is not an object in memory (OpenCL C 6.7.5)
            continue
        if fact.scope is Scope.PROGRAM:
            # if there is no default space, a program-scope variable outside constant is diagnosed as an error
            # anyway
            if own.space is Space.UNKNOWN:
                continue
        elif not fact.definition:
            continue
        layout = ctx.layout(entity.type)
        if layout is None:
            yield MemoryObject(entity.name, own.space, entity.ref, None, _why(ctx, entity))
            continue
        least = _requested_alignment(ctx, entity)
        layout = layout._replace(alignment=max(layout.alignment, least))
        yield MemoryObject(entity.name, own.space, entity.ref, layout)


def _declarator_nodes(ctx: TypingContext, entity: Entity) -> tuple[int, int]:
    """Returns the nodes of the declaration and the declarator that declare a variable; -1 for each if not
    found.
    """
    table = ctx.table
    found = -1, -1
    for node, number in enumerate(table.kind):
        if number == _DECLARATION and table.first[node] <= entity.place.first < table.last[node]:
            for child in table.children(node):
                if table.field[child] != _DECLARATOR:
                    continue
                if table.first[child] <= entity.place.first < table.last[child]:
                    # a block in an initialiser has its own declarations: the innermost one declares the
                    # variable
                    inner = (
                        table.child(child, _DECLARATOR) if table.kind[child] == _INIT_DECLARATOR else child
                    )
                    found = node, inner
    return found


def _requested_alignment(ctx: TypingContext, entity: Entity) -> int:
    node, declarator = _declarator_nodes(ctx, entity)
    if node < 0:
        return 0
    requested = alignment_at(ctx, node)
    if declarator >= 0:
        requested = requested.with_(alignment_at(ctx, declarator))
        requested = requested.with_(Alignment(least=natural_alignment(ctx, node, declarator)))
    return requested.least or 0


def _why(ctx: TypingContext, entity: Entity) -> str:
    """Returns a phrase for the reason why the size of the variable is unknown."""
    own = element_type(entity.type)
    if is_unknown(own):
        return "its type is not known here"
    if ctx.layout(own) is None:
        return f"the size of `{spell(own.unqualified)}` is not known here"
    table = ctx.table
    _, declarator = _declarator_nodes(ctx, entity)
    names: dict[str, None] = {}
    constant = True
    for node in range(declarator, table.skip[declarator]) if declarator >= 0 else ():
        value = (ctx.trace or {}).get(node)
        if value is None or table.kind[node] != _IDENTIFIER:
            continue
        if is_unknown(value.type):
            names[table.text(node)] = None
        elif value.number is None:
            constant = False
    if names:
        listed = ", ".join(f"`{name}`" for name in names)
        return f"{listed} {'is' if len(names) == 1 else 'are'} not known here"
    return "its size is not known here" if constant else "its size is not a constant"


def _variable_uses(ctx: TypingContext) -> Iterator[VariableUse]:
    """Yields the uses of program-scope variables by an item."""
    table, trace = ctx.table, ctx.trace or {}
    measured_until = 0
    owners = _owners(ctx)
    for node in sorted(trace):
        number = table.kind[node]
        if has_unevaluated_operands(table, node):
            measured_until = max(measured_until, table.skip[node])
        if number != _IDENTIFIER or node < measured_until:
            continue
        value = trace[node]
        if value.origin is None or not value.lvalue:
            continue
        ref = value.origin.entity
        own_variable = ref.item == ctx.item and ref.number not in owners.values()
        if not own_variable:
            token_index = table.first[node]
            by = next(
                (each for (first, last), each in owners.items() if first <= token_index < last), WHOLE_ITEM
            )
            if by != ref.number or ref.item != ctx.item:
                yield VariableUse(by, ref)
    for fact in ctx.facts:
        if isinstance(fact, Declaration) and fact.storage == "extern" and fact.scope is not Scope.PROGRAM:
            symbol = ctx.names.symbol(fact.entity.name)
            if symbol is not None:
                yield VariableUse(WHOLE_ITEM, symbol.ref)


def _owners(ctx: TypingContext) -> dict[tuple[int, int], int]:
    """Maps the token range of each init-declarator of a declaration to the number of the variable it
    declares.

    Empty if the item is not a declaration of program-scope variables.
    """
    table = ctx.table
    if table.kind[0] != _DECLARATION:
        return {}
    found: dict[tuple[int, int], int] = {}
    symbols = [symbol for symbol in ctx.program_symbols.values() if symbol.kind is EntityKind.VARIABLE]
    for child in table.children(0):
        if table.field[child] == _DECLARATOR:
            for symbol in symbols:
                place = ctx.entities[symbol.ref.number].place if symbol.ref.item == ctx.item else None
                if place is not None and table.first[child] <= place.first < table.last[child]:
                    found[table.first[child], table.last[child]] = symbol.ref.number
    return found


def _calls(ctx: TypingContext) -> Iterator[tuple[str, Type | None]]:
    blocks = {
        value.place.first
        for node, value in (ctx.trace or {}).items()
        if ctx.table.kind[node] == _IDENTIFIER and isinstance(value.type, BlockPointer | Pointer | Array)
    }
    for fact in ctx.facts:
        if isinstance(fact, Call) and fact.name and fact.place.first not in blocks:
            yield fact.name, fact.function
    for call in ctx.deferred or ():
        yield call.name, None


def required_group_size(ctx: TypingContext) -> tuple[int, ...]:
    """Returns the three numbers of `reqd_work_group_size` (OpenCL C 6.9.1); empty if there are none."""
    table = ctx.table
    for node in range(len(table.kind)):
        name = table.child(node, _FUNCTION) if table.kind[node] == _CALL else -1
        if name >= 0 and table.text(name).strip("_") == "reqd_work_group_size":
            arguments = table.child(node, _ARGUMENTS)
            given = [r for r in table.children(arguments) if is_expression(table.kind[r])]
            numbers = [value_without_facts(ctx, each).number for each in given]
            known = tuple(number for number in numbers if number is not None)
            return known if len(known) == 3 else ()
    return ()
