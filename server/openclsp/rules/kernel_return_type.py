"""A kernel that returns something (OpenCL C 6.11.j)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts import FunctionDeclaration
from openclsp.semantics.types import Void, is_unknown, spell

CODE = "kernel-return-type"


def check(fact: FunctionDeclaration, dialect: Dialect) -> Iterator[Finding]:
    """There is nobody to return to."""
    if fact.kernel and not isinstance(fact.result, Void) and not is_unknown(fact.result):
        returned = spell(fact.result.with_space(None))
        message = f"kernel `{fact.entity.name}` must return void, not `{returned}`"
        yield Finding(CODE, Severity.ERROR, message, fact.entity.place)


RULES = (Rule(CODE, FunctionDeclaration, check),)
