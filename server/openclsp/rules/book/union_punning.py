"""A union of pointers into disjoint spaces (OpenCL C 6.7; C99 6.5.2.3)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import overlaps
from openclsp.rules.finding import Finding, RelatedDeclaration, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.pointer_wording import describe_pointee_space, pointee_space
from openclsp.semantics.facts.declarations import UnionMembers
from openclsp.semantics.facts.entities import Origin

CODE = "union-punning"


def check(fact: UnionMembers, dialect: Dialect) -> Iterator[Finding]:
    """Reports the first member that points into a space disjoint from that of the first pointer member."""
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
            related=(
                RelatedDeclaration(
                    Origin(first.ref, 1), describe_pointee_space(first.name, space, "the first member")
                ),
            ),
        )
        return


RULES = (Rule(CODE, UnionMembers, check),)
