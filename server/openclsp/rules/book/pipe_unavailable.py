"""A pipe in a dialect without pipes (OpenCL C 6.3.3)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import suggest_newer_versions
from openclsp.semantics.facts.constructs import Construct, ConstructKind

CODE = "pipe-unavailable"


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Reports the qualifier `pipe` in a dialect without pipes."""
    if fact.kind is not ConstructKind.PIPE or dialect.pipes:
        return
    needs = "OpenCL C 2.0" if dialect.version < 200 else "the feature `__opencl_c_pipes`"
    fixes = tuple(suggest_newer_versions(dialect, lambda newer: newer.pipes))
    message = f"{dialect.title} has no pipes: they require {needs}"
    yield Finding(CODE, Severity.ERROR, message, fact.place, fixes=fixes)


RULES = (Rule(CODE, Construct, check),)
