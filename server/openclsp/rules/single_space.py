"""A generic pointer that objects of one space alone reach (OpenCL C 6.7.5)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Fix, SetSpace, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.reaching import ReachedDeclaration

CODE = "single-space"


def check(fact: ReachedDeclaration, dialect: Dialect) -> Iterator[Finding]:
    """Declared so, it needs no generic address space. It is not faster where the compiler infers the space."""
    if len(fact.reaching.spaces) != 1:
        return
    (space,) = fact.reaching.spaces
    if space is Space.PRIVATE:
        # `int *result` is how C says it, and is private anyway where there are no generic pointers
        return
    who = f"parameter `{fact.name}` of `{fact.function}`" if fact.parameter else f"`{fact.name}`"
    yield Finding(
        CODE,
        Severity.HINT,
        f"only {space.word} objects reach {who}: declared `{space.word}`, it is portable to where there is no generic "
        "address space",
        fact.place,
        fixes=(Fix(f"Declare what `{fact.name}` points to `{space.word}`", (SetSpace(fact.origin, space),)),),
    )


RULES = (Rule(CODE, ReachedDeclaration, check),)
