"""A function with a variable number of arguments (OpenCL C 6.11.e)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import DeclarationPart, Finding, Fix, RemoveDeclarationPart, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.declarations import Declaration, FunctionDeclaration
from openclsp.semantics.facts.entities import Entity, EntityKind
from openclsp.semantics.types.type_model import Function

CODE = "variadic-function"


def of_function(fact: FunctionDeclaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports each variadic function except `printf`, which was added in OpenCL C 1.2.

    As in clang, names of the implementation (`__…`) are not reported.
    """
    name = fact.entity.name
    if not fact.variadic or name.startswith("__") or (name == "printf" and dialect.version >= 120):
        return
    yield _finding(fact.entity)


def of_typedef(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports a typedef of a variadic function type."""
    entity = fact.entity
    if entity.kind is EntityKind.TYPEDEF and isinstance(entity.type, Function) and entity.type.variadic:
        yield _finding(entity)


def _finding(entity: Entity) -> Finding:
    message = (
        f"`{entity.name}` cannot take a variable number of arguments: in OpenCL C only built-in functions can"
    )
    fix = Fix("Remove `...`", (RemoveDeclarationPart(entity.ref, DeclarationPart.ELLIPSIS),))
    return Finding(CODE, Severity.ERROR, message, entity.place, fixes=(fix,))


RULES = (
    Rule(CODE, FunctionDeclaration, of_function),
    Rule(
        CODE,
        Declaration,
        of_typedef,
        reads=(
            "entity.kind",
            "entity.type",
        ),
    ),
)
