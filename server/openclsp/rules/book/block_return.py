"""Block literals without a declared result type that return values of different types (OpenCL C 6.14)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.calls import BlockLiteral
from openclsp.semantics.types import compatibility
from openclsp.semantics.types.compatibility import Compatibility
from openclsp.semantics.types.type_model import Pointer, Type, spell
from openclsp.semantics.types.type_structure import is_unknown

CODE = "block-return"


def check(fact: BlockLiteral, dialect: Dialect) -> Iterator[Finding]:
    """Reports a `return` whose type differs from that of the block's first `return`."""
    if not fact.returned:
        return
    first = fact.returned[0][0]
    for type_, place in fact.returned[1:]:
        same = compatibility.types(first, type_) is Compatibility.SAME
        if not same or not _have_same_qualifiers(first, type_):
            message = f"this block returns `{spell(type_)}` here but `{spell(first)}` before: declare its result type"
            yield Finding(CODE, Severity.ERROR, message, place)


def _have_same_qualifiers(a: Type, b: Type) -> bool:
    """Whether the pointees of two pointers have the same qualifiers at each level, as far as these are known."""
    while isinstance(a, Pointer) and isinstance(b, Pointer):
        a, b = a.pointee, b.pointee
        if is_unknown(a) or is_unknown(b) or Space.UNKNOWN in (a.space, b.space):
            return True
        if a.qualifiers != b.qualifiers:
            return False
    return True


RULES = (Rule(CODE, BlockLiteral, check),)
