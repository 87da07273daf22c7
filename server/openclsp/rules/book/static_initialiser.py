"""A global variable, or a sampler at program scope, whose initialiser is not constant (OpenCL C 6.7.1; C99 6.7.8p4)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import has_explicit_space, opaque_category
from openclsp.semantics.facts.declarations import Declaration, Scope
from openclsp.semantics.facts.entities import EntityKind
from openclsp.semantics.facts.values import Constancy

CODE = "static-initialiser"

_IN_FUNCTIONS = (Scope.KERNEL, Scope.KERNEL_INNER, Scope.FUNCTION, Scope.BLOCK)


def check(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports a variable that exists before any kernel runs and whose initialiser is not constant."""
    entity = fact.entity
    if entity.kind is not EntityKind.VARIABLE or fact.initialiser is None:
        return
    if fact.initialiser.constancy is not Constancy.NOT_CONSTANT or not _lives_long(fact, dialect):
        return
    yield Finding(
        CODE,
        Severity.ERROR,
        f"the initialiser of `{entity.name}` must be a compile-time constant: the variable exists before any kernel runs",
        fact.initialiser.place,
    )


def _lives_long(fact: Declaration, dialect: Dialect) -> bool:
    """Whether this rule requires a constant initialiser.

    True for variables in global memory if the dialect allows them, and for samplers at program scope unless
    they are declared `constant`, `global` or `local`.
    """
    category = opaque_category(fact.entity.type)
    space = fact.entity.levels[0].space
    if category == "sampler":
        elsewhere = (Space.CONSTANT, Space.GLOBAL, Space.LOCAL)
        return fact.scope is Scope.PROGRAM and not (
            has_explicit_space(fact.entity.levels[0]) and space in elsewhere
        )
    if space is not Space.GLOBAL or category not in ("", "queue") or not dialect.program_scope_globals:
        return False
    if fact.scope is Scope.PROGRAM:
        return True
    return fact.storage == "static" and fact.scope in _IN_FUNCTIONS


RULES = (
    Rule(
        CODE,
        Declaration,
        check,
        reads=(
            "entity.kind",
            "entity.levels[].reason",
            "entity.levels[].space",
            "entity.type",
            "initialiser?.constancy",
            "scope",
            "storage",
        ),
    ),
)
