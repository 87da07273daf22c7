"""Function calls: overload resolution, argument conversions and the type of the result."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from openclsp.language.builtin_functions import is_builtin_function_name
from openclsp.language.spaces import Space
from openclsp.semantics.facts.calls import Call, DeferredCall, UnresolvedCall
from openclsp.semantics.facts.constructs import LimitReached
from openclsp.semantics.facts.declarations import TypeName
from openclsp.semantics.facts.entities import (
    Entity,
    EntityKind,
    Level,
    Origin,
    Place,
    Reason,
)
from openclsp.semantics.facts.expressions import Reinterpretation
from openclsp.semantics.facts.fact import Fact
from openclsp.semantics.facts.values import Constancy, Value, unplaced
from openclsp.semantics.items.reparsing import NameClass
from openclsp.semantics.items.unevaluated_operands import VEC_STEP, has_unevaluated_operands
from openclsp.semantics.limits import Limit
from openclsp.semantics.types.builtin_function_types import overloads_of, special_result
from openclsp.semantics.types.type_model import UNKNOWN, BlockPointer, Function, Pointer, Type, Vector
from openclsp.semantics.types.type_structure import is_unknown, levels
from openclsp.semantics.typing.block_literals import emit_enqueue_call, is_in_block
from openclsp.semantics.typing.casts import cast_value, named_type
from openclsp.semantics.typing.conversions import argument_conversions, rvalue
from openclsp.semantics.typing.dispatch import expression, is_expression, unknown_value, value_of
from openclsp.semantics.typing.fault_facts import check_callee
from openclsp.semantics.typing.format_strings import emit_format
from openclsp.semantics.typing.incomplete_types import check_vec_step
from openclsp.semantics.typing.overloads import canonical_parameters, is_mistyped, near_misses, resolve
from openclsp.semantics.typing.primary_expressions import callee_value
from openclsp.semantics.typing.special_builtins import (
    ADDRESS_CASTS,
    address_cast,
    emit_address_cast,
    emit_clang_atomic,
    emit_pipe_call,
    pipe_parameter_counts,
)
from openclsp.semantics.typing.symbols import Symbol
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.semantics.typing.unknown_names import emit_unavailable_function
from openclsp.semantics.typing.vector_elements import check_elements
from openclsp.source.parser import FIELDS, kind

_FUNCTION, _ARGUMENTS = FIELDS["function"], FIELDS["arguments"]
_IDENTIFIER, _PARENTHESES = kind("identifier"), kind("parenthesized_expression")
_SIZEOF = kind("sizeof_expression")
_POSTFIX = frozenset(("[", "(", ".", "->", "++", "--"))
BUILTIN_AS_TYPE = "__builtin_astype"


@expression("call_expression")
def _type_call(ctx: TypingContext, node: int) -> Value:
    """Types a call expression, which may be a cast, a call to be deferred, or a call to be resolved."""
    table = ctx.table
    function_node, arguments_node = table.child(node, _FUNCTION), table.child(node, _ARGUMENTS)
    if function_node < 0:
        return unknown_value(ctx, node)
    if table.kind[function_node] == _SIZEOF:
        # `sizeof(float4)(1)` is the size of a vector literal, but the grammar calls the result of `sizeof`
        value_of(ctx, function_node)
        _raw_arguments(ctx, arguments_node)
        return unknown_value(ctx, node)
    # the grammar parses a cast `(T)(x)` to a typedef name as a call
    typedef = named_type(ctx, function_node)
    unevaluated = has_unevaluated_operands(table, node)
    ctx.unevaluated += unevaluated
    raw = _raw_arguments(ctx, arguments_node)
    ctx.unevaluated -= unevaluated
    arguments = tuple(map(rvalue, raw))
    if typedef is not None:
        if not isinstance(typedef.type, Vector) and table.token(table.last[node]) in _POSTFIX:
            # `(T)(x)[0]` casts `(x)[0]` (C99 6.5.4), but the grammar subscripts the call, as is right for vector
            # literals
            ctx.misparsed_names[table.first[function_node + 1]] = NameClass.TYPE
        return _typedef_cast(ctx, node, function_node, typedef, arguments)
    function_node = _function_node(ctx, node)
    name = table.text(function_node) if table.kind[function_node] == _IDENTIFIER else ""
    if name == BUILTIN_AS_TYPE and len(arguments) == 2:
        type_ = arguments[1].type
        ctx.emit(Reinterpretation(raw[0], type_, ctx.place(node)))
        # no compiler folds a reinterpretation: `constant int x = as_int(1.0f);` is refused
        return Value(type_, ctx.place(node), origin=arguments[1].origin)
    callee_signature = ctx.find_callee(name) if name and ctx.deferred is not None else None
    # a deferred call is typed by its result alone, which for an overloaded function depends on the arguments
    if callee_signature is not None and not _may_be_overloaded(ctx, callee_signature):
        return _defer_call(ctx, node, callee_signature, arguments)
    symbol = ctx.find(name) if name else None
    overloaded = symbol is None or symbol.overloadable or _may_be_overloaded(ctx, symbol)
    if name and overloaded:
        meant = _resolve_overload(ctx, node, name, symbol, raw)
        if isinstance(meant, Value):
            return meant
        symbol = meant
    callee = callee_value(ctx, function_node)
    if symbol is not None and overloaded:
        ctx.note_use(table.first[function_node], symbol)
    type_ = symbol.type if symbol is not None and overloaded else callee.type
    signature = _callee_type(type_)
    if signature is None:
        check_callee(ctx, callee)
        return _unknown_call(ctx, node, name, arguments)
    direct = symbol is not None and symbol.kind is EntityKind.FUNCTION
    ref = symbol.ref if symbol is not None and direct else None
    names = symbol.parameters if symbol is not None and direct else ()
    ctx.facts += argument_conversions(signature, arguments, callee.name, ref, names)
    evaluated = not ctx.unevaluated
    own = bool(ctx.frames) and ref is not None and ctx.frames[0].ref == ref
    recursive = own and evaluated and not is_in_block(ctx)
    whole = ctx.place(node)
    place = ctx.place(function_node)
    ctx.emit(Call(callee.name, signature, arguments, place, whole, recursive, evaluated, is_in_block(ctx)))
    origin = Origin(ref, 0) if ref is not None else None
    of_block = isinstance(type_, BlockPointer)
    return Value(signature.result, whole, False, origin, callee.name, of_block=of_block)


def _function_node(ctx: TypingContext, node: int) -> int:
    """Returns the node of the called expression; for an overloaded function, the node of its name.

    For example, `(max)(a, b)` is a call of `max` (C99 6.5.1p5), so the result is the node of `max`. If `f` is
    not overloaded, the result for `(f)(a)` is the node of `(f)`.
    """
    table = ctx.table
    function_node = inner = table.child(node, _FUNCTION)
    while table.kind[inner] == _PARENTHESES:
        inner += 1
    if inner == function_node or table.kind[inner] != _IDENTIFIER:
        return function_node
    symbol = ctx.find(name := table.text(inner))
    overloaded = symbol.overloadable if symbol is not None else len(overloads_of(name, ctx.dialect)) > 1
    return inner if overloaded else function_node


def _defer_call(
    ctx: TypingContext, node: int, callee_signature: Symbol, arguments: tuple[Value, ...]
) -> Value:
    """Types a call of another item's function, using only the function's result type.

    `deferred_facts` later yields the facts that depend on the function's parameters.
    """
    assert ctx.deferred is not None and isinstance(callee_signature.type, Function)
    whole, place = ctx.place(node), ctx.place(_function_node(ctx, node))
    # of a number, only whether it is zero affects argument conversions; a single value lets more calls share
    # a class
    arguments = tuple([each.replaced(number=1) if each.number else each for each in arguments])
    ctx.deferred.append(
        DeferredCall(
            callee_signature.name,
            arguments,
            place,
            whole,
            _argument_class(arguments),
            not ctx.unevaluated,
            is_in_block(ctx),
        )
    )
    return Value(
        callee_signature.type.result, whole, False, Origin(callee_signature.ref, 0), callee_signature.name
    )


_classes: dict[tuple[tuple[object, ...], ...], int] = {}
_numbers = count()
_MAXIMUM_CLASSES = 65_536


def _argument_class(arguments: tuple[Value, ...]) -> int:
    """Returns a number that identifies the equivalence class of the arguments of a call.

    The arguments of two calls are equivalent if they are equal in everything but their places. Different
    classes never have the same number, but a class may get another number later.
    """
    key = tuple([unplaced(each) for each in arguments])
    found = _classes.get(key)
    if found is None:
        if len(_classes) >= _MAXIMUM_CLASSES:
            _classes.clear()
        found = _classes[key] = next(_numbers)
    return found


def deferred_facts(call: DeferredCall, callee: Symbol) -> Iterator[Fact]:
    """Yields the facts about a deferred call that depend on the callee's parameters."""
    signature = callee.type
    if isinstance(signature, Function):
        yield from argument_conversions(signature, call.arguments, call.name, callee.ref, callee.parameters)
        yield Call(
            call.name, signature, call.arguments, call.place, call.whole, False, call.evaluated, call.in_block
        )


def _raw_arguments(ctx: TypingContext, node: int) -> tuple[Value, ...]:
    if node < 0:
        return ()
    table = ctx.table
    return tuple(value_of(ctx, child) for child in table.children(node) if is_expression(table.kind[child]))


def _callee_type(type_: Type) -> Function | None:
    if isinstance(type_, Pointer):
        type_ = type_.pointee
    elif isinstance(type_, BlockPointer):
        type_ = type_.function
    return type_ if isinstance(type_, Function) else None


def _unknown_call(ctx: TypingContext, node: int, name: str, arguments: tuple[Value, ...]) -> Value:
    """Types a call of an unknown function; its result is unknown, and its arguments are not checked."""
    place = ctx.place(_function_node(ctx, node))
    ctx.emit(
        Call(name, None, arguments, place, ctx.place(node), False, not ctx.unevaluated, is_in_block(ctx))
    )
    return unknown_value(ctx, node)


def _resolve_overload(
    ctx: TypingContext, node: int, name: str, symbol: Symbol | None, raw: tuple[Value, ...]
) -> Symbol | Value:
    """Resolves a call of a possibly overloaded function.

    Returns the declared function that is called. If a built-in or an unknown function is called, returns the
    value of the call. Built-in functions take part in overload resolution along with the program's own
    overloads.
    """
    if symbol is not None and ctx.names.has_many_declarations(name):
        ctx.emit(LimitReached(ctx.place(_function_node(ctx, node)), Limit.OVERLOADS))
        return _unknown_call(ctx, node, name, tuple(map(rvalue, raw)))
    declared = _declared_overloads(ctx, name) if symbol is not None else {}
    candidates = overloads_of(name, ctx.dialect)
    if declared:
        own = {canonical_parameters(each) for each in declared}
        candidates = (*declared, *(each for each in candidates if canonical_parameters(each) not in own))
    if not candidates:
        return _special_call(ctx, node, name, raw)
    arguments = tuple(map(rvalue, raw))
    resolution = resolve(candidates, arguments)
    if not resolution.viable and _may_lack_overloads(ctx, symbol):
        return _unknown_call(ctx, node, name, arguments)
    # with a single candidate, the conversions of the arguments are diagnosed instead of the overload
    # resolution
    best = 0 if len(candidates) == 1 else resolution.best
    viable = tuple(candidates[number] for number in resolution.viable)
    several = len(candidates) > 1 and resolution.certain
    if best is not None and several and _only_space_is_wrong(candidates, best, arguments):
        best, viable = None, ()
    if best is not None and candidates[best] in declared:
        return declared[candidates[best]]
    if best is not None:
        return _builtin_call(ctx, node, name, candidates[best], arguments)
    whole, place = ctx.place(node), ctx.place(_function_node(ctx, node))
    if resolution.certain and (symbol is None or symbol.overloadable):
        ctx.emit(UnresolvedCall(name, arguments, candidates, viable, place, whole))
    ctx.emit(Call(name, None, arguments, place, whole, False, not ctx.unevaluated, is_in_block(ctx)))
    results = {candidate.result for candidate in viable or candidates}
    if len(results) == 1:
        return Value(results.pop(), whole, name=name)
    return Value(UNKNOWN, ctx.place(node))


def _only_space_is_wrong(candidates: tuple[Function, ...], best: int, arguments: tuple[Value, ...]) -> bool:
    """Whether an address space mismatch explains the fault of a call better than a wrong pointee type.

    This is so if the best overload accepts the call only with incompatible pointee types, and another
    overload is rejected only because of an address space.
    """
    return is_mistyped(candidates[best], arguments) and bool(near_misses(candidates, arguments))


def _may_be_overloaded(ctx: TypingContext, symbol: Symbol) -> bool:
    """Whether the function may be one of several overloads.

    An unknown word before one of its declarations may be a macro for the attribute `overloadable`.
    """
    type_ = symbol.type
    if symbol.kind is not EntityKind.FUNCTION or not isinstance(type_, Function):
        return False
    if not symbol.uncertain:
        return False
    return (
        is_builtin_function_name(symbol.name)
        or ctx.names.has_many_declarations(symbol.name)
        or len(_declared_overloads(ctx, symbol.name)) > 1
        or _may_lack_overloads(ctx, symbol)
    )


def _may_lack_overloads(ctx: TypingContext, symbol: Symbol | None) -> bool:
    """Whether an overloaded function may have overloads that the unit does not declare before the call.

    A missing header may declare further overloads. If it is unknown whether the function is overloadable, a
    declaration of the function after the call also counts as a sign of further overloads.
    """
    if symbol is None or not (symbol.overloadable or symbol.uncertain):
        return False
    name = symbol.name
    return ctx.names.may_be_declared_elsewhere(name) or (
        symbol.uncertain and ctx.names.is_declared_later(name)
    )


def _declared_overloads(ctx: TypingContext, name: str) -> dict[Function, Symbol]:
    """Returns the program's functions with this name by type, each with its last declaration."""
    # an unknown macro in one of the declarations of a function makes only its result unknown
    found: dict[tuple[Type, ...], tuple[Function, Symbol]] = {}
    own = ctx.program_symbols.get(name)
    for symbol in (*((own,) if own is not None else ()), *ctx.names.overloads(name)):
        if symbol.kind is EntityKind.FUNCTION and isinstance(symbol.type, Function):
            found.setdefault(canonical_parameters(symbol.type), (symbol.type, symbol))
    return dict(found.values())


def _special_call(ctx: TypingContext, node: int, name: str, raw: tuple[Value, ...]) -> Value:
    """Types a call of an unknown function, or of a built-in without signatures.

    `raw` are the arguments before array-to-pointer conversion.
    """
    result = special_result(name, ctx.dialect)
    arguments = tuple(map(rvalue, raw))
    if result is not None and name in ADDRESS_CASTS and not emit_address_cast(ctx, name, raw):
        return _builtin_call(ctx, node, name, address_cast(name, arguments), arguments)
    value = _unknown_call(ctx, node, name, arguments)
    if result is None:
        if not _is_vendors_pipe(name, raw):
            emit_unavailable_function(ctx, name, ctx.place(_function_node(ctx, node)))
        emit_clang_atomic(ctx, name, raw)
        if name == VEC_STEP:
            check_vec_step(ctx, raw)
        elif not is_builtin_function_name(name):
            ctx.unknown_names += 1
            ctx.undeclared[_function_node(ctx, node)] = True
        return value
    emit_pipe_call(ctx, name, raw, ctx.place(node))
    emit_enqueue_call(ctx, name, raw, ctx.place(_function_node(ctx, node)), ctx.place(node))
    return Value(result, ctx.place(node), name=name)


def _is_vendors_pipe(name: str, raw: tuple[Value, ...]) -> bool:
    """Whether a pipe function is called with a variable of unknown type.

    The variable may be a vendor's pipe; vendors offer pipes in any OpenCL C version.
    """
    if not raw or not pipe_parameter_counts(name):
        return False
    return raw[0].origin is not None and is_unknown(raw[0].type)


def _builtin_call(
    ctx: TypingContext, node: int, name: str, signature: Function, arguments: tuple[Value, ...]
) -> Value:
    """Types a call that resolves to a built-in function."""
    function_node = _function_node(ctx, node)
    whole, place = ctx.place(node), ctx.place(function_node)
    if ctx.trace is not None:
        ctx.trace[function_node] = Value(signature, place, name=name)
    ctx.facts += argument_conversions(signature, arguments, name, None, ())
    if name == "printf":
        emit_format(ctx, node, arguments)
    ctx.emit(Call(name, signature, arguments, place, whole, False, not ctx.unevaluated, is_in_block(ctx)))
    return Value(signature.result, whole, name=name)


def _typedef_cast(
    ctx: TypingContext, node: int, type_node: int, symbol: Symbol, arguments: tuple[Value, ...]
) -> Value:
    """Types `(T)(x)` as a cast to the typedef `T`; several arguments make a vector literal."""
    token_index = ctx.table.first[type_node + 1]
    place = Place(token_index, token_index + 1)
    made = []
    for depth, each in enumerate(levels(symbol.type)):
        space = each.space
        via = Origin(symbol.ref, depth)
        reason = Reason.VALUE if space is None else Reason.TYPEDEF
        made.append(Level(space if space is not None else Space.PRIVATE, reason, place, (), -1, via))
    number = ctx.reserve(1)
    entity = Entity(ctx.ref(number), EntityKind.CAST, "", symbol.type, tuple(made), place, ctx.place(node))
    ctx.entities[number] = entity
    if isinstance(symbol.type, Vector) and len(arguments) > 1:
        ctx.emit(TypeName(entity, None, ctx.scope))
        check_elements(ctx, symbol.type, arguments, ctx.place(node))
        constant = all(argument.constancy is Constancy.CONSTANT for argument in arguments)
        constancy = Constancy.CONSTANT if constant else Constancy.NOT_CONSTANT
        return Value(symbol.type, ctx.place(node), origin=Origin(entity.ref, 0), constancy=constancy)
    operand = arguments[-1] if arguments else unknown_value(ctx, node)
    return cast_value(ctx, node, entity, operand)
