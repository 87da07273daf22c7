"""Storage-class specifiers that OpenCL C lacks (OpenCL C 6.10; 6.8.g of 1.0 and 1.1)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Fix, Severity
from openclsp.rules.qualifiers import newer_dialects, word_removal
from openclsp.rules.rule import Rule
from openclsp.semantics.entities import Entity, Place
from openclsp.semantics.facts import Declaration, FunctionDeclaration, Scope

CODE = "storage-class"

_INSIDE = (Scope.FUNCTION, Scope.KERNEL, Scope.KERNEL_INNER, Scope.BLOCK)


def of_declaration(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """The storage class of a variable, parameter or typedef."""
    parameter = fact.scope in (Scope.PARAMETER, Scope.KERNEL_PARAMETER)
    reason = "a parameter is an automatic variable" if parameter else ""
    if fact.storage == "extern" and fact.initialiser is not None and fact.scope in _INSIDE:
        reason = "in a function that only names a variable of the program, so it takes no initialiser"
    yield from _finding(fact.entity, fact.storage, fact.storage_place, reason, dialect)


def of_function(fact: FunctionDeclaration, dialect: Dialect) -> Iterator[Finding]:
    """The storage class of a function; a kernel is called by the host, so it cannot be static."""
    reason = "the host finds a kernel by its name" if fact.kernel and fact.storage == "static" else ""
    yield from _finding(fact.entity, fact.storage, fact.storage_place, reason, dialect)


def _finding(
    entity: Entity, storage: str, place: Place | None, against: str, dialect: Dialect
) -> Iterator[Finding]:
    if place is None:
        return
    fixes: tuple[Fix, ...] = (word_removal(place, f"Remove `{storage}`"),)
    if storage in ("auto", "register"):
        message = f"OpenCL C has no storage class `{storage}`"
    elif storage in ("static", "extern") and dialect.version < 120:
        message = f"{dialect.title} has no storage class `{storage}`: it came with OpenCL C 1.2"
        fixes += tuple(newer_dialects(dialect, lambda _: True))
    elif storage in ("static", "extern") and against:
        message = f"`{entity.name}` cannot be {storage}: {against}"
    else:
        return
    yield Finding(CODE, Severity.ERROR, message, place, fixes=fixes)


RULES = (Rule(CODE, Declaration, of_declaration), Rule(CODE, FunctionDeclaration, of_function))
