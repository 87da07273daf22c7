"""Environments at the heads of loops and at labels, where several paths meet that are not all known yet."""

from __future__ import annotations

from typing import NamedTuple

from openclsp.semantics.flow.builder_state import Environment
from openclsp.semantics.flow.graph_builder import Builder
from openclsp.semantics.flow.guards import WORK_ITEM
from openclsp.semantics.flow.memory_access import loaded
from openclsp.semantics.flow.object_parts import forget_slot, memory_of
from openclsp.semantics.flow.transfers import ADDRESS_FUNCTIONS
from openclsp.source.parser import FIELDS, kind

_ARGUMENT, _LEFT, _FUNCTION = FIELDS["argument"], FIELDS["left"], FIELDS["function"]
_ASSIGNMENT, _UPDATE = kind("assignment_expression"), kind("update_expression")
_IDENTIFIER, _PARENTHESES = kind("identifier"), kind("parenthesized_expression")
_FIELD_EXPRESSION, _SUBSCRIPT = kind("field_expression"), kind("subscript_expression")
_CALL, _ASSEMBLY = kind("call_expression"), kind("gnu_asm_expression")
_LABELED, _CASE = kind("labeled_statement"), kind("case_statement")
_HARMLESS = frozenset(
    (*WORK_ITEM, *ADDRESS_FUNCTIONS, "get_fence", "barrier", "work_group_barrier", "mem_fence")
)


class _Changes(NamedTuple):
    """What a statement may change: variables and objects of the function, by entity; and memory elsewhere.

    `anything`: it may be entered in the middle, or contains assembly.
    """

    assigned: set[int]
    memory: bool
    anything: bool


def open_loop(builder: Builder, syntax_node: int) -> dict[int, int]:
    """Creates a merge node for each variable and part that the loop assigns; returns them by number."""
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
        lost = not isinstance(base, int) or (changes.memory and base in builder.escaping)
        if lost or changes.anything:
            forget_slot(environment, slot)
        elif base in changed:
            merging.append(slot)
    for number in (*merging, *(each for each in sorted(changed) if each in environment.flows)):
        name, place = builder.described(number)
        nodes[number] = builder.node("merge", name, place, environment.flows[number])
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
    """Merges the environment of one path to a label into that of the other paths."""
    nodes = builder.labels.setdefault(name, {})
    for number in builder.tracked_variables() if environment is None else environment.flows:
        if number < 0:
            continue
        if number not in nodes:
            nodes[number] = builder.node("merge", *builder.described(number))
        if environment is not None:
            builder.feed(nodes[number], environment.flows[number])
    return Environment(
        {number: builder.copy(node, builder.infos[node].place) for number, node in nodes.items()}, {}
    )


def _changes_in(builder: Builder, syntax_node: int) -> _Changes:
    table = builder.table
    assigned: set[int] = set()
    memory = anything = False
    for node in range(syntax_node, table.skip[syntax_node]):
        number = table.kind[node]
        if number in (_ASSIGNMENT, _UPDATE):
            base = _base(builder, table.child(node, _LEFT if number == _ASSIGNMENT else _ARGUMENT))
            if base is None:
                memory = True
            else:
                assigned.add(base)
        elif number == _CALL:
            memory = memory or table.text(table.child(node, _FUNCTION)) not in _HARMLESS
        elif number in (_LABELED, _CASE):
            anything = True
        elif number == _ASSEMBLY:
            memory = anything = True
    return _Changes(assigned, memory, anything)


def _base(builder: Builder, node: int) -> int | None:
    """Returns the variable of this function that an lvalue is a part of; None if the lvalue may be other
    memory."""
    table = builder.table
    while node >= 0 and table.kind[node] in (_PARENTHESES, _FIELD_EXPRESSION, _SUBSCRIPT):
        node = next(iter(table.children(node)), -1)
    entity = builder.named(node) if node >= 0 and table.kind[node] == _IDENTIFIER else None
    return None if entity is None else entity.ref.number
