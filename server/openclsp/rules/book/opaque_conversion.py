"""A conversion from or to an opaque type (C99 6.5.16.1; OpenCL C 6.3.3)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import AddQualifier, Finding, Fix, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.pointer_wording import describe_failed_conversion
from openclsp.semantics.facts.expressions import Conversion, ConversionKind
from openclsp.semantics.facts.values import Constancy
from openclsp.semantics.types.type_model import Enum, Opaque, Pointer, Record, Scalar, Type, Vector
from openclsp.semantics.types.type_structure import decayed

_NUMBERS = (Scalar, Enum, Vector)
_PLAIN = (*_NUMBERS, Pointer, Record)
_SAMPLER_BYTES = 4
_FIXED = ("image", "sampler", "pipe")
_WANTED = {
    "sampler": "a sampler is made from its properties, a 32-bit integer",
    "event": "an event comes from a built-in function or is initialised with 0",
    "queue": "a queue comes from the host or from `get_default_queue`",
    "image": "an image comes from the host",
    "pipe": "a pipe comes from the host",
}


def check(fact: Conversion, dialect: Dialect) -> Iterator[Finding]:
    """Reports a conversion between an opaque type and a type that does not convert to or from it.

    `opaque-write` reports assignments to an image, sampler or pipe.
    """
    source, target = decayed(fact.value.type), decayed(fact.target)
    if fact.context is ConversionKind.CAST or not _clash(fact, source, target):
        return
    if fact.context is ConversionKind.ASSIGNMENT and isinstance(target, Opaque) and target.category in _FIXED:
        return
    if fact.context is ConversionKind.INITIALISATION and _is_misplaced(fact.target):
        return
    why = "opaque types do not convert"
    if isinstance(target, Opaque) and not isinstance(source, Opaque):
        why = _WANTED.get(target.category, "only built-in functions create a value of an opaque type")
    yield Finding(
        code="opaque-conversion",
        severity=Severity.ERROR,
        message=f"{describe_failed_conversion(fact)}: {why}",
        place=fact.place,
        fixes=tuple(_accessed(fact, source, target)),
    )


def _accessed(fact: Conversion, source: Type, target: Type) -> Iterator[Fix]:
    """Yields fixes that make the access qualifiers of an image or pipe and of its target equal.

    One fix declares the value with the target's qualifier. If the value is an argument, another fix declares
    the parameter with the value's qualifier.
    """
    if not isinstance(source, Opaque) or not isinstance(target, Opaque) or source.name != target.name:
        return
    value = fact.value
    if value.origin is not None and value.origin.level == 0 and value.name:
        change = AddQualifier(value.origin, _access(target))
        yield Fix(f"Declare `{value.name}` {_access(target)}", (change,))
    if fact.target_origin is not None and fact.context is ConversionKind.ARGUMENT:
        name = f"`{fact.target_name}`" if fact.target_name else f"{fact.argument + 1}"
        change = AddQualifier(fact.target_origin, _access(source))
        yield Fix(f"Declare parameter {name} of `{fact.callee}` {_access(source)}", (change,))


def _clash(fact: Conversion, source: Type, target: Type) -> bool:
    if isinstance(source, Opaque) and isinstance(target, Opaque):
        return source.name != target.name or _access(source) != _access(target)
    if isinstance(source, Opaque):
        # reading the number in an atomic object is reported by atomic-operator
        return isinstance(target, _PLAIN) and (
            source.category != "atomic" or not isinstance(target, _NUMBERS)
        )
    return isinstance(target, Opaque) and isinstance(source, _PLAIN) and not _accepts(fact, target, source)


def _is_misplaced(type_: Type) -> bool:
    """Whether `opaque-type-use` or `opaque-type-space` reports every variable of this type."""
    if not isinstance(type_, Opaque):
        return False
    if type_.category == "sampler":
        return type_.space in (Space.GLOBAL, Space.LOCAL)
    if type_.category in ("clk_event", "reserve_id"):
        # static variables may be in global
        return type_.space not in (Space.PRIVATE, Space.GLOBAL)
    return type_.category in ("image", "pipe") or (
        type_.category == "event" and type_.space is not Space.PRIVATE
    )


def _accepts(fact: Conversion, target: Opaque, source: Type) -> bool:
    """Whether a value of the type `source`, which is not opaque, converts to the opaque type `target`.

    A sampler accepts an integer that encodes its properties. Events, queues and motion estimation types
    accept zero. An atomic type accepts any value.
    """
    if target.category == "sampler":
        if (
            isinstance(source, Scalar)
            and fact.context is ConversionKind.INITIALISATION
            and source.size != _SAMPLER_BYTES
        ):
            # a variable is converted to 32 bits, a constant is not
            return not source.floating and fact.value.constancy is not Constancy.CONSTANT
        return isinstance(source, Enum) or (isinstance(source, Scalar) and not source.floating)
    if target.category == "event":
        return (
            fact.value.null and isinstance(source, Scalar) and fact.context is not ConversionKind.ASSIGNMENT
        )
    if target.category in ("queue", "motion_estimation"):
        return fact.value.null
    return target.category == "atomic"


def _access(type_: Opaque) -> str:
    """Returns the access qualifier of a type; `read_only` for an image or pipe without one (OpenCL C 6.8)."""
    return type_.access or ("read_only" if type_.category in ("image", "pipe") else "")


RULES = (
    Rule(
        "opaque-conversion",
        Conversion,
        check,
        reads=(
            "context",
            "target",
            "value.constancy",
            "value.null",
            "value.type",
        ),
    ),
)
