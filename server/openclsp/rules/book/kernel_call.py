"""A call of a kernel that has variables in local memory (OpenCL C 6.6, note)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, RelatedDeclaration, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.calls import KernelCall

CODE = "kernel-call"


def check(fact: KernelCall, dialect: Dialect) -> Iterator[Finding]:
    """Reports a call of a kernel that has variables in local memory.

    A kernel's variables in local memory are allocated for a work-group that the host starts.
    """
    names = f"`{fact.variables[0]}`" + (" and others" if len(fact.variables) > 1 else "")
    name = fact.callee
    yield Finding(
        CODE,
        Severity.WARNING,
        f"call to the kernel `{name}`, which declares {names} in local memory: the behaviour is implementation-defined",
        fact.place,
        related=(RelatedDeclaration(fact.origin, f"`{name}` is defined here"),),
    )


RULES = (Rule(CODE, KernelCall, check),)
