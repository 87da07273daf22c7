"""Which function types which kind of node: the expressions and type specifiers register themselves here.

The parts of the declared layer call each other in circles, as the grammar does (a cast holds a type, a type holds an
array bound, a bound is an expression); they meet in this table instead of importing one another.
"""

from __future__ import annotations

from collections.abc import Callable

from openclsp.semantics.context import Context
from openclsp.semantics.facts.values import Constancy, Value
from openclsp.semantics.known_types import HALF
from openclsp.semantics.levels import RawLevel
from openclsp.semantics.types import UNKNOWN, Type
from openclsp.source.tree import KIND_COUNT, kind, kind_name

ExpressionHandler = Callable[[Context, int], Value]
SpecifierHandler = Callable[[Context, int, RawLevel], tuple[Type, list[RawLevel]]]

_expressions: list[ExpressionHandler | None] = [None] * (KIND_COUNT + 64)
_specifiers: dict[int, SpecifierHandler] = {}


def expression(*names: str) -> Callable[[ExpressionHandler], ExpressionHandler]:
    """Register the function that types these kinds of expression."""

    def register(handler: ExpressionHandler) -> ExpressionHandler:
        for name in names:
            _expressions[kind(name)] = handler
        return handler

    return register


def type_specifier(*names: str) -> Callable[[SpecifierHandler], SpecifierHandler]:
    """Register the function that reads these kinds of type specifier."""

    def register(handler: SpecifierHandler) -> SpecifierHandler:
        for name in names:
            _specifiers[kind(name)] = handler
        return handler

    return register


def unknown_value(ctx: Context, row: int) -> Value:
    """The value of an expression that nothing is known of."""
    return Value(UNKNOWN, ctx.place(row), constancy=Constancy.UNKNOWN)


def value_of(ctx: Context, row: int) -> Value:
    """Type an expression; its facts go to the context."""
    handler = _expressions[ctx.table.kind[row]]
    if handler is None:
        for child in ctx.table.children(row):
            value_of(ctx, child)
        return unknown_value(ctx, row)
    value = handler(ctx, row)
    if value.lvalue and value.type.unqualified is HALF:
        ctx.halves[row] = value
    if ctx.trace is not None:
        ctx.trace[row] = value
    return value


def quiet_value(ctx: Context, row: int) -> Value:
    """Type an expression that is not evaluated and whose facts are not wanted twice."""
    before = len(ctx.facts)
    value = value_of(ctx, row)
    del ctx.facts[before:]
    return value


def specified_type(ctx: Context, row: int, raw: RawLevel) -> tuple[Type, list[RawLevel]]:
    """The type of a type specifier, with the levels that a typedef brings along; `raw` takes qualifiers inside it."""
    return _specifiers[ctx.table.kind[row]](ctx, row, raw)


def is_type_specifier(number: int) -> bool:
    """Whether this kind of node specifies a type."""
    return number in _specifiers


def is_expression(number: int) -> bool:
    """Whether this kind of node is typed as an expression."""
    return _expressions[number] is not None


def handled_kinds() -> frozenset[str]:
    """The names of all kinds with a handler: for the test that no kind of the grammar is overlooked."""
    expressions = (number for number, handler in enumerate(_expressions) if handler is not None)
    return frozenset(kind_name(number) for number in (*expressions, *_specifiers))


def wide(value: Value, ctx: Context, row: int) -> Value:
    """The same value for a larger stretch of text, as for parentheses around it."""
    return value.replaced(place=ctx.place(row))
