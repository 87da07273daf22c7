"""Operators on blocks, which can only be called, copied and passed to built-in functions (OpenCL C 6.14.2)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.expressions import Application
from openclsp.semantics.types.type_model import BlockPointer, spell

CODE = "block-operator"

_CONDITIONS = ("if", "while", "for", "do", "?")


def check(fact: Application, dialect: Dialect) -> Iterator[Finding]:
    """Reports an operator with a block as an operand.

    Conditions accept a block as they accept a pointer. Other rules check casts.
    """
    if fact.operator == "?:" and any(operand.of_block for operand in fact.operands):
        message = "the operands of `?:` cannot be blocks, and clang rejects calls of blocks too"
        yield Finding(CODE, Severity.ERROR, message, fact.place)
        return
    blocks = [operand for operand in fact.operands if isinstance(operand.type, BlockPointer)]
    if not blocks or fact.operator in (*_CONDITIONS, "cast"):
        return
    first = blocks[0]
    who = f"the block `{spell(first.type.unqualified, first.name)}`"
    if fact.operator == "?:":
        message = f"{who} cannot be selected by `?:`: the compiler must know which block is called"
    elif fact.operator == "=":
        message = f"{who} cannot be assigned: block variables are const"
    elif fact.operator == "[]":
        message = f"{who} cannot be used as an index"
    elif fact.operator == "switch":
        message = f"{who} cannot be the condition of a `switch`"
    else:
        message = f"the operator `{fact.operator}` cannot be applied to {who}: blocks can only be called"
    yield Finding(CODE, Severity.ERROR, message, fact.place)


RULES = (Rule(CODE, Application, check),)
