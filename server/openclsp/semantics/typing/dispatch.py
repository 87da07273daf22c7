"""Handlers for expressions and type specifiers by node kind, registered with decorators.

The modules of `typing/` are mutually recursive, as the grammar is (a cast contains a type, a type an
array bound, a bound an expression). They call each other through this table instead of importing each other.
"""

from __future__ import annotations

from collections.abc import Callable

from openclsp.semantics.facts.values import Constancy, Value
from openclsp.semantics.types.known_types import HALF
from openclsp.semantics.types.type_model import UNKNOWN, Type
from openclsp.semantics.typing.type_levels import RawLevel
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import KIND_COUNT, kind, kind_name

ExpressionHandler = Callable[[TypingContext, int], Value]
SpecifierHandler = Callable[[TypingContext, int, RawLevel], tuple[Type, list[RawLevel]]]

_expressions: list[ExpressionHandler | None] = [None] * (KIND_COUNT + 64)
_specifiers: dict[int, SpecifierHandler] = {}


def expression(*names: str) -> Callable[[ExpressionHandler], ExpressionHandler]:
    """Returns a decorator that registers a function as the handler of expressions of these node kinds."""

    def register(handler: ExpressionHandler) -> ExpressionHandler:
        for name in names:
            _expressions[kind(name)] = handler
        return handler

    return register


def type_specifier(*names: str) -> Callable[[SpecifierHandler], SpecifierHandler]:
    """Returns a decorator that registers a function as the handler of type specifiers of these node kinds."""

    def register(handler: SpecifierHandler) -> SpecifierHandler:
        for name in names:
            _specifiers[kind(name)] = handler
        return handler

    return register


def unknown_value(ctx: TypingContext, node: int) -> Value:
    """Returns the value of an expression about which nothing is known."""
    return Value(UNKNOWN, ctx.place(node), constancy=Constancy.UNKNOWN)


def value_of(ctx: TypingContext, node: int) -> Value:
    """Types an expression; emits its facts to the context."""
    handler = _expressions[ctx.table.kind[node]]
    if handler is None:
        for child in ctx.table.children(node):
            value_of(ctx, child)
        return unknown_value(ctx, node)
    value = handler(ctx, node)
    if value.lvalue and value.type.unqualified is HALF:
        ctx.half_values[node] = value
    if ctx.trace is not None:
        ctx.trace[node] = value
    return value


def value_without_facts(ctx: TypingContext, node: int) -> Value:
    """Types an expression without emitting facts, because it is not evaluated or was typed before."""
    before = len(ctx.facts)
    value = value_of(ctx, node)
    del ctx.facts[before:]
    return value


def specified_type(ctx: TypingContext, node: int, raw: RawLevel) -> tuple[Type, list[RawLevel]]:
    """Reads a type specifier; returns its type, and the levels that come from a typedef.

    Qualifiers inside the specifier are added to `raw`.
    """
    return _specifiers[ctx.table.kind[node]](ctx, node, raw)


def is_type_specifier(number: int) -> bool:
    """Whether nodes of this kind are type specifiers."""
    return number in _specifiers


def is_expression(number: int) -> bool:
    """Whether nodes of this kind are expressions."""
    return _expressions[number] is not None


def handled_kinds() -> frozenset[str]:
    """Returns the names of all kinds with a handler, for a test that no kind lacks one."""
    expressions = (number for number, handler in enumerate(_expressions) if handler is not None)
    return frozenset(kind_name(number) for number in (*expressions, *_specifiers))


def with_enclosing_place(value: Value, ctx: TypingContext, node: int) -> Value:
    """Returns the value with the place of an enclosing node, such as parentheses."""
    return value.replaced(place=ctx.place(node))
