"""An address space from a clang attribute, which is not part of OpenCL C."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import Construct, ConstructKind

CODE = "vendor-space"


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Reports an address space that a clang attribute specifies; clang accepts it in every version."""
    if fact.kind is not ConstructKind.VENDOR_SPACE or fact.space is None:
        return
    if fact.space.is_vendor_extension:
        message = f"the address space {fact.space.word} is not part of OpenCL C: only clang-based compilers support it"
    else:
        message = (
            f"`{fact.detail}` is clang's spelling of `{fact.space.word}`: other compilers may not support it"
        )
    yield Finding(CODE, Severity.INFORMATION, message, fact.place)


RULES = (Rule(CODE, Construct, check),)
