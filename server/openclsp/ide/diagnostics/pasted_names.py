"""Names that macros form with `##` from names of unknown macros.

An example is `ucharVECT_SIZE`, if the host defines `VECT_SIZE`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from openclsp.ide.feature_results import Location, RelatedLocation
from openclsp.language.builtin_functions import is_builtin_function_name
from openclsp.language.builtin_types import is_builtin_type_name
from openclsp.semantics.translation_unit import TranslationUnit

_MAXIMUM_INVOCATION_BYTES = 400
"""The maximum number of bytes of a macro invocation that are searched for arguments"""
_MAXIMUM_REPLACEMENT_BYTES = 4000
"""The maximum number of bytes of a replacement list that are read"""
_BRACKET = re.compile(rb"[()]")
_PARAMETERS = re.compile(rb"[A-Za-z_]\w*\(([^)]*)\)")
_NAME = re.compile(rb"[A-Za-z_]\w*")
_WORD = re.compile(rb"(##\s*)?\b([A-Za-z_]\w*)\b(?=(\s*##)?)")


def find_unknown_part(
    name: str, place: Location, expansions: Sequence[RelatedLocation], unit: TranslationUnit
) -> str:
    """Finds the undefined name from which macros formed `name` with `##`.

    `name` is used at `place`, and `expansions` are the definitions of the macros. The result is empty if
    `name` is written out in the macros or their arguments, or if all parts of `name` are known. The result is
    never a word next to `##` in a replacement list: such a word is either a fixed part of `name` or a
    parameter of the macro.
    """
    whole = name.encode()
    # in the order of the text, because the first of several longest pieces is the result
    pieces: dict[bytes, None] = {}
    for text in _texts(place, expansions, unit):
        head = _PARAMETERS.match(text)
        parameters = frozenset() if head is None else frozenset(_NAME.findall(head[1]))
        for match in _WORD.finditer(text):
            if match[2] == whole:
                return ""
            if not (match[1] or match[3] or match[2] in parameters):
                pieces[match[2]] = None
    found = [piece for piece in pieces if _is_end(piece, whole) and not _is_known(piece, unit)]
    return max(found, key=len).decode() if found else ""


def _is_end(piece: bytes, whole: bytes) -> bool:
    return whole.startswith(piece) or whole.endswith(piece)


def is_macro_invocation(place: Location, outermost: RelatedLocation, unit: TranslationUnit) -> bool:
    """Whether `place` is an invocation of the macro that is defined at `outermost`.

    The result is False if `place` is an argument of the invocation.
    """
    used = _word_at(place, unit)
    return bool(used) and used == _word_at(outermost.location, unit)


def _word_at(place: Location, unit: TranslationUnit) -> bytes:
    document = unit.document_named(place.document)
    match = None if document is None else _NAME.match(document.text.data, place.start)
    return b"" if match is None else match[0]


def _texts(place: Location, expansions: Sequence[RelatedLocation], unit: TranslationUnit) -> Iterator[bytes]:
    document = unit.document_named(place.document)
    if document is not None:
        # The blank keeps the arguments of an invocation from being taken for the parameters of a definition.
        yield b" " + _use(document.text.data[place.start : place.start + _MAXIMUM_INVOCATION_BYTES])
    for each in expansions:
        there = each.location
        document = unit.document_named(there.document)
        if document is not None:
            yield document.text.data[there.start : min(there.end, there.start + _MAXIMUM_REPLACEMENT_BYTES)]


def _use(text: bytes) -> bytes:
    """Returns the macro invocation at the start of `text`: the name with its arguments."""
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
    if is_builtin_function_name(name) or is_builtin_type_name(name):
        return True
    return any(piece in each.macros for each in unit.preprocessed.with_included())
