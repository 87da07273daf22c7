"""An address space that an attribute gives: clang's own spellings and spaces (rules of clang, none of OpenCL C)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import Construct, ConstructKind

CODE = "vendor-space"


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Clang takes them in every version."""
    if fact.kind is not ConstructKind.VENDOR_SPACE or fact.space is None:
        return
    if fact.space.is_vendors:
        message = (
            f"the address space {fact.space.word} is no part of OpenCL C; compilers based on clang know it"
        )
    else:
        message = (
            f"`{fact.detail}` is clang's spelling of `{fact.space.word}`, and other compilers may not know it"
        )
    yield Finding(CODE, Severity.INFORMATION, message, fact.place)


RULES = (Rule(CODE, Construct, check),)
