"""Two labels of one `switch` with the same value, or two `default` labels (C99 6.8.4.2p3)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.faults import InvalidStatement, StatementFault

CODE = "duplicate-case"


def _check(fact: InvalidStatement, dialect: Dialect) -> Iterator[Finding]:
    if fact.fault is StatementFault.REPEATED_DEFAULT:
        yield Finding(CODE, Severity.ERROR, "the `switch` has another `default`", fact.place)
    elif fact.fault is StatementFault.REPEATED_CASE:
        message = f"the `switch` has another `case` with the value of `{fact.word}`"
        yield Finding(CODE, Severity.ERROR, message, fact.place)


RULES = (Rule(CODE, InvalidStatement, _check),)
