"""Blocks in a dialect without device enqueue (OpenCL C 6.14)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import suggest_newer_versions
from openclsp.semantics.facts.constructs import Construct, ConstructKind

CODE = "block-unavailable"


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Reports block types and block literals."""
    if fact.kind is not ConstructKind.BLOCK or dialect.blocks:
        return
    needs = "OpenCL C 2.0" if dialect.version < 200 else "the feature `__opencl_c_device_enqueue`"
    fixes = tuple(suggest_newer_versions(dialect, lambda newer: newer.blocks))
    message = f"{dialect.title} has no blocks: they need {needs}"
    yield Finding(CODE, Severity.ERROR, message, fact.place, fixes=fixes)


RULES = (Rule(CODE, Construct, check),)
