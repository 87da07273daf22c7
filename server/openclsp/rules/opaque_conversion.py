"""A value of an opaque type where another type is wanted, or the other way round (C99 6.5.16.1; OpenCL C 6.3.3)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.pointers import refusal
from openclsp.rules.rule import Rule
from openclsp.semantics.facts import Context, Conversion
from openclsp.semantics.types import Enum, Opaque, Pointer, Record, Scalar, Type, Vector, decayed

_NUMBERS = (Scalar, Enum, Vector)
_PLAIN = (*_NUMBERS, Pointer, Record)


def check(fact: Conversion, dialect: Dialect) -> Iterator[Finding]:
    """The two types have nothing in common. An assignment to an image or sampler is opaque-write's matter."""
    source, target = decayed(fact.value.type), decayed(fact.target)
    if fact.context is Context.CAST or not _clash(source, target):
        return
    if fact.context is Context.ASSIGNMENT and isinstance(target, Opaque):
        return
    yield Finding(
        code="opaque-conversion",
        severity=Severity.ERROR,
        message=f"{refusal(fact)}: an opaque type converts to no other",
        place=fact.place,
    )


def _clash(source: Type, target: Type) -> bool:
    if isinstance(source, Opaque) and isinstance(target, Opaque):
        return source.name != target.name or _access(source) != _access(target)
    if isinstance(source, Opaque):
        # the number in an atomic object is read, which is atomic-operator's matter
        return isinstance(target, _PLAIN) and (
            source.category != "atomic" or not isinstance(target, _NUMBERS)
        )
    return isinstance(target, Opaque) and target.category == "image" and isinstance(source, _PLAIN)


def _access(type_: Opaque) -> str:
    """An image or pipe without an access qualifier is read_only (OpenCL C 6.8)."""
    return type_.access or ("read_only" if type_.category in ("image", "pipe") else "")


RULES = (Rule("opaque-conversion", Conversion, check),)
