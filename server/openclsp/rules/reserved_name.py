"""The name of an address space used as an identifier (OpenCL C 6.7)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import Construct, ConstructKind

CODE = "reserved-name"


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """The words are keywords in every dialect, `generic` as well."""
    if fact.kind is ConstructKind.RESERVED_NAME:
        why = "a keyword from OpenCL C 2.0 on" if fact.detail == "pipe" else "reserved for an address space"
        message = f"`{fact.detail}` is {why} and cannot be a name"
        yield Finding(CODE, Severity.ERROR, message, fact.place)


RULES = (Rule(CODE, Construct, check),)
