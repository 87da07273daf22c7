"""Translates changes of program-scope variables into text edits: initialisers, moves into a kernel."""

from __future__ import annotations

import re
from collections.abc import Iterator

from openclsp.ide.answers import Location, TextEdit
from openclsp.ide.changes import NotPossible, document_data, span, with_comment, with_its_line
from openclsp.ide.places import Places
from openclsp.rules.finding import Initialise, MoveIn
from openclsp.semantics.entities import Entity, ItemKey, Place
from openclsp.semantics.table import Table
from openclsp.source.tree import FIELDS, kind

_BODY, _BLOCK = FIELDS["body"], kind("compound_statement")
_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")
_STORAGE = ("static", "extern")
_INDENTATION = re.compile(rb"[ \t]*")
_DEFINITION = "function_definition"


def initialised(places: Places, entity: Entity, change: Initialise) -> TextEdit:
    """Creates the edit that inserts an initialiser after the variable's declarator. Raises NotPossible."""
    end = _declarator_end(places.table(change.entity.item), entity)
    before = span(places, change.entity.item, Place(end - 1, end))
    return TextEdit(Location(before.document, before.end, before.end), f" = {change.text}")


def _declarator_end(table: Table, entity: Entity) -> int:
    """The index of the token after a declarator without an initialiser. Raises NotPossible if it has one."""
    depth = 0
    for leaf in range(entity.place.last, len(table.leaves)):
        word = table.leaf(leaf)
        if depth <= 0 and word in (",", ";"):
            return leaf
        if word == "=":
            break
        depth += (word in _OPENING) - (word in _CLOSING)
    raise NotPossible


def moved_in(places: Places, entity: Entity, change: MoveIn) -> Iterator[TextEdit]:
    """Yields the edits that move a declaration to the start of the only kernel that uses it.

    Raises NotPossible.
    """
    key = change.entity.item
    table, unit = places.table(key), places.unit
    if len(unit.by_key[key].names) != 1 or _declarator_end(table, entity) != len(table.leaves) - 1:
        raise NotPossible
    kernel = _only_user(places, key, entity.name)
    whole = span(places, key, Place(0, len(table.leaves)))
    head = span(places, kernel, _first_in_body(places.table(kernel)))
    if whole.document != head.document:
        raise NotPossible
    data = document_data(places, whole.document)
    # Storage classes are dropped, which requires that they precede everything else: the text after them is
    # copied as a whole, with its comments.
    kept = (leaf for leaf in range(len(table.leaves)) if table.leaf(leaf) not in _STORAGE)
    first = next(kept, -1)
    if first < 0 or any(table.leaf(leaf) in _STORAGE for leaf in range(first, len(table.leaves))):
        raise NotPossible
    start = span(places, key, Place(first, first + 1)).start
    end = with_comment(data, whole.end)
    text = data[start:end].decode("utf-8", "surrogateescape")
    line = data.rfind(b"\n", 0, head.start) + 1
    blanks = _INDENTATION.match(data, line)
    own_line = blanks is not None and blanks.end() == head.start
    newline = "\r\n" if b"\r\n" in data else "\n"
    commented = end > whole.end
    behind = newline + data[line : head.start].decode() if own_line else newline if commented else " "
    yield TextEdit(Location(head.document, head.start, head.start), text + behind)
    yield TextEdit(with_its_line(data, whole.document, whole.start, end), "")


def _only_user(places: Places, declared: ItemKey, name: str) -> ItemKey:
    """The only item that uses the variable. Raises NotPossible unless it is a kernel definition."""
    word = re.compile(rb"\b" + re.escape(name.encode()) + rb"\b")
    found = [
        item.key
        for item in places.unit.items
        if item.key != declared
        and word.search(item.group.text) is not None
        and name.encode() in places.table(item.key).leaves
    ]
    if len(found) != 1 or found[0][0] != _DEFINITION:
        raise NotPossible
    leaves = places.table(found[0]).leaves
    head = leaves[: leaves.index(b"(")] if b"(" in leaves else []
    if b"kernel" not in head and b"__kernel" not in head:
        raise NotPossible
    return found[0]


def _first_in_body(table: Table) -> Place:
    body = table.child(0, _BODY)
    if body < 0 or table.kind[body] != _BLOCK or table.leaf(table.first[body]) != "{":
        raise NotPossible
    return Place(table.first[body] + 1, table.first[body] + 2)
