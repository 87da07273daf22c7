"""Conversions between incompatible types other than pointers (C99 6.5.16.1, 6.5.4; OpenCL C 6.4)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.pointer_wording import describe_failed_conversion
from openclsp.semantics.facts.expressions import Conversion, ConversionKind
from openclsp.semantics.facts.faults import ArrayInitialiser
from openclsp.semantics.types import compatibility
from openclsp.semantics.types.compatibility import Compatibility
from openclsp.semantics.types.type_model import (
    Enum,
    Pointer,
    Record,
    Scalar,
    Type,
    Unknown,
    Vector,
    Void,
    spell,
)
from openclsp.semantics.types.type_structure import decayed

CODE = "incompatible-type"

_VALUES = (Scalar, Enum, Vector, Record, Void)


def check(fact: Conversion, dialect: Dialect) -> Iterator[Finding]:
    """Reports a conversion between types that do not convert to each other.

    Also reports the use of a `void` call's result, and a value that a `void` function returns. Other rules
    check pointers and opaque types.
    """
    source, target = decayed(fact.value.type), decayed(fact.target)
    if isinstance(target, Void):
        if fact.context is ConversionKind.RETURN and not isinstance(source, Void | Unknown):
            yield _finding(fact, f"{_name(fact)} returns `void`, so its `return` cannot have a value")
        return
    if isinstance(source, Vector) and isinstance(target, Pointer) and fact.context is ConversionKind.CAST:
        yield _finding(fact, f"{describe_failed_conversion(fact)}: a vector does not convert to a pointer")
    if not isinstance(source, _VALUES) or not isinstance(target, _VALUES):
        return
    reason = _reason(source, target, fact.context is ConversionKind.CAST)
    if reason is not None:
        yield _finding(fact, f"{describe_failed_conversion(fact)}: {reason}")


def _check_array(fact: ArrayInitialiser, dialect: Dialect) -> Iterator[Finding]:
    message = (
        f"`{spell(fact.given)}` cannot initialise the array `{spell(fact.type, fact.name)}`: "
        "the initialiser of an array is a list in braces"
    )
    yield Finding(CODE, Severity.ERROR, message, fact.place)


def _finding(fact: Conversion, message: str) -> Finding:
    return Finding(CODE, Severity.ERROR, message, fact.place)


def _name(fact: Conversion) -> str:
    return f"`{fact.target_name}`" if fact.target_name else "the function"


def _reason(source: Type, target: Type, cast: bool) -> str | None:
    if isinstance(source, Void):
        return "the call has no value"
    if isinstance(source, Scalar | Enum) and isinstance(target, Scalar | Enum | Vector):
        return None
    if compatibility.types(source, target) is not Compatibility.DIFFERENT:
        return None
    if isinstance(source, Record) or isinstance(target, Record):
        return "a struct or union cannot be cast" if cast else "the types are different"
    if isinstance(target, Vector):
        return f"vectors convert only by a function such as `convert_{spell(target)}`"
    return "a vector does not convert to a scalar"


RULES = (
    Rule(CODE, ArrayInitialiser, _check_array),
    Rule(
        CODE,
        Conversion,
        check,
        reads=(
            "context",
            "target",
            "value.type",
        ),
    ),
)
