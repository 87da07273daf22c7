"""Assignments to variables that a block captures: it captures them as constant copies (OpenCL C 6.14)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, RelatedDeclaration, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import Construct, ConstructKind
from openclsp.semantics.facts.expressions import Access, AccessKind

CODE = "block-capture"


def of_access(fact: Access, dialect: Dialect) -> Iterator[Finding]:
    """Reports a write to a captured variable or to a part of it."""
    value = fact.value
    if fact.kind is not AccessKind.WRITE or not value.captured:
        return
    origin, name = value.space_source(0) if value.held is not None else (value.origin, value.name)
    what = f"`{name}`" if name else "this object"
    message = f"cannot write to {what} in this block: the block has a constant copy of it"
    related = () if origin is None else (RelatedDeclaration(origin, f"{what} is declared outside the block"),)
    yield Finding(CODE, Severity.ERROR, message, value.place, related)


def of_construct(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Reports a captured variable whose address is taken, and a captured block."""
    if fact.kind is ConstructKind.ADDRESS_OF_CAPTURE:
        message = f"cannot take the address of `{fact.detail}` in this block: the block has a copy of it"
        yield Finding(CODE, Severity.ERROR, message, fact.place)
    elif fact.kind is ConstructKind.CAPTURED_BLOCK:
        message = f"cannot use block `{fact.detail}` in another block: blocks cannot capture blocks"
        yield Finding(CODE, Severity.ERROR, message, fact.place)


RULES = (
    Rule(
        CODE,
        Access,
        of_access,
        reads=(
            "kind",
            "value.captured",
        ),
    ),
    Rule(CODE, Construct, of_construct),
)
