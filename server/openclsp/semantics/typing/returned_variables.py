"""Addresses of a function's own variables that a `return` takes, in dialects without flow analysis.

Without a generic address space, no points-to sets are computed. Only an address is found that the returned
expression itself takes, as in `return &x;` or `return values + 1;`, but not one in a cast or after `?`.
"""

from __future__ import annotations

from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import Origin
from openclsp.semantics.facts.points_to import ReturnedAddress
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types.type_model import Pointer, Vector
from openclsp.semantics.types.type_structure import element_type
from openclsp.semantics.typing.conversions import rvalue
from openclsp.semantics.typing.typing_context import TypingContext


def emit_returned_variable(ctx: TypingContext, value: Value) -> None:
    """Emits a fact if the returned value points to a variable of the function, or to a part of one."""
    if ctx.dialect.generic or ctx.frames[-1].block:
        return
    pointer = rvalue(value)
    source, name = pointer.space_source(1)
    # Level 0 is that of the variable itself, or of the elements of an array.
    if source is None or source.level != 0 or not isinstance(pointer.type, Pointer):
        return
    variable = ctx.find(name)
    if variable is None or variable.ref != source.entity or not variable.automatic:
        return
    pointee = pointer.type.pointee
    if isinstance(element_type(variable.type), Vector) and not isinstance(element_type(pointee), Vector):
        # the elements of a vector have no address, which is an error of its own
        return
    if pointee.space is Space.PRIVATE:
        ctx.emit(ReturnedAddress(name, Origin(variable.ref, 0), (), (), value.place))
