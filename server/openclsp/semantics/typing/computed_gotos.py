"""GNU's computed `goto` and addresses of labels, which OpenCL C does not have (C99 6.8.6.1)."""

from __future__ import annotations

from typing import Final

from openclsp.semantics.facts.constructs import Construct, ConstructKind
from openclsp.semantics.facts.entities import place_of
from openclsp.semantics.facts.values import Value
from openclsp.semantics.typing.dispatch import expression, unknown_value, value_of
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import FIELDS, kind
from openclsp.source.unparsed_extensions import COMPUTED_GOTO_MARK

_LABEL = FIELDS["label"]
_PARENTHESES, _LABEL_ADDRESS = kind("parenthesized_expression"), kind("label_address_expression")
_MARK: Final = [COMPUTED_GOTO_MARK[each : each + 1] for each in range(len(COMPUTED_GOTO_MARK))]


def is_computed_goto(ctx: TypingContext, node: int) -> bool:
    """Whether a unary expression replaces a computed `goto`; see `blank_unparsed_extensions`."""
    first = ctx.table.first[node]
    return ctx.table.tokens[first : first + len(_MARK)] == _MARK


def type_computed_goto(ctx: TypingContext, node: int) -> Value:
    """Types the operand of a computed `goto`, and emits the fact about the jump."""
    table = ctx.table
    first = table.first[node]
    jump = place_of(first, first + len(_MARK))
    target = node + len(_MARK)
    while table.kind[target] == _PARENTHESES:
        target += 1
    if table.kind[target] != _LABEL_ADDRESS:
        value_of(ctx, target)
    ctx.emit(Construct(ConstructKind.COMPUTED_GOTO, jump))
    return unknown_value(ctx, node)


@expression("label_address_expression")
def _type_label_address(ctx: TypingContext, node: int) -> Value:
    label = ctx.table.child(node, _LABEL)
    name = ctx.table.text(label) if label >= 0 else ""
    ctx.emit(Construct(ConstructKind.LABEL_ADDRESS, ctx.place(node), name))
    return unknown_value(ctx, node)
