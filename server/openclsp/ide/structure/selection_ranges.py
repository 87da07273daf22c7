"""Selection ranges: the nested ranges to which an editor expands a selection around the cursor."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from openclsp.ide.location_map import LocationMap, nodes_around
from openclsp.ide.structure.text_structure import TextStructure, find_pairs
from openclsp.semantics.facts.entities import Place
from openclsp.semantics.items.item import Item
from openclsp.source.text import Text

_WORD_BYTES: Final = re.compile(rb"[A-Za-z0-9_$\x80-\xff]*")
_IN_WORD: Final = bytes(byte for byte in range(256) if _WORD_BYTES.fullmatch(bytes((byte,))))
_LITERAL: Final = re.compile(rb""""(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*'""")
_LONGEST_WORD: Final = 4096
_MAXIMUM_DEPTH: Final = 500
"""The maximum number of ranges around one position; of more, the innermost and the outermost are kept."""

Range = tuple[int, int]


def compute_selection_ranges(
    places: LocationMap, document: str, text: Text, structure: TextStructure, offset: int
) -> list[Range]:
    """Returns the ranges around a byte of a document, each within the next; the last is the whole text.

    The ranges are the syntax nodes, and the words, literals, lines, brackets, comments, directives and
    conditional branches of the text as written. Inactive and unfinished code has no syntax tree. A syntax
    node in a macro's expansion has the range of the macro call.
    """
    candidates = {
        *_lexical_ranges(text, structure, offset),
        # If the cursor is between a word and the next token, the word is selected.
        *_syntactic_ranges(places, document, _word_at(text.data, offset)[0]),
        (0, len(text.data)),
    }
    found: list[Range] = []
    for each in sorted(candidates, key=lambda range_: (range_[1] - range_[0], range_)):
        start, end = each
        if (
            start <= offset <= end
            and start < end
            and (not found or (start <= found[-1][0] and found[-1][1] <= end))
        ):
            found.append(each)
    if len(found) > _MAXIMUM_DEPTH:
        found[_MAXIMUM_DEPTH // 2 : -_MAXIMUM_DEPTH // 2] = []
    return found or [(offset, offset)]


def _syntactic_ranges(places: LocationMap, document: str, offset: int) -> Iterator[Range]:
    """Yields the written ranges of the syntax nodes around the token at the offset."""
    found = places.item_at(document, offset)
    if found is None:
        return
    item, token_index = found
    table = places.table(item.key)
    nodes = nodes_around(table, token_index)
    for place in {Place(table.first[node], table.last[node]) for node in _sample(nodes)}:
        yield from _written(places, item, place, document)
    yield from _written(places, item, Place(0, len(table.tokens)), document)


def _sample(nodes: Sequence[int]) -> Sequence[int]:
    """Selects the `_MAXIMUM_DEPTH` innermost nodes and the `_MAXIMUM_DEPTH` outermost ones.

    The number is limited because each node requires a look-up in the source map.
    """
    if len(nodes) <= 2 * _MAXIMUM_DEPTH:
        return nodes
    return [*nodes[:_MAXIMUM_DEPTH], *nodes[-_MAXIMUM_DEPTH:]]


def _written(places: LocationMap, item: Item, place: Place, document: str) -> Iterator[Range]:
    """Yields the written ranges of an item's tokens `place`; nothing if they are in another document."""
    if place.first >= place.last:
        return
    first = places.location(item.key, Place(place.first, place.first + 1))
    last = places.location(item.key, Place(place.last - 1, place.last))
    if first.document == last.document == document:
        yield first.start, last.end
        whole = places.location(item.key, place)
        if whole.document == document:
            yield whole.start, whole.end


def _lexical_ranges(text: Text, structure: TextStructure, offset: int) -> Iterator[Range]:
    data = text.data
    line = text.line_of(offset)
    first, last = text.line_start(line), text.line_end(line)
    yield _word_at(data, offset)
    for literal in _LITERAL.finditer(data, first, min(last, first + _LONGEST_WORD)):
        yield literal.span()
        yield literal.start() + 1, literal.end() - 1
    yield (
        first + len(data[first:last]) - len(data[first:last].lstrip()),
        first + len(data[first:last].rstrip()),
    )
    for start, end in find_pairs(data, first, last):
        if start <= offset <= end:
            yield start, end
            yield start + 1, end - 1
    for start, end in structure.comments:
        if start <= offset <= end:
            yield start, end
    for directive in structure.directives:
        if directive.start <= offset <= directive.end:
            yield directive.start, directive.end
    for nesting in structure.nestings:
        if nesting.start <= offset <= nesting.end:
            yield nesting.start, nesting.end
            yield nesting.inner_start, nesting.inner_end
            inside = data[nesting.inner_start : nesting.inner_end]
            begin = nesting.inner_start + len(inside) - len(inside.lstrip())
            yield begin, begin + len(inside.strip())


def _word_at(data: bytes, offset: int) -> Range:
    """Returns the range of the identifier or number that contains the offset or ends there."""
    before = data[max(offset - _LONGEST_WORD, 0) : offset]
    start = offset - (len(before) - len(before.rstrip(_IN_WORD)))
    match = _WORD_BYTES.match(data, start)
    return start, start if match is None else match.end()
