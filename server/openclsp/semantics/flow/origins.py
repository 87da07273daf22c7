"""Finds the origins of a value within one function.

Follows copies backwards, through the nodes of the flow graph.
"""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import EntityRef, Origin
from openclsp.semantics.flow.graph import BASE, COPY, OBJECT, Atom, Declared, Flow, FunctionFlow, ObjectId
from openclsp.semantics.flow.transfers import BIT_OF_SPACE, SPACE_OF_BIT, table_of


def origins(function: FunctionFlow, flow: Flow, seen: set[int], only: int = 0) -> Iterator[Atom]:
    """Yields the atoms at which a value's def-use chains begin.

    Such an atom is not a copy of another node, or is a copy of a node without sources, such as a parameter.
    The numbers of the visited nodes are added to `seen`. If `only` is a basic bit, chains with a transfer
    that removes this bit are ignored.
    """
    todo = list(reversed(flow))
    while todo:
        atom = todo.pop()
        if only and not table_of(atom.transfer)[only] & only:
            continue
        if atom.kind != COPY or not isinstance(atom.a, int):
            yield atom
        elif atom.a not in seen:
            seen.add(atom.a)
            inner = function.nodes[atom.a]
            if inner:
                todo += reversed(inner)
            else:
                yield atom


def object_of(atom: Atom) -> tuple[Space, Origin, str] | None:
    """Returns the object whose address is `atom`, as (space, origin, name).

    If `atom` stands for the unknown object to which a parameter points, the origin is the parameter's
    pointee, and the name is that of the parameter. Returns None for any other atom.
    """
    if atom.kind == BASE and isinstance(atom.b, Declared) and atom.b.ref is not None:
        space = SPACE_OF_BIT.get(atom.a) if isinstance(atom.a, int) else None
        level = 1 if atom.b.what.endswith("parameter") else 0
        return None if space is None else (space, Origin(atom.b.ref, level), atom.b.name)
    if atom.kind == OBJECT and isinstance(atom.a, ObjectId) and isinstance(atom.a.owner, EntityRef):
        space = atom.a.space
        return None if space not in BIT_OF_SPACE else (space, Origin(atom.a.owner, 0), atom.a.name)
    return None
