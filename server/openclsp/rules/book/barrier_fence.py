"""A barrier or fence for memory that no code has accessed since the last fence (OpenCL C 6.15.8)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.calls import BarrierFence

CODE = "barrier-fence"


def check(fact: BarrierFence, dialect: Dialect) -> Iterator[Finding]:
    """Reports a fence if its flags name none of the memory that was accessed since the last fence."""
    other = fact.seen - fact.fenced
    if not fact.fenced or fact.fenced & fact.may or not other or not fact.followed:
        return
    named, written = _words(fact.fenced), fact.written & other
    yield Finding(
        CODE,
        Severity.WARNING if written else Severity.INFORMATION,
        f"`{fact.name}` fences {named} memory, but no {named} memory has been accessed since it was last fenced; "
        f"{_words(written or other)} memory has been {'written' if written else 'read'}, which the fence does not order",
        fact.place,
    )


def _words(memory: frozenset[str]) -> str:
    return " and ".join(sorted(memory))


RULES = (Rule(CODE, BarrierFence, check),)
