"""A call of a kernel that has variables in local memory (OpenCL C 6.6, note)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Related, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.calls import KernelCall

CODE = "kernel-call"


def check(fact: KernelCall, dialect: Dialect) -> Iterator[Finding]:
    """The variables belong to the work-group that the host started the kernel with."""
    several = len(fact.variables) > 1
    names = f"`{fact.variables[0]}`" + (" and others" if several else "")
    name = fact.callee
    yield Finding(
        CODE,
        Severity.WARNING,
        f"`{name}` is a kernel with {'variables' if several else 'a variable'} in local memory, {names}: what a call of "
        "it from another function does is implementation-defined",
        fact.place,
        related=(Related(fact.origin, f"`{name}` is defined here"),),
    )


RULES = (Rule(CODE, KernelCall, check),)
