"""A name that nothing declares: a slip of the pen where a known name is near, else something that the host supplies."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Fix, ReplaceLeaves, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import UnknownName

CODE = "unknown-name"


def _check(fact: UnknownName, dialect: Dialect) -> Iterator[Finding]:
    if not fact.near:
        message = f"`{fact.name}` is not defined in this file or its includes; passed by the host?"
        yield Finding(CODE, Severity.HINT, message, fact.place)
        return
    suggested = " or ".join(f"`{name}`" for name in fact.near)
    message = f"unknown {fact.role.value} `{fact.name}`; did you mean {suggested}?"
    fixes = tuple(
        Fix(f"Write `{name}`", (ReplaceLeaves(fact.place, name),), preferred=len(fact.near) == 1)
        for name in fact.near
    )
    yield Finding(CODE, Severity.ERROR, message, fact.place, fixes=fixes)


RULES = (Rule(CODE, UnknownName, _check),)
