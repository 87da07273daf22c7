"""A function whose generic parameter is passed pointers into several address spaces (OpenCL C 6.7.5)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import AddOverloads, Finding, Fix, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.points_to import ReachedDeclaration

CODE = "several-spaces"


def check(fact: ReachedDeclaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports a generic parameter for which calls pass pointers into several address spaces.

    On a GPU, accesses through such a parameter took up to 1.5 times as long as in overloads for each space
    (see the page).
    """
    spaces = fact.reaching.spaces
    if len(spaces) < 2 or not fact.parameter:
        return
    words = [space.word for space in spaces]
    yield Finding(
        CODE,
        Severity.HINT,
        f"{', '.join(words[:-1])} and {words[-1]} objects reach parameter `{fact.name}` of `{fact.function}`: each "
        "access determines its address space at run time; an overload for each space is faster",
        fact.place,
        fixes=(Fix(f"Add overloads of `{fact.function}`", (AddOverloads(fact.function),)),),
    )


RULES = (Rule(CODE, ReachedDeclaration, check),)
