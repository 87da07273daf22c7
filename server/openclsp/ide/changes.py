"""Translates a single change of a fix into text edits that keep every other token."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from openclsp.ide.answers import Location, TextEdit
from openclsp.ide.places import Places
from openclsp.language.spaces import QUALIFIERS, Space
from openclsp.rules.finding import (
    AddQualifier,
    Change,
    RemoveCast,
    RemoveSpace,
    ReplaceLeaves,
    SetSpace,
)
from openclsp.semantics.entities import EntityRef, ItemKey, Level, Origin, Place

_UNDERSCORED = re.compile(rb"\b__(?:global|local|constant|private|kernel)\b")
_PLAIN = re.compile(rb"\b(?:global|local|constant|private|kernel)\b")
_WORD = re.compile(r"\w")
_COMMENT = re.compile(rb"[ \t]*//[^\r\n]*(?<!\\)(?=\r?\n|\Z)")
_BLANKS = (b" ", b"\t")


_GENERIC = (b"generic", b"__generic")
_BEHIND_LEVEL = (b"*", b"^", b"(", b")", b"[", b"{", b"=", b",", b";")
"""The tokens that can follow the qualifiers of a level of a type."""

_ATTRIBUTES = (
    (["__attribute__", "(", "("], [")", ")"]),
    (["[[", "clang", "::"], ["]]"]),
)
"""The tokens around the name of an attribute in both spellings, if the attribute list has no other entry."""


class NotPossible(Exception):
    """The change cannot be written, as its place is in a macro's body or in no document.

    Caught in `drafts`.
    """


def edits_of(places: Places, key: ItemKey, change: Change) -> Iterator[TextEdit]:
    """Yields the edits of a change, whose token indices are those of the item `key`. Raises NotPossible."""
    if isinstance(change, SetSpace):
        yield from _set_space(places, change.origin, change.space)
    elif isinstance(change, RemoveSpace):
        ref, level = _level(places, change.origin)
        for _, leaf in level.written:
            yield _without(places, ref.item, _qualifier(places, ref.item, leaf))
    elif isinstance(change, AddQualifier):
        ref, level = _level(places, change.origin)
        leaf = level.insertion
        if level.written:
            leaf = _qualifier(places, ref.item, level.written[0][1]).last
        yield insertion(places, ref.item, leaf, change.word)
    elif isinstance(change, RemoveCast):
        yield _remove_cast(places, change.cast)
    elif isinstance(change, ReplaceLeaves):
        yield replacement(places, key, change.place, change.text)


def _level(places: Places, origin: Origin) -> tuple[EntityRef, Level]:
    found = places.level(origin)
    if found is None:
        raise NotPossible
    return found


def _set_space(places: Places, origin: Origin, space: Space) -> Iterator[TextEdit]:
    entity = places.entity(origin.entity)
    if entity is None or not 0 <= origin.level < len(entity.levels):
        raise NotPossible
    level, ref = entity.levels[origin.level], entity.ref
    if level.insertion < 0 and not level.written:
        ref, level = _level(places, origin)
    word = spelling(places, ref.item, space)
    reserved = _reserved(places, ref, level)
    if reserved is not None and not level.written:
        yield replacement(places, ref.item, reserved, word)
    elif level.written:
        first, *others = level.written
        yield replacement(places, ref.item, _qualifier(places, ref.item, first[1]), word)
        for _, leaf in others:
            yield _without(places, ref.item, _qualifier(places, ref.item, leaf))
    else:
        yield insertion(places, ref.item, level.insertion, word)


def is_settled(places: Places, origin: Origin) -> bool:
    """Whether the level's address space is valid.

    It is not if there are two of them, or if it is `generic` in a dialect without it.
    """
    found = places.level(origin)
    if found is None:
        return True
    ref, level = found
    return len({space for space, _ in level.written}) < 2 and _reserved(places, ref, level) is None


def _reserved(places: Places, ref: EntityRef, level: Level) -> Place | None:
    """The place of `generic` among the qualifiers of a level, in a dialect where it is no address space."""
    if places.unit.dialect.generic or level.insertion < 0:
        return None
    leaves = places.table(ref.item).leaves
    for leaf in range(level.insertion, len(leaves)):
        if leaves[leaf] in _GENERIC:
            return Place(leaf, leaf + 1)
        if leaves[leaf] in _BEHIND_LEVEL:
            break
    return None


def _qualifier(places: Places, key: ItemKey, leaf: int) -> Place:
    """The place of the whole qualifier whose name is that token: the keyword, or the attribute around it.

    Raises NotPossible if the attribute list has other entries.
    """
    table = places.table(key)
    if table.leaf(leaf) in QUALIFIERS:
        return Place(leaf, leaf + 1)
    last = leaf + 1
    if table.leaf(last) == "(":
        while last < len(table.leaves) and table.leaf(last) != ")":
            last += 1
        last += 1
    for opening, closing in _ATTRIBUTES:
        first = leaf - len(opening)
        around = (
            [table.leaf(at) for at in range(first, leaf)],
            [table.leaf(last + at) for at in range(len(closing))],
        )
        if around == (opening, closing):
            return Place(first, last + len(closing))
    raise NotPossible


def spelling(places: Places, key: ItemKey, space: Space) -> str:
    """The qualifier in the document's prevailing spelling, with or without underscores.

    An address space that clang adds is spelled as an attribute.
    """
    if space.is_vendors:
        return space.qualifier
    text = places.unit.by_key[key].group.fragment.preprocessed.document.text.data
    return f"__{space.word}" if _prefers_underscores(text) else space.word


@lru_cache(maxsize=8)
def _prefers_underscores(text: bytes) -> bool:
    return len(_UNDERSCORED.findall(text)) > len(_PLAIN.findall(text))


def span(places: Places, key: ItemKey, place: Place) -> Location:
    """The location where the tokens are written. Raises NotPossible."""
    span = places.spelled(key, place)
    if span is None:
        raise NotPossible
    return Location(span.document, span.start, span.end)


def replacement(places: Places, key: ItemKey, place: Place, text: str) -> TextEdit:
    """Creates the edit that replaces tokens by `text`; an empty place inserts. Raises NotPossible."""
    if place.first == place.last:
        return insertion(places, key, place.first, text)
    if not text:
        return _without(places, key, place)
    return TextEdit(span(places, key, place), text)


def _without(places: Places, key: ItemKey, place: Place) -> TextEdit:
    """Creates the edit that removes tokens and the blanks after them."""
    location = span(places, key, place)
    data = document_data(places, location.document)
    end = location.end
    while end < len(data) and data[end : end + 1] in (b" ", b"\t"):
        end += 1
    return TextEdit(Location(location.document, location.start, end), "")


def document_data(places: Places, document: str) -> bytes:
    """The bytes of a document of the unit that fixes can edit. Raises NotPossible."""
    for fragment in places.unit.fragments():
        if fragment.preprocessed.document.name == document:
            return fragment.preprocessed.document.text.data
    raise NotPossible


def with_its_line(data: bytes, document: str, start: int, end: int) -> Location:
    """Extends `start` to `end` to the whole line, with its end, if the line contains nothing else.

    Otherwise it is extended to the blanks before it.
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


def with_comment(data: bytes, end: int) -> int:
    """The end of the line comment after `end`; `end` if there is none."""
    comment = _COMMENT.match(data, end)
    return end if comment is None else comment.end()


def insertion(places: Places, key: ItemKey, leaf: int, word: str) -> TextEdit:
    """Creates the edit that inserts `word` before a token, with blanks only where words would merge.

    Raises NotPossible.
    """
    table = places.table(key)
    if not 0 <= leaf < len(table.leaves):
        raise NotPossible
    location = _gap(places, key, leaf)
    data = document_data(places, location.document)
    after = chr(data[location.start]) if location.start < len(data) else ""
    before = chr(data[location.start - 1]) if location.start else ""
    text = word
    if _WORD.match(word[-1:]) and (_WORD.match(after) or after == "*"):
        text += " "
    if _WORD.match(before) and _WORD.match(word[:1]):
        text = " " + text
    return TextEdit(Location(location.document, location.start, location.start), text)


def _gap(places: Places, key: ItemKey, leaf: int) -> Location:
    """The start of the token, or of the macro use that begins with it. Raises NotPossible."""
    if places.spelled(key, Place(leaf, leaf + 1)) is not None:
        return span(places, key, Place(leaf, leaf + 1))
    return span(places, key, Place(leaf, leaf))


def _remove_cast(places: Places, cast: EntityRef) -> TextEdit:
    entity = places.entity(cast)
    if entity is None:
        raise NotPossible
    table = places.table(cast.item)
    opening, closing = entity.place.first - 1, entity.place.last
    if opening < 0 or table.leaf(opening) != "(" or table.leaf(closing) != ")":
        raise NotPossible
    return _without(places, cast.item, Place(opening, closing + 1))
