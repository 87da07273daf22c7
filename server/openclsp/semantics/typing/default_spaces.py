"""Default address spaces of pointees and objects without a qualifier (OpenCL C 6.7.8)."""

from __future__ import annotations

from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import (
    Level,
    Reason,
)
from openclsp.semantics.types.type_model import (
    Function,
    Pointer,
    Type,
)
from openclsp.semantics.types.type_structure import element_type, is_unknown
from openclsp.semantics.typing.type_levels import RawLevel
from openclsp.semantics.typing.typing_context import TypingContext


def pointee_default(ctx: TypingContext) -> tuple[Space, Reason]:
    """Returns the space of a pointee without a qualifier, and the reason (OpenCL C 6.7.8)."""
    if ctx.dialect.generic:
        return Space.GENERIC, Reason.POINTEE_GENERIC
    return Space.PRIVATE, Reason.POINTEE_PRIVATE


def settle_pointee(ctx: TypingContext, type_: Type, raw: RawLevel, in_kernel: bool) -> Type:
    """Returns a pointee's type; if it has no space, gives it the default one and sets `raw.reason`."""
    if isinstance(type_, Function) or element_type(type_).space is not None:
        return type_
    if raw.unknown or is_unknown(type_):
        raw.reason = Reason.UNKNOWN
        return type_.with_space(Space.UNKNOWN)
    space, reason = pointee_default(ctx)
    raw.reason = Reason.KERNEL_NO_DEFAULT if in_kernel else reason
    return type_.with_space(space)


def settle_object(type_: Type, raw: RawLevel, default: Space | None) -> Type:
    """Returns the type of a declared object, with the space `default` if the type has none.

    If the qualifiers in `raw` are unknown, the space is unknown, too.
    """
    if element_type(type_).space is not None or isinstance(type_, Function):
        return type_
    if raw.unknown:
        return type_.with_space(Space.UNKNOWN)
    return type_.with_space(default)


def finished_levels(type_: Type, raws: list[RawLevel], default: Reason) -> tuple[Level, ...]:
    """Returns the levels of a type whose address spaces are all decided.

    `default` is the reason for the space of level 0 if it is not qualified.
    """
    finished: list[Level] = []
    current: Type | None = type_
    for depth, raw in enumerate(raws):
        if current is None or isinstance(current, Function):
            break
        element = element_type(current)
        reason = default if depth == 0 else (raw.reason or Reason.POINTEE_PRIVATE)
        finished.append(raw.finished(element.space if element.space is not None else Space.PRIVATE, reason))
        current = element.pointee if isinstance(element, Pointer) else None
    return tuple(finished)
