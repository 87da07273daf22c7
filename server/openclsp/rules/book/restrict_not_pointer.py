"""`restrict` on a type that is not a pointer (OpenCL C 6.8; C99 6.7.3p2)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import create_token_removal_fix
from openclsp.semantics.facts.constructs import Construct, ConstructKind

CODE = "restrict-not-pointer"


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Reports `restrict` on a type that is not a pointer, such as `int restrict *p`."""
    if fact.kind is ConstructKind.RESTRICT_NOT_POINTER:
        yield Finding(
            CODE,
            Severity.ERROR,
            "`restrict` can only qualify a pointer: write it to the right of the `*`",
            fact.place,
            fixes=(create_token_removal_fix(fact.place, "Remove `restrict`"),),
        )


RULES = (Rule(CODE, Construct, check),)
