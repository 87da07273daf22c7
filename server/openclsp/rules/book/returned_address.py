"""A function returns the address of its own variable (OpenCL C 6.7.4; C99 6.2.4p2)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, RelatedDeclaration, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.points_to import ReturnedAddress

CODE = "returned-address"


def check(fact: ReturnedAddress, dialect: Dialect) -> Iterator[Finding]:
    """Reports a `return` of the address of the function's own variable, whose lifetime ends there."""
    through = _names("hands back", fact.handed) or _names("stores", fact.stored)
    yield Finding(
        CODE,
        Severity.WARNING,
        f"the address of `{fact.name}` is returned{through}: the variable ends with the function",
        fact.place,
        (RelatedDeclaration(fact.origin, f"`{fact.name}` is a variable of the function"),),
    )


def _names(verb: str, helpers: tuple[str, ...]) -> str:
    return f", which {' and '.join(f'`{name}`' for name in helpers)} {verb}" if helpers else ""


RULES = (Rule(CODE, ReturnedAddress, check),)
