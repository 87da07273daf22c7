"""Implicit conversions that discard `const` or `volatile` from the pointee (C99 6.5.16.1)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import encloses
from openclsp.rules.finding import AddQualifier, Finding, Fix, Severity
from openclsp.rules.mismatches import mismatches
from openclsp.rules.nested import nested_mismatch, pointer_levels
from openclsp.rules.pointers import below, qualifier_words, target_words, value_words
from openclsp.rules.rule import Rule
from openclsp.semantics import compatibility
from openclsp.semantics.compatibility import Compatibility
from openclsp.semantics.facts.expressions import Context, Conversion
from openclsp.semantics.types import Pointer, Type, decayed

_VERBS = {
    Context.ASSIGNMENT: "is assigned to",
    Context.INITIALISATION: "initialises",
    Context.ARGUMENT: "is passed to",
    Context.RETURN: "is returned as",
}


def check(fact: Conversion, dialect: Dialect) -> Iterator[Finding]:
    """Reports a lost `const` (the target could write the object) or `volatile` (it could cache the value)."""
    if fact.context is Context.CAST or fact.value.null:
        return
    lost = _lost(decayed(fact.value.type), decayed(fact.target))
    if lost is None:
        return
    level, words = lost
    where = "" if level == 1 else f" at level {level}"
    yield Finding(
        code="discarded-qualifiers",
        severity=Severity.WARNING,
        message=f"{value_words(fact.value)} {_VERBS[fact.context]} {target_words(fact)}, "
        f"which discards {' and '.join(words)}{where}",
        place=fact.place,
        fixes=tuple(_fixes(fact, level, words)),
        mismatches=mismatches(fact),
    )


def _lost(source: Type, target: Type) -> tuple[int, tuple[str, ...]] | None:
    """The first level with a mismatch and its qualifiers: those lost at level 1, those that differ below it."""
    if not isinstance(source, Pointer) or not isinstance(target, Pointer):
        return None
    spaces = source.pointee.space, target.pointee.space
    if spaces[0] is None or spaces[1] is None or not encloses(spaces[1], spaces[0]):
        return None
    if nested_mismatch(source, target) is not None:
        return None
    if compatibility.pointees(source.pointee, target.pointee) is Compatibility.DIFFERENT:
        return None
    for level, a, b in pointer_levels(source, target):
        differ = a.qualifiers & ~b.qualifiers if level == 1 else a.qualifiers ^ b.qualifiers
        words = qualifier_words(differ)
        if words:
            return level, words
    return None


def _fixes(fact: Conversion, level: int, words: tuple[str, ...]) -> Iterator[Fix]:
    to = below(fact.target_origin, level)
    if to is None or level > 1:
        return
    name = "" if fact.context is Context.RETURN else fact.target_name
    changes = tuple(AddQualifier(to, word) for word in words)
    what = f"`{name}`" if name else "the target"
    yield Fix(f"Let {what} point to {' '.join(words)}", changes, preferred=True)


RULES = (Rule("discarded-qualifiers", Conversion, check),)
