"""Block literals without a declared result type that return values of different types (OpenCL C 6.14)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.calls import BlockLiteral
from openclsp.semantics.types import compatibility
from openclsp.semantics.types.compatibility import Compatibility
from openclsp.semantics.types.type_model import spell

CODE = "block-return"


def check(fact: BlockLiteral, dialect: Dialect) -> Iterator[Finding]:
    """Reports a `return` whose type differs from that of the block's first `return`."""
    if not fact.returned:
        return
    first = fact.returned[0][0]
    for type_, place in fact.returned[1:]:
        if compatibility.types(first, type_) is not Compatibility.SAME:
            message = f"this block returns `{spell(type_)}` here but `{spell(first)}` before: declare its result type"
            yield Finding(CODE, Severity.ERROR, message, place)


RULES = (Rule(CODE, BlockLiteral, check),)
