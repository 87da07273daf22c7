"""Comparisons of generic pointers that point into different spaces (OpenCL C 6.5.8, 6.5.9)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import overlaps
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.reaching_spaces import describe_reaching_spaces, related_source_declarations
from openclsp.semantics.facts.points_to import ReachedComparison

CODE = "compared-spaces"


def check(fact: ReachedComparison, dialect: Dialect) -> Iterator[Finding]:
    """Reports a comparison if the operands can point only into spaces that do not overlap."""
    left, right = fact.left, fact.right
    if not left.spaces or not right.spaces or any(overlaps(a, b) for a in left.spaces for b in right.spaces):
        return
    yield Finding(
        CODE,
        Severity.WARNING,
        f"`{fact.operator}` compares a pointer that only {describe_reaching_spaces(left)} objects reach with one that only "
        f"{describe_reaching_spaces(right)} objects reach: the result is undefined",
        fact.place,
        related=related_source_declarations(left, right),
    )


RULES = (Rule(CODE, ReachedComparison, check),)
