"""`read_only`, `write_only` and `read_write` where they mean nothing, or contradict each other (OpenCL C 6.8)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.qualifiers import word_removal
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import Construct, ConstructKind

CODE = "access-qualifier"


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """They belong to images and pipes."""
    if fact.kind is ConstructKind.ACCESS_QUALIFIER:
        message = f"an access qualifier belongs to images and pipes, not to `{fact.detail}`"
    elif fact.kind is ConstructKind.ACCESS_CONFLICT:
        message = f"this contradicts the access qualifier before it: the type is `{fact.detail}` already"
    elif fact.kind is ConstructKind.ACCESS_PIPE:
        message = f"a pipe is either read or written: `{fact.detail}` cannot be read_write"
    else:
        return
    fix = word_removal(fact.place, "Remove the access qualifier")
    yield Finding(CODE, Severity.ERROR, message, fact.place, fixes=(fix,))


RULES = (Rule(CODE, Construct, check),)
