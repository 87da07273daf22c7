"""A pointer cast to an integer and then to a pointer into a disjoint space (OpenCL C 6.7.9; C99 6.3.2.3p5)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import NAMED, overlaps
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.pointer_wording import pointee_origin, pointee_space, suggest_space_change
from openclsp.rules.shared.reaching_spaces import describe_reaching_spaces, related_source_declarations
from openclsp.semantics.facts.expressions import Conversion, ConversionKind
from openclsp.semantics.facts.points_to import GenericCast
from openclsp.semantics.types.type_model import Scalar, spell
from openclsp.semantics.types.type_structure import decayed

CODE = "integer-round-trip"


def check(fact: Conversion, dialect: Dialect) -> Iterator[Finding]:
    """Reports a cast of a pointer through an integer to a disjoint space, within one expression."""
    hidden, target = fact.value.hidden, pointee_space(fact.target)
    if fact.context is not ConversionKind.CAST or hidden is None or not isinstance(fact.value.type, Scalar):
        return
    if target not in NAMED or overlaps(hidden, target):
        return
    yield Finding(
        CODE,
        Severity.WARNING,
        f"a pointer into {hidden.word} is cast to `{spell(decayed(fact.target))}` through an integer: "
        f"{hidden.word} and {target.word} are disjoint, so its pointee is undefined",
        fact.place,
        fixes=tuple(suggest_space_change(pointee_origin(fact.target_origin), "", hidden, "the cast")),
    )


def check_reached(fact: GenericCast, dialect: Dialect) -> Iterator[Finding]:
    """Reports a cast of an integer, computed from a pointer, to a pointer into another space.

    All pointers from which the integer may have been computed must be known, and none of them may point into
    the space that the cast names.
    """
    reaching, target = fact.reaching, fact.target
    if not fact.integer or not reaching.spaces or target in reaching.spaces:
        return
    yield Finding(
        CODE,
        Severity.WARNING,
        f"an integer that comes from a pointer into {describe_reaching_spaces(reaching)} is cast to a pointer into {target.word}: "
        "its pointee is undefined",
        fact.place,
        related=related_source_declarations(reaching),
    )


RULES = (
    Rule(
        CODE,
        Conversion,
        check,
        reads=(
            "context",
            "target",
            "value.hidden",
            "value.type",
        ),
    ),
    Rule(CODE, GenericCast, check_reached),
)
