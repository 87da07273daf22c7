"""A pointer that goes through generic into a named space where its object does not lie (OpenCL C 6.7.9)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import NAMED, Space, overlaps
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.pointers import below, pointee_space, repoint
from openclsp.rules.rule import Rule
from openclsp.semantics.facts import Context, Conversion
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


RULES = (Rule(CODE, Conversion, check),)
