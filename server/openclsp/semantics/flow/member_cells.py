"""Finds the memory cells in which a member of a struct or union is stored.

All objects of a unit's flow solution that contain the member have such a cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from openclsp.language.spaces import Space
from openclsp.semantics.database.query_database import Query
from openclsp.semantics.database.typed_body import typed_body
from openclsp.semantics.facts.entities import Entity, EntityRef, ItemKey
from openclsp.semantics.flow.graph import ANYWHERE, BASE, CELL, Atom, ObjectId, Path
from openclsp.semantics.flow.points_to_sets import Target
from openclsp.semantics.flow.transfers import IDENTITY, UNKNOWN
from openclsp.semantics.flow.unit_solution import Solution
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.type_model import Array, Record, Type
from openclsp.semantics.typing.symbols import Member, Names

_MAXIMUM_DEPTH = 8
"""Bound on the nesting of structs searched within a union"""
_LAST = 1 << 90
"""An order number greater than that of any item"""


class Entities(NamedTuple):
    """The entities of one item that have a private pointee at some level of their types, by number.

    `records` contains the types of all entities that are structs or unions, also by number.
    """

    pointers: Mapping[int, Entity] = {}
    records: Mapping[int, Record] = {}


def _entities(unit: TranslationUnit, key: ItemKey) -> Entities:
    typed = typed_body(unit, key)
    if typed is None:
        return Entities()
    pointers = {
        number: each
        for number, each in typed.entities.items()
        if any(level.space is Space.PRIVATE for level in each.levels[1:])
    }
    records = {number: element_type(each.type) for number, each in typed.entities.items()}
    return Entities(pointers, {n: type_ for n, type_ in records.items() if isinstance(type_, Record)})


ENTITIES: Query[ItemKey, Entities] = Query("entities as if generic", _entities, Entities())


def cells_of_member(unit: TranslationUnit, solution: Solution, member: Entity) -> Iterator[Atom]:
    """Yields atoms that load the struct or union member `member`, one for each object that contains it.

    For a member of a union, the atom loads all members of the union.
    """
    # Of equally short witness paths, the one from the first object is shown. The order must not depend on edits.
    for made in sorted(_objects(solution), key=lambda made: _text_order(unit, made)):
        for pointer_path in made.pointer_paths:
            if pointer_path[-1:] == (ANYWHERE,):
                shared = _shares(unit, made, pointer_path, member)
                if shared is None:
                    yield Atom(BASE, UNKNOWN, None, IDENTITY, member.place)
                elif shared:
                    yield Atom(CELL, made, pointer_path, IDENTITY, member.place)
            elif pointer_path[-1:] == (member.name,) and _leads_to(unit, made, pointer_path, member):
                yield Atom(CELL, made, pointer_path, IDENTITY, member.place)


def _objects(solution: Solution) -> Iterator[ObjectId]:
    """Yields the objects in which functions store pointers, and those whose addresses are in a set, without duplicates.

    `Sets.set_members` also lists objects that existed before an edit, so only the members of current sets count.
    """
    objects = {
        variable[1]: None
        for variable, given in solution.contributors.items()
        if variable[0] == "cell" and given
    }
    held = 0
    for work in solution.work.values():
        for bits in (*work.sets, *work.contributions.values()):
            held |= bits
    for set_member in solution.sets.listed(held):
        if isinstance(set_member, Target):
            objects[set_member.object] = None
    yield from objects


def _text_order(unit: TranslationUnit, made: ObjectId) -> tuple[int, int, str]:
    """Returns the sort key of an object: the order of its item, its number in the item, and its description.

    Objects that no declaration or expression of an item creates are last.
    """
    owner: Any = made.owner
    item, number = None, 0
    if isinstance(owner, EntityRef):
        item, number = unit.by_key.get(owner.item), owner.number
    elif made.kind in ("result", "value"):
        function = owner if made.kind == "result" else owner[0]
        item, number = unit.by_key.get(function[0]), function[1]
    return _LAST if item is None else item.order, number, str(made)


def _shares(unit: TranslationUnit, made: ObjectId, pointer_path: Path, member: Entity) -> bool | None:
    """Whether the union at `pointer_path` in the object `made` has the member; None if unknown."""
    if not isinstance(made.owner, EntityRef) or made.owner.item not in unit.by_key:
        return None
    names = unit.names(made.owner.item)
    found: Type | None = unit.database.get(ENTITIES, made.owner.item).records.get(made.owner.number)
    for name in pointer_path[:-1]:
        members = names.members(found) if isinstance(found, Record) else None
        if members is None:
            return None
        if name.startswith("union "):
            shared = [each for each in members if f"union {each.union}" == name]
            return _is_among(names, shared, member, 0)
        found = next((element_type(each.type) for each in members if each.name == name), None)
    if not isinstance(found, Record) or found.keyword != "union":
        return None
    return _is_among(names, names.members(found) or (), member, 0)


def _is_among(names: Names, members: Iterable[Member], member: Entity, depth: int) -> bool | None:
    """Whether `member` is one of the `members`; None if it may be nested in one of them."""
    for each in members:
        if each.ref == member.ref:
            return True
        inner = element_type(each.type)
        if isinstance(inner, Record):
            deeper = None if depth == _MAXIMUM_DEPTH else names.members(inner)
            if deeper is None or _is_among(names, deeper, member, depth + 1) is not False:
                return None
    return False


def _leads_to(unit: TranslationUnit, made: ObjectId, path: Path, member: Entity) -> bool:
    """Whether `path` leads from the object `made` to the member; True if this is not known."""
    if not isinstance(made.owner, EntityRef) or made.owner.item not in unit.by_key:
        return True
    found: Type | None = unit.database.get(ENTITIES, made.owner.item).records.get(made.owner.number)
    names, ref = unit.names(made.owner.item), None
    for name in path:
        record = None if found is None else element_type(found)
        members = names.members(record) if isinstance(record, Record) else None
        if members is None:
            return True
        there = next((each for each in members if each.name == name), None)
        found, ref = (None, None) if there is None else (there.type, there.ref)
    return ref == member.ref


def element_type(type_: Type) -> Type:
    while isinstance(type_, Array):
        type_ = type_.element
    return type_
