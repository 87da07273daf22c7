"""Calls: which function is meant, the conversion of each argument, the type of the result."""

from __future__ import annotations

from openclsp.language.spaces import Space
from openclsp.semantics.casts import cast_value
from openclsp.semantics.context import Context, Symbol
from openclsp.semantics.conversions import rvalue, tell_conversion
from openclsp.semantics.dispatch import expression, is_expression, unknown_value, value_of
from openclsp.semantics.entities import Entity, EntityKind, EntityRef, Level, Origin, Place, Reason
from openclsp.semantics.facts import Call, Constancy, TypeName, Value
from openclsp.semantics.facts import Context as Why
from openclsp.semantics.primaries import callee_value
from openclsp.semantics.types import BlockPointer, Function, Pointer, Type, Vector, levels
from openclsp.source.tree import FIELDS, kind

_FUNCTION, _ARGUMENTS = FIELDS["function"], FIELDS["arguments"]
_IDENTIFIER, _PARENTHESES = kind("identifier"), kind("parenthesized_expression")
_BUILTIN_AS_TYPE = "__builtin_astype"


@expression("call_expression")
def _call(ctx: Context, row: int) -> Value:
    table = ctx.table
    function_row, arguments_row = table.child(row, _FUNCTION), table.child(row, _ARGUMENTS)
    if function_row < 0:
        return unknown_value(ctx, row)
    typedef = _named_type(ctx, function_row)
    arguments = _arguments(ctx, arguments_row)
    if typedef is not None:
        return _typedef_cast(ctx, row, function_row, typedef, arguments)
    name = table.text(function_row) if table.kind[function_row] == _IDENTIFIER else ""
    if name == _BUILTIN_AS_TYPE and len(arguments) == 2:
        type_ = arguments[1].type
        return Value(type_, ctx.place(row), origin=arguments[1].origin, constancy=arguments[0].constancy)
    symbol = ctx.find(name) if name else None
    if symbol is not None and symbol.overloadable:
        symbol = _resolve(ctx, name, arguments)
        if symbol is None:
            return _unknown_call(ctx, row, name, arguments)
    callee = callee_value(ctx, function_row)
    type_ = symbol.type if symbol is not None and symbol.overloadable else callee.type
    signature = _signature(type_)
    if signature is None:
        return _unknown_call(ctx, row, name, arguments)
    direct = symbol is not None and symbol.kind is EntityKind.FUNCTION
    ref = symbol.ref if symbol is not None and direct else None
    names = symbol.parameters if symbol is not None and direct else ()
    _tell_arguments(ctx, signature, arguments, callee.name, ref, names)
    recursive = bool(ctx.frames) and ref is not None and ctx.frames[0].ref == ref
    whole = ctx.place(row)
    place = ctx.place(function_row)
    ctx.emit(Call(callee.name, signature, arguments, place, whole, recursive))
    origin = Origin(ref, 0) if ref is not None else None
    return Value(signature.result, whole, False, origin, callee.name)


def _arguments(ctx: Context, row: int) -> tuple[Value, ...]:
    if row < 0:
        return ()
    table = ctx.table
    return tuple(
        rvalue(value_of(ctx, child)) for child in table.children(row) if is_expression(table.kind[child])
    )


def _signature(type_: Type) -> Function | None:
    if isinstance(type_, Pointer):
        type_ = type_.pointee
    elif isinstance(type_, BlockPointer):
        type_ = type_.function
    return type_ if isinstance(type_, Function) else None


def _tell_arguments(
    ctx: Context,
    signature: Function,
    arguments: tuple[Value, ...],
    callee: str,
    ref: EntityRef | None,
    names: tuple[str, ...],
) -> None:
    for number, (argument, target) in enumerate(zip(arguments, signature.parameters, strict=False)):
        origin = Origin(EntityRef(ref.item, ref.number + 1 + number), 0) if ref is not None else None
        name = names[number] if number < len(names) else ""
        tell_conversion(
            ctx, Why.ARGUMENT, argument, target, origin, callee=callee, argument=number, name=name
        )


def _unknown_call(ctx: Context, row: int, name: str, arguments: tuple[Value, ...]) -> Value:
    """A function that is not known here: its result is unknown, and nothing is said."""
    place = ctx.place(ctx.table.child(row, _FUNCTION))
    ctx.emit(Call(name, None, arguments, place, ctx.place(row), False))
    return unknown_value(ctx, row)


def _resolve(ctx: Context, name: str, arguments: tuple[Value, ...]) -> Symbol | None:
    """The overload whose parameters are exactly the arguments' types; None where none or more than one could be."""
    candidates = [symbol for symbol in ctx.names.overloads(name) if symbol.kind is EntityKind.FUNCTION]
    own = ctx.program_symbols.get(name)
    if own is not None:
        candidates.insert(0, own)
    given = tuple(argument.type.unqualified for argument in arguments)
    for symbol in candidates:
        if isinstance(symbol.type, Function) and symbol.type.parameters == given:
            return symbol
    return candidates[0] if len({symbol.type for symbol in candidates}) == 1 else None


def _named_type(ctx: Context, row: int) -> Symbol | None:
    """The typedef that `(T)(…)` names: the grammar cannot tell it from a call of a parenthesised name."""
    table = ctx.table
    if table.kind[row] != _PARENTHESES:
        return None
    inner = row + 1
    if inner >= table.skip[row] or table.kind[inner] != _IDENTIFIER:
        return None
    symbol = ctx.find(table.text(inner))
    return symbol if symbol is not None and symbol.kind is EntityKind.TYPEDEF else None


def _typedef_cast(
    ctx: Context, row: int, type_row: int, symbol: Symbol, arguments: tuple[Value, ...]
) -> Value:
    leaf = ctx.table.first[type_row + 1]
    place = Place(leaf, leaf + 1)
    made = []
    for depth, each in enumerate(levels(symbol.type)):
        space = each.space
        via = Origin(symbol.ref, depth)
        reason = Reason.VALUE if space is None else Reason.TYPEDEF
        made.append(Level(space if space is not None else Space.PRIVATE, reason, place, (), -1, via))
    number = ctx.reserve(1)
    entity = Entity(ctx.ref(number), EntityKind.CAST, "", symbol.type, tuple(made), place, ctx.place(row))
    ctx.entities[number] = entity
    if isinstance(symbol.type, Vector) and len(arguments) > 1:
        ctx.emit(TypeName(entity, None, ctx.scope))
        constant = all(argument.constancy is Constancy.CONSTANT for argument in arguments)
        constancy = Constancy.CONSTANT if constant else Constancy.NOT_CONSTANT
        return Value(symbol.type, ctx.place(row), origin=Origin(entity.ref, 0), constancy=constancy)
    operand = arguments[-1] if arguments else unknown_value(ctx, row)
    return cast_value(ctx, row, entity, operand)
