"""A generic pointer is used that no object has reached (OpenCL C 6.7.5; C99 6.5.3.2p4)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.reaching import EmptyUse

CODE = "empty-pointer"


def check(fact: EmptyUse, dialect: Dialect) -> Iterator[Finding]:
    """On no way to here has it been given the address of an object."""
    why = "nothing but null reaches it" if fact.null else "no way leads here on which it was given an object"
    what = f"passed to `{fact.callee}`" if fact.callee else "dereferenced"
    yield Finding(CODE, Severity.WARNING, f"a generic pointer is {what} that holds none: {why}", fact.place)


RULES = (Rule(CODE, EmptyUse, check),)
