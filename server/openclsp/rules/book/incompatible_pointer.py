"""Conversions between pointers to incompatible types, and between pointers and other values (C99 6.5.16.1, 6.5.4)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space, encloses, overlaps
from openclsp.rules.finding import Finding, Fix, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.nested_spaces import find_nested_mismatch
from openclsp.rules.shared.pointer_mismatches import (
    find_mismatches,
    has_different_depth,
    suggest_star_removal,
)
from openclsp.rules.shared.pointer_wording import (
    create_cast_fix,
    describe_failed_conversion,
    describe_value,
    with_pointee_space,
    with_source_qualifiers,
)
from openclsp.semantics.facts.expressions import Conversion, ConversionKind, Operation
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types import compatibility
from openclsp.semantics.types.compatibility import Compatibility
from openclsp.semantics.types.type_model import Enum, Function, Pointer, Record, Scalar, Type, Unknown, Vector
from openclsp.semantics.types.type_structure import decayed


def check_conversion(fact: Conversion, dialect: Dialect) -> Iterator[Finding]:
    """Reports an implicit conversion or a cast between a pointer and a type if the language has no such conversion."""
    source, target = decayed(fact.value.type), decayed(fact.target)
    if _points_to_unknown(source) or _points_to_unknown(target):
        return
    reason: str | None
    if fact.context is ConversionKind.CAST:
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
            message=f"{describe_failed_conversion(fact)}: {reason}",
            place=fact.place,
            fixes=tuple(_fixes(fact, source, target)),
            mismatches=find_mismatches(fact),
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
            message=f"{describe_value(fact.left)} and {describe_value(fact.right)} cannot be subtracted: "
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
    if find_nested_mismatch(source, target) is not None:
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
    if isinstance(source, Pointer) and isinstance(target, Vector):
        return "a pointer does not convert to a vector"
    return None


def _fixes(fact: Conversion, source: Type, target: Type) -> Iterator[Fix]:
    """Yields the fix for an implicit conversion to a pointer.

    If the target has more pointer levels than the source, the fix removes one `*` from the target. If the
    numbers of levels are equal, or one is unknown, the fix adds a cast that keeps the address space. No fix
    casts an integer, whose address space is unknown.
    """
    if fact.context is ConversionKind.CAST or not isinstance(target, Pointer):
        return
    if not isinstance(source, Pointer) or has_different_depth(source, target):
        yield from suggest_star_removal(fact)
    else:
        space = source.pointee.space
        kept = with_source_qualifiers(source, target)
        yield create_cast_fix(fact.value, with_pointee_space(kept, None if space is Space.GENERIC else space))


RULES = (
    Rule(
        "incompatible-pointer",
        Conversion,
        check_conversion,
        reads=(
            "context",
            "target",
            "value.null",
            "value.number",
            "value.type",
        ),
    ),
    Rule("incompatible-pointer", Operation, check_subtraction),
)
