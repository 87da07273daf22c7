"""Names that `##` made of something unknown: `ucharVECT_SIZE`, where the host defines `VECT_SIZE`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from openclsp.ide.answers import Location, RelatedLocation
from openclsp.language.builtin_functions import in_any_dialect
from openclsp.language.builtin_types import known_in_any
from openclsp.semantics.translation_unit import TranslationUnit

_REACH = 400
"""Bytes from the start of a macro's use in which its arguments are looked for"""
_LONGEST = 4000
"""Bytes of a replacement list that are read"""
_BRACKET = re.compile(rb"[()]")
_PARAMETERS = re.compile(rb"[A-Za-z_]\w*\(([^)]*)\)")
_NAME = re.compile(rb"[A-Za-z_]\w*")
_WORD = re.compile(rb"(##\s*)?\b([A-Za-z_]\w*)\b(?=(\s*##)?)")


def unknown_piece(
    name: str, place: Location, expansions: Sequence[RelatedLocation], unit: TranslationUnit
) -> str:
    """The name that nothing defines of which macros made `name`, used at `place`; empty where `name` is written somewhere,
    or all its pieces are known. `expansions` are the definitions of those macros.

    A word beside `##` in a replacement list is a fixed part of the names that it makes, or a parameter, and no value."""
    whole = name.encode()
    pieces: set[bytes] = set()
    for text in _texts(place, expansions, unit):
        head = _PARAMETERS.match(text)
        parameters = frozenset() if head is None else frozenset(_NAME.findall(head[1]))
        for match in _WORD.finditer(text):
            if match[2] == whole:
                return ""
            if not (match[1] or match[3] or match[2] in parameters):
                pieces.add(match[2])
    found = [piece for piece in pieces if _is_end(piece, whole) and not _is_known(piece, unit)]
    return max(found, key=len).decode() if found else ""


def _is_end(piece: bytes, whole: bytes) -> bool:
    return whole.startswith(piece) or whole.endswith(piece)


def is_invocation(place: Location, outermost: RelatedLocation, unit: TranslationUnit) -> bool:
    """Whether `place` is the use of the macro that is defined at `outermost`, not an argument of it."""
    used = _word_at(place, unit)
    return bool(used) and used == _word_at(outermost.location, unit)


def _word_at(place: Location, unit: TranslationUnit) -> bytes:
    document = unit.document_named(place.document)
    match = None if document is None else _NAME.match(document.text.data, place.start)
    return b"" if match is None else match[0]


def _texts(place: Location, expansions: Sequence[RelatedLocation], unit: TranslationUnit) -> Iterator[bytes]:
    document = unit.document_named(place.document)
    if document is not None:
        # the blank: what stands in the brackets of a use are no parameters
        yield b" " + _use(document.text.data[place.start : place.start + _REACH])
    for each in expansions:
        there = each.location
        document = unit.document_named(there.document)
        if document is not None:
            yield document.text.data[there.start : min(there.end, there.start + _LONGEST)]


def _use(text: bytes) -> bytes:
    """A macro's name with its arguments, which `text` begins with."""
    name = _NAME.match(text)
    if name is None or not text[name.end() :].lstrip().startswith(b"("):
        return text if name is None else name[0]
    depth = 0
    for match in _BRACKET.finditer(text):
        depth += 1 if match[0] == b"(" else -1
        if depth <= 0:
            return text[: match.end()]
    return text


def _is_known(piece: bytes, unit: TranslationUnit) -> bool:
    name = piece.decode()
    if in_any_dialect(name) or known_in_any(name):
        return True
    return any(piece in each.macros for each in unit.preprocessed.units())
