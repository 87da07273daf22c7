"""`generic` as a qualifier (OpenCL C 6.7: reserved for future use; clang accepts it if the space exists)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import create_token_removal_fix, suggest_newer_versions
from openclsp.semantics.facts.constructs import Construct, ConstructKind

CODE = "generic-qualifier"


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Reports `generic`: as information if the dialect has a generic address space, otherwise as an error."""
    if fact.kind is not ConstructKind.GENERIC_QUALIFIER:
        return
    word = fact.detail or "generic"
    removal = create_token_removal_fix(fact.place, f"Remove `{word}`")
    if dialect.generic:
        message = (
            f"`{word}` is a reserved word, not a qualifier of OpenCL C, although clang accepts it: "
            "a pointee without a qualifier is generic"
        )
        yield Finding(CODE, Severity.INFORMATION, message, fact.place, fixes=(removal,))
    else:
        message = f"`{word}` is a reserved word, and {dialect.title.split(' without')[0]}"
        message += (
            " has no generic address space"
            if dialect.version < 300
            else (" has a generic address space only with the feature `__opencl_c_generic_address_space`")
        )
        fixes = (*suggest_newer_versions(dialect, lambda newer: newer.generic), removal)
        yield Finding(CODE, Severity.ERROR, message, fact.place, fixes=fixes)


RULES = (Rule(CODE, Construct, check),)
