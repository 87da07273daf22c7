"""Conversions between pointers to incompatible types, and between pointers and other values (C99 6.5.16.1, 6.5.4)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space, encloses, overlaps
from openclsp.rules.finding import Finding, Fix, Severity
from openclsp.rules.mismatches import has_other_depth, mismatches, remove_star
from openclsp.rules.nested import nested_mismatch
from openclsp.rules.pointers import cast_fix, in_space, keeping_qualifiers, refusal, value_words
from openclsp.rules.rule import Rule
from openclsp.semantics import compatibility
from openclsp.semantics.compatibility import Compatibility
from openclsp.semantics.facts.expressions import Context, Conversion, Operation
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types import (
    Enum,
    Function,
    Pointer,
    Record,
    Scalar,
    Type,
    Unknown,
    Vector,
    decayed,
)


def check_conversion(fact: Conversion, dialect: Dialect) -> Iterator[Finding]:
    """Reports an implicit conversion or a cast between a pointer and a type that it does not convert to."""
    source, target = decayed(fact.value.type), decayed(fact.target)
    if _points_to_unknown(source) or _points_to_unknown(target):
        return
    reason: str | None
    if fact.context is Context.CAST:
        reason = _cast_reason(source, target)
    elif isinstance(source, Pointer) and isinstance(target, Pointer):
        reason = _pointers_reason(source, target) if not fact.value.null else None
    elif isinstance(target, Pointer):
        reason = None if _null(fact.value) else _to_pointer_reason(source)
    elif isinstance(source, Pointer):
        reason = _from_pointer_reason(target)
    else:
        reason = None
    if reason is not None:
        yield Finding(
            code="incompatible-pointer",
            severity=Severity.ERROR,
            message=f"{refusal(fact)}: {reason}",
            place=fact.place,
            fixes=tuple(_fixes(fact, source, target)),
            mismatches=mismatches(fact),
        )


def check_subtraction(fact: Operation, dialect: Dialect) -> Iterator[Finding]:
    """Reports a subtraction of pointers to incompatible types (C99 6.5.6p3)."""
    left, right = decayed(fact.left.type), decayed(fact.right.type)
    if fact.operator != "-" or not isinstance(left, Pointer) or not isinstance(right, Pointer):
        return
    if left.pointee.space is None or right.pointee.space is None:
        return
    null = fact.left.null or fact.right.null
    if not null and not overlaps(left.pointee.space, right.pointee.space):
        return
    if compatibility.types(left.pointee, right.pointee) is not Compatibility.SAME:
        yield Finding(
            code="incompatible-pointer",
            severity=Severity.ERROR,
            message=f"{value_words(fact.left)} and {value_words(fact.right)} cannot be subtracted: "
            "they point to different types",
            place=fact.place,
        )


def _points_to_unknown(type_: Type) -> bool:
    return isinstance(type_, Pointer) and isinstance(type_.pointee, Unknown)


def _null(value: Value) -> bool:
    return value.null or value.number == 0


def _pointers_reason(source: Pointer, target: Pointer) -> str | None:
    spaces = source.pointee.space, target.pointee.space
    if spaces[0] is None or spaces[1] is None or not encloses(spaces[1], spaces[0]):
        return None
    if nested_mismatch(source, target) is not None:
        return None
    if isinstance(source.pointee, Function) or isinstance(target.pointee, Function):
        return None
    if compatibility.pointees(source.pointee, target.pointee) is Compatibility.DIFFERENT:
        return "they point to different types"
    return None


def _to_pointer_reason(source: Type) -> str | None:
    if isinstance(source, Enum) or (isinstance(source, Scalar) and not source.floating):
        return "an integer converts to a pointer only by a cast"
    return "it is not a pointer" if isinstance(source, Scalar | Vector | Record) else None


def _from_pointer_reason(target: Type) -> str | None:
    if isinstance(target, Scalar) and target.canonical == "bool":
        return None
    if isinstance(target, Enum) or (isinstance(target, Scalar) and not target.floating):
        return "a pointer converts to an integer only by a cast"
    return "a pointer does not convert to this type" if isinstance(target, Scalar | Vector | Record) else None


def _cast_reason(source: Type, target: Type) -> str | None:
    if isinstance(target, Pointer) and isinstance(source, Scalar) and source.floating:
        return "only an integer can be cast to a pointer"
    if isinstance(source, Pointer) and isinstance(target, Scalar) and target.floating:
        return "a pointer can be cast only to an integer"
    return None


def _fixes(fact: Conversion, source: Type, target: Type) -> Iterator[Fix]:
    """Yields a cast between pointers of equal depth, which keeps the address space, or the removal of one `*`.

    A cast from or to an integer would lose the space; a cast to another depth would read data as an address."""
    if fact.context is Context.CAST or not isinstance(target, Pointer):
        return
    if not isinstance(source, Pointer) or has_other_depth(source, target):
        yield from remove_star(fact)
    else:
        space = source.pointee.space
        kept = keeping_qualifiers(source, target)
        yield cast_fix(fact.value, in_space(kept, None if space is Space.GENERIC else space))


RULES = (
    Rule("incompatible-pointer", Conversion, check_conversion),
    Rule("incompatible-pointer", Operation, check_subtraction),
)
