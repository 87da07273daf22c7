"""Decides which conditions may prevent the use of a pointer to which no object flows.

A finding about such a use must be certain. A condition is *free* if it depends on values that the host or the
hardware chooses, such as a kernel's scalar arguments and work-item ids: each outcome may occur in some
work-item. Any other condition may be correlated with the pointer: it may test the pointer, a flag that is set
together with the pointer, or a count that is zero if there is no object. A statement is not certain to
execute if such a condition guards it, or guards an earlier exit from the function.
"""

from __future__ import annotations

from openclsp.language.builtin_functions import is_builtin_function_name
from openclsp.semantics.facts.entities import Entity, EntityKind
from openclsp.semantics.flow.builder_state import BOUND, FLAG, INPUT, LITERAL
from openclsp.semantics.flow.graph_builder import Builder
from openclsp.semantics.types.type_model import Scalar, Vector
from openclsp.semantics.typing.dispatch import is_expression
from openclsp.source.parser import FIELDS, kind

_FUNCTION, _ARGUMENTS = FIELDS["function"], FIELDS["arguments"]
_LEFT = FIELDS["left"]
_IDENTIFIER, _CALL, _BINARY = kind("identifier"), kind("call_expression"), kind("binary_expression")
_EITHER_WAY = frozenset(("==", "!=", "<", ">", "<=", ">=", "+", "-"))
_TRANSPARENT = frozenset(
    kind(f"{word}_expression")
    for word in ("parenthesized", "binary", "unary", "cast", "conditional", "comma", "update", "assignment")
)
_LITERALS = frozenset((kind("number_literal"), kind("char_literal"), kind("sizeof_expression")))
WORK_ITEM = frozenset(
    f"get_{word}"
    for word in (
        "work_dim",
        "global_id",
        "global_size",
        "global_offset",
        "global_linear_id",
        "local_id",
        "local_size",
        "local_linear_id",
        "enqueued_local_size",
        "group_id",
        "num_groups",
        "sub_group_id",
        "sub_group_local_id",
        "sub_group_size",
        "num_sub_groups",
    )
)
"""The functions whose results are the same at each call by one work-item"""


def may_guard(builder: Builder, node: int) -> bool:
    """Whether it is possible that the condition at this node lets no work-item execute the guarded statements.

    False if the condition is constant or free (see this module's docstring), or if there is no condition
    (`node` is negative).
    """
    value = builder.trace.get(node) if node >= 0 else None
    if node < 0 or (value is not None and value.number is not None):
        # no condition, or a constant one, whose untaken branch is not executed
        return False
    return origin_of(builder, node) != INPUT


def origin_of(builder: Builder, node: int) -> int:
    """Returns the provenance of the number that an expression computes.

    It is `LITERAL`, `INPUT`, `FLAG` or `BOUND` (see `builder_state`), in ascending order. For an operator, it is
    the greatest provenance of the operands.
    """
    table = builder.table
    number = table.kind[node]
    value = builder.trace.get(node)
    if number in _LITERALS or (value is not None and value.number is not None):
        return LITERAL
    if number == _IDENTIFIER:
        ref = value.origin.entity if value is not None and value.origin is not None else None
        entity = builder.entity(ref) if ref is not None else None
        return BOUND if entity is None else _of_variable(builder, entity)
    if number == _CALL:
        return _of_call(builder, node)
    if number not in _TRANSPARENT:
        return BOUND
    parts = [origin_of(builder, child) for child in table.children(node) if is_expression(table.kind[child])]
    if number == _BINARY and INPUT in parts and max(parts) == FLAG:
        # `i < n` may have either result, whatever the flag `i` is at first; `0 && n` may not
        return INPUT if table.token(table.last[table.child(node, _LEFT)]) in _EITHER_WAY else FLAG
    return max(parts, default=BOUND)


def _of_variable(builder: Builder, entity: Entity) -> int:
    if not isinstance(entity.type, Scalar | Vector):
        return BOUND
    if entity.kind is EntityKind.PARAMETER and builder.kernel:
        return max(INPUT, builder.origins.get(entity.ref.number, INPUT))
    return builder.origins.get(entity.ref.number, BOUND)


def _of_call(builder: Builder, node: int) -> int:
    table = builder.table
    function, arguments = table.child(node, _FUNCTION), table.child(node, _ARGUMENTS)
    value = builder.trace.get(node)
    name = table.text(function) if function >= 0 and table.kind[function] == _IDENTIFIER else ""
    if value is None or value.origin is not None or not is_builtin_function_name(name):
        return BOUND
    if name in WORK_ITEM:
        return INPUT
    given = (
        [child for child in table.children(arguments) if is_expression(table.kind[child])]
        if arguments >= 0
        else []
    )
    return max((origin_of(builder, child) for child in given), default=BOUND)


def note_number(builder: Builder, entity: Entity | None, node: int) -> None:
    """Records the provenance of a number that is assigned to a variable.

    `node` is the syntax node of the assigned expression, or negative if there is none.
    """
    if entity is None or not isinstance(entity.type, Scalar | Vector):
        return
    number = entity.ref.number
    origin = origin_of(builder, node) if node >= 0 else LITERAL
    if origin == LITERAL:
        origin = FLAG
    if builder.guard_depth:
        # a flag that is set under a condition depends on that condition
        origin = BOUND
    builder.origins[number] = max(builder.origins.get(number, LITERAL), origin)
