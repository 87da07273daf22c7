"""Pointers whose address spaces differ between two versions of a project, and their descriptions."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.cli.styled_text import count_noun
from openclsp.dataclass import dataclass
from openclsp.ide.flow.pointer_states import PointerKey, PointerState

SPACE_ORDER = ("global", "local", "constant", "private", "null", "unknown")


@dataclass(frozen=True, slots=True)
class ChangedPointer:
    """A pointer before and after a change.

    `key` names the pointer's document by its path relative to the top folder of the repository.
    """

    key: PointerKey
    before: PointerState
    after: PointerState


@dataclass(frozen=True, slots=True)
class FlowDifference:
    """The changed pointers, and the numbers of flat accesses before and after the change.

    An access through a pointer is flat if the address space of the pointer is not unique.

    `top` is the top folder of the repository.
    """

    revision: str
    changed: tuple[ChangedPointer, ...]
    flat_before: int
    flat_after: int
    notices: tuple[str, ...]
    top: str


def describe_totals(found: FlowDifference) -> Iterator[str]:
    """Yields the number of changed pointers, and the numbers of accesses without a unique address space."""
    yield f"{count_noun(len(found.changed), 'pointer')} with other address spaces than at {found.revision}"
    if found.flat_before != found.flat_after:
        yield f"accesses without a single address space: {found.flat_before} before, {found.flat_after} now"


def describe_consequence(each: ChangedPointer) -> str:
    """Describes the effect of the change on the pointer's declaration and accesses; empty if it has none."""
    parts = []
    if each.after.generic != each.before.generic:
        parts.append(
            f"`{each.key.name}` is generic now"
            if each.after.generic
            else f"`{each.key.name}` has a named address space now"
        )
    more = each.after.flat_accesses - each.before.flat_accesses
    if more:
        what = "flat" if more > 0 else "no longer flat"
        parts.append(
            f"{count_noun(abs(more), 'access').replace('accesss', 'accesses')} {'is' if abs(more) == 1 else 'are'} {what}"
        )
    return "; ".join(parts)


def describe_state(state: PointerState) -> str:
    """Returns the address spaces of a pointer, in braces if the pointer is generic."""
    held = ", ".join(word for word in SPACE_ORDER if word in state.spaces) or "nothing"
    return f"{{{held}}}" if state.generic else held
