"""Access qualifiers on types that take none, or that contradict each other (OpenCL C 6.8)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import create_token_removal_fix
from openclsp.semantics.facts.constructs import Construct, ConstructKind

CODE = "access-qualifier"


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Reports an access qualifier that is misplaced, contradicts another, or is `read_write` on a pipe."""
    if fact.kind is ConstructKind.ACCESS_QUALIFIER:
        message = f"`{fact.detail}` cannot have an access qualifier: only images and pipes have one"
    elif fact.kind is ConstructKind.ACCESS_CONFLICT:
        message = f"conflicting access qualifiers: the type is already `{fact.detail}`"
    elif fact.kind is ConstructKind.ACCESS_PIPE:
        message = f"`{fact.detail}` cannot be read_write: a pipe is either read or written"
    else:
        return
    fix = create_token_removal_fix(fact.place, "Remove the access qualifier")
    yield Finding(CODE, Severity.ERROR, message, fact.place, fixes=(fix,))


RULES = (Rule(CODE, Construct, check),)
