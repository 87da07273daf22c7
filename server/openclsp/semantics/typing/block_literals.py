"""Block literals: nested functions that capture copies of the surrounding variables (OpenCL C 6.14)."""

from __future__ import annotations

from openclsp.semantics.facts.calls import BlockLiteral, EnqueueCall
from openclsp.semantics.facts.constructs import Construct, ConstructKind
from openclsp.semantics.facts.entities import (
    Entity,
    EntityKind,
    Level,
    Origin,
    Place,
    Reason,
)
from openclsp.semantics.facts.values import Constancy, Value
from openclsp.semantics.types.type_model import (
    VOID,
    BlockPointer,
    Function,
    Type,
    block_pointer,
    function,
)
from openclsp.semantics.typing.declarators import read_declarator, read_parameter
from openclsp.semantics.typing.default_spaces import finished_levels
from openclsp.semantics.typing.dispatch import expression
from openclsp.semantics.typing.specifiers import read_specifiers
from openclsp.semantics.typing.statements import type_body
from openclsp.semantics.typing.typing_context import FunctionFrame, TypingContext
from openclsp.source.parser import FIELDS, kind

_BODY, _PARAMETERS, _TYPE = FIELDS["body"], FIELDS["parameters"], FIELDS["type"]
_DECLARATOR = FIELDS["declarator"]
ENQUEUING = frozenset(
    (
        "enqueue_kernel",
        "get_kernel_max_sub_group_size_for_ndrange",
        "get_kernel_preferred_work_group_size_multiple",
        "get_kernel_sub_group_count_for_ndrange",
        "get_kernel_work_group_size",
    )
)
"""The built-in functions that take a block (OpenCL C 6.15.18)."""
_PARAMETER = kind("parameter_declaration")
_VARIADIC = kind("variadic_parameter")


def is_in_block(ctx: TypingContext) -> bool:
    """Whether the current position is in a block literal."""
    return bool(ctx.frames) and ctx.frames[-1].block


@expression("block_literal")
def _type_block(ctx: TypingContext, node: int) -> Value:
    """Types a block literal in its own frame, and collects its captures."""
    table = ctx.table
    place = ctx.place(node)
    caret = Place(place.first, place.first + 1)
    ctx.emit(Construct(ConstructKind.BLOCK, caret))
    number = ctx.reserve(1)
    kernel = ctx.frames[-1].kernel if ctx.frames else False
    frame = FunctionFrame("", None, ctx.ref(number), kernel, block=True, floor=ctx.open_scopes)
    ctx.frames.append(frame)
    ctx.open_scope()
    parameters, variadic, levels = _block_signature(ctx, node, frame)
    outer, ctx.blocks = ctx.blocks, 0
    unevaluated, ctx.unevaluated = ctx.unevaluated, 0
    body = table.child(node, _BODY)
    if body >= 0:
        type_body(ctx, body)
    ctx.blocks, ctx.unevaluated = outer, unevaluated
    ctx.close_scope()
    ctx.frames.pop()
    type_ = function(_block_result(frame), tuple(each.type.unqualified for each in parameters), variadic)
    captures = tuple(frame.captures.values())
    ctx.entities[number] = Entity(frame.ref, EntityKind.BLOCK, "", block_pointer(type_), levels, caret, place)
    places = tuple(parameter.whole for parameter in parameters)
    literal = BlockLiteral(type_, caret, places, captures, tuple(frame.returned))
    ctx.block_literals[frame.ref] = literal
    ctx.emit(literal)
    constancy = Constancy.NOT_CONSTANT if captures else Constancy.CONSTANT
    return Value(block_pointer(type_), place, False, Origin(frame.ref, 0), constancy=constancy)


def _block_signature(
    ctx: TypingContext, node: int, frame: FunctionFrame
) -> tuple[list[Entity], bool, tuple[Level, ...]]:
    """Reads the parameters and the explicit result type of a block literal.

    Returns the parameters, whether the block is variadic, and the levels of the result type. The levels are
    empty if no result type is written.
    """
    table = ctx.table
    written, nodes = table.child(node, _TYPE), table.child(node, _PARAMETERS)
    if written >= 0:
        specifiers = read_specifiers(ctx, written)
        declarator = read_declarator(ctx, table.child(written, _DECLARATOR), specifiers)
        signature, parameters = declarator.type, declarator.parameters
        type_ = signature.result if isinstance(signature, Function) else signature
        variadic = isinstance(signature, Function) and signature.variadic
        frame.result = type_
        for parameter in parameters:
            ctx.bind_parameter(parameter)
        return parameters, variadic, finished_levels(type_, declarator.levels, Reason.PARAMETER_DEFAULT)
    read = [
        read_parameter(ctx, child, ctx.reserve(1), False)
        for child in (table.children(nodes) if nodes >= 0 else ())
        if table.kind[child] == _PARAMETER
    ]
    parameters = [parameter for parameter in read if parameter is not None]
    for parameter in parameters:
        ctx.bind_parameter(parameter)
    return parameters, nodes >= 0 and table.find(nodes, _VARIADIC) >= 0, ()


def _block_result(frame: FunctionFrame) -> Type:
    """Returns the result type of a block literal: the written one, that of the first `return`, or void."""
    if frame.result is not None:
        return frame.result
    return frame.returned[0][0] if frame.returned else VOID


def emit_enqueue_call(
    ctx: TypingContext, name: str, arguments: tuple[Value, ...], place: Place, whole: Place
) -> None:
    """Emits a fact for a call of a built-in that takes a block.

    The fact includes the block literal if it is known. `place` is the function's name, `whole` the call.
    """
    if name not in ENQUEUING:
        return
    literal: BlockLiteral | None = None
    for argument in arguments:
        if isinstance(argument.type, BlockPointer) and argument.origin is not None:
            literal = ctx.block_literals.get(argument.origin.entity)
    ctx.emit(EnqueueCall(name, arguments, literal, place, whole))
