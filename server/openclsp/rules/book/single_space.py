"""A generic pointer that can point only to objects in one address space (OpenCL C 6.7.5)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Fix, SetSpace, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.points_to import ReachedDeclaration

CODE = "single-space"


def check(fact: ReachedDeclaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports a generic pointer that can point into one space only, unless this space is private.

    If the declaration names the space, the code is also valid in dialects without a generic address space. It
    does not become faster.
    """
    if len(fact.reaching.spaces) != 1:
        return
    (space,) = fact.reaching.spaces
    if space is Space.PRIVATE:
        # A parameter such as `int *result` returns a value; without generic pointers it points into private anyway.
        return
    who = f"parameter `{fact.name}` of `{fact.function}`" if fact.parameter else f"`{fact.name}`"
    yield Finding(
        CODE,
        Severity.HINT,
        f"only {space.word} objects reach {who}: with a `{space.word}` pointee it also works without the generic address "
        "space",
        fact.place,
        fixes=(
            Fix(f"Declare the pointee of `{fact.name}` as `{space.word}`", (SetSpace(fact.origin, space),)),
        ),
    )


RULES = (Rule(CODE, ReachedDeclaration, check),)
