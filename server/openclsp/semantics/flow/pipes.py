"""Flow through pipes (OpenCL C 6.15.16).

The host connects the pipes of kernels. Therefore a packet written to a pipe may be read from any pipe with
packets of the same type, and all these pipes are one object. If no function of the unit writes to this
object, another program does, and its contents are unknown.
"""

from __future__ import annotations

from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import ItemKey, Place
from openclsp.semantics.flow.graph import OBJECT, Atom, Flow, FunctionFlow, ObjectId, Store
from openclsp.semantics.flow.graph_builder import Builder
from openclsp.semantics.flow.memory_access import type_of, write
from openclsp.semantics.flow.struct_values import materialise
from openclsp.semantics.flow.transfers import IDENTITY
from openclsp.semantics.types.type_model import Pipe, spell

PIPE = "pipe"
_READ, _WRITE = "read_pipe", "write_pipe"


def passes_packet(
    builder: Builder, name: str, nodes: list[int], arguments: tuple[Flow, ...], place: Place
) -> bool:
    """Models a call that reads or writes a packet with pointers; returns whether the call does so."""
    if name not in (_READ, _WRITE) or len(nodes) not in (2, 4) or builder.environment is None:
        return False
    type_ = type_of(builder, nodes[0])
    paths = builder.pointer_paths(type_.element) if isinstance(type_, Pipe) else ()
    if not isinstance(type_, Pipe) or not paths:
        return False
    made = ObjectId(PIPE, spell(type_.element.unqualified), Space.GLOBAL, paths, "the pipe")
    packets: Flow = (Atom(OBJECT, made, (), IDENTITY, place),)
    packet = arguments[-1]
    if name == _WRITE:
        materialise(builder, packet, place)
        write(builder, Store(packets, (), (), place, "", packet))
    else:
        write(builder, Store(packet, (), (), place, "", packets))
    return True


class WrittenPipes:
    """The types of the packets that functions of a unit write to pipes."""

    def __init__(self) -> None:
        self.types: frozenset[str] = frozenset()
        self._of_item: dict[ItemKey, frozenset[str]] = {}

    def note(self, key: ItemKey, flows: tuple[FunctionFlow, ...]) -> bool:
        """Records the packets that an item's functions write; returns whether `self.types` changed."""
        written = frozenset(
            atom.a.owner
            for flow in flows
            for store in flow.stores
            for atom in store.address
            if atom.kind == OBJECT and atom.a.kind == PIPE
        )
        if written == self._of_item.get(key, frozenset()):
            return False
        self._of_item[key] = written
        before, self.types = self.types, frozenset[str]().union(*self._of_item.values())
        return self.types != before
