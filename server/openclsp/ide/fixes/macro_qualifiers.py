"""Changes address space qualifiers that come from macros.

In `GLOBAL float *p` with `#define GLOBAL global`, the use of the macro is replaced. If the macro's body
contains more than qualifiers, as in `#define LOAD(p) (*(global float *)(p))`, the qualifier is replaced in
the body.
"""

from __future__ import annotations

import re
from typing import Final

from openclsp.ide.feature_results import Location, TextEdit
from openclsp.ide.fixes.change_rendering import (
    ChangeNotPossible,
    document_bytes,
    level_to_write,
    spell_qualifier,
)
from openclsp.ide.location_map import LocationMap
from openclsp.ide.navigation.macro_names import raw_name_at
from openclsp.ide.navigation.token_places import TokenPlaces, documents_of
from openclsp.language.spaces import QUALIFIERS, Space
from openclsp.rules.finding import SetSpace
from openclsp.semantics.facts.entities import ItemKey, Place
from openclsp.source.source_map import SourceMap

_NAME: Final = re.compile(rb"[A-Za-z_]\w*\Z", re.ASCII)
_QUALIFIERS: Final = frozenset((*QUALIFIERS, "const", "volatile", "restrict", "__restrict"))


def replace_macro_qualifier(places: LocationMap, change: SetSpace) -> TextEdit | None:
    """Creates the edit that changes a qualifier that comes from a macro.

    None if the qualifier is written in the declaration itself. Raises ChangeNotPossible.
    """
    ref, level = level_to_write(places, change.origin)
    if len(level.written) != 1:
        return None
    key, token_index = ref.item, level.written[0][1]
    here = Place(token_index, token_index + 1)
    if places.spelling_span(key, here) is not None or places.table(key).token(token_index) not in QUALIFIERS:
        return None
    use = _use_of_qualifiers(places, key, token_index, change.space)
    return _edit_in_body(places, key, here, change.space) if use is None else use


def _use_of_qualifiers(places: LocationMap, key: ItemKey, token_index: int, space: Space) -> TextEdit | None:
    """Creates the edit that replaces the use of a macro whose body consists of qualifiers.

    None if the body contains anything else. `token_index` is the token of the qualifier to be changed, and
    `space` the new address space.
    """
    table = places.table(key)
    use = places.location(key, Place(token_index, token_index + 1))
    name = document_bytes(places, use.document)[use.start : use.end]
    if _NAME.match(name) is None:
        return None
    first, last = token_index, token_index + 1
    while first > 0 and places.location(key, Place(first - 1, first)) == use:
        first -= 1
    while last < len(table.tokens) and places.location(key, Place(last, last + 1)) == use:
        last += 1
    expanded = [table.token(each) for each in range(first, last)]
    if not _QUALIFIERS.issuperset(expanded):
        return None
    other = _counterpart(places, use, name, table.token(token_index), space) if len(expanded) == 1 else ""
    expanded[token_index - first] = spell_qualifier(places, key, space)
    return TextEdit(use, other or " ".join(expanded))


def _counterpart(places: LocationMap, use: Location, name: bytes, qualifier: str, space: Space) -> str:
    """Returns the name of the macro for the address space `space`, given the macro `name` for `qualifier`.

    For `GLOBAL_AS` and the local address space, this is `LOCAL_AS`, if that macro is defined as `local`.
    Empty if there is no such macro.
    """
    old, new = qualifier.strip("_"), space.word
    for change in (str.upper, str.lower, str.capitalize):
        other = name.replace(change(old).encode(), change(new).encode(), 1)
        if other == name:
            continue
        for each in documents_of(places.unit, use.document):
            macro = _macro_at(each.source_map, other, use.start)
            if macro is not None and [word.decode().strip("_") for word in macro] == [new]:
                return other.decode()
    return ""


def _macro_at(source_map: SourceMap, name: bytes, offset: int) -> tuple[bytes, ...] | None:
    """Returns the words in the body of the macro that `name` denotes at byte `offset` of the document.

    None if no macro of this name is defined there, or if it has parameters.
    """
    macro = source_map.history.macro_at(name, source_map.moves.original(offset))
    if macro is None or macro.parameters is not None:
        return None
    return tuple(token[1] for token in macro.body)


def _edit_in_body(places: LocationMap, key: ItemKey, here: Place, space: Space) -> TextEdit:
    """Creates the edit that replaces a qualifier in the body of a macro.

    Raises ChangeNotPossible if the body contains only qualifiers: every use of such a macro relies on them.
    """
    part, start, end = places.expanded_range(key, here)
    found = TokenPlaces(places.unit).place(part.preprocessed.source_map, start, end)
    if found is None:
        raise ChangeNotPossible
    data = document_bytes(places, found.document)
    for each in documents_of(places.unit, found.document):
        name = raw_name_at(each, found.start)
        if name is not None and name.is_in_body and name.name == data[found.start : found.end]:
            if _QUALIFIERS.issuperset(token[1].decode("latin-1") for token in name.tokens[3:]):
                break
            return TextEdit(found, spell_qualifier(places, key, space))
    raise ChangeNotPossible
