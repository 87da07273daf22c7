"""Translates changes of whole declarations into text edits: types, initialisers, moves to another scope."""

from __future__ import annotations

import re
from collections.abc import Iterator

from openclsp.ide.feature_results import Location, TextEdit
from openclsp.ide.fixes.change_rendering import (
    ChangeNotPossible,
    document_bytes,
    end_of_trailing_comment,
    extend_to_whole_line,
    replace_tokens,
    token_location,
)
from openclsp.ide.fixes.program_scope_rendering import render_initialiser, render_move_into_kernel
from openclsp.ide.fixes.unused_names import is_unused_at_program_scope
from openclsp.ide.location_map import LocationMap
from openclsp.language.spaces import QUALIFIERS
from openclsp.rules.finding import (
    AddInitialiser,
    DeclarationChange,
    DeclarationPart,
    MoveIntoKernel,
    MoveToOuterScope,
    OuterScope,
    RemoveQualifier,
    SetType,
    SplitInitialisation,
)
from openclsp.semantics.facts.entities import Entity, EntityRef, Place
from openclsp.semantics.items.syntax_table import Table
from openclsp.source.parser import FIELDS, kind

_TYPE, _BODY, _DECLARATOR = FIELDS["type"], FIELDS["body"], FIELDS["declarator"]
_DECLARATION, _BLOCK = kind("declaration"), kind("compound_statement")
_WIDTH, _ELLIPSIS = kind("bitfield_clause"), kind("variadic_parameter")
_NAMED = tuple(map(kind, ("primitive_type", "sized_type_specifier", "type_identifier")))
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*\Z")
_DIRECTIVE = re.compile(rb"^[ \t]*\#", re.MULTILINE)
_DEFINITION = re.compile(rb"^[ \t]*\#[ \t]*(?:define|undef|include)\b", re.MULTILINE)
"""Directives that may change the meaning of a name in a declaration that is moved over them"""
_C_QUALIFIERS = ("const", "volatile", "restrict")
_BLANKS = (b" ", b"\t")


def render_declaration_change(places: LocationMap, change: DeclarationChange) -> Iterator[TextEdit]:
    """Yields the edits of a change to a declaration. Raises ChangeNotPossible."""
    ref = change.origin.entity if isinstance(change, RemoveQualifier) else change.entity
    entity = places.entity(ref)
    if entity is None:
        raise ChangeNotPossible
    table = places.table(ref.item)
    if isinstance(change, RemoveQualifier):
        yield from _without_qualifier(places, entity, table, change)
    elif isinstance(change, SetType):
        yield replace_tokens(places, ref.item, _named_type(entity, table), change.name)
    elif isinstance(change, SplitInitialisation):
        yield _split_initialisation(places, entity, table)
    elif isinstance(change, MoveToOuterScope):
        yield from _move_out(places, entity, table, change.to)
    elif isinstance(change, MoveIntoKernel):
        yield from render_move_into_kernel(places, entity, change)
    elif isinstance(change, AddInitialiser):
        yield render_initialiser(places, entity, change)
    elif change.part is DeclarationPart.STAR:
        yield replace_tokens(places, ref.item, _outermost_star(entity, table), "")
    elif change.part is DeclarationPart.WIDTH:
        node = _find_node(table, _WIDTH, entity.place.last)
        yield _remove_with_blanks_before(places, ref, Place(table.first[node], table.last[node]))
    else:
        node = _find_node(table, _ELLIPSIS, entity.place.last, later=True)
        if table.token(table.first[node] - 1) != ",":
            raise ChangeNotPossible
        yield _remove_with_blanks_before(places, ref, Place(table.first[node] - 1, table.last[node]))


def _find_node(table: Table, wanted: int, token_index: int, *, later: bool = False) -> int:
    """Returns the first node of the kind `wanted` that starts at a token or, with `later`, at or after it.

    Raises ChangeNotPossible if there is none.
    """
    for node, number in enumerate(table.kind):
        if number == wanted and (
            table.first[node] == token_index or (later and table.first[node] > token_index)
        ):
            return node
    raise ChangeNotPossible


def _remove_with_blanks_before(places: LocationMap, ref: EntityRef, place: Place) -> TextEdit:
    """Creates the edit that removes tokens and the blanks before them."""
    location = token_location(places, ref.item, place)
    data = document_bytes(places, location.document)
    start = location.start
    while start > 0 and data[start - 1 : start] in _BLANKS:
        start -= 1
    return TextEdit(Location(location.document, start, location.end), "")


def _without_qualifier(
    places: LocationMap, entity: Entity, table: Table, change: RemoveQualifier
) -> Iterator[TextEdit]:
    """Yields the edits that remove a qualifier of a pointer level. Raises ChangeNotPossible."""
    # A level's qualifiers follow its `*`; those of the innermost level are among the specifiers.
    stars = [
        token_index
        for token_index in range(entity.whole.first, entity.place.first)
        if table.token(token_index) == "*"
    ]
    segment = len(stars) - change.origin.level
    if not 0 <= segment <= len(stars):
        raise ChangeNotPossible
    first = stars[segment - 1] + 1 if segment else entity.whole.first
    last = stars[segment] if segment < len(stars) else entity.place.first
    found = [
        token_index for token_index in range(first, last) if table.token(token_index) == change.qualifier
    ]
    if not found:
        raise ChangeNotPossible
    for token_index in found:
        yield replace_tokens(places, entity.ref.item, Place(token_index, token_index + 1), "")


def _outermost_star(entity: Entity, table: Table) -> Place:
    """Returns the place of the last `*` before a name, together with the qualifiers before this `*`.

    The qualifiers belong to the pointee of the outermost pointer. Raises ChangeNotPossible unless the pointee
    is a pointer, too, as in `**p`.
    """
    stars = []
    for token_index in range(entity.place.first - 1, entity.whole.first, -1):
        if table.token(token_index) == "*":
            stars.append(token_index)
        elif (
            table.token(token_index) not in QUALIFIERS
            and table.token(token_index).strip("_") not in _C_QUALIFIERS
        ):
            break
    if len(stars) < 2:
        raise ChangeNotPossible
    return Place(stars[1] + 1, stars[0] + 1)


def _named_type(entity: Entity, table: Table) -> Place:
    """Returns the place of the type name in the declaration.

    Raises ChangeNotPossible if the type is not a name, or if the tokens of the name are not contiguous.
    """
    for node, field in enumerate(table.field):
        if field == _TYPE and entity.whole.first <= table.first[node] < entity.place.first:
            if table.kind[node] not in _NAMED or table.last[node] > entity.place.first:
                raise ChangeNotPossible
            return Place(table.first[node], table.last[node])
    raise ChangeNotPossible


def _split_initialisation(places: LocationMap, entity: Entity, table: Table) -> TextEdit:
    node = _find_declaration(entity, table)
    *_, declarator = [child for child in table.children(node) if table.field[child] == _DECLARATOR]
    name = entity.place
    last = table.last[node] - 1
    alone = table.first[declarator] <= name.first < last and table.token(last) == ";"
    if not alone or table.token(name.last) != "=" or table.token(name.last + 1) == "{":
        raise ChangeNotPossible
    return replace_tokens(places, entity.ref.item, name, f"{entity.name}; {entity.name}")


def _find_declaration(entity: Entity, table: Table) -> int:
    """Returns the innermost declaration node that declares the variable.

    Raises ChangeNotPossible if there is none.
    """
    found = -1
    for node, number in enumerate(table.kind):
        if number == _DECLARATION and table.first[node] <= entity.place.first < table.last[node]:
            found = node
    if found < 0:
        raise ChangeNotPossible
    return found


def _move_out(places: LocationMap, entity: Entity, table: Table, to: OuterScope) -> Iterator[TextEdit]:
    node = _find_declaration(entity, table)
    place = Place(table.first[node], table.last[node])
    body = table.child(0, _BODY)
    if body < 0 or table.kind[body] != _BLOCK or table.token(table.first[body]) != "{":
        raise ChangeNotPossible
    _check_names_after_move(places, entity, table, place, body, to)
    head = token_location(
        places,
        entity.ref.item,
        Place(0, 1) if to is OuterScope.PROGRAM else _first_token_of_body(table, body),
    )
    # Tokens between the first and the last one may come from macros, such as the size of an array.
    first = token_location(places, entity.ref.item, Place(place.first, place.first + 1))
    last = token_location(places, entity.ref.item, Place(place.last - 1, place.last))
    whole = Location(first.document, first.start, last.end)
    if not head.document == first.document == last.document or not head.start < whole.start < whole.end:
        raise ChangeNotPossible
    data = document_bytes(places, whole.document)
    if _DIRECTIVE.search(data, whole.start, whole.end) or _DEFINITION.search(data, head.start, whole.start):
        raise ChangeNotPossible
    text = data[whole.start : end_of_trailing_comment(data, whole.end)]
    newline = "\r\n" if b"\r\n" in data else "\n"
    line = data[data.rfind(b"\n", 0, head.start) + 1 : head.start]
    behind = newline + (
        newline if to is OuterScope.PROGRAM else line.decode() if not line.strip() else "    "
    )
    there = Location(whole.document, head.start, head.start)
    yield TextEdit(there, text.decode("utf-8", "surrogateescape") + behind)
    yield TextEdit(extend_to_whole_line(data, whole.document, whole.start, whole.start + len(text)), "")


def _first_token_of_body(table: Table, body: int) -> Place:
    """Returns the place of the first token after the opening brace of a function's body."""
    return Place(table.first[body] + 1, table.first[body] + 2)


def _check_names_after_move(
    places: LocationMap, entity: Entity, table: Table, place: Place, body: int, to: OuterScope
) -> None:
    """Raises ChangeNotPossible if moving the declaration at `place` would change what a name refers to.

    The move is refused in these cases:

    - The declaration uses a name that the function declares.
    - A name that the declaration declares occurs in the function before the declaration, or after the block
      that contains it.
    - The move is to program scope, and there is a macro, a built-in function or a declaration at program
      scope with a name that the declaration declares.
    """
    everything = places.context(entity.ref.item).entities.values()
    names = {each.name for each in everything if each.name and place.first <= each.place.first < place.last}
    block = _innermost_block(table, place)
    inside = range(table.first[block], table.last[block])
    outer = (
        range(table.first[body], table.last[body]) if to is OuterScope.KERNEL else range(len(table.tokens))
    )
    if any(
        table.token(token_index) in names
        for token_index in outer
        if token_index not in inside or token_index < place.first
    ):
        raise ChangeNotPossible
    if to is OuterScope.PROGRAM and not all(is_unused_at_program_scope(places.unit, name) for name in names):
        raise ChangeNotPossible
    declared = {each.name for each in everything if each.name} - names
    used = {
        word
        for token_index in range(place.first, place.last)
        if _IDENTIFIER.match(word := table.token(token_index))
    }
    if used & declared:
        raise ChangeNotPossible


def _innermost_block(table: Table, place: Place) -> int:
    found = -1
    for node, number in enumerate(table.kind):
        if number == _BLOCK and table.first[node] <= place.first and place.last <= table.last[node]:
            found = node
    if found < 0:
        raise ChangeNotPossible
    return found
