"""Translates changes of whole declarations into text edits: types, initialisers, moves to another scope."""

from __future__ import annotations

import re
from collections.abc import Iterator

from openclsp.ide.answers import Location, TextEdit
from openclsp.ide.changes import NotPossible, document_data, replacement, span, with_comment, with_its_line
from openclsp.ide.new_names import is_new_at_program_scope
from openclsp.ide.places import Places
from openclsp.ide.program_scope import initialised, moved_in
from openclsp.language.spaces import QUALIFIERS
from openclsp.rules.finding import (
    AssignLater,
    DeclarationChange,
    Initialise,
    MoveIn,
    MoveOut,
    Outer,
    Part,
    RemoveQualifier,
    SetType,
)
from openclsp.semantics.entities import Entity, EntityRef, Place
from openclsp.semantics.table import Table
from openclsp.source.tree import FIELDS, kind

_TYPE, _BODY, _DECLARATOR = FIELDS["type"], FIELDS["body"], FIELDS["declarator"]
_DECLARATION, _BLOCK = kind("declaration"), kind("compound_statement")
_WIDTH, _ELLIPSIS = kind("bitfield_clause"), kind("variadic_parameter")
_NAMED = tuple(map(kind, ("primitive_type", "sized_type_specifier", "type_identifier")))
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*\Z")
_C_QUALIFIERS = ("const", "volatile", "restrict")
_BLANKS = (b" ", b"\t")


def declaration_edits(places: Places, change: DeclarationChange) -> Iterator[TextEdit]:
    """Yields the edits of a change to a declaration. Raises NotPossible."""
    ref = change.origin.entity if isinstance(change, RemoveQualifier) else change.entity
    entity = places.entity(ref)
    if entity is None:
        raise NotPossible
    table = places.table(ref.item)
    if isinstance(change, RemoveQualifier):
        yield from _without_qualifier(places, entity, table, change)
    elif isinstance(change, SetType):
        yield replacement(places, ref.item, _named_type(entity, table), change.name)
    elif isinstance(change, AssignLater):
        yield _assigned_later(places, entity, table)
    elif isinstance(change, MoveOut):
        yield from _moved_out(places, entity, table, change.to)
    elif isinstance(change, MoveIn):
        yield from moved_in(places, entity, change)
    elif isinstance(change, Initialise):
        yield initialised(places, entity, change)
    elif change.part is Part.STAR:
        yield replacement(places, ref.item, _outermost_star(entity, table), "")
    elif change.part is Part.WIDTH:
        row = _row(table, _WIDTH, entity.place.last)
        yield _cut(places, ref, Place(table.first[row], table.last[row]))
    else:
        row = _row(table, _ELLIPSIS, entity.place.last, later=True)
        if table.leaf(table.first[row] - 1) != ",":
            raise NotPossible
        yield _cut(places, ref, Place(table.first[row] - 1, table.last[row]))


def _row(table: Table, wanted: int, leaf: int, *, later: bool = False) -> int:
    """The first node of that kind that starts at a token or, with `later`, after it. Raises NotPossible."""
    for row, number in enumerate(table.kind):
        if number == wanted and (table.first[row] == leaf or (later and table.first[row] > leaf)):
            return row
    raise NotPossible


def _cut(places: Places, ref: EntityRef, place: Place) -> TextEdit:
    """Creates the edit that removes tokens and the blanks before them."""
    location = span(places, ref.item, place)
    data = document_data(places, location.document)
    start = location.start
    while start > 0 and data[start - 1 : start] in _BLANKS:
        start -= 1
    return TextEdit(Location(location.document, start, location.end), "")


def _without_qualifier(
    places: Places, entity: Entity, table: Table, change: RemoveQualifier
) -> Iterator[TextEdit]:
    """Yields the edits that remove a qualifier of a pointer level. Raises NotPossible."""
    # A level's qualifiers follow its `*`; those of the innermost level are among the specifiers.
    stars = [leaf for leaf in range(entity.whole.first, entity.place.first) if table.leaf(leaf) == "*"]
    segment = len(stars) - change.origin.level
    if not 0 <= segment <= len(stars):
        raise NotPossible
    first = stars[segment - 1] + 1 if segment else entity.whole.first
    last = stars[segment] if segment < len(stars) else entity.place.first
    found = [leaf for leaf in range(first, last) if table.leaf(leaf) == change.word]
    if not found:
        raise NotPossible
    for leaf in found:
        yield replacement(places, entity.ref.item, Place(leaf, leaf + 1), "")


def _outermost_star(entity: Entity, table: Table) -> Place:
    """The last `*` before a name with the qualifiers before it, which belong to the pointee of that `*`."""
    stars = []
    for leaf in range(entity.place.first - 1, entity.whole.first, -1):
        if table.leaf(leaf) == "*":
            stars.append(leaf)
        elif table.leaf(leaf) not in QUALIFIERS and table.leaf(leaf).strip("_") not in _C_QUALIFIERS:
            break
    if len(stars) < 2:
        raise NotPossible
    return Place(stars[1] + 1, stars[0] + 1)


def _named_type(entity: Entity, table: Table) -> Place:
    """The tokens of the type name in the declaration. Raises NotPossible if they are not contiguous."""
    for row, field in enumerate(table.field):
        if field == _TYPE and entity.whole.first <= table.first[row] < entity.place.first:
            if table.kind[row] not in _NAMED or table.last[row] > entity.place.first:
                raise NotPossible
            return Place(table.first[row], table.last[row])
    raise NotPossible


def _assigned_later(places: Places, entity: Entity, table: Table) -> TextEdit:
    row = _declaration(entity, table)
    *_, declarator = [child for child in table.children(row) if table.field[child] == _DECLARATOR]
    name = entity.place
    last = table.last[row] - 1
    alone = table.first[declarator] <= name.first < last and table.leaf(last) == ";"
    if not alone or table.leaf(name.last) != "=" or table.leaf(name.last + 1) == "{":
        raise NotPossible
    return replacement(places, entity.ref.item, name, f"{entity.name}; {entity.name}")


def _declaration(entity: Entity, table: Table) -> int:
    """The innermost declaration node that declares the variable. Raises NotPossible."""
    found = -1
    for row, number in enumerate(table.kind):
        if number == _DECLARATION and table.first[row] <= entity.place.first < table.last[row]:
            found = row
    if found < 0:
        raise NotPossible
    return found


def _moved_out(places: Places, entity: Entity, table: Table, to: Outer) -> Iterator[TextEdit]:
    row = _declaration(entity, table)
    place = Place(table.first[row], table.last[row])
    body = table.child(0, _BODY)
    if body < 0 or table.kind[body] != _BLOCK or table.leaf(table.first[body]) != "{":
        raise NotPossible
    _keeps_its_meaning(places, entity, table, place, body, to)
    head = span(places, entity.ref.item, Place(0, 1) if to is Outer.PROGRAM else _first(table, body))
    whole = span(places, entity.ref.item, place)
    if head.document != whole.document or head.start >= whole.start:
        raise NotPossible
    data = document_data(places, whole.document)
    text = data[whole.start : with_comment(data, whole.end)]
    newline = "\r\n" if b"\r\n" in data else "\n"
    line = data[data.rfind(b"\n", 0, head.start) + 1 : head.start]
    behind = newline + (newline if to is Outer.PROGRAM else line.decode() if not line.strip() else "    ")
    there = Location(whole.document, head.start, head.start)
    yield TextEdit(there, text.decode("utf-8", "surrogateescape") + behind)
    yield TextEdit(with_its_line(data, whole.document, whole.start, whole.start + len(text)), "")


def _first(table: Table, body: int) -> Place:
    """The first token of a function's body."""
    return Place(table.first[body] + 1, table.first[body] + 2)


def _keeps_its_meaning(
    places: Places, entity: Entity, table: Table, place: Place, body: int, to: Outer
) -> None:
    """Raises NotPossible if moving the declaration at `place` would change what a name refers to.

    That is the case if the declaration uses names that the function declares, or if a name that it declares
    occurs elsewhere in the function or, for a move to program scope, elsewhere in the unit.
    """
    everything = places.context(entity.ref.item).entities.values()
    names = {each.name for each in everything if each.name and place.first <= each.place.first < place.last}
    block = _innermost_block(table, place)
    inside = range(table.first[block], table.last[block])
    outer = range(table.first[body], table.last[body]) if to is Outer.KERNEL else range(len(table.leaves))
    if any(table.leaf(leaf) in names for leaf in outer if leaf not in inside or leaf < place.first):
        raise NotPossible
    if to is Outer.PROGRAM and not all(is_new_at_program_scope(places.unit, name) for name in names):
        raise NotPossible
    declared = {each.name for each in everything if each.name} - names
    used = {word for leaf in range(place.first, place.last) if _IDENTIFIER.match(word := table.leaf(leaf))}
    if used & declared:
        raise NotPossible


def _innermost_block(table: Table, place: Place) -> int:
    found = -1
    for row, number in enumerate(table.kind):
        if number == _BLOCK and table.first[row] <= place.first and place.last <= table.last[row]:
            found = row
    if found < 0:
        raise NotPossible
    return found
