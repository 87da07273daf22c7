"""Implicit conversion between pointers: the target's space must enclose the source's (OpenCL C 6.7.9)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space, encloses
from openclsp.rules.finding import CopyFunctionForCall, Finding, Fix, RemoveCast, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.pointer_mismatches import (
    DEPTH,
    ELEMENT,
    NESTED,
    find_mismatches,
    suggest_star_removal,
)
from openclsp.rules.shared.pointer_wording import (
    create_cast_fix,
    default_private_pointees,
    describe_disjoint_spaces,
    describe_failed_conversion,
    dropped_qualifiers,
    pointee_origin,
    pointee_space,
    related_space_declarations,
    suggest_generic_versions,
    suggest_space_change,
    with_source_qualifiers,
)
from openclsp.semantics.facts.expressions import Conversion, ConversionKind
from openclsp.semantics.types.type_model import Pointer, Type, pointer_to
from openclsp.semantics.types.type_structure import decayed


def check(fact: Conversion, dialect: Dialect) -> Iterator[Finding]:
    """Reports a pointer that is converted to a pointer into a space that does not enclose its own."""
    if fact.context is ConversionKind.CAST or fact.value.null:
        return
    source, target = pointee_space(fact.value.type), pointee_space(fact.target)
    if source is None or target is None or encloses(target, source):
        return
    yield Finding(
        code="pointer-conversion",
        severity=Severity.ERROR,
        message=f"{describe_failed_conversion(fact)}: {_reason(fact, source, target, dialect)}",
        place=fact.place,
        related=related_space_declarations(fact, source, target),
        fixes=tuple(_fixes(fact, source, target, dialect)),
        default_private_pointees=default_private_pointees(
            dialect, (pointee_origin(fact.target_origin), target), (fact.value.space_source(1)[0], source)
        ),
        mismatches=find_mismatches(fact),
    )


def _reason(fact: Conversion, source: Space, target: Space, dialect: Dialect) -> str:
    if fact.value.string:
        return "string literals are in constant"
    if encloses(source, target):
        return f"a {source.word} pointer converts to {target.word} only by a cast"
    if Space.GENERIC in (source, target):
        return "constant is not part of the generic address space"
    return describe_disjoint_spaces(source, target, dialect)


def _fixes(fact: Conversion, source: Space, target: Space, dialect: Dialect) -> Iterator[Fix]:
    value = fact.value
    shallower = tuple(suggest_star_removal(fact))
    yield from shallower
    if not shallower:
        yield from _repoint_target(fact, source, target, dialect)
        if dialect.generic and all(encloses(Space.GENERIC, space) for space in (source, target)):
            yield from _open_target(fact, source)
    yield from _copies(fact, source, target, dialect)
    # The target has a written space; an unqualified value that is passed to it can be given the same one.
    opened = Space.GENERIC if dialect.generic else Space.PRIVATE
    yield from suggest_space_change(*value.space_source(1), target, "the value", onward=source is opened)
    if value.origin is not None and not value.name:
        yield Fix("Remove the cast", (RemoveCast(value.origin.entity),))
    if encloses(source, target):
        yield create_cast_fix(value, _cast_type(fact, target))
    if source is not Space.CONSTANT:
        yield from suggest_generic_versions(dialect, target)


def _repoint_target(fact: Conversion, source: Space, target: Space, dialect: Dialect) -> Iterator[Fix]:
    """Yields fixes that change the address space of the target's pointee.

    They are preferred if the pointee may be unqualified (`_is_unqualified`), if the conversion initialises a
    variable, or if the value is a string literal. A variable with a written space is not pointed into private
    unasked: the object itself may lack its qualifier.
    """
    initialises = fact.context is ConversionKind.INITIALISATION and source is not Space.PRIVATE
    result = fact.context is ConversionKind.RETURN
    yield from suggest_space_change(
        pointee_origin(fact.target_origin),
        "" if result else fact.target_name,
        source,
        f"the result of `{fact.target_name}`" if result and fact.target_name else "the target",
        preferred=_is_unqualified(fact, target, dialect) or fact.value.string or initialises,
        onward=True,
        words=dropped_qualifiers(fact.value.type, fact.target),
        callee=fact.callee,
    )


def _open_target(fact: Conversion, source: Space) -> Iterator[Fix]:
    """Yields the fix that makes the target a generic pointer, unless the value is one already."""
    if source is not Space.GENERIC:
        result = fact.context is ConversionKind.RETURN
        yield from suggest_space_change(
            pointee_origin(fact.target_origin),
            "" if result else fact.target_name,
            Space.GENERIC,
            f"the result of `{fact.target_name}`" if result and fact.target_name else "the target",
            words=dropped_qualifiers(fact.value.type, fact.target),
        )


def _is_unqualified(fact: Conversion, target: Space, dialect: Dialect) -> bool:
    """Whether `target` may be the default address space of an unqualified pointee.

    In a dialect with the generic address space, True only for a parameter with a generic pointee; in any
    other dialect, for every private pointee.
    """
    if dialect.generic:
        return target is Space.GENERIC and fact.context is ConversionKind.ARGUMENT
    return target is Space.PRIVATE


def _copies(fact: Conversion, source: Space, target: Space, dialect: Dialect) -> Iterator[Fix]:
    """Yields fixes that copy or overload the called function for pointers into the argument's space."""
    if fact.target_origin is None or not fact.callee or source is Space.GENERIC:
        return
    copied, overloaded = (
        CopyFunctionForCall(fact.callee, fact.value.place, overloads) for overloads in (False, True)
    )
    preferred = _is_unqualified(fact, target, dialect)
    yield Fix(f"Copy `{fact.callee}` and call the copy", (copied,), preferred)
    yield Fix(f"Add overloads of `{fact.callee}`", (overloaded,))


def _cast_type(fact: Conversion, space: Space) -> Type:
    """Returns the type to which the fix casts the value.

    If the types differ only in space and qualifiers, this is the target type with the value's qualifiers
    added. Otherwise it is the value's type with its pointee in `space`: a cast to the target type would hide
    the other differences from the compiler.
    """
    source, target = decayed(fact.value.type), decayed(fact.target)
    if not isinstance(source, Pointer) or not isinstance(target, Pointer):
        return target
    if find_mismatches(fact).isdisjoint((NESTED, DEPTH, ELEMENT)):
        return with_source_qualifiers(source, target)
    return pointer_to(source.pointee.with_space(space))


RULES = (
    Rule(
        "pointer-conversion",
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
