"""An atomic function of OpenCL C 2.0 applied to private memory: undefined (OpenCL C 6.15.12, restrictions)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.pointer_wording import (
    pointee_space,
    related_source_declaration,
    suggest_space_change,
)
from openclsp.rules.shared.reaching_spaces import related_source_declarations
from openclsp.semantics.facts.calls import Call
from openclsp.semantics.facts.points_to import ReachedObject
from openclsp.semantics.types.type_model import Function, Opaque, Pointer, spell
from openclsp.semantics.types.type_structure import decayed

CODE = "private-atomic"


def check(fact: Call, dialect: Dialect) -> Iterator[Finding]:
    """Reports a call of an atomic function whose first argument certainly points into private memory.

    The function `atomic_init` is excluded, because it is not an atomic operation.
    """
    if not fact.name.startswith("atomic_") or fact.name == "atomic_init" or not _takes_atomic(fact):
        return
    value = fact.arguments[0]
    if Space.PRIVATE not in (pointee_space(value.type), value.hidden):
        return
    message = (
        f"`{fact.name}` on `{spell(decayed(value.type))}` is undefined: the object of an atomic function cannot be "
        "in private"
    )
    fixes = tuple(
        fix
        for space in (Space.LOCAL, Space.GLOBAL)
        for fix in suggest_space_change(*value.space_source(1), space, "the object")
    )
    related = tuple(related_source_declaration(value, Space.PRIVATE))
    yield Finding(CODE, Severity.WARNING, message, value.place, related, fixes)


def check_reached(fact: ReachedObject, dialect: Dialect) -> Iterator[Finding]:
    """Reports an atomic operation on a generic pointer that can point only to private objects."""
    if not fact.callee.startswith("atomic_") or fact.callee == "atomic_init":
        return
    if fact.reaching.spaces != (Space.PRIVATE,):
        return
    yield Finding(
        CODE,
        Severity.WARNING,
        f"`{fact.callee}` on a pointer that only private objects reach is undefined: the object of an atomic "
        "function cannot be in private",
        fact.place,
        related=related_source_declarations(fact.reaching),
    )


def _takes_atomic(fact: Call) -> bool:
    function = fact.function
    if not isinstance(function, Function) or not function.parameters or not fact.arguments:
        return False
    first = function.parameters[0]
    pointee = first.pointee.unqualified if isinstance(first, Pointer) else None
    return isinstance(pointee, Opaque) and pointee.category == "atomic"


RULES = (
    Rule(
        CODE,
        Call,
        check,
        reads=(
            "arguments[].hidden",
            "arguments[].type",
            "function",
            "name",
        ),
    ),
    Rule(CODE, ReachedObject, check_reached),
)
