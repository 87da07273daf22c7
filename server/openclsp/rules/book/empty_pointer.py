"""Uses of generic pointers that point to no object (OpenCL C 6.7.5; C99 6.5.3.2p4)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.points_to import UnreachedPointerUse

CODE = "empty-pointer"


def check(fact: UnreachedPointerUse, dialect: Dialect) -> Iterator[Finding]:
    """Reports a use of a generic pointer if no path to it assigns the address of an object to the pointer."""
    why = "only null reaches it" if fact.null else "no path assigns it the address of an object"
    what = f"passed to `{fact.callee}`" if fact.callee else "dereferenced"
    message = f"a generic pointer that points to no object is {what}: {why}"
    yield Finding(CODE, Severity.WARNING, message, fact.place)


RULES = (Rule(CODE, UnreachedPointerUse, check),)
