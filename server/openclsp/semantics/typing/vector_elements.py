"""The parts of vector literals and of vectors' initialisers (OpenCL C 6.3.3)."""

from __future__ import annotations

from collections.abc import Sequence

from openclsp.semantics.facts.entities import Place
from openclsp.semantics.facts.expressions import ConversionKind as Why
from openclsp.semantics.facts.faults import VectorElements
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types.known_types import canonical
from openclsp.semantics.types.type_model import UNKNOWN, Enum, Pointer, Record, Scalar, Vector
from openclsp.semantics.typing.conversions import emit_conversion
from openclsp.semantics.typing.fault_facts import emit_fault
from openclsp.semantics.typing.typing_context import TypingContext


def check_elements(
    ctx: TypingContext, type_: Vector, given: Sequence[Value], place: Place, *, braced: bool = False
) -> None:
    """Checks the number and the types of the parts that form a vector.

    The parts must supply a value for each element; without braces, one scalar is enough. A scalar is
    converted to the element type. A vector must already have the element type.
    """
    count = 0
    for each in given:
        part = each.type
        if isinstance(part, Vector):
            count += part.width
        elif isinstance(part, Scalar | Enum):
            count += 1
            continue
        elif not isinstance(part, Pointer | Record):
            return
        if len(given) > 1 and not _has_element_type(each, type_):
            emit_conversion(ctx, Why.INITIALISATION, each, type_.element, None)
            return
    single = len(given) == 1 and not braced and not isinstance(given[0].type, Vector)
    if count != type_.width and not single and (len(given) > 1 or (braced and count == 1)):
        emit_fault(ctx, VectorElements(type_, count, place))


def check_braced_elements(ctx: TypingContext, type_: Vector, parts: Sequence[int], place: Place) -> None:
    """Checks the parts, given by their nodes, that initialise a vector in braces."""
    trace = ctx.trace
    if trace is not None:
        given = [trace.get(part) or Value(UNKNOWN, ctx.place(part)) for part in parts]
        check_elements(ctx, type_, given, place, braced=True)


def _has_element_type(part: Value, type_: Vector) -> bool:
    return isinstance(part.type, Vector) and canonical(part.type.element) is canonical(type_.element)
