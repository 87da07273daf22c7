"""A union of pointers into disjoint spaces (OpenCL C 6.7; C99 6.5.2.3)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import overlaps
from openclsp.rules.finding import Finding, Related, Severity
from openclsp.rules.pointers import pointee_space, points_into
from openclsp.rules.rule import Rule
from openclsp.semantics.entities import Origin
from openclsp.semantics.facts.declarations import UnionMembers

CODE = "union-punning"


def check(fact: UnionMembers, dialect: Dialect) -> Iterator[Finding]:
    """Reports the first member whose space is disjoint from that of the first pointer."""
    first = fact.pointers[0]
    space = pointee_space(first.type)
    for other in fact.pointers[1:]:
        theirs = pointee_space(other.type)
        if space is None or theirs is None or overlaps(space, theirs):
            continue
        yield Finding(
            CODE,
            Severity.INFORMATION,
            f"`{first.name}` points into {space.word} and `{other.name}` into {theirs.word}: a pointer stored as one "
            "must not be read as the other",
            other.place,
            related=(Related(Origin(first.ref, 1), points_into(first.name, space, "the first member")),),
        )
        return


RULES = (Rule(CODE, UnionMembers, check),)
