"""A cast that changes an address space below the first level: legal, but its use can be undefined (OpenCL C 6.7.9)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Fix, Severity
from openclsp.rules.nested import first_level_overlaps, nested_mismatch
from openclsp.rules.nested_pointer_conversion import nested_words
from openclsp.rules.pointers import below, repoint, value_words
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.expressions import Context, Conversion
from openclsp.semantics.types import decayed, spell


def check(fact: Conversion, dialect: Dialect) -> Iterator[Finding]:
    """Reports a cast that changes the space of an inner pointer."""
    if fact.context is not Context.CAST or not first_level_overlaps(fact):
        return
    mismatch = nested_mismatch(fact.value.type, fact.target)
    if mismatch is None:
        return
    cast = below(fact.target_origin, mismatch.level)
    fixes: tuple[Fix, ...] = tuple(repoint(cast, "", mismatch.source, "the cast's inner pointer"))
    yield Finding(
        code="nested-pointer-cast",
        severity=Severity.WARNING,
        message=f"the cast from {value_words(fact.value)} to `{spell(decayed(fact.target))}` is legal, but "
        f"{nested_words(mismatch)}",
        place=fact.place,
        fixes=fixes,
    )


RULES = (Rule("nested-pointer-cast", Conversion, check),)
