"""A pragma that must precede a loop, but does not."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.faults import InvalidStatement, StatementFault

CODE = "loop-pragma"


def _check(fact: InvalidStatement, dialect: Dialect) -> Iterator[Finding]:
    if fact.fault is StatementFault.PRAGMA_WITHOUT_LOOP:
        message = f"`#pragma {fact.word}` has no effect here: no loop follows it, and clang rejects it"
        yield Finding(CODE, Severity.WARNING, message, fact.place)


RULES = (Rule(CODE, InvalidStatement, _check),)
