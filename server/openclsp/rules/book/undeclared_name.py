"""A use of a variable or function that nothing declares (C99 6.5.1)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.near_names import is_certain_misspelling
from openclsp.rules.finding import Finding, Fix, ReplaceTokens, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.faults import UndeclaredName

CODE = "undeclared-name"


def _check(fact: UndeclaredName, dialect: Dialect) -> Iterator[Finding]:
    if fact.later:
        message = f"`{fact.name}` is used before its declaration"
    elif fact.out_of_scope:
        message = f"`{fact.name}` is not declared here: its declaration is in another block, or follows"
    elif fact.near:
        suggested = " or ".join(f"`{name}`" for name in fact.near)
        message = f"`{fact.name}` is not declared; did you mean {suggested}?"
    else:
        message = f"`{fact.name}` is not declared"
    fixes = tuple(
        Fix(
            f"Change to `{name}`",
            (ReplaceTokens(fact.place, name),),
            preferred=len(fact.near) == 1 and is_certain_misspelling(fact.name, name),
        )
        for name in fact.near
    )
    yield Finding(CODE, Severity.ERROR, message, fact.place, fixes=fixes, name=fact.name)


RULES = (Rule(CODE, UndeclaredName, _check),)
