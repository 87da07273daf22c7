"""Operators on atomic objects, which only the atomic functions may access (OpenCL C 6.15.12, restrictions)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, RelatedDeclaration, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.declarations import Declaration
from openclsp.semantics.facts.entities import EntityKind
from openclsp.semantics.facts.expressions import Application, Conversion, ConversionKind
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types.type_model import (
    Enum,
    Opaque,
    Scalar,
    Type,
    Vector,
    spell,
)

CODE = "atomic-operator"
_NUMBERS = (Scalar, Enum, Vector)
_READING = frozenset(("if", "while", "for", "do", "switch", "?", "?:", "[]", "cast"))
_NOT_READING = frozenset(("&", "{}"))
_FETCHING = {"+": "add", "-": "sub", "&": "and", "|": "or", "^": "xor"}
_FUNCTIONS = {"=": "atomic_store", "++": "atomic_fetch_add", "--": "atomic_fetch_sub"} | {
    f"{sign}=": f"atomic_fetch_{word}" for sign, word in _FETCHING.items()
}
"""The atomic function that replaces each writing operator; `atomic_load` replaces all others."""


def check(fact: Application, dialect: Dialect) -> Iterator[Finding]:
    """Reports an atomic operand: as a warning if it is only read (clang accepts this), else as an error."""
    values = [value for value in fact.operands if _is_atomic(value.type)]
    if not values or fact.operator in _NOT_READING:
        return
    value = values[0]
    if fact.operator in _READING:
        yield _reading(value)
    else:
        read = fact.operator == "=" and value is not fact.operands[0]
        function = "atomic_load" if read else _FUNCTIONS.get(fact.operator, "atomic_load")
        message = f"the operator `{fact.operator}` cannot be applied to {_what(value)}: use `{function}`"
        yield Finding(CODE, Severity.ERROR, message, fact.place, tuple(_declared(value)))


def check_reading(fact: Conversion, dialect: Dialect) -> Iterator[Finding]:
    """Reports a conversion of an atomic object to a number. Casts and assignments are reported by `check`."""
    reported = fact.context in (ConversionKind.CAST, ConversionKind.ASSIGNMENT)
    if not reported and _is_atomic(fact.value.type) and isinstance(fact.target, _NUMBERS):
        yield _reading(fact.value)


def check_initialiser(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports an initialiser of an atomic object that is not in global memory (OpenCL C 6.15.12.1)."""
    entity, initialiser = fact.entity, fact.initialiser
    if initialiser is None or entity.kind is not EntityKind.VARIABLE or not _is_atomic(entity.type):
        return
    space = entity.levels[0].space
    # `local-initialiser` reports every initialiser of a local variable
    if space in (Space.GLOBAL, Space.LOCAL, Space.UNKNOWN):
        return
    message = (
        f"`{spell(entity.type, entity.name)}` cannot have an initialiser: only atomic objects in global can; "
        f"set its first value with `atomic_init`"
    )
    yield Finding(CODE, Severity.ERROR, message, initialiser.place)


def _is_atomic(type_: Type) -> bool:
    return isinstance(type_, Opaque) and type_.category == "atomic"


def _what(value: Value) -> str:
    return f"`{spell(value.type.unqualified)}`"


def _reading(value: Value) -> Finding:
    message = f"{_what(value)} is read without an atomic function: use `atomic_load`"
    return Finding(CODE, Severity.WARNING, message, value.place, tuple(_declared(value)))


def _declared(value: Value) -> Iterator[RelatedDeclaration]:
    if value.origin is not None and value.name:
        yield RelatedDeclaration(value.origin, f"`{value.name}` is declared here")


RULES = (
    Rule(CODE, Application, check),
    Rule(
        CODE,
        Conversion,
        check_reading,
        reads=(
            "context",
            "target",
            "value.type",
        ),
    ),
    Rule(
        CODE,
        Declaration,
        check_initialiser,
        reads=(
            "entity.kind",
            "entity.levels[].space",
            "entity.type",
            "initialiser?",
        ),
    ),
)
