"""Translates a single change of a fix into text edits that keep all other tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from openclsp.ide.document_part import find_part
from openclsp.ide.feature_results import Location, TextEdit
from openclsp.ide.location_map import LocationMap
from openclsp.language.spaces import QUALIFIERS, Space
from openclsp.rules.finding import (
    AddQualifier,
    FixChange,
    RemoveCast,
    RemoveSpace,
    ReplaceTokens,
    SetSpace,
)
from openclsp.semantics.facts.entities import (
    EntityKind,
    EntityRef,
    ItemKey,
    Level,
    Origin,
    Place,
)
from openclsp.source.comments import without_comments
from openclsp.source.parser import kind

_UNDERSCORED = re.compile(rb"\b__(?:global|local|constant|private|kernel)\b")
_PLAIN = re.compile(rb"\b(?:global|local|constant|private|kernel)\b")
_WORD = re.compile(r"\w")
_WORD_BYTE = re.compile(rb"[\w$\x80-\xff]")
_COMMENT = re.compile(rb"[ \t]*//[^\r\n]*(?<!\\)(?=\r?\n|\Z)")
_BLANKS = (b" ", b"\t")
_FUNCTION_DEFINITION = kind("function_definition")


_GENERIC = (b"generic", b"__generic")
_AFTER_QUALIFIERS = (b"*", b"^", b"(", b")", b"[", b"{", b"=", b",", b";")
"""The tokens that can follow the qualifiers of a level of a type."""

_ATTRIBUTES = (
    (["__attribute__", "(", "("], [")", ")"]),
    (["[[", "clang", "::"], ["]]"]),
)
"""The tokens around the name of an attribute in both spellings, if the attribute list has no other entry."""


class ChangeNotPossible(Exception):
    """Raised if a change cannot be written, for example because its place is in a macro's body."""


def render_change(places: LocationMap, key: ItemKey, change: FixChange) -> Iterator[TextEdit]:
    """Yields the edits of a change; its token indices refer to the item `key`. Raises ChangeNotPossible."""
    if isinstance(change, SetSpace):
        yield from _set_space(places, change.origin, change.space)
    elif isinstance(change, RemoveSpace):
        ref, level = _level(places, change.origin)
        for _, token_index in level.written:
            yield _remove_tokens(places, ref.item, _whole_qualifier(places, ref.item, token_index))
    elif isinstance(change, AddQualifier):
        ref, level = _level(places, change.origin)
        token_index = level.insertion
        if level.written:
            token_index = _whole_qualifier(places, ref.item, level.written[0][1]).last
        yield insert_before_token(places, ref.item, token_index, change.qualifier)
    elif isinstance(change, RemoveCast):
        yield _remove_cast(places, change.cast)
    elif isinstance(change, ReplaceTokens):
        yield replace_tokens(places, key, change.place, change.text)


def _level(places: LocationMap, origin: Origin) -> tuple[EntityRef, Level]:
    found = places.level(origin)
    if found is None:
        raise ChangeNotPossible
    return found


def level_to_write(places: LocationMap, origin: Origin) -> tuple[EntityRef, Level]:
    """Returns the entity and the level of its type at which to write an address space qualifier.

    The qualifier is for a level of a declaration, which `origin` identifies, and is usually written in that
    declaration. If the level has no qualifier and its type comes from a typedef, the qualifier may be written
    in the typedef instead. That is done if the typedef has a qualifier, or if the declaration has no place
    for one. Raises ChangeNotPossible.
    """
    entity = places.entity(origin.entity)
    if entity is None or not 0 <= origin.level < len(entity.levels):
        raise ChangeNotPossible
    level = entity.levels[origin.level]
    if level.written or level.via is None and level.insertion >= 0:
        return entity.ref, level
    ref, inherited = _level(places, origin)
    return (ref, inherited) if inherited.written or level.insertion < 0 else (entity.ref, level)


def _set_space(places: LocationMap, origin: Origin, space: Space) -> Iterator[TextEdit]:
    ref, level = level_to_write(places, origin)
    word = spell_qualifier(places, ref.item, space)
    reserved = _unavailable_generic(places, ref, level)
    if reserved is not None and not level.written:
        yield replace_tokens(places, ref.item, reserved, word)
    elif level.written:
        first, *others = level.written
        yield replace_tokens(places, ref.item, _whole_qualifier(places, ref.item, first[1]), word)
        for _, token_index in others:
            yield _remove_tokens(places, ref.item, _whole_qualifier(places, ref.item, token_index))
    else:
        yield insert_before_token(places, ref.item, level.insertion, word)


def has_valid_space(places: LocationMap, origin: Origin) -> bool:
    """Whether the level of a declaration that `origin` identifies has a valid address space.

    Qualifiers for two different address spaces are invalid, and so is `generic` in a dialect without a
    generic address space. The result is True if the level is not known.
    """
    found = places.level(origin)
    if found is None:
        return True
    ref, level = found
    return len({space for space, _ in level.written}) < 2 and _unavailable_generic(places, ref, level) is None


def has_misplaced_space(places: LocationMap, ref: EntityRef) -> bool:
    """Whether a variable of a function is declared in global memory, which only its pointee can be in.

    Where global variables exist, a static variable can be in global memory.
    """
    entity = places.entity(ref)
    if (
        places.unit.dialect.program_scope_globals
        or entity is None
        or entity.kind is not EntityKind.VARIABLE
        or not entity.levels
    ):
        return False
    in_function = places.table(ref.item).kind[0] == _FUNCTION_DEFINITION
    return in_function and any(space is Space.GLOBAL for space, _ in entity.levels[0].written)


def _unavailable_generic(places: LocationMap, ref: EntityRef, level: Level) -> Place | None:
    """Returns the place of an invalid `generic` at a pointer level; None if there is none.

    `generic` is invalid in a dialect without a generic address space.
    """
    if places.unit.dialect.generic or level.insertion < 0:
        return None
    token_indices = places.table(ref.item).tokens
    for token_index in range(level.insertion, len(token_indices)):
        if token_indices[token_index] in _GENERIC:
            return Place(token_index, token_index + 1)
        if token_indices[token_index] in _AFTER_QUALIFIERS:
            break
    return None


def _whole_qualifier(places: LocationMap, key: ItemKey, token_index: int) -> Place:
    """Returns the place of a whole qualifier, given the token of its name.

    The qualifier is a keyword, or an attribute with its brackets. Raises ChangeNotPossible if the attribute
    list has other entries.
    """
    table = places.table(key)
    if table.token(token_index) in QUALIFIERS:
        return Place(token_index, token_index + 1)
    last = token_index + 1
    if table.token(last) == "(":
        while last < len(table.tokens) and table.token(last) != ")":
            last += 1
        last += 1
    for opening, closing in _ATTRIBUTES:
        first = token_index - len(opening)
        around = (
            [table.token(at) for at in range(first, token_index)],
            [table.token(last + at) for at in range(len(closing))],
        )
        if around == (opening, closing):
            return Place(first, last + len(closing))
    raise ChangeNotPossible


def spell_qualifier(places: LocationMap, key: ItemKey, space: Space) -> str:
    """Spells the qualifier as the document usually does, with or without underscores.

    An address space that only clang has is spelled as an attribute.
    """
    if space.is_vendor_extension:
        return space.qualifier
    text = places.unit.by_key[key].group.part.preprocessed.document.text.data
    return f"__{space.word}" if _prefers_underscores(text) else space.word


@lru_cache(maxsize=8)
def _prefers_underscores(text: bytes) -> bool:
    code = without_comments(text)  # where `global` is an ordinary word
    return len(_UNDERSCORED.findall(code)) > len(_PLAIN.findall(code))


def token_location(places: LocationMap, key: ItemKey, place: Place) -> Location:
    """Returns the location at which the tokens of a place are written. Raises ChangeNotPossible."""
    span = places.spelling_span(key, place)
    if span is None:
        raise ChangeNotPossible
    return Location(span.document, span.start, span.end)


def replace_tokens(places: LocationMap, key: ItemKey, place: Place, text: str) -> TextEdit:
    """Creates the edit that replaces tokens by `text`, or inserts `text` if the place is empty.

    Raises ChangeNotPossible.
    """
    if place.first == place.last:
        return insert_before_token(places, key, place.first, text)
    if not text:
        return _remove_tokens(places, key, place)
    return TextEdit(token_location(places, key, place), text)


def _remove_tokens(places: LocationMap, key: ItemKey, place: Place) -> TextEdit:
    """Creates the edit that removes tokens and the blanks after them.

    A blank stays between two words: `sampler_t* s` becomes `sampler_t s`.
    """
    location = token_location(places, key, place)
    data = document_bytes(places, location.document)
    end = location.end
    while end < len(data) and data[end : end + 1] in (b" ", b"\t"):
        end += 1
    before, behind = data[max(location.start - 1, 0) : location.start], data[end : end + 1]
    separator = " " if _WORD_BYTE.match(before) and _WORD_BYTE.match(behind) else ""
    return TextEdit(Location(location.document, location.start, end), separator)


def document_bytes(places: LocationMap, document: str) -> bytes:
    """Returns the bytes of a document of the unit.

    Raises ChangeNotPossible if no part of the unit comes from the document, so that fixes cannot edit it.
    """
    part = find_part(places.unit, document)
    if part is None:
        raise ChangeNotPossible
    return part.preprocessed.document.text.data


def extend_to_whole_line(data: bytes, document: str, start: int, end: int) -> Location:
    """Extends the range to the whole line, including the line end, if the line contains nothing else.

    Otherwise, only the blanks directly before the range are added.
    """
    first = start
    while first > 0 and data[first - 1 : first] in _BLANKS:
        first -= 1
    last = end
    while data[last : last + 1] in _BLANKS:
        last += 1
    if data[last : last + 1] not in (b"\n", b"\r", b"") or (first and data[first - 1 : first] != b"\n"):
        return Location(document, first, end)
    last += 2 if data[last : last + 2] == b"\r\n" else 1
    return Location(document, first, min(last, len(data)))


def end_of_trailing_comment(data: bytes, end: int) -> int:
    """Returns the end of the line comment after `end`; `end` if there is none."""
    comment = _COMMENT.match(data, end)
    return end if comment is None else comment.end()


def insert_before_token(places: LocationMap, key: ItemKey, token_index: int, word: str) -> TextEdit:
    """Creates the edit that inserts `word` before a token, with blanks where it would merge with a neighbour.

    Raises ChangeNotPossible.
    """
    table = places.table(key)
    if not 0 <= token_index < len(table.tokens):
        raise ChangeNotPossible
    location = _insertion_location(places, key, token_index)
    data = document_bytes(places, location.document)
    after = chr(data[location.start]) if location.start < len(data) else ""
    before = chr(data[location.start - 1]) if location.start else ""
    text = word
    if _WORD.match(word[-1:]) and (_WORD.match(after) or after == "*"):
        text += " "
    if _WORD.match(before) and _WORD.match(word[:1]):
        text = " " + text
    return TextEdit(Location(location.document, location.start, location.start), text)


def _insertion_location(places: LocationMap, key: ItemKey, token_index: int) -> Location:
    """Returns the location before a token, or before the macro invocation that begins with it.

    Raises ChangeNotPossible.
    """
    if places.spelling_span(key, Place(token_index, token_index + 1)) is not None:
        return token_location(places, key, Place(token_index, token_index + 1))
    return token_location(places, key, Place(token_index, token_index))


def _remove_cast(places: LocationMap, cast: EntityRef) -> TextEdit:
    entity = places.entity(cast)
    if entity is None:
        raise ChangeNotPossible
    table = places.table(cast.item)
    opening, closing = entity.place.first - 1, entity.place.last
    if opening < 0 or table.token(opening) != "(" or table.token(closing) != ")":
        raise ChangeNotPossible
    return _remove_tokens(places, cast.item, Place(opening, closing + 1))
