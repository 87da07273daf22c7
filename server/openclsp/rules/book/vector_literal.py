"""A vector literal with more or fewer elements than its type has (OpenCL C 6.3.3)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.faults import VectorElements
from openclsp.semantics.types.type_model import Vector, spell

CODE = "vector-literal"


def _check(fact: VectorElements, dialect: Dialect) -> Iterator[Finding]:
    count = fact.type.width if isinstance(fact.type, Vector) else 0
    message = f"`{spell(fact.type.unqualified)}` has {count} elements, but {fact.given} are given"
    yield Finding(CODE, Severity.ERROR, message, fact.place)


RULES = (Rule(CODE, VectorElements, _check),)
