"""Parts of objects whose values are tracked in execution order, like the values of variables.

Such parts are the pointers in the function's own private structs and arrays, its own pointers whose address
is taken, and members of objects that pointers point to. Each part is also in the memory model, which has one
set for each pointer, regardless of the order of stores. A part without a known value is read from that set,
so it is always sound to forget the value of a part. A store through a pointer, or a call, forgets the parts
that it may change.
"""

from __future__ import annotations

from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import Entity, EntityKind, EntityRef, Place
from openclsp.semantics.flow.builder_state import Base, Environment, Exact, Memory, united
from openclsp.semantics.flow.graph import ANYWHERE, BASE, COPY, OBJECT, Atom, Declared, Flow, ObjectId, Path
from openclsp.semantics.flow.graph_builder import Builder
from openclsp.semantics.flow.object_layout import without_elements
from openclsp.semantics.flow.transfers import NULL, PRIVATE, UNKNOWN
from openclsp.semantics.flow.value_numbers import CONSTANT, ValueNumber
from openclsp.semantics.types.type_model import Array, BlockPointer, Pointer, Record, Type

_MAXIMUM_LEAVES = 64
_MAXIMUM_DEPTH = 8
ANY_ELEMENT = "[]"


def element(index: int | None) -> str:
    """Returns the step of a path to an element; None stands for an unknown index."""
    return ANY_ELEMENT if index is None else f"[{index}]"


def leaves_of(builder: Builder, type_: Type) -> tuple[Path, ...] | None:
    """Returns the paths to the pointers in an object, except those in unions.

    There is one path for each element of an array. None if there are too many.
    """
    known = builder.leaves
    if type_ not in known:
        found = _leaves(builder, type_, 0)
        known[type_] = None if found is None else tuple(found)
    return known[type_]


def _leaves(builder: Builder, type_: Type, depth: int) -> list[Path] | None:
    if isinstance(type_, Pointer | BlockPointer):
        return [()]
    if depth > _MAXIMUM_DEPTH:
        return None
    if isinstance(type_, Array):
        inner = _leaves(builder, type_.element, depth + 1)
        if inner is None or not inner:
            return inner
        if type_.size is None or type_.size * len(inner) > _MAXIMUM_LEAVES:
            return None
        return [(element(number), *path) for number in range(type_.size) for path in inner]
    if not isinstance(type_, Record) or type_.keyword == "union":
        return []
    found: list[Path] = []
    for member in builder.ctx.members(type_) or ():
        if not member.union:
            inner = _leaves(builder, member.type, depth + 1)
            if inner is None or len(found) + len(inner) > _MAXIMUM_LEAVES:
                return None
            found += [(member.name, *path) for path in inner]
    return found


def exact_object(builder: Builder, entity: Entity) -> Exact | None:
    """Returns the `Exact` for a whole private object of this function.

    None if the values of the object's pointers are not tracked in execution order.
    """
    number = entity.ref.number
    if number not in builder.own:
        return None
    if entity.kind is EntityKind.VARIABLE and entity.type.space is not Space.PRIVATE:
        return None
    if number not in builder.parts:
        builder.parts[number] = leaves_of(builder, entity.type) or ()
    return (number, ()) if builder.parts[number] else None


def step_into(builder: Builder, container: Type | None, name: str) -> Path:
    """Returns the path to a member; all members of a union share one path."""
    if isinstance(container, Record):
        if container.keyword == "union":
            return (ANYWHERE,)
        return builder.shared_members(container).get(name, (name,))
    return (name,)


def pointed_to(pointer: ValueNumber) -> Exact | None:
    """Returns the object to which a pointer with this value number points; None if it is unknown."""
    return (("*", pointer), ()) if pointer else None


def stepped(exact: Exact | None, *steps: str) -> Exact | None:
    """Returns the part of `exact` that the member names and indices `steps` denote.

    None if a step leads into a union.
    """
    return None if exact is None or ANYWHERE in steps else (exact[0], (*exact[1], *steps))


def slots_of(builder: Builder, exact: Exact) -> list[int] | None:
    """Returns the slots (environment keys) of the pointers that a part may denote; None if none is tracked.

    There are several if the index of an array element is unknown.
    """
    base, path = exact
    if ANY_ELEMENT not in path:
        if isinstance(base, int) and path not in builder.parts.get(base, ()):
            return None
        return [slot_of(builder, base, path)]
    matching = [each for each in builder.parts.get(base, ()) if _matches(path, each)]
    return [slot_of(builder, base, each) for each in matching] or None


def slot_of(builder: Builder, base: Base, path: Path) -> int:
    """Returns the slot (environment key) of an object part; assigns a new one if the part has none."""
    found = builder.slots.get((base, path))
    if found is None:
        builder.slot_parts.append((base, path))
        found = builder.slots[base, path] = -len(builder.slot_parts)
    return found


def _matches(path: Path, leaf: Path) -> bool:
    return len(path) == len(leaf) and all(
        one == other or (one == ANY_ELEMENT and other.startswith("["))
        for one, other in zip(path, leaf, strict=True)
    )


def known_part(builder: Builder, exact: Exact | None) -> Flow | None:
    """Returns the value of a pointer in an object; None if it must be read from memory."""
    environment = builder.environment
    if exact is None or environment is None:
        return None
    slots = slots_of(builder, exact)
    if slots is None or any(slot not in environment.flows for slot in slots):
        return None
    return united(*(environment.flows[slot] for slot in slots))


def set_part(
    builder: Builder, exact: Exact | None, flow: Flow, name: str, place: Place, value: int = 0
) -> None:
    """Records that the pointer `exact`, a part of an object, has the value `flow` from this point on.

    If `exact` is an array element with unknown index, each element has the new value or keeps its former one.
    If it is in an object known only through a pointer, all parts of this object are forgotten instead.
    `value` is the value number of the new value; 0 if the value gets a new number.
    """
    environment = builder.environment
    if exact is None or environment is None:
        return
    slots = slots_of(builder, exact) if isinstance(exact[0], int) else None
    if slots is None:
        # the pointer may be null, so that nothing is stored: for an object that is known only through a
        # pointer, only the results of tests are recorded
        forget_object(environment, builder, exact[0])
        return
    if flow:
        flow = builder.copy(builder.node("part", name, place, flow), place)
    for slot in slots:
        if ANY_ELEMENT not in exact[1]:
            environment.flows[slot] = flow
            environment.values[slot] = value or builder.numbers.fresh()
        elif slot in environment.flows:
            environment.flows[slot] = united(environment.flows[slot], flow)
            environment.values.pop(slot, None)


def declare_parts(builder: Builder, exact: Exact | None) -> None:
    """Declares an object whose pointers have no value yet."""
    if exact is not None and builder.environment is not None:
        for path in builder.parts.get(exact[0], ()):
            slot = slot_of(builder, exact[0], path)
            builder.environment.flows[slot] = ()
            builder.environment.values.pop(slot, None)


def null_parts(builder: Builder, exact: Exact | None, null: Flow) -> None:
    """Sets all pointers of a part to null, as an initialiser list does at first (C99 6.7.8p21)."""
    if exact is None or builder.environment is None:
        return
    for path in builder.parts.get(exact[0], ()):
        if len(path) > len(exact[1]) and _matches(exact[1], path[: len(exact[1])]):
            slot = slot_of(builder, exact[0], path)
            builder.environment.flows[slot] = null
            builder.environment.values[slot] = builder.numbers.number(CONSTANT, 0)


def forget_slot(environment: Environment, slot: int) -> None:
    """Forgets the value of a part, which is then read from memory."""
    environment.flows.pop(slot, None)
    environment.values.pop(slot, None)


def forget_object(environment: Environment, builder: Builder, base: Base) -> None:
    """Forgets the values of all parts of an object, which are then read from memory."""
    for slot in [each for each in environment.flows if each < 0]:
        if builder.slot_parts[-slot - 1][0] == base:
            forget_slot(environment, slot)


def overwrite(builder: Builder, address: Flow | None) -> None:
    """Forgets the parts that a store through `address` may change.

    None stands for a call, which may change any part that a pointer can reach.
    """
    environment = builder.environment
    if environment is None or not builder.slot_parts:
        return
    sources = None if address is None else _sources(builder, address)
    if sources is not None and all(_holds_no_pointers(each) for each in sources):
        return
    named = None if sources is None else _named_objects(builder, sources)
    for slot in [each for each in environment.flows if each < 0]:
        base = builder.slot_parts[-slot - 1][0]
        if isinstance(base, tuple) or (base in builder.escaping if named is None else base in named):
            forget_slot(environment, slot)


def forget_pointed_to(builder: Builder, changed: Base) -> None:
    """Forgets all parts of objects that are known only through pointers.

    The caller has changed the function's own object `changed`, to which one of these pointers may point. Does
    nothing if the address of `changed` is not taken.
    """
    environment = builder.environment
    if environment is not None and changed in builder.escaping:
        for slot in [each for each in environment.flows if each < 0]:
            if isinstance(builder.slot_parts[-slot - 1][0], tuple):
                forget_slot(environment, slot)


def _sources(builder: Builder, address: Flow) -> list[Atom]:
    """Returns the atoms of an address and of the variables and merges from which it was copied."""
    found: list[Atom] = []
    todo = list(address)
    seen: set[int] = set()
    while todo:
        atom = todo.pop()
        node = atom.a if atom.kind == COPY else -1
        # a merge node that still grows lacks atoms that are added later; a parameter has no atoms
        if node in builder.growing or not isinstance(node, int) or node < 0 or not builder.nodes[node]:
            found.append(atom)
        elif node not in seen:
            seen.add(node)
            todo += builder.nodes[node]
    return found


def _holds_no_pointers(atom: Atom) -> bool:
    """Whether an atom is the address of a declared object without pointers."""
    return atom.kind == BASE and isinstance(atom.b, Declared) and not atom.a & UNKNOWN


def _named_objects(builder: Builder, sources: list[Atom]) -> set[int] | None:
    """Returns the function's own objects that an address may point to; None if these are not known."""
    found: set[int] = set()
    for atom in sources:
        if atom.kind == OBJECT:
            made = atom.a
            assert isinstance(made, ObjectId)
            if isinstance(made.owner, EntityRef) and made.owner.item == builder.ctx.item:
                found.add(made.owner.number)
        elif atom.kind == COPY and builder.infos[atom.a].kind == "parameter":
            # an object that the caller passes existed before the function's own objects, and is none of them
            continue
        elif not _holds_no_pointers(atom) and (atom.kind != BASE or atom.a & (UNKNOWN | PRIVATE) & ~NULL):
            return None
    return found


def memory_of(builder: Builder, slot: int) -> Memory | None:
    """Returns the memory that a part of an object occupies; `slot` identifies the part.

    Returns None unless the object is declared in this function.
    """
    base, path = builder.slot_parts[-slot - 1]
    if not isinstance(base, int):
        return None
    entity = builder.ctx.entities[base]
    return Memory(
        builder.object_at(entity.type, entity.ref, entity.name, entity.place), without_elements(path)
    )
