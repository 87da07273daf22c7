"""The attribute `endian` on wrong declarations, and in conversions (OpenCL C 6.13.3; clang ignores it)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, RelatedDeclaration, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.pointer_wording import pointee_space
from openclsp.semantics.facts.constructs import Construct, ConstructKind
from openclsp.semantics.facts.expressions import EndianConversion
from openclsp.semantics.types.type_model import Pointer
from openclsp.semantics.types.type_structure import is_unknown

CODE = "endian-attribute"

_ALLOWED = (Space.GLOBAL, Space.CONSTANT, Space.UNKNOWN)


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Reports the attribute `endian` on anything but a pointer into memory that the host can access."""
    entity = fact.entity
    if fact.kind is not ConstructKind.ENDIAN or entity is None or is_unknown(entity.type):
        return
    space = pointee_space(entity.type)
    if isinstance(entity.type, Pointer):
        if space is None or space in _ALLOWED:
            return
        why = f"`{entity.name}` points into {space.word}"
    else:
        why = f"`{entity.name}` is not a pointer"
    yield Finding(
        CODE,
        Severity.WARNING,
        f"the attribute `endian` applies only to pointers into global and constant memory: {why}",
        fact.place,
    )


def check_conversion(fact: EndianConversion, dialect: Dialect) -> Iterator[Finding]:
    """Reports a conversion between pointers to data in different byte orders."""
    yield Finding(
        CODE,
        Severity.WARNING,
        f"`{fact.name}` points to data in the {fact.order}'s byte order, but is converted to a pointer to data in the "
        f"{fact.target_order}'s",
        fact.place,
        related=(
            RelatedDeclaration(
                fact.target, f"this pointer's data is in the {fact.target_order}'s byte order"
            ),
        ),
    )


RULES = (Rule(CODE, Construct, check), Rule(CODE, EndianConversion, check_conversion))
