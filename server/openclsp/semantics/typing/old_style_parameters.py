"""Parameters of function definitions without a prototype: `int f(a) int a; { … }` (C99 6.9.1p6).

The parameter list contains only their names. Their declarations, after the list, are not read.
"""

from __future__ import annotations

from openclsp.semantics.facts.declarations import Declaration, Scope
from openclsp.semantics.facts.entities import Entity, EntityKind, Reason
from openclsp.semantics.types.type_model import UNKNOWN
from openclsp.semantics.typing.default_spaces import finished_levels
from openclsp.semantics.typing.symbols import Symbol
from openclsp.semantics.typing.type_levels import RawLevel
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.semantics.typing.unknown_names import emit_unknown_type, names_declared


def read_old_style_parameter(ctx: TypingContext, node: int, number: int, in_kernel: bool) -> Entity:
    """Reads a name in the parameter list as a parameter of unknown type.

    If no declaration after the list declares the name, it may be a macro that expands to parameters; the
    parameter then has no name.
    """
    place, name = ctx.place(node), ctx.table.text(node)
    if name not in names_declared(ctx.table):
        emit_unknown_type(ctx, node)
        name = ""
    levels = finished_levels(UNKNOWN, [RawLevel()], Reason.UNKNOWN)
    entity = Entity(ctx.ref(number), EntityKind.PARAMETER, name, UNKNOWN, levels, place, place)
    ctx.entities[number] = entity
    scope = Scope.KERNEL_PARAMETER if in_kernel else Scope.PARAMETER
    ctx.bind_at(Symbol(name, EntityKind.PARAMETER, UNKNOWN, entity.ref, scope), place)
    ctx.emit(Declaration(entity, scope, "", None, None, True))
    return entity
