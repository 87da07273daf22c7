"""A `goto` to a label that the function does not define, or a repeated label (C99 6.8.1, 6.8.6.1)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.faults import InvalidStatement, StatementFault

CODE = "wrong-label"


def _check(fact: InvalidStatement, dialect: Dialect) -> Iterator[Finding]:
    if fact.fault is StatementFault.UNKNOWN_LABEL:
        message = f"the function has no label `{fact.word}`"
    elif fact.fault is StatementFault.REPEATED_LABEL:
        message = f"the label `{fact.word}` is defined twice in the function"
    else:
        return
    yield Finding(CODE, Severity.ERROR, message, fact.place)


RULES = (Rule(CODE, InvalidStatement, _check),)
