"""An expression that assumes equal sizes of pointers into different address spaces (OpenCL C 6.7, note)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.expressions import SizeOperation
from openclsp.semantics.types.type_model import Pointer, spell

CODE = "pointer-size"


def check(fact: SizeOperation, dialect: Dialect) -> Iterator[Finding]:
    """Reports an operator on the sizes of pointers into different spaces: `sizeof(p) == sizeof(q)`."""
    if not isinstance(fact.left, Pointer) or not isinstance(fact.right, Pointer):
        return
    left, right = fact.left.pointee.space, fact.right.pointee.space
    if left is right or left is None or right is None or Space.UNKNOWN in (left, right):
        return
    yield Finding(
        CODE,
        Severity.INFORMATION,
        f"`{spell(fact.left.unqualified)}` and `{spell(fact.right.unqualified)}` can differ in size: they point into "
        "different spaces",
        fact.place,
    )


RULES = (Rule(CODE, SizeOperation, check),)
