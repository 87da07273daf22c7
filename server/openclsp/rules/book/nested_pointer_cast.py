"""A cast that changes an address space below the first level (OpenCL C 6.7.9).

The cast is legal, but an access through its result can be undefined.
"""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.book.nested_pointer_conversion import nested_words
from openclsp.rules.finding import Finding, Fix, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.nested_spaces import find_nested_mismatch, first_level_overlaps
from openclsp.rules.shared.pointer_wording import describe_value, pointee_origin, suggest_space_change
from openclsp.semantics.facts.expressions import Conversion, ConversionKind
from openclsp.semantics.types.type_model import spell
from openclsp.semantics.types.type_structure import decayed


def check(fact: Conversion, dialect: Dialect) -> Iterator[Finding]:
    """Reports a cast that changes the space of an inner pointer."""
    if fact.context is not ConversionKind.CAST or not first_level_overlaps(fact):
        return
    mismatch = find_nested_mismatch(fact.value.type, fact.target)
    if mismatch is None:
        return
    cast = pointee_origin(fact.target_origin, mismatch.level)
    fixes: tuple[Fix, ...] = tuple(
        suggest_space_change(cast, "", mismatch.source, "the cast's inner pointer")
    )
    yield Finding(
        code="nested-pointer-cast",
        severity=Severity.WARNING,
        message=f"the cast from {describe_value(fact.value)} to `{spell(decayed(fact.target))}` is legal, but "
        f"{nested_words(mismatch)}",
        place=fact.place,
        fixes=fixes,
    )


RULES = (
    Rule(
        "nested-pointer-cast",
        Conversion,
        check,
        reads=(
            "context",
            "target",
            "value.type",
        ),
    ),
)
