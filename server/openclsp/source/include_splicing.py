"""Converts an included document to a sequence of tokens, to be spliced into a line."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from openclsp.source.document import DocumentName
from openclsp.source.expansion import Expansion
from openclsp.source.lexer import SHARED, SPACE, Spliced, lex_line, token_start
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.row_map import RowMap, Segment


def flattened(unit: Preprocessed) -> Iterator[tuple[bytes, int, object, DocumentName]]:
    """Yields the tokens of a preprocessed document and of the documents that it includes, in order.

    Each token is a tuple of spelling, flags, origin and document. The origin is relative to the start of the
    document.
    """
    pending = list(unit.includes)
    pending.reverse()
    moved: dict[int, Expansion] = {}
    source_map = unit.source_map
    at = 0
    while at < len(unit.text):
        tokens, end = lex_line(unit.text, at)
        for token in tokens:
            offset = token_start(token)
            while pending and pending[-1].offset <= offset:
                yield from flattened(pending.pop().preprocessed)
            row = source_map.lines.find(offset)
            column = offset - source_map.lines.start(row)
            base = unit.document.text.line_start(row)
            mapped = source_map.rows[row]
            segment = None if mapped is None else _segment_at(mapped, column)
            if segment is None:
                yield token[1], token[2] | SPACE, base + column, unit.document.name
                continue
            flags = token[2] | SPACE | (SHARED if segment.shared else 0)
            origin = segment.origin
            if isinstance(origin, int):
                origin += column - segment.column
            if segment.document is not None:
                yield token[1], flags, origin, segment.document
                continue
            yield token[1], flags, _moved(origin, base, unit.document.name, moved), unit.document.name
        at = end
    while pending:
        yield from flattened(pending.pop().preprocessed)


def _segment_at(mapped: RowMap, column: int) -> Segment | None:
    index = bisect_right(mapped.segments, column, key=_column) - 1
    if index < 0:
        return None
    segment = mapped.segments[index]
    return segment if column < segment.column + segment.width else None


def _column(segment: Segment) -> int:
    return segment.column


def _moved(origin: object, base: int, document: DocumentName, moved: dict[int, Expansion]) -> object:
    """Converts a token's origin: its offsets, which are relative to a line, become offsets in the document.

    `moved` maps the id of each expansion to its converted copy: there must be only one copy, because
    expansions are compared by identity.
    """
    if isinstance(origin, int):
        return origin + base
    if isinstance(origin, Spliced):
        return Spliced(origin.start + base, origin.end + base)
    assert isinstance(origin, Expansion)
    found = moved.get(id(origin))
    if found is None:
        parent = _moved(origin.parent, base, document, moved)
        end = origin.end + base if origin.end >= 0 else -1
        found = Expansion(origin.macro, parent, end, document)
        moved[id(origin)] = found
    return found
