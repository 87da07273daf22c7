"""Operators on operands to which they do not apply (C99 6.5; OpenCL C 6.4, 6.5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.faults import InvalidOperands
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types.operand_types import OperandFault, chosen_operand, is_integer
from openclsp.semantics.types.type_model import Array, Pointer, Scalar, Type, Vector, spell
from openclsp.semantics.types.type_structure import decayed

CODE = "invalid-operands"
_STATEMENTS: Final = frozenset(("if", "while", "for", "do"))


def _check(fact: InvalidOperands, dialect: Dialect) -> Iterator[Finding]:
    yield Finding(CODE, Severity.ERROR, _message(fact), fact.place)


def _message(fact: InvalidOperands) -> str:
    types = tuple(decayed(value.type) for value in fact.operands)
    if fact.operator in _STATEMENTS:
        return f"`{spell(types[0])}` cannot be a condition: it is not a scalar{_reduce(types[0])}"
    if fact.operator == "switch":
        return f"`{spell(types[0])}` cannot be the value of a `switch`: it is not an integer"
    if fact.operator == "[]":
        return _index_message(fact)
    if fact.operator == "?:":
        return _choice_message(fact, types)
    if fact.operator == "cast":
        what = f"`{spell(types[0])}`, which is incomplete here"
        return f"nothing can be cast to {what}: its enumerators are not declared yet"
    if len(types) == 1:
        if fact.operator == "*":
            return f"`{_describe(fact.operands[0])}` cannot be dereferenced: it is not a pointer"
        wanted = ", which is not an integer" if fact.fault is OperandFault.INTEGER else ""
        return f"operator `{fact.operator}` cannot be applied to `{_describe(fact.operands[0])}`{wanted}"
    head = f"operator `{fact.operator}` cannot be applied to `{spell(types[0])}` and `{spell(types[1])}`"
    return head + _reason(fact.fault, types[0], types[1])


def _describe(value: Value) -> str:
    return spell(decayed(value.type), value.name)


def _reduce(type_: Type) -> str:
    return "; use `any` or `all`" if isinstance(type_, Vector) and is_integer(type_) else ""


def _reason(fault: OperandFault, left: Type, right: Type) -> str:
    if fault is OperandFault.INTEGER:
        return ": it needs integers"
    if fault is OperandFault.WIDTH:
        return ": the vectors have different numbers of elements"
    if fault is OperandFault.VECTORS:
        return f": vectors convert only by a function such as `convert_{spell(left)}`"
    if fault is OperandFault.RANK:
        vector, scalar = (left, right) if isinstance(left, Vector) else (right, left)
        element = spell(vector.element) if isinstance(vector, Vector) else ""
        return f": `{spell(scalar)}` does not fit into `{element}`; convert it"
    if isinstance(left, Pointer) and isinstance(right, Pointer):
        return ": two pointers"
    return ""


def _index_message(fact: InvalidOperands) -> str:
    base, index = fact.operands
    if fact.fault is OperandFault.INTEGER:
        return f"`{spell(decayed(index.type))}` cannot be an index: it is not an integer"
    what = base if not isinstance(base.type, Array | Pointer) else index
    return f"`{_describe(what)}` has no elements: it is no array, pointer or vector"


def _choice_message(fact: InvalidOperands, types: tuple[Type, ...]) -> str:
    condition, left, right = types
    if fact.fault is OperandFault.CONDITION:
        reason = ": it is not an integer" if isinstance(condition, Scalar | Vector) else ""
        return f"`{spell(condition)}` cannot be the condition of `?:`{reason}"
    if fact.fault is OperandFault.WIDTH:
        return (
            f"the condition `{spell(condition)}` and the result `{spell(chosen_operand(left, right))}` of `?:` "
            "must have as many elements of the same size"
        )
    message = f"`?:` cannot have the operands `{spell(left)}` and `{spell(right)}`"
    return message + _reason(fact.fault, left, right)


RULES = (Rule(CODE, InvalidOperands, _check),)
