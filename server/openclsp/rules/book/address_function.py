"""Calls of `to_global`, `to_local` or `to_private` that always or never return null (OpenCL C 6.15.11)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.reaching_spaces import describe_reaching_spaces, related_source_declarations
from openclsp.semantics.facts.points_to import AddressSpaceTest

CODE = "address-function"


def check(fact: AddressSpaceTest, dialect: Dialect) -> Iterator[Finding]:
    """Reports a call if none or all of the possible pointees of its argument are in the requested space."""
    reaching, target = fact.reaching, fact.target
    if not reaching.spaces:
        return
    if target not in reaching.spaces:
        yield Finding(
            CODE,
            Severity.WARNING,
            f"`{fact.name}` always returns null here: only {describe_reaching_spaces(reaching)} objects reach the pointer",
            fact.place,
            related=related_source_declarations(reaching),
        )
    elif reaching.spaces == (target,) and not reaching.null and not fact.tested:
        # the last call of a chain of tests (`fact.tested`) has one possible result; the program needs its pointer
        yield Finding(
            CODE,
            Severity.INFORMATION,
            f"`{fact.name}` never returns null here: only {target.word} objects reach the pointer",
            fact.place,
            related=related_source_declarations(reaching),
        )


RULES = (Rule(CODE, AddressSpaceTest, check),)
