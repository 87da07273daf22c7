"""Hovers in directives: the file of an `#include`, and words in a macro's body.

The hover on a word in a macro's body is the hover on the same word in the first use of the macro.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from openclsp.ide.document_part import find_part
from openclsp.ide.feature_results import Location
from openclsp.ide.location_map import token_at
from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.expansion import Expansion
from openclsp.source.macros import Macro
from openclsp.source.source_map import SourceMap
from openclsp.source.word_search import find_word

_INCLUDE: Final = re.compile(rb"[ \t]*#[ \t]*include(?:_next)?[ \t]*(?P<name>\"[^\"\n]*\"|<[^>\n]*>)")
_DEFINE: Final = re.compile(rb"[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)")
_MAXIMUM_LINES: Final = 1000
"""The maximum number of lines of a macro's definition"""


class MacroBodyUse(NamedTuple):
    """A token of a macro's body, as it is expanded at the first use of the macro.

    `item` and `token_index` locate the expanded token. `document` and `line` (from 0) are those of the use.
    """

    item: ItemKey
    token_index: int
    document: str
    line: int


def describe_include(unit: TranslationUnit, document: str, offset: int) -> tuple[Location, str] | None:
    """Describes the file that the `#include` at a byte of a document includes.

    Returns the location of the header's name, and a note. None if the byte is not in the name of a header.
    """
    part = find_part(unit, document)
    if part is None:
        return None
    preprocessed = part.preprocessed
    text = preprocessed.document.text
    start = text.line_start(text.line_of(offset))
    match = _INCLUDE.match(text.data, start)
    if match is None or not match.start("name") <= offset <= match.end("name"):
        return None
    location = Location(document, match.start("name"), match.end("name"))
    name = match["name"][1:-1].decode("utf-8", "replace")
    for inclusion in preprocessed.includes:
        if inclusion.start <= match.end("name") and match.start() <= inclusion.end and inclusion.end >= start:
            return location, f"includes `{inclusion.preprocessed.document.name}`"
    if name in preprocessed.unknown_includes:
        return location, "the file was not found, or may not be read"
    return None


def find_macro_body_use(unit: TranslationUnit, document: str, offset: int, word: str) -> MacroBodyUse | None:
    """Finds the first use of the macro whose body contains the word at a byte of a document.

    None if the byte is not in a macro's body, or if the macro is not used.
    """
    part = find_part(unit, document)
    if part is None:
        return None
    macro = _macro_around(part.preprocessed.source_map, offset)
    if macro is None:
        return None
    for each in unit.parts():
        source_map = each.preprocessed.source_map
        for row, mapped in enumerate(source_map.rows):
            if mapped is None:
                continue
            row_start = source_map.lines.start(row)
            for segment in mapped.segments:
                if not isinstance(segment.origin, Expansion) or not _is_of(segment.origin.macro, macro):
                    continue
                begin = row_start + segment.column
                start = find_word(source_map.text, word.encode(), begin, begin + segment.width)
                found = token_at(each, start) if start >= 0 else None
                if found is not None:
                    return MacroBodyUse(found[0].key, found[1], source_map.document.name, row)
    return None


def _is_of(macro: Macro, wanted: Macro) -> bool:
    # after an edit, a definition that is read again is another object
    return macro is wanted or (
        macro.name == wanted.name and macro.document == wanted.document and macro.body == wanted.body
    )


def _macro_around(source_map: SourceMap, offset: int) -> Macro | None:
    """Returns the macro whose parameters or body contain a byte of the document; None if there is none."""
    text = source_map.document.text
    first = last = text.line_of(offset)
    while first > 0 and last - first < _MAXIMUM_LINES and _continues(text.data, text.line_end(first - 1)):
        first -= 1
    match = _DEFINE.match(text.data, text.line_start(first))
    if match is None or offset <= match.end():
        return None
    while (
        last + 1 < text.line_count
        and last - first < _MAXIMUM_LINES
        and _continues(text.data, text.line_end(last))
    ):
        last += 1
    after = text.line_start(last + 1) if last + 1 < text.line_count else len(text.data)
    macro = source_map.history.macro_at(match["name"], source_map.moves.original(after))
    return macro if macro is not None and macro.document == source_map.document.name else None


def _continues(data: bytes, end: int) -> bool:
    """Whether the line that ends at a byte is continued on the next one."""
    return data[max(end - 1, 0) : end] == b"\\"
