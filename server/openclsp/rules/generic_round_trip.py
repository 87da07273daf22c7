"""A pointer that goes through generic into a named space where its object does not lie (OpenCL C 6.7.9)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import NAMED, Space, overlaps
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.pointers import below, pointee_space, repoint
from openclsp.rules.reaching import related_sources, spaces_words
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.expressions import Context, Conversion
from openclsp.semantics.facts.reaching import ReachedCast
from openclsp.semantics.types import Pointer, decayed, spell

CODE = "generic-round-trip"


def check(fact: Conversion, dialect: Dialect) -> Iterator[Finding]:
    """The expression itself shows where the object lies."""
    hidden, target = fact.value.hidden, pointee_space(fact.target)
    if fact.context is not Context.CAST or hidden is None or not isinstance(fact.value.type, Pointer):
        return
    if target not in NAMED or pointee_space(fact.value.type) is not Space.GENERIC or overlaps(hidden, target):
        return
    yield Finding(
        CODE,
        Severity.WARNING,
        f"the pointer that is cast to `{spell(decayed(fact.target))}` points into {hidden.word}, which the generic "
        f"pointer in between hides: {hidden.word} and {target.word} are disjoint, and the result is undefined",
        fact.place,
        fixes=tuple(repoint(below(fact.target_origin), "", hidden, "the cast")),
    )


def check_reached(fact: ReachedCast, dialect: Dialect) -> Iterator[Finding]:
    """Nothing that reaches the pointer lies in the space that it is cast to."""
    reaching, target = fact.reaching, fact.target
    if fact.integer or not reaching.spaces or target in reaching.spaces:
        return
    yield Finding(
        CODE,
        Severity.WARNING,
        f"a pointer into {target.word} is made of one that only {spaces_words(reaching)} objects reach: the result is "
        "undefined",
        fact.place,
        related=related_sources(reaching),
    )


RULES = (Rule(CODE, Conversion, check), Rule(CODE, ReachedCast, check_reached))
