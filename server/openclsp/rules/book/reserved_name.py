"""A qualifier used as a name (OpenCL C 6.1.9 and 6.7)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.keywords import ACCESS_QUALIFIERS, KERNEL_QUALIFIERS
from openclsp.language.spaces import QUALIFIERS, Space
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import Construct, ConstructKind

CODE = "reserved-name"


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Reports a qualifier used as a name.

    These words are keywords in every dialect, except `pipe`, which is a keyword from OpenCL C 2.0 on.
    """
    if fact.kind is ConstructKind.RESERVED_NAME:
        yield Finding(CODE, Severity.ERROR, _message(fact.detail), fact.place)
    elif fact.kind is ConstructKind.RESERVED_NAME_ALONE:
        lacks_generic = QUALIFIERS.get(fact.detail) is Space.GENERIC and not dialect.generic
        severity = Severity.ERROR if lacks_generic else Severity.WARNING
        yield Finding(CODE, severity, f"{_message(fact.detail)}: the declaration has no name", fact.place)


def _message(word: str) -> str:
    if word == "pipe":
        why = "a keyword from OpenCL C 2.0 on"
    elif word in KERNEL_QUALIFIERS:
        why = "reserved for kernel functions"
    elif word in ACCESS_QUALIFIERS:
        why = "reserved for the access to images and pipes"
    else:
        why = "reserved for an address space"
    return f"`{word}` is {why} and cannot be a name"


RULES = (Rule(CODE, Construct, check),)
