"""Address spaces on function types, which have none (OpenCL C 6.7)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import create_token_removal_fix
from openclsp.semantics.facts.constructs import Construct, ConstructKind

CODE = "function-type-space"


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Reports an address space qualifier on a typedef of a function type."""
    if fact.kind is not ConstructKind.FUNCTION_TYPE_SPACE:
        return
    word = fact.space.word if fact.space is not None else "an address space"
    yield Finding(
        CODE,
        Severity.ERROR,
        f"a function cannot be in {word}: address spaces apply to objects only",
        fact.place,
        fixes=(create_token_removal_fix(fact.place, f"Remove `{word}`"),) if fact.space is not None else (),
    )


RULES = (Rule(CODE, Construct, check),)
