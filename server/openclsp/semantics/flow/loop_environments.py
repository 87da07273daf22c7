"""Environments at the heads of loops and at labels.

Several paths meet there, and some of them have not been executed yet.
"""

from __future__ import annotations

from typing import NamedTuple

from openclsp.semantics.flow.builder_state import Environment
from openclsp.semantics.flow.graph_builder import Builder
from openclsp.semantics.flow.guards import WORK_ITEM
from openclsp.semantics.flow.memory_access import loaded, type_of
from openclsp.semantics.flow.object_parts import forget_slot, memory_of
from openclsp.semantics.flow.transfers import ADDRESS_FUNCTIONS
from openclsp.semantics.types.type_model import VOID, Array, Pointer, Scalar, Type, Vector
from openclsp.source.parser import FIELDS, kind

_ARGUMENT, _LEFT, _FUNCTION = FIELDS["argument"], FIELDS["left"], FIELDS["function"]
_ASSIGNMENT, _UPDATE = kind("assignment_expression"), kind("update_expression")
_IDENTIFIER, _PARENTHESES = kind("identifier"), kind("parenthesized_expression")
_FIELD_EXPRESSION, _SUBSCRIPT = kind("field_expression"), kind("subscript_expression")
_VALUE, _CAST = FIELDS["value"], kind("cast_expression")
_CALL, _ASSEMBLY = kind("call_expression"), kind("gnu_asm_expression")
_LABELED, _CASE = kind("labeled_statement"), kind("case_statement")
_NAMED_VALUES = (_IDENTIFIER, _FIELD_EXPRESSION, _SUBSCRIPT)
_HARMLESS = frozenset(
    (*WORK_ITEM, *ADDRESS_FUNCTIONS, "get_fence", "barrier", "work_group_barrier", "mem_fence")
)


class _Changes(NamedTuple):
    """The changes that a statement may make.

    - `assigned`: the entity numbers of the function's own variables that the statement may change
    - `memory`: whether the statement may change any other memory
    - `anything`: whether the statement may change everything, because it contains assembly or a jump target
    """

    assigned: set[int]
    memory: bool
    anything: bool


def open_loop(builder: Builder, syntax_node: int) -> dict[int, int]:
    """Creates a merge node for each variable and object part that the loop assigns.

    Returns the nodes by the number of the variable or object part.
    """
    nodes: dict[int, int] = {}
    environment = builder.environment
    changes = _changes_in(builder, syntax_node)
    if environment is None:
        if not changes.anything:
            return nodes
        # an environment that enters by a jump stays in the loop too
        tracked = builder.tracked_variables()
        environment, changed = Environment(dict.fromkeys(tracked, ()), {}), set(tracked)
    else:
        environment, changed = environment.copied(), changes.assigned
    builder.environment = environment
    merging: list[int] = []
    for slot in [each for each in environment.flows if each < 0]:
        base = builder.slot_parts[-slot - 1][0]
        lost = changes.memory and (not isinstance(base, int) or base in builder.escaping)
        lost = lost or (not isinstance(base, int) and not changed.isdisjoint(builder.escaping))
        if lost or changes.anything:
            forget_slot(environment, slot)
        elif base in changed:
            merging.append(slot)
    for number in (*merging, *(each for each in sorted(changed) if each in environment.flows)):
        name, place = builder.described(number)
        nodes[number] = builder.node("merge", name, place, environment.flows[number])
        builder.growing.add(nodes[number])
        environment.flows[number] = builder.copy(nodes[number], place)
    for number in environment.values.keys() & (nodes.keys() | changed):
        del environment.values[number]
    if changes.anything:
        environment.values.clear()
    return nodes


def close_loop(builder: Builder, nodes: dict[int, int]) -> None:
    """Feeds the environment at the end of an iteration into the loop's merge nodes."""
    environment = builder.environment
    if environment is None:
        return
    for number, node in nodes.items():
        flow = environment.flows.get(number)
        if flow is None:
            memory = memory_of(builder, number) if number < 0 else None
            flow = () if memory is None else loaded(builder, memory, builder.infos[node].place)
        builder.feed(node, flow)


def at_label(builder: Builder, name: str, environment: Environment | None) -> Environment:
    """Merges the environment of one path to a label with those of the other paths; returns the result.

    `environment` is None if the path is unreachable.
    """
    nodes = builder.labels.setdefault(name, {})
    for number in builder.tracked_variables() if environment is None else environment.flows:
        if number < 0:
            continue
        if number not in nodes:
            nodes[number] = builder.node("merge", *builder.described(number))
            builder.growing.add(nodes[number])
        if environment is not None:
            builder.feed(nodes[number], environment.flows[number])
    return Environment(
        {number: builder.copy(node, builder.infos[node].place) for number, node in nodes.items()}, {}
    )


def changes_nothing(builder: Builder, syntax_node: int) -> bool:
    """Whether the evaluation of an expression changes no variable and no pointer in memory."""
    return _changes_in(builder, syntax_node) == _Changes(set(), memory=False, anything=False)


def _changes_in(builder: Builder, syntax_node: int) -> _Changes:
    table = builder.table
    assigned: set[int] = set()
    memory = anything = False
    known: set[int] = set()
    """The pointers to `void` that are cast back"""
    for node in range(syntax_node, table.skip[syntax_node]):
        number = table.kind[node]
        if number in (_ASSIGNMENT, _UPDATE):
            target = table.child(node, _LEFT if number == _ASSIGNMENT else _ARGUMENT)
            base = _base(builder, target)
            if base is None:
                memory = memory or builder.carrying or _may_hold_pointers(builder, target)
            else:
                assigned.add(base)
        elif number == _CALL:
            memory = memory or table.text(table.child(node, _FUNCTION)) not in _HARMLESS
        elif number == _CAST and isinstance(type_of(builder, node), Pointer):
            memory = memory or _reinterprets(builder, node, known)
        elif number in _NAMED_VALUES:
            memory = memory or _is_untyped(type_of(builder, node)) and node not in known
        elif number in (_LABELED, _CASE):
            anything = True
        elif number == _ASSEMBLY:
            memory = anything = True
    return _Changes(assigned, memory, anything)


def _reinterprets(builder: Builder, node: int, known: set[int]) -> bool:
    """Whether a cast may allow the program to change pointers as plain data.

    In `(T *)(void *)p`, only the conversion from the type of `p` to `T *` matters. The inner cast to `void *`
    is added to `known`; casts in `known` are not checked.
    """
    target = type_of(builder, node)
    if node in known or not isinstance(target, Pointer):
        return False
    inner = builder.table.child(node, _VALUE)
    source = type_of(builder, inner)
    while _is_untyped(source) and inner >= 0 and builder.table.kind[inner] in (_CAST, _PARENTHESES):
        known.add(inner)
        paren = builder.table.kind[inner] == _PARENTHESES
        inner = next(iter(builder.table.children(inner)), -1) if paren else builder.table.child(inner, _VALUE)
        source = type_of(builder, inner)
    if not isinstance(source, Pointer):
        return isinstance(source, Array)
    return _is_untyped(target) or source.pointee.unqualified is not target.pointee.unqualified


def _is_untyped(type_: Type | None) -> bool:
    return isinstance(type_, Pointer) and type_.pointee.unqualified is VOID


def _may_hold_pointers(builder: Builder, node: int) -> bool:
    """Whether an assignment to this lvalue may change a pointer; False for a plain number."""
    return not isinstance(type_of(builder, node), Scalar | Vector)


def _base(builder: Builder, node: int) -> int | None:
    """Returns the function's variable that contains an lvalue; None if the lvalue may be in other memory."""
    table = builder.table
    while node >= 0 and table.kind[node] in (_PARENTHESES, _FIELD_EXPRESSION, _SUBSCRIPT):
        whole, node = table.kind[node], next(iter(table.children(node)), -1)
        if whole != _PARENTHESES and isinstance(type_of(builder, node), Pointer):
            return None
    entity = builder.named(node) if node >= 0 and table.kind[node] == _IDENTIFIER else None
    return None if entity is None else entity.ref.number
