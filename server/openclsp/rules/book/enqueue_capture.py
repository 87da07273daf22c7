"""Enqueued blocks that use local or private memory of the enqueuing kernel (OpenCL C 6.15.18)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, RelatedDeclaration, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.pointer_wording import describe_pointee_space
from openclsp.rules.shared.reaching_spaces import describe_reaching_spaces
from openclsp.semantics.facts.calls import EnqueueCall
from openclsp.semantics.facts.points_to import EnqueuedCapture
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types.type_model import Array, BlockPointer, Pointer, spell
from openclsp.semantics.types.type_structure import decayed

CODE = "enqueue-capture"

_GONE = (Space.LOCAL, Space.PRIVATE)


def check(fact: EnqueueCall, dialect: Dialect) -> Iterator[Finding]:
    """Reports a captured local variable, and a captured pointer into local or private memory.

    This memory no longer exists when the enqueued block runs.
    """
    if fact.name != "enqueue_kernel" or fact.literal is None:
        return
    for value in fact.literal.captures:
        what = _lost(value)
        if what:
            origin = value.origin
            message = f"the enqueued block uses {what}: that memory no longer exists when the block runs"
            related = [RelatedDeclaration(origin, _note(value))] if origin is not None else []
            yield Finding(CODE, Severity.WARNING, message, value.place, tuple(related))


def _lost(value: Value) -> str:
    """Describes a captured local variable, or a captured pointer into local or private memory.

    Returns an empty string for any other value.
    """
    type_ = value.type
    if isinstance(type_, BlockPointer):
        return ""
    if type_.space is Space.LOCAL:
        return f"`{spell(type_, value.name)}`, a variable in local memory"
    pointer = decayed(type_)
    if not isinstance(pointer, Pointer) or pointer.pointee.space not in _GONE:
        return ""
    if isinstance(type_, Array):
        return f"the array `{spell(type_, value.name)}`, which it captures as a pointer into private memory"
    return f"`{spell(pointer, value.name)}`, a pointer into {pointer.pointee.space.word} memory"


def _note(value: Value) -> str:
    type_ = value.type
    pointer = decayed(type_)
    if isinstance(type_, Array) or not isinstance(pointer, Pointer) or pointer.pointee.space is None:
        return f"`{value.name}` is declared outside the block"
    return describe_pointee_space(value.name, pointer.pointee.space, "the pointer")


def check_reached(fact: EnqueuedCapture, dialect: Dialect) -> Iterator[Finding]:
    """Reports a captured generic pointer that can point only to local or private objects."""
    spaces = fact.reaching.spaces
    if not spaces or not all(space in _GONE for space in spaces):
        return
    yield Finding(
        CODE,
        Severity.WARNING,
        f"the enqueued block uses `{fact.name}`, which only {describe_reaching_spaces(fact.reaching)} objects reach: that memory "
        "no longer exists when the block runs",
        fact.place,
        (RelatedDeclaration(fact.origin, f"`{fact.name}` is declared outside the block"),),
    )


RULES = (Rule(CODE, EnqueueCall, check), Rule(CODE, EnqueuedCapture, check_reached))
