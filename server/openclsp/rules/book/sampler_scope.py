"""A sampler variable that is neither at program scope nor at a kernel's outermost scope (OpenCL C 6.11.b)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import opaque_category
from openclsp.semantics.facts.declarations import Declaration, Scope
from openclsp.semantics.facts.entities import EntityKind

CODE = "sampler-scope"

_PLACES = "at program scope or at the outermost scope of a kernel"
_FORBIDDEN = {Scope.FUNCTION: "a function that is not a kernel", Scope.BLOCK: "a block"}


def check(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports a sampler in a forbidden scope as a warning, because compilers accept it.

    A sampler whose behaviour in its scope is implementation-defined is reported as information.
    """
    entity = fact.entity
    forbidden = _FORBIDDEN.get(fact.scope)
    if forbidden is None and fact.scope is not Scope.KERNEL_INNER:
        return
    if entity.kind is not EntityKind.VARIABLE or opaque_category(entity.type) != "sampler":
        return
    if forbidden is not None:
        message = f"sampler `{entity.name}` cannot be declared in {forbidden}: declare it {_PLACES}; clang accepts it"
        yield Finding(CODE, Severity.WARNING, message, entity.place)
        return
    message = f"sampler `{entity.name}` in an inner scope of a kernel has implementation-defined behaviour: declare it {_PLACES}"
    yield Finding(CODE, Severity.INFORMATION, message, entity.place)


RULES = (
    Rule(
        CODE,
        Declaration,
        check,
        reads=(
            "entity.kind",
            "entity.type",
            "scope",
        ),
    ),
)
