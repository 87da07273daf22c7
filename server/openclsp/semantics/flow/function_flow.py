"""Builds the flow graphs of one item.

An item is a function with its block literals, or a declaration with its initialisers.
"""

from __future__ import annotations

from collections.abc import Container

# registers the handlers of calls, see `expression_flow.handles`
import openclsp.semantics.flow.assignment_flow
import openclsp.semantics.flow.call_flow  # noqa: F401
from openclsp.semantics.facts.entities import Entity, EntityKind, Place
from openclsp.semantics.facts.values import Value
from openclsp.semantics.flow.expression_flow import handles
from openclsp.semantics.flow.graph import BLOCK, Atom, CallSite, Flow, FunctionFlow
from openclsp.semantics.flow.graph_builder import Builder
from openclsp.semantics.flow.parameter_flow import take_parameters
from openclsp.semantics.flow.statement_flow import declare, run_children
from openclsp.semantics.flow.transfers import IDENTITY
from openclsp.semantics.types.type_model import Function, Scalar
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import FIELDS, kind

_BODY = FIELDS["body"]
_FUNCTION_DEFINITION, _DECLARATION = kind("function_definition"), kind("declaration")


def function_flows(
    ctx: TypingContext,
    trace: dict[int, Value],
    kept_tokens: Container[int] = (),
    *,
    as_if_generic: bool = False,
    carrying: bool = False,
) -> tuple[tuple[FunctionFlow, ...], list[Builder]]:
    """Builds the graphs of an item's function and block literals, or of a declaration's initialisers.

    Also returns the builders, which answer queries about a place. The graphs record the values of the names
    at the token indices `kept_tokens`. With `carrying`, pointers are tracked through integers and other plain
    data. With `as_if_generic`, a pointer whose pointee is private only by default (`int *p`) may point to any
    space.
    """
    table = ctx.table
    if not table.kind or table.kind[0] not in (_FUNCTION_DEFINITION, _DECLARATION):
        return (), []
    builder = Builder(ctx, trace, (ctx.item, 0), None, as_if_generic=as_if_generic, carrying=carrying)
    builder.kept_tokens = kept_tokens
    name = ""
    if table.kind[0] == _FUNCTION_DEFINITION:
        function = next((e for e in ctx.entities.values() if e.kind is EntityKind.FUNCTION), None)
        body = table.child(0, _BODY)
        if function is None or body < 0 or not isinstance(function.type, Function):
            return (), []
        name = function.name
        symbol = ctx.program_symbols.get(name)
        builder.kernel = symbol is not None and symbol.kernel
        builder.result_type = function.type.result
        count = len(symbol.parameters) if symbol is not None else 0
        entities = [ctx.entities.get(function.ref.number + 1 + i) for i in range(count)]
        take_parameters(builder, [each for each in entities if each is not None])
        run_children(builder, body)
        place = function.place
    else:
        # initialisers take effect before any kernel runs
        builder.kernel = True
        declare(builder, 0)
        place = Place(0, 1)
    own = builder.finish(name, place, kept_tokens)
    if not (
        own.calls
        or own.stores
        or own.parameters
        or own.events
        or len(own.nodes) > 1
        or not name
        or builder.blocks
        or builder.carries
    ):
        return (), [builder, *builder.inner]
    return (own, *builder.blocks), [builder, *builder.inner]


@handles("block_literal")
def _block(builder: Builder, node: int) -> Flow:
    """Evaluates a block literal, modelled as a function that is called where the literal is.

    The captured variables are the arguments of that call.
    """
    ctx, table = builder.ctx, builder.table
    value = builder.trace.get(node)
    if value is None or value.origin is None:
        return ()
    number = value.origin.entity.number
    place = ctx.place(node)
    inner = Builder(ctx, builder.trace, (ctx.item, number), builder)
    body = table.child(node, _BODY)
    if body >= 0:
        before = table.first[body]
        parameters = [
            entity
            for entity in ctx.entities.values()
            if entity.kind is EntityKind.PARAMETER and place.first < entity.place.first < before
        ]
        take_parameters(inner, sorted(parameters, key=_first_token))
        run_children(inner, body)
    outermost = builder
    while outermost.outer is not None:
        outermost = outermost.outer
    at = Place(place.first, place.first + 1)
    own = inner.finish(f"block in {_outermost(builder)}", at, outermost.kept_tokens)
    outermost.blocks.append(own)
    outermost.inner.append(inner)
    arguments = tuple(
        _captured(builder, each.number, place) if each.captured else () for each in inner.parameters
    )
    if any(each.captured for each in inner.parameters):
        places = tuple(place for _ in arguments)
        builder.calls.append(CallSite("", None, (), own.id, arguments, places, place))
    return (Atom(BLOCK, (ctx.item, number), None, IDENTITY, place),)


def _outermost(builder: Builder) -> str:
    while builder.outer is not None:
        builder = builder.outer
    return builder.ctx.item[1]


def _first_token(entity: Entity) -> int:
    return entity.place.first


def _captured(builder: Builder, number: int, place: Place) -> Flow:
    """Returns the value of the captured variable with the entity number `number`.

    The value of an integer that is not tracked is unknown: it may be any address.
    """
    flow = builder.read(number, place)
    is_number = isinstance(builder.ctx.entities[number].type, Scalar)
    return builder.unknown(place) if not flow and is_number else flow
