"""Flow of calls: arguments, callees and results."""

from __future__ import annotations

from openclsp.language.builtin_functions import is_builtin_function_name
from openclsp.semantics.facts.entities import EntityRef, Place
from openclsp.semantics.facts.values import Value
from openclsp.semantics.flow.builder_state import through
from openclsp.semantics.flow.expression_flow import (
    IDENTIFIER,
    PARENTHESES,
    as_type,
    cast_to,
    flow_of,
    handles,
    used,
)
from openclsp.semantics.flow.graph import BASE, RESULT, Atom, CallSite, Event, EventKind, Flow, Path
from openclsp.semantics.flow.graph_builder import Builder
from openclsp.semantics.flow.guards import WORK_ITEM
from openclsp.semantics.flow.memory_access import type_of
from openclsp.semantics.flow.memory_functions import moves_memory
from openclsp.semantics.flow.object_parts import leaves_of, overwrite
from openclsp.semantics.flow.pipes import passes_packet
from openclsp.semantics.flow.plain_data import moved_data, moves_data
from openclsp.semantics.flow.struct_values import materialise, struct_with
from openclsp.semantics.flow.transfers import ADDRESS_FUNCTION, ADDRESS_FUNCTIONS, IDENTITY, NULL
from openclsp.semantics.flow.unknown_writes import note_writes
from openclsp.semantics.items.unevaluated_operands import has_unevaluated_operands
from openclsp.semantics.types.type_model import BlockPointer, Pointer, Record, Scalar, Vector
from openclsp.semantics.types.type_structure import is_unknown
from openclsp.semantics.typing.dispatch import is_expression
from openclsp.source.parser import FIELDS

_FUNCTION, _ARGUMENTS = FIELDS["function"], FIELDS["arguments"]
_AS_TYPE = "__builtin_astype"
"""The function to which `as_type()` expands in clang-based compilers"""
_ENDING = frozenset(("__builtin_trap", "__builtin_unreachable", "__builtin_abort"))
_PROMISING = frozenset(("__builtin_assume",))


@handles("call_expression")
def _call(builder: Builder, node: int) -> Flow:
    """Evaluates a call of a function, block or built-in, or a cast `(T)(x)`.

    Such a cast parses as a call if T is a name.
    """
    table = builder.table
    function_node, arguments_node = table.child(node, _FUNCTION), table.child(node, _ARGUMENTS)
    value = builder.trace.get(node)
    if function_node < 0 or value is None or has_unevaluated_operands(table, node):
        return ()
    name = table.text(function_node) if table.kind[function_node] == IDENTIFIER else ""
    nodes = [
        child
        for child in (table.children(arguments_node) if arguments_node >= 0 else ())
        if is_expression(table.kind[child])
    ]
    if name == _AS_TYPE and nodes:
        return cast_to(builder, node, nodes[0], flow_of(builder, nodes[0]), value.type)
    called = _block_callee(builder, function_node)
    callee: EntityRef | None = None
    if called is None and name and value.origin is not None:
        callee = value.origin.entity
        # the callee is an expression: a cast in disguise, or a value of block type
    if called is None and not name:
        inner = _typedef_cast(builder, function_node)
        if inner:
            flows = [flow_of(builder, each) for each in nodes]
            return cast_to(builder, node, nodes[-1], flows[-1], value.type) if nodes else ()
        called = function_node
    flow = flow_of(builder, called) if called is not None else ()
    arguments = tuple(flow_of(builder, each) for each in nodes)
    places = tuple(builder.ctx.place(each) for each in nodes)
    # neither a function of the program nor a block: a built-in function, or an unknown one
    if callee is None and called is None:
        return _builtin(builder, node, name, nodes, arguments, value)
    place = builder.ctx.place(node)
    arguments = tuple(
        as_type(builder, each, given, type_of(builder, each) or value.type)
        if isinstance(type_of(builder, each), Pointer | BlockPointer)
        else _integer_argument(builder, each, given)
        for each, given in zip(nodes, arguments, strict=True)
    )
    for given in arguments:
        materialise(builder, given, place)
    builder.calls.append(
        CallSite(name, callee, flow, None, arguments, places, place, certain=builder.certain)
    )
    overwrite(builder, None)
    return _result(builder, len(builder.calls) - 1, value, place)


def _integer_argument(builder: Builder, node: int, flow: Flow) -> Flow:
    """Returns the value of an argument that is not a pointer.

    The result is a null pointer, or an integer that may hold an address.
    """
    value = builder.trace.get(node)
    if not flow and value is not None and value.null:
        return (Atom(BASE, NULL, None, IDENTITY, builder.ctx.place(node)),)
    if not flow and builder.carrying and value is not None and isinstance(value.type, Scalar | Vector):
        return builder.unknown(builder.ctx.place(node))
    return flow


def _block_callee(builder: Builder, node: int) -> int | None:
    """Returns the callee expression `node` if its type is a block type; otherwise None."""
    value = builder.trace.get(node)
    return node if value is not None and isinstance(value.type, BlockPointer) else None


def _typedef_cast(builder: Builder, node: int) -> bool:
    """Whether `(T)(x)` is a cast.

    It is a cast if the type checker recorded no value for the expression in the first parentheses.
    """
    return builder.table.kind[node] == PARENTHESES and builder.trace.get(node) is None


def _result(builder: Builder, number: int, value: Value, place: Place) -> Flow:
    if not isinstance(value.type, Pointer | BlockPointer | Record | Scalar | Vector):
        return builder.unknown(place) if is_unknown(value.type) else ()
    if isinstance(value.type, Record) and leaves_of(builder, value.type):
        contents: dict[Path, Flow] = {
            path: (Atom(RESULT, number, path, IDENTITY, place),) for path in builder.pointer_paths(value.type)
        }
        return struct_with(builder, value.type, contents, place)
    return through((Atom(RESULT, number, None, IDENTITY, place),), builder.conversion_to(value.type))


def _builtin(
    builder: Builder, node: int, name: str, nodes: list[int], arguments: tuple[Flow, ...], value: Value
) -> Flow:
    place = builder.ctx.place(node)
    target = ADDRESS_FUNCTIONS.get(name)
    if target is not None and len(arguments) == 1:
        given = as_type(builder, nodes[0], arguments[0], type_of(builder, nodes[0]) or value.type)
        builder.events.append(Event(EventKind.ADDRESS_FUNCTION, place, given, (), target, name))
        return through(given, ADDRESS_FUNCTION[target])
    if name in _ENDING:
        builder.left_under_guard = builder.left_under_guard or not builder.certain
        builder.stop()
        return ()
    if name in _PROMISING or (
        builder.guard_depth and not is_builtin_function_name(name) and not name.startswith("__builtin_")
    ):
        # `__builtin_assume(p)` may promise that the pointer is not null, and an unknown function may never return
        builder.left_under_guard = True
    if is_builtin_function_name(name) or name.startswith("__builtin_"):
        for number, (each, given) in enumerate(zip(nodes, arguments, strict=True)):
            used(builder, each, given, EventKind.BUILTIN, name, number)
        if name not in WORK_ITEM and name != "get_fence":
            # a barrier, or an atomic operation, lets other work-items write
            overwrite(builder, ())
        if name.startswith("enqueue_kernel"):
            _enqueued(builder, name, nodes, arguments, place)
        if passes_packet(builder, name, nodes, arguments, place):
            return ()
        if moves_memory(builder, name, nodes, arguments, place):
            return through(arguments[0], builder.conversion_to(value.type))
        if not builder.carrying or not moves_data(builder, name, nodes):
            note_writes(builder, name, nodes, arguments, place)
        if isinstance(value.type, Pointer | BlockPointer):
            return through(builder.unknown(place), builder.conversion_to(value.type))
        return moved_data(builder, node, name, nodes, arguments) if builder.carrying else ()
    places = tuple(builder.ctx.place(each) for each in nodes)
    for given in arguments:
        materialise(builder, given, place)
    builder.calls.append(CallSite(name, None, (), None, arguments, places, place))
    overwrite(builder, None)
    return builder.unknown(place)


def _enqueued(
    builder: Builder, name: str, nodes: list[int], arguments: tuple[Flow, ...], place: Place
) -> None:
    """Adds to the graph a call of each block that is enqueued as a kernel."""
    for each, given in zip(nodes, arguments, strict=True):
        if isinstance(type_of(builder, each), BlockPointer):
            builder.calls.append(CallSite(name, None, given, None, (), (), place, enqueued=True))
