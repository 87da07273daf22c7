"""Source map: maps expanded text to the documents in which it is written, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.source.document import Document, DocumentName
from openclsp.source.expansion import Expansion, outermost
from openclsp.source.lexer import IDENTIFIER, Spliced, in_comment, lex_line, token_end, token_start
from openclsp.source.line_table import LineTable
from openclsp.source.macro_history import History
from openclsp.source.macros import Macro
from openclsp.source.offset_map import OffsetMap
from openclsp.source.row_map import COMMENT, RowMap, Segment, call_at, holds_all, name_range, segments_in
from openclsp.source.source_locations import MacroUse, Span, Step, Written

_MAX_ROWS: Final = 64
"""Maximum number of rows of a range that are all mapped.

Of a longer range, the first and the last row suffice: the rows between cannot extend it.
"""


@dataclass(frozen=True, slots=True, eq=False)
class SourceMap:
    """Maps the expanded text of one document to the document, and back.

    Rows of the expanded text and lines of the document have the same numbers, from 0. Only a row that differs
    from its line has a `RowMap`. The offsets in a `RowMap` are relative to the line, so that edits of other
    lines do not affect them.
    """

    document: Document
    text: bytes
    lines: LineTable
    rows: Sequence[RowMap | None]
    moves: OffsetMap
    history: History

    def written(self, start: int, end: int) -> Written:
        """Maps a range of the expanded text to the range of the document that it comes from.

        A token from a macro's argument maps to the argument. A token from a replacement list maps to the name
        of the outermost macro, or to its whole call if the range contains the whole expansion. A range with
        several pieces maps to the smallest range that contains all of them. A document included within the
        range is represented by its `#include` directive.
        """
        size = len(self.text)
        start = max(0, min(start, size))
        end = max(start, min(end, size))
        first, row_start, row_end = self.lines.around(start)
        rows = self.rows
        if end < row_end and (first >= len(rows) or rows[first] is None):
            # fast path for nearly all calls: within one unmapped row, and not up to the end of the line
            begin = self.document.text.line_start(first) + start - row_start
            # the expanded text ends its last line, also where the document does not
            finish = min(begin + end - start, len(self.document.text.data))
            return Written(self.document.name, begin, finish, ())
        last = self.lines.find(max(end - 1, start))
        if first == last and (first >= len(rows) or rows[first] is None):
            begin, finish = self._raw(first, start - row_start), self._raw(first, end - row_start)
            return Written(self.document.name, begin, finish, ())
        between = range(first + 1, last) if last - first < _MAX_ROWS else range(0)
        pieces = self._pieces(first, start, end)
        for row in (*between, *((last,) if last != first else ())):
            pieces += self._pieces(row, start, end)
        name = self.document.name
        if len({piece.document for _, piece in pieces}) > 1:
            pieces = [
                (row, piece if piece.document == name else self._directive(row)) for row, piece in pieces
            ]
        return Written(
            pieces[0][1].document,
            min(piece.start for _, piece in pieces),
            max(piece.end for _, piece in pieces),
            pieces[0][1].steps,
        )

    def shift(self, first: int, start: int, end: int) -> int | None:
        """Returns the number to add to expanded offsets from `start` to `end` to get offsets of the document.

        `start` is in row `first`. Returns None if some row in the range has a `RowMap`, or if the number is
        not the same for the whole range.
        """
        lines, rows = self.lines, self.rows
        last = lines.find(max(end - 1, start))
        if last >= len(rows) or rows[first : last + 1].count(None) <= last - first:
            return None
        line_start = self.document.text.line_start
        by = line_start(first) - lines.start(first)
        # A row is never longer than its line, so that equal sums over the range mean equal rows.
        return by if line_start(last) - lines.start(last) == by else None

    def _raw(self, row: int, column: int) -> int:
        """Maps a column of a row without a `RowMap` to an offset of the document.

        The end of the row maps to the end of the line break.
        """
        text = self.document.text
        place = text.line_start(row) + column
        return place if place <= text.line_end(row) else text.line_start(row + 1)

    def _directive(self, row: int) -> Written:
        text = self.document.text
        return Written(self.document.name, text.line_start(row), text.line_end(row), ())

    def _pieces(self, row: int, start: int, end: int) -> list[tuple[int, Written]]:
        """Maps the segments of a row between two offsets of the expanded text to documents.

        Returns at least one pair of `row` and a mapped range.
        """
        row_start = self.lines.start(row)
        mapped = self.rows[row] if row < len(self.rows) else None
        low = max(start - row_start, 0)
        high = end - row_start
        if mapped is None or not mapped.segments:
            places = self._raw(row, low), self._raw(row, max(low, high))
            return [(row, Written(self.document.name, *places, ()))]
        raw_start = self.document.text.line_start(row)
        return [
            (row, self._piece(segment, mapped, raw_start, low, high))
            for segment in segments_in(mapped.segments, low, high)
        ]

    def _piece(self, segment: Segment, mapped: RowMap, raw_start: int, low: int, high: int) -> Written:
        """Maps the part of a segment between the columns `low` and `high` of its row to a document.

        `raw_start` is the offset of the row's line in the document of this map.
        """
        document = segment.document or self.document.name
        base = 0 if segment.document else raw_start
        call = call_at(mapped.calls, segment.column)
        origin = segment.origin
        steps = () if call is None else (Step(call.macro),)
        if isinstance(origin, int):
            begin = min(max(low - segment.column, 0), segment.width)
            finish = max(min(high - segment.column, segment.width), begin)
            return Written(document, base + origin + begin, base + origin + finish, steps)
        if isinstance(origin, Spliced):
            return Written(document, base + origin.start, base + origin.end, steps)
        assert isinstance(origin, Expansion)
        chain = [origin]
        while isinstance(chain[-1].parent, Expansion):
            chain.append(chain[-1].parent)
        outer = chain[-1]
        begin, name_end = name_range(outer)
        finish = name_end
        around: Sequence[Segment] = mapped.segments
        if call is not None:
            around = segments_in(around, call.column, call.end_column)
        if outer.end > name_end and holds_all(around, outer, low, high):
            finish = outer.end
        chain.reverse()
        own = tuple(Step(expansion.macro) for expansion in chain)
        if call is not None and call.start != begin:
            own = steps + own
        return Written(document, base + begin, base + finish, own)

    def definition(self, macro: Macro) -> Span | None:
        """Returns the present range of a macro's definition in this document; None if it is not defined here.

        Only the map of the defining document has this range, because an edit moves the definition without a
        new run over the documents that use the macro.
        """
        if macro.document is None or macro.document != self.document.name:
            return None
        place = self.history.place_of(macro)
        if place is None:
            return None
        return Span(macro.document, self.moves.now(place[0]), self.moves.now(place[1] - 1) + 1)

    def spelled(self, start: int, end: int) -> Span | None:
        """Maps a range of the expanded text to the range of a document from which it was copied.

        A code action can edit the text there. Returns None if there is no such range, as for text from a
        replacement list. Also None for a macro argument that is expanded more than once, because an edit
        would change all copies.
        """
        row = self.lines.find(start)
        if start > end or end > len(self.text):
            return None
        last = self.lines.find(max(end - 1, start))
        if row != last:
            first_span = self.spelled(start, self.lines.start(row + 1) - 1)
            last_span = self.spelled(self.lines.start(last), end)
            middle = all(mapped is None or mapped is COMMENT for mapped in self.rows[row + 1 : last])
            if first_span is None or last_span is None or not middle:
                return None
            if first_span.document != self.document.name or last_span.document != self.document.name:
                return None
            if first_span.end != self.document.text.line_end(row):
                return None
            return Span(self.document.name, first_span.start, last_span.end)
        low, high = start - self.lines.start(row), end - self.lines.start(row)
        raw_start = self.document.text.line_start(row)
        mapped = self.rows[row] if row < len(self.rows) else None
        if mapped is None or mapped is COMMENT:
            return Span(self.document.name, self._raw(row, low), self._raw(row, high))
        # for an insertion (an empty range), a segment that ends there serves as well
        around = 1 if low == high else 0
        near = segments_in(mapped.segments, max(low - around, 0), high + around)
        covering = [s for s in near if s.column <= low and high <= s.column + s.width]
        if not covering:
            return self._spelled_over(mapped, low, high, row)
        for segment in covering:
            if segment.shared or not isinstance(segment.origin, int):
                continue
            at = segment.origin + low - segment.column
            if segment.document is not None:
                return Span(segment.document, at, at + high - low)
            return Span(self.document.name, raw_start + at, raw_start + at + high - low)
        return None

    def _spelled_over(self, mapped: RowMap, low: int, high: int, row: int) -> Span | None:
        """Returns the result of `spelled` for a range of a row that covers several segments.

        Returns None unless the segments are adjacent in the document too.
        """
        pieces = segments_in(mapped.segments, low, high)
        if not pieces or pieces[0].column > low or pieces[-1].column + pieces[-1].width < high:
            return None
        shift: int | None = None
        for segment in pieces:
            if segment.shared or not isinstance(segment.origin, int):
                return None
            if segment.document != pieces[0].document:
                return None
            if shift is not None and segment.origin - segment.column != shift:
                return None
            shift = segment.origin - segment.column
        assert shift is not None
        row_start = self.lines.start(row)
        begin = self.document.text.line_start(row) + shift + low
        written = self.document.text.data[begin : begin + high - low]
        if pieces[0].document is not None or written != self.text[row_start + low : row_start + high]:
            return None
        return Span(self.document.name, begin, begin + high - low)

    def expanded(self, document: DocumentName, offset: int) -> int | None:
        """Maps an offset of a document to the expanded text; None if no expanded text comes from there."""
        if document != self.document.name:
            return self._expanded_foreign(document, offset)
        text = self.document.text
        row = text.line_of(offset)
        if row >= len(self.rows):
            return None
        mapped = self.rows[row]
        raw_start = text.line_start(row)
        if mapped is not None and mapped.blank:
            return None
        if in_comment(text.data, raw_start, offset, mapped is not None and mapped.comment):
            return None
        column = offset - raw_start
        if mapped is None or mapped is COMMENT:
            return self.lines.start(row) + min(column, text.line_end(row) - raw_start)
        if column < mapped.own or (mapped.home and not mapped.segments):
            home = row - mapped.home
            above = self.rows[home]
            if mapped.home == 0 or above is None:
                return None
            return self._in_row(above, home, offset - text.line_start(home))
        return self._in_row(mapped, row, column)

    def _in_row(self, mapped: RowMap, row: int, column: int) -> int | None:
        row_start = self.lines.start(row)
        for segment in mapped.segments:
            origin = segment.origin
            if (
                segment.document is None
                and isinstance(origin, int)
                and origin <= column < origin + segment.width
            ):
                return row_start + segment.column + column - origin
        for segment in mapped.segments:
            origin = segment.origin
            if segment.document is not None:
                continue
            if isinstance(origin, Spliced) and origin.start <= column < origin.end:
                return row_start + segment.column
            if isinstance(origin, Expansion):
                begin, end = name_range(outermost(origin))
                if begin <= column < end:
                    return row_start + segment.column
        first = 0
        for call in mapped.calls:
            if call.start <= column < call.name_end:
                return row_start + call.column if call.end_column > call.column else None
            if call.start <= column < call.end:
                first = call.start
        # no token covers the offset: accept the end of a name, which is the cursor's place while the name is
        # typed
        for segment in mapped.segments:
            origin = segment.origin
            if segment.document is not None or not isinstance(origin, int) or origin < first:
                continue
            if origin + segment.width == column:
                return row_start + segment.column + segment.width
        return None

    def _expanded_foreign(self, document: DocumentName, offset: int) -> int | None:
        for row, mapped in enumerate(self.rows):
            if mapped is None:
                continue
            for segment in mapped.segments:
                if segment.document != document or not isinstance(segment.origin, int):
                    continue
                if segment.origin <= offset < segment.origin + segment.width:
                    return self.lines.start(row) + segment.column + offset - segment.origin
        return None

    def macro_at(self, offset: int) -> MacroUse | None:
        """Returns the use of a macro's name at `offset` of the document; None if there is none.

        The name may be in code, in a condition or in a definition.
        """
        text = self.document.text
        row = text.line_of(offset)
        start = text.line_start(row)
        mapped = self.rows[row] if row < len(self.rows) else None
        if in_comment(text.data, start, offset, mapped is not None and mapped.comment):
            return None
        if mapped is not None and mapped.comment:
            start = text.data.find(b"*/", start) + 2
        tokens, _ = lex_line(text.data, start)
        for index, token in enumerate(tokens):
            begin, end = token_start(token), token_end(token)
            if token[0] == IDENTIFIER and begin <= offset <= end:
                defined = index == 2 and tokens[1][1] == b"define"
                place = self.moves.original(begin if defined else start)
                macro = self.history.macro_at(token[1], place)
                if macro is None or macro.special is not None:
                    continue
                return MacroUse(
                    macro.name.decode("utf-8", "replace"),
                    self.document.name,
                    begin,
                    end,
                    macro,
                    macro.text,
                    self._expansion_text(row, begin - text.line_start(row)),
                )
        return None

    def _expansion_text(self, row: int, column: int) -> str | None:
        mapped = self.rows[row]
        if mapped is None:
            return None
        if column < mapped.own and mapped.home:
            column += self.document.text.line_start(row) - self.document.text.line_start(row - mapped.home)
            row -= mapped.home
            mapped = self.rows[row]
            if mapped is None:
                return None
        row_start = self.lines.start(row)
        for call in mapped.calls:
            if call.start <= column < call.name_end:
                return self.text[row_start + call.column : row_start + call.end_column].decode(
                    "utf-8", "replace"
                )
        inside: list[Segment] = []
        for segment in mapped.segments:
            origin = segment.origin
            if isinstance(origin, Expansion) and name_range(outermost(origin))[0] == column:
                inside.append(segment)
        if not inside:
            return None
        begin, end = inside[0].column, inside[-1].column + inside[-1].width
        return self.text[row_start + begin : row_start + end].decode("utf-8", "replace")
