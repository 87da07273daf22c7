"""`as_type` between types of different size, or with a pointer (OpenCL C 6.4.4.2)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.expressions import Reinterpretation
from openclsp.semantics.types.sizes import layout_of
from openclsp.semantics.types.type_model import (
    Opaque,
    Pointer,
    Type,
    spell,
)

CODE = "reinterpretation"


def check(fact: Reinterpretation, dialect: Dialect) -> Iterator[Finding]:
    """Reports `as_type` between types of different size as an error.

    Between types of equal size, reports it as a warning if one is a pointer; compilers accept this.
    """
    source, target = fact.value.type, fact.target
    sizes = _size(source, dialect), _size(target, dialect)
    if None in sizes:
        return
    given, wanted = f"`{spell(source.unqualified)}`", f"`{spell(target.unqualified)}`"
    if sizes[0] != sizes[1]:
        message = f"{given} cannot be reinterpreted as {wanted}: it has {sizes[0]} bytes, and {wanted} has {sizes[1]}"
        yield Finding(CODE, Severity.ERROR, message, fact.place)
    elif isinstance(source, Pointer) or isinstance(target, Pointer):
        message = f"{given} is reinterpreted as {wanted}: `as_type` is defined only for numbers, and pointers differ in size between devices"
        yield Finding(CODE, Severity.WARNING, message, fact.place)


def _size(type_: Type, dialect: Dialect) -> int | None:
    layout = layout_of(type_, lambda record: None, dialect.address_bits)
    return None if layout is None or isinstance(type_, Opaque) else layout.size


RULES = (Rule(CODE, Reinterpretation, check),)
