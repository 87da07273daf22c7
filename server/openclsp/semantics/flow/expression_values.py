"""The value number of an expression, from its syntax and the numbers of its variables."""

from __future__ import annotations

from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import Entity
from openclsp.semantics.flow.builder_state import Exact
from openclsp.semantics.flow.graph_builder import Builder
from openclsp.semantics.flow.guards import WORK_ITEM
from openclsp.semantics.flow.object_parts import (
    ANY_ELEMENT,
    element,
    exact_object,
    pointed_to,
    slots_of,
    step_into,
    stepped,
)
from openclsp.semantics.flow.transfers import ADDRESS_FUNCTIONS
from openclsp.semantics.flow.value_numbers import CAST, CONSTANT, TO_SPACE, TRUTH, ValueNumber
from openclsp.semantics.types.type_model import Array, Pointer, Record, Scalar, Type, spell
from openclsp.semantics.typing.dispatch import is_expression
from openclsp.source.parser import FIELDS, kind

_ARGUMENT, _LEFT, _RIGHT, _VALUE = FIELDS["argument"], FIELDS["left"], FIELDS["right"], FIELDS["value"]
_FIELD, _INDEX = FIELDS["field"], FIELDS["index"]
_FUNCTION, _ARGUMENTS = FIELDS["function"], FIELDS["arguments"]
_IDENTIFIER, _PARENTHESES = kind("identifier"), kind("parenthesized_expression")
_FIELD_EXPRESSION, _SUBSCRIPT = kind("field_expression"), kind("subscript_expression")
_POINTER_EXPRESSION, _CAST = kind("pointer_expression"), kind("cast_expression")
_CONDITIONAL = kind("conditional_expression")
_ASSIGNMENT, _COMMA = kind("assignment_expression"), kind("comma_expression")
_CALL, _UNARY, _BINARY = kind("call_expression"), kind("unary_expression"), kind("binary_expression")
_MAXIMUM_DEPTH = 12
_POINTER_WIDTH = 4
"""The least width of an integer that is zero only if the pointer that it is made of is null, in bytes"""


def value_of(builder: Builder, node: int, depth: int = 0, *, assigned: bool = True) -> ValueNumber:
    """Returns the value number of an expression that was just evaluated; 0 if nothing is known.

    The result for an assignment is the value number of its left operand. Callers pass `assigned=False` for
    operands of other operators; the result for an assignment is then 0, because in `(x = 1) + x`, the order
    of the assignment and the read is unspecified.
    """
    if node < 0 or builder.environment is None or depth > _MAXIMUM_DEPTH:
        return 0
    table = builder.table
    number, value = table.kind[node], builder.trace.get(node)
    if value is not None and (value.number is not None or value.null):
        return builder.numbers.number(CONSTANT, value.number or 0)
    if number == _PARENTHESES:
        inner = next(iter(table.children(node)), -1)
        wanted = inner >= 0 and is_expression(table.kind[inner])
        return value_of(builder, inner, depth + 1, assigned=assigned) if wanted else 0
    if number in (_IDENTIFIER, _FIELD_EXPRESSION, _SUBSCRIPT):
        return _of_place(builder, node, depth)
    if number == _POINTER_EXPRESSION:
        return _of_place(builder, node, depth) if table.token(table.first[node]) == "*" else 0
    if number == _ASSIGNMENT:
        left = table.child(node, _LEFT)
        plain = assigned and left >= 0 and table.token(table.last[left]) == "="
        part = part_of(builder, left) if plain else None
        if part is not None and not isinstance(part[0], int):
            # a store through a null pointer leaves nothing there: see `set_part`
            return 0
        return _of_place(builder, left, depth) if plain else 0
    if number == _CONDITIONAL:
        return builder.chosen.get(node, 0)
    if number == _COMMA and assigned:
        return value_of(builder, table.child(node, _RIGHT), depth + 1)
    if number == _CAST:
        return _of_cast(builder, node, depth)
    if number == _CALL:
        return _of_call(builder, node, depth)
    if number == _UNARY:
        inner = value_of(builder, table.child(node, _ARGUMENT), depth + 1, assigned=False)
        sign = table.token(table.first[node])
        if not inner or sign not in ("!", "-", "~", "+"):
            return 0
        return builder.numbers.negated(inner) if sign == "!" else builder.numbers.number(sign, inner)
    return _of_binary(builder, node, depth) if number == _BINARY else 0


def _of_binary(builder: Builder, node: int, depth: int) -> ValueNumber:
    table, numbers = builder.table, builder.numbers
    left, right = table.child(node, _LEFT), table.child(node, _RIGHT)
    first = value_of(builder, left, depth + 1, assigned=False)
    second = value_of(builder, right, depth + 1, assigned=False) if first else 0
    if not first or not second:
        return 0
    sign = table.token(table.last[left])
    if sign in ("==", "!="):
        one, other = sorted((first, second))
        for each, zero in ((one, other), (other, one)):
            if numbers.constant(zero) == 0:
                return numbers.negated(each) if sign == "==" else numbers.number(TRUTH, each)
        equal = numbers.number("==", one, other)
        return equal if sign == "==" else numbers.negated(equal)
    return numbers.number(sign, first, second)


def _of_cast(builder: Builder, node: int, depth: int) -> ValueNumber:
    operand = builder.table.child(node, _VALUE)
    source, target = _type_of(builder, operand), _type_of(builder, node)
    inner = value_of(builder, operand, depth + 1, assigned=False)
    if not inner or target is None or source is None:
        return 0
    if isinstance(source, Pointer) and isinstance(target, Pointer):
        # a cast to a named space lets less through: what is known of the operand is not known of the result
        named = target.pointee.space not in (Space.GENERIC, source.pointee.space)
        return builder.numbers.number(CAST, inner, spell(target)) if named else inner
    if isinstance(source, Pointer) and isinstance(target, Scalar):
        whole = target.size >= _POINTER_WIDTH or target.name == "bool"
        return builder.numbers.number(TRUTH, inner) if whole else 0
    return builder.numbers.number(CAST, inner, spell(target)) if isinstance(target, Scalar) else 0


def _of_call(builder: Builder, node: int, depth: int) -> ValueNumber:
    table = builder.table
    function, arguments = table.child(node, _FUNCTION), table.child(node, _ARGUMENTS)
    value = builder.trace.get(node)
    if function < 0 or arguments < 0 or value is None or value.origin is not None:
        return 0
    name = table.text(function) if table.kind[function] == _IDENTIFIER else ""
    given = [child for child in table.children(arguments) if is_expression(table.kind[child])]
    if name in ADDRESS_FUNCTIONS and len(given) == 1:
        inner = value_of(builder, given[0], depth + 1, assigned=False)
        return builder.numbers.number(TO_SPACE, inner, ADDRESS_FUNCTIONS[name]) if inner else 0
    if name not in WORK_ITEM:
        return 0
    inner_values = [value_of(builder, each, depth + 1, assigned=False) for each in given]
    return builder.numbers.number("call", name, *inner_values) if all(inner_values) else 0


def _type_of(builder: Builder, node: int) -> Type | None:
    value = builder.trace.get(node)
    return value.type if value is not None else None


# --- variables, and parts of objects


def _of_place(builder: Builder, node: int, depth: int) -> ValueNumber:
    """Returns the value number of a variable or object part; a new number if it has none yet.

    Returns 0 if assignments to the variable or object part are not tracked in execution order.
    """
    environment = builder.environment
    assert environment is not None
    entity = builder.named(node)
    if entity is not None and entity.ref.number not in builder.own:
        return builder.numbers.number("captured", entity.ref.number) if builder.outer is not None else 0
    if entity is not None and builder.has_value(entity):
        key = entity.ref.number
    else:
        part = part_of(builder, node, depth)
        slots = None if part is None or ANY_ELEMENT in part[1] else slots_of(builder, part)
        if slots is None or not isinstance(_type_of(builder, node), Pointer):
            return 0
        key = slots[0]
        if key not in environment.flows:
            if node not in builder.values:
                return 0
            environment.flows[key] = builder.values[node]
    found = environment.values.get(key, 0)
    if not found:
        found = environment.values[key] = builder.numbers.fresh()
    return found


def part_of(builder: Builder, node: int, depth: int = 0) -> Exact | None:
    """Returns the part of an object that an expression names, or None; does not evaluate it."""
    table = builder.table
    while node >= 0 and table.kind[node] == _PARENTHESES:
        node = next(iter(table.children(node)), -1)
    if node < 0 or depth > _MAXIMUM_DEPTH:
        return None
    number = table.kind[node]
    if number == _IDENTIFIER:
        entity = builder.named(node)
        return None if entity is None or builder.is_tracked(entity) else exact_object(builder, entity)
    operand = table.child(node, _ARGUMENT)
    if number == _POINTER_EXPRESSION and table.token(table.first[node]) == "*":
        return pointed_to(value_of(builder, operand, depth + 1, assigned=False))
    if number == _SUBSCRIPT:
        index = builder.trace.get(table.child(node, _INDEX))
        if not isinstance(_type_of(builder, operand), Array):
            return None
        return stepped(
            part_of(builder, operand, depth + 1), element(index.number if index is not None else None)
        )
    if number != _FIELD_EXPRESSION:
        return None
    field = table.child(node, _FIELD)
    name = table.text(field) if field >= 0 else ""
    type_ = _type_of(builder, operand)
    if field >= 0 and table.token(table.first[field] - 1) == "->":
        pointee = type_.pointee if isinstance(type_, Pointer) else None
        base = pointed_to(value_of(builder, operand, depth + 1, assigned=False))
    else:
        pointee, base = type_, part_of(builder, operand, depth + 1)
    return stepped(base, *step_into(builder, pointee, name)) if isinstance(pointee, Record) else None


def set_number(builder: Builder, entity: Entity | None, value: int) -> None:
    """Sets the value number of an untracked variable after an assignment; forgets it if `value` is 0.

    Does nothing for a tracked variable (`Builder.is_tracked`).
    """
    if builder.environment is not None and entity is not None and not builder.is_tracked(entity):
        if value and builder.has_value(entity):
            builder.environment.values[entity.ref.number] = value
        else:
            builder.environment.values.pop(entity.ref.number, None)
