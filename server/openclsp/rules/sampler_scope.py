"""A sampler variable that is neither at program scope nor at a kernel's outermost scope (OpenCL C 6.11.b)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.qualifiers import opaque_category
from openclsp.rules.rule import Rule
from openclsp.semantics.entities import EntityKind
from openclsp.semantics.facts.declarations import Declaration, Scope

CODE = "sampler-scope"

_WHERE = {
    Scope.FUNCTION: "a function that is not a kernel",
    Scope.KERNEL_INNER: "an inner scope of a kernel",
    Scope.BLOCK: "a block",
}


def check(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports a sampler in a scope where its behaviour is implementation-defined."""
    entity = fact.entity
    where = _WHERE.get(fact.scope)
    if where is None or entity.kind is not EntityKind.VARIABLE or opaque_category(entity.type) != "sampler":
        return
    message = (
        f"sampler `{entity.name}` in {where} has implementation-defined behaviour: declare it at program scope or at the "
        "outermost scope of a kernel"
    )
    yield Finding(CODE, Severity.INFORMATION, message, entity.place)


RULES = (Rule(CODE, Declaration, check),)
