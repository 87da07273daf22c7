"""A `break`, `continue`, `case` or `default` outside of a loop or `switch` (C99 6.8.1, 6.8.6)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.faults import InvalidStatement, StatementFault

CODE = "misplaced-statement"


def _check(fact: InvalidStatement, dialect: Dialect) -> Iterator[Finding]:
    if fact.fault is StatementFault.OUTSIDE_LOOP:
        around = "a loop or `switch`" if fact.word == "break" else "a loop"
    elif fact.fault is StatementFault.OUTSIDE_SWITCH:
        around = "a `switch`"
    else:
        return
    yield Finding(CODE, Severity.ERROR, f"`{fact.word}` is outside of {around}", fact.place)


RULES = (Rule(CODE, InvalidStatement, _check),)
