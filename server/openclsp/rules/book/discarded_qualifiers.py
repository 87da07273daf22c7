"""Implicit conversions that discard `const` or `volatile` from the pointee (C99 6.5.16.1)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import encloses
from openclsp.rules.finding import AddQualifier, Finding, Fix, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.nested_spaces import find_nested_mismatch, pointer_levels
from openclsp.rules.shared.pointer_mismatches import find_mismatches
from openclsp.rules.shared.pointer_wording import (
    describe_target,
    describe_value,
    pointee_origin,
    qualifier_names,
)
from openclsp.semantics.facts.expressions import Conversion, ConversionKind
from openclsp.semantics.types import compatibility
from openclsp.semantics.types.compatibility import Compatibility
from openclsp.semantics.types.type_model import Pointer, Type
from openclsp.semantics.types.type_structure import decayed

_VERBS = {
    ConversionKind.ASSIGNMENT: "is assigned to",
    ConversionKind.INITIALISATION: "initialises",
    ConversionKind.ARGUMENT: "is passed to",
    ConversionKind.RETURN: "is returned as",
}


def check(fact: Conversion, dialect: Dialect) -> Iterator[Finding]:
    """Reports a conversion that loses `const` or `volatile`.

    The program could write the object through a pointer without `const`. Accesses through a pointer without
    `volatile` may be cached.
    """
    if fact.context is ConversionKind.CAST or fact.value.null:
        return
    lost = _lost(decayed(fact.value.type), decayed(fact.target))
    if lost is None:
        return
    level, words = lost
    where = "" if level == 1 else f" at level {level}"
    yield Finding(
        code="discarded-qualifiers",
        severity=Severity.WARNING,
        message=f"{describe_value(fact.value)} {_VERBS[fact.context]} {describe_target(fact)}, "
        f"which discards {' and '.join(words)}{where}",
        place=fact.place,
        fixes=tuple(_fixes(fact, level, words)),
        mismatches=find_mismatches(fact),
    )


def _lost(source: Type, target: Type) -> tuple[int, tuple[str, ...]] | None:
    """Returns the first level whose qualifiers do not match, and these qualifiers.

    At level 1, they are the qualifiers that the target lacks; at deeper levels, those that differ. None if no
    level differs, or if another rule reports the conversion.
    """
    if not isinstance(source, Pointer) or not isinstance(target, Pointer):
        return None
    spaces = source.pointee.space, target.pointee.space
    if spaces[0] is None or spaces[1] is None or not encloses(spaces[1], spaces[0]):
        return None
    if find_nested_mismatch(source, target) is not None:
        return None
    if compatibility.pointees(source.pointee, target.pointee) is Compatibility.DIFFERENT:
        return None
    for level, a, b in pointer_levels(source, target):
        differ = a.qualifiers & ~b.qualifiers if level == 1 else a.qualifiers ^ b.qualifiers
        words = qualifier_names(differ)
        if words:
            return level, words
    return None


def _fixes(fact: Conversion, level: int, words: tuple[str, ...]) -> Iterator[Fix]:
    to = pointee_origin(fact.target_origin, level)
    if to is None or level > 1:
        return
    name = "" if fact.context is ConversionKind.RETURN else fact.target_name
    changes = tuple(AddQualifier(to, word) for word in words)
    what = f"`{name}`" if name else "the target"
    yield Fix(f"Let {what} point to {' '.join(words)}", changes, preferred=True)


RULES = (
    Rule(
        "discarded-qualifiers",
        Conversion,
        check,
        reads=(
            "context",
            "target",
            "value.null",
            "value.type",
        ),
    ),
)
