"""Conversions between blocks and other types, or between different block types (OpenCL C 6.14)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.pointer_wording import describe_failed_conversion
from openclsp.semantics.facts.expressions import Conversion, ConversionKind
from openclsp.semantics.types import compatibility
from openclsp.semantics.types.compatibility import Compatibility
from openclsp.semantics.types.type_model import (
    BlockPointer,
    Enum,
    Function,
    Opaque,
    Pointer,
    Record,
    Scalar,
    Type,
    Vector,
    Void,
)
from openclsp.semantics.types.type_structure import decayed, is_unknown

CODE = "block-conversion"

_OTHERS = (Scalar, Enum, Vector, Pointer, Record, Opaque)


def check(fact: Conversion, dialect: Dialect) -> Iterator[Finding]:
    """Reports an implicit conversion between a block and another type, or between different block types.

    A null pointer constant may be converted to a block. A block and a `void *` may be converted to each other.
    """
    source, target = decayed(fact.value.type), decayed(fact.target)
    if fact.context is ConversionKind.CAST or isinstance(source, BlockPointer) == isinstance(
        target, BlockPointer
    ):
        if isinstance(source, BlockPointer) and isinstance(target, BlockPointer):
            yield from _between(fact, source, target)
        return
    other = target if isinstance(source, BlockPointer) else source
    if not isinstance(other, _OTHERS) or is_unknown(other):
        return
    if isinstance(target, BlockPointer) and fact.value.null:
        return
    if isinstance(other, Pointer) and isinstance(other.pointee, Void):
        # the specification does not mention it, and clang accepts it for every space
        return
    yield Finding(
        CODE,
        Severity.ERROR,
        f"{describe_failed_conversion(fact)}: blocks do not convert to or from other types",
        fact.place,
    )


def _between(fact: Conversion, source: BlockPointer, target: BlockPointer) -> Iterator[Finding]:
    if fact.context is not ConversionKind.CAST and not _agree(source.function, target.function):
        message = f"{describe_failed_conversion(fact)}: their parameter and result types must be equal"
        yield Finding(CODE, Severity.ERROR, message, fact.place)


def _agree(a: Type, b: Type) -> bool:
    if not isinstance(a, Function) or not isinstance(b, Function):
        return True
    if len(a.parameters) != len(b.parameters) or a.variadic != b.variadic:
        return False
    pairs = ((a.result, b.result), *zip(a.parameters, b.parameters, strict=True))
    return all(compatibility.types(one, other) is Compatibility.SAME for one, other in pairs)


RULES = (
    Rule(
        CODE,
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
