"""Values of structs that are in no variable: results of calls, and copies of what a variable contains.

Such a value is an unnamed object whose pointers are known. The pointers are stored to memory only if other
code may read them there.
"""

from __future__ import annotations

from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import Place
from openclsp.semantics.flow.builder_state import united
from openclsp.semantics.flow.graph import OBJECT, Atom, Flow, ObjectId, Path, Store
from openclsp.semantics.flow.graph_builder import Builder
from openclsp.semantics.flow.object_layout import overlapping_pointers, within, without_elements
from openclsp.semantics.flow.transfers import IDENTITY
from openclsp.semantics.types.type_model import Type


def struct_with(builder: Builder, type_: Type, contents: dict[Path, Flow], place: Place) -> Flow:
    """Returns the value of a struct that is in no variable: the address of an unnamed object."""
    made = ObjectId(
        "value", (builder.id, len(builder.contents)), Space.PRIVATE, builder.pointer_paths(type_), "value"
    )
    builder.contents[made] = contents
    return (Atom(OBJECT, made, (), IDENTITY, place),)


def content(builder: Builder, made: ObjectId, path: Path) -> Flow:
    """Returns the union of the pointers in a part of a struct value."""
    part = within(made.pointer_paths, path)
    paths = overlapping_pointers(made.pointer_paths, part)
    return united(*(flow for leaf, flow in builder.contents[made].items() if without_elements(leaf) in paths))


def materialise(builder: Builder, address: Flow, place: Place) -> None:
    """Stores the struct values at an address to memory, because other code may read them there."""
    for atom in address:
        contents = builder.contents.get(atom.a) if atom.kind == OBJECT else None
        if contents is not None and atom.a not in builder.in_real_memory:
            builder.in_real_memory.add(atom.a)
            for path, flow in contents.items():
                if flow:
                    at = (atom._replace(b=()),)
                    builder.stores.append(Store(at, without_elements(path), flow, place, ""))
