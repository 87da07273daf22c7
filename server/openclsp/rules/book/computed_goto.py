"""GNU's computed `goto`, and the addresses of labels (C99 6.8.6.1)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import Construct, ConstructKind

CODE = "computed-goto"


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Reports a jump to an address, and the address of a label if no pointer can hold it."""
    if fact.kind is ConstructKind.COMPUTED_GOTO:
        message = "`goto` requires the name of a label: OpenCL C has no jump to an address"
        yield Finding(CODE, Severity.ERROR, message, fact.place)
    elif fact.kind is ConstructKind.LABEL_ADDRESS and not dialect.generic:
        message = f"the label `{fact.detail}` has no address: OpenCL C has no jump to an address"
        yield Finding(CODE, Severity.ERROR, message, fact.place)


RULES = (Rule(CODE, Construct, check),)
