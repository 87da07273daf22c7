"""Storage-class specifiers that OpenCL C does not allow (OpenCL C 6.10; 6.8.g of 1.0 and 1.1)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Fix, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import create_token_removal_fix, suggest_newer_versions
from openclsp.semantics.facts.constructs import Construct, ConstructKind
from openclsp.semantics.facts.declarations import Declaration, FunctionDeclaration, Scope
from openclsp.semantics.facts.entities import Entity, Place

CODE = "storage-class"

_INSIDE = (Scope.FUNCTION, Scope.KERNEL, Scope.KERNEL_INNER, Scope.BLOCK)


def of_declaration(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports a storage class that a variable, parameter, member or typedef must not have."""
    parameter = fact.scope in (Scope.PARAMETER, Scope.KERNEL_PARAMETER)
    reason = "a parameter is an automatic variable" if parameter else ""
    if fact.scope is Scope.MEMBER:
        reason = "a member is part of its object"
    if fact.storage == "extern" and fact.initialiser is not None and fact.scope in _INSIDE:
        reason = "in a function, an `extern` variable cannot have an initialiser"
    yield from _finding(fact.entity, fact.storage, fact.storage_place, reason, dialect)


def of_second(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Reports the second storage class in a declaration (C99 6.7.1p2)."""
    if fact.kind is ConstructKind.SECOND_STORAGE_CLASS:
        first, second = fact.detail.split()
        message = f"`{second}` conflicts with `{first}`: a declaration has at most one storage class"
        yield Finding(
            CODE,
            Severity.ERROR,
            message,
            fact.place,
            fixes=(create_token_removal_fix(fact.place, f"Remove `{second}`"),),
        )


def of_auto(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Reports `auto` in place of a type, as in C++ and C23."""
    if fact.kind is ConstructKind.AUTO_VARIABLE:
        message = f"OpenCL C has no `auto`: the type of `{fact.detail}` must be written"
        yield Finding(CODE, Severity.ERROR, message, fact.place)


def of_function(fact: FunctionDeclaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports a storage class that a function must not have, such as `static` of a kernel."""
    reason = "the host looks up a kernel by its name" if fact.kernel and fact.storage == "static" else ""
    yield from _finding(fact.entity, fact.storage, fact.storage_place, reason, dialect)


def _finding(
    entity: Entity, storage: str, place: Place | None, against: str, dialect: Dialect
) -> Iterator[Finding]:
    if place is None:
        return
    fixes: tuple[Fix, ...] = (create_token_removal_fix(place, f"Remove `{storage}`"),)
    if storage in ("auto", "register", "_Thread_local", "__thread"):
        message = f"OpenCL C has no storage class `{storage}`"
    elif storage in ("static", "extern") and dialect.version < 120:
        message = f"{dialect.title} has no storage class `{storage}`: it was added in OpenCL C 1.2"
        fixes += tuple(suggest_newer_versions(dialect, lambda _: True))
    elif storage in ("static", "extern", "typedef") and against:
        what = "a typedef" if storage == "typedef" else storage
        message = f"`{entity.name}` cannot be {what}: {against}"
    else:
        return
    yield Finding(CODE, Severity.ERROR, message, place, fixes=fixes)


RULES = (
    Rule(
        CODE,
        Declaration,
        of_declaration,
        reads=(
            "initialiser?",
            "scope",
            "storage",
            "storage_place?",
        ),
    ),
    Rule(CODE, FunctionDeclaration, of_function),
    Rule(CODE, Construct, of_second),
    Rule(CODE, Construct, of_auto),
)
