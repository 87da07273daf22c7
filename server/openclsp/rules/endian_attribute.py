"""The `endian` attribute where it means nothing, or is contradicted (OpenCL C 6.13.3; clang ignores it)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Related, Severity
from openclsp.rules.pointers import pointee_space
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import Construct, ConstructKind
from openclsp.semantics.facts.expressions import EndianConversion
from openclsp.semantics.types import Pointer, is_unknown

CODE = "endian-attribute"

_ALLOWED = (Space.GLOBAL, Space.CONSTANT, Space.UNKNOWN)


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Only what lies in memory that the host sees can be in the host's order."""
    entity = fact.entity
    if fact.kind is not ConstructKind.ENDIAN or entity is None or is_unknown(entity.type):
        return
    space = pointee_space(entity.type)
    if isinstance(entity.type, Pointer):
        if space is None or space in _ALLOWED:
            return
        why = f"`{entity.name}` points into {space.word}"
    else:
        why = f"`{entity.name}` is no pointer"
    yield Finding(
        CODE,
        Severity.WARNING,
        f"the attribute `endian` is for pointers into global and constant memory; {why}",
        fact.place,
    )


def check_conversion(fact: EndianConversion, dialect: Dialect) -> Iterator[Finding]:
    """A pointer that is used like another must be read like it."""
    yield Finding(
        CODE,
        Severity.WARNING,
        f"`{fact.name}` points to data in the {fact.order}'s byte order, and becomes a pointer to data in the "
        f"{fact.target_order}'s",
        fact.place,
        related=(Related(fact.target, f"this pointer's data is in the {fact.target_order}'s byte order"),),
    )


RULES = (Rule(CODE, Construct, check), Rule(CODE, EndianConversion, check_conversion))
