"""Bit-fields, which OpenCL C does not support (OpenCL C 6.11.c)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import DeclarationPart, Finding, Fix, RemoveDeclarationPart, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import Construct, ConstructKind

CODE = "bit-field"


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Reports a bit-field in every dialect."""
    if fact.kind is ConstructKind.BIT_FIELD:
        name = f"member `{fact.detail}`" if fact.detail else "the unnamed member"
        yield Finding(
            CODE,
            Severity.ERROR,
            f"{name} is a bit-field: OpenCL C does not support bit-fields",
            fact.place,
            fixes=tuple(_fixes(fact)),
        )


def _fixes(fact: Construct) -> Iterator[Fix]:
    """Yields the fix that removes the width of a named member.

    The fix is not preferred, because the member's range and the structure's size may grow.
    """
    if fact.entity is not None and fact.detail:
        yield Fix(
            f"Declare `{fact.detail}` without a width",
            (RemoveDeclarationPart(fact.entity.ref, DeclarationPart.WIDTH),),
        )


RULES = (Rule(CODE, Construct, check),)
