"""An operator on a block: a block can be called, copied and passed to built-in functions, and nothing else (6.14.2)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.expressions import Application
from openclsp.semantics.types import BlockPointer, spell

CODE = "block-operator"

_CONDITIONS = ("if", "while", "for", "do", "?")


def check(fact: Application, dialect: Dialect) -> Iterator[Finding]:
    """Conditions take a block as they take a pointer; casts have rules of their own."""
    if fact.operator == "?:" and any(operand.of_block for operand in fact.operands):
        message = "`?:` takes no block, and clang lets it take no call of one either"
        yield Finding(CODE, Severity.ERROR, message, fact.place)
        return
    blocks = [operand for operand in fact.operands if isinstance(operand.type, BlockPointer)]
    if not blocks or fact.operator in (*_CONDITIONS, "cast"):
        return
    first = blocks[0]
    who = f"the block `{spell(first.type.unqualified, first.name)}`"
    if fact.operator == "?:":
        message = (
            f"{who} cannot be chosen by `?:`: which block is called must be known before the program runs"
        )
    elif fact.operator == "=":
        message = f"{who} cannot be assigned: block variables are const"
    elif fact.operator == "[]":
        message = f"{who} is no index"
    elif fact.operator == "switch":
        message = f"{who} is nothing to switch on"
    else:
        message = f"the operator `{fact.operator}` takes no block: {who} can only be called"
    yield Finding(CODE, Severity.ERROR, message, fact.place)


RULES = (Rule(CODE, Application, check),)
