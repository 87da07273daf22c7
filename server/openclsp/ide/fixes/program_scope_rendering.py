"""Creates the text edits that give a program-scope variable an initialiser, or move it into a kernel."""

from __future__ import annotations

import re
from collections.abc import Iterator

from openclsp.ide.feature_results import Location, TextEdit
from openclsp.ide.fixes.change_rendering import (
    ChangeNotPossible,
    document_bytes,
    end_of_trailing_comment,
    extend_to_whole_line,
    token_location,
)
from openclsp.ide.location_map import LocationMap
from openclsp.rules.finding import AddInitialiser, MoveIntoKernel
from openclsp.semantics.facts.entities import Entity, ItemKey, Place
from openclsp.semantics.items.syntax_table import Table
from openclsp.source.parser import FIELDS, kind

_BODY, _BLOCK = FIELDS["body"], kind("compound_statement")
_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")
_STORAGE = ("static", "extern")
_INDENTATION = re.compile(rb"[ \t]*")
_DEFINITION = "function_definition"


def render_initialiser(places: LocationMap, entity: Entity, change: AddInitialiser) -> TextEdit:
    """Creates the edit that inserts an initialiser after the variable's declarator.

    Raises ChangeNotPossible.
    """
    end = _declarator_end(places.table(change.entity.item), entity)
    before = token_location(places, change.entity.item, Place(end - 1, end))
    return TextEdit(Location(before.document, before.end, before.end), f" = {change.text}")


def _declarator_end(table: Table, entity: Entity) -> int:
    """Returns the index of the token after a declarator without an initialiser.

    Raises ChangeNotPossible if the declarator has an initialiser.
    """
    depth = 0
    for token_index in range(entity.place.last, len(table.tokens)):
        word = table.token(token_index)
        if depth <= 0 and word in (",", ";"):
            return token_index
        if word == "=":
            break
        depth += (word in _OPENING) - (word in _CLOSING)
    raise ChangeNotPossible


def render_move_into_kernel(
    places: LocationMap, entity: Entity, change: MoveIntoKernel
) -> Iterator[TextEdit]:
    """Yields the edits that move a declaration to the start of the only kernel that uses it.

    Raises ChangeNotPossible.
    """
    key = change.entity.item
    table, unit = places.table(key), places.unit
    if len(unit.by_key[key].names) != 1 or _declarator_end(table, entity) != len(table.tokens) - 1:
        raise ChangeNotPossible
    kernel = _only_user(places, key, entity.name)
    whole = token_location(places, key, Place(0, len(table.tokens)))
    head = token_location(places, kernel, _first_in_body(places.table(kernel)))
    if whole.document != head.document:
        raise ChangeNotPossible
    data = document_bytes(places, whole.document)
    # Storage classes are dropped, which requires that they precede everything else: the text after them is
    # copied as a whole, with its comments.
    kept = (
        token_index for token_index in range(len(table.tokens)) if table.token(token_index) not in _STORAGE
    )
    first = next(kept, -1)
    if first < 0 or any(
        table.token(token_index) in _STORAGE for token_index in range(first, len(table.tokens))
    ):
        raise ChangeNotPossible
    start = token_location(places, key, Place(first, first + 1)).start
    end = end_of_trailing_comment(data, whole.end)
    text = data[start:end].decode("utf-8", "surrogateescape")
    line = data.rfind(b"\n", 0, head.start) + 1
    blanks = _INDENTATION.match(data, line)
    own_line = blanks is not None and blanks.end() == head.start
    newline = "\r\n" if b"\r\n" in data else "\n"
    commented = end > whole.end
    behind = newline + data[line : head.start].decode() if own_line else newline if commented else " "
    yield TextEdit(Location(head.document, head.start, head.start), text + behind)
    yield TextEdit(extend_to_whole_line(data, whole.document, whole.start, end), "")


def _only_user(places: LocationMap, declared: ItemKey, name: str) -> ItemKey:
    """Returns the only item that uses the variable.

    Raises ChangeNotPossible unless this item is a kernel definition.
    """
    word = re.compile(rb"\b" + re.escape(name.encode()) + rb"\b")
    found = [
        item.key
        for item in places.unit.items
        if item.key != declared
        and word.search(item.group.text) is not None
        and name.encode() in places.table(item.key).tokens
    ]
    if len(found) != 1 or found[0][0] != _DEFINITION:
        raise ChangeNotPossible
    token_indices = places.table(found[0]).tokens
    head = token_indices[: token_indices.index(b"(")] if b"(" in token_indices else []
    if b"kernel" not in head and b"__kernel" not in head:
        raise ChangeNotPossible
    return found[0]


def _first_in_body(table: Table) -> Place:
    body = table.child(0, _BODY)
    if body < 0 or table.kind[body] != _BLOCK or table.token(table.first[body]) != "{":
        raise ChangeNotPossible
    return Place(table.first[body] + 1, table.first[body] + 2)
