"""Where extensions are enabled, given the pragmas that switch them."""

from __future__ import annotations

from typing import NamedTuple

_EVERY = "all"


class ExtensionSwitch(NamedTuple):
    """A pragma that enables (`on`) or disables the extension `name` from one token on.

    This is the token with the index `token` in the item with the number `order`. A pragma that disables `all`
    disables every extension; one that enables `all` has no effect.
    """

    order: int
    name: str
    on: bool
    token: int = 0


class Switches(NamedTuple):
    """The pragmas of a unit that switch extensions, in source order.

    `is_complete` is false if an unavailable header may contain further pragmas.
    """

    pragmas: tuple[ExtensionSwitch, ...] = ()
    is_complete: bool = True


ExtensionStates = tuple[tuple[int, bool], ...]
"""Token indices in an item, the first one 0, and whether an extension is enabled from there on"""


def extension_states(name: str, found: Switches, order: int) -> ExtensionStates:
    """Returns at which tokens of an item the extension `name` is enabled and disabled.

    `order` is the number of the item, and `found` the switches of the unit. If `found` is not complete, the
    extension counts as enabled in the whole item.
    """
    if not found.is_complete:
        return ((0, True),)
    return _read_states(name, found, order)


def is_on(name: str, found: Switches, order: int) -> bool:
    """Whether the extension `name` is enabled, or possibly enabled, in a part of the item numbered `order`."""
    return any(on for _, on in extension_states(name, found, order))


def is_enabled(name: str, found: Switches, order: int) -> bool:
    """Whether the pragmas that were read enable the extension `name` in a part of the item numbered `order`."""
    return any(on for _, on in _read_states(name, found, order))


def _read_states(name: str, found: Switches, order: int) -> ExtensionStates:
    states = [(0, False)]
    for switch in found.pragmas:
        if switch.order <= order and (switch.name == name or (switch.name == _EVERY and not switch.on)):
            if switch.order == order and switch.token:
                states.append((switch.token, switch.on))
            else:
                states = [(0, switch.on)]
    return tuple(states)


def is_on_at(states: ExtensionStates, token: int) -> bool:
    """Whether an extension with these states in an item is enabled at the token index `token`."""
    return [on for first, on in states if first <= token][-1]
