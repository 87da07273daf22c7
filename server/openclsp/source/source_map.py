"""From places in the expanded text to places that a person wrote, and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openclsp.source.document import Document, DocumentName
from openclsp.source.expander import Expansion
from openclsp.source.history import History
from openclsp.source.lexer import IDENTIFIER, Spliced, lex_line, token_end, token_start
from openclsp.source.line_table import LineTable
from openclsp.source.macros import Macro
from openclsp.source.moves import Moves
from openclsp.source.row_map import COMMENT, Call, RowMap, Segment


@dataclass(frozen=True, slots=True)
class Span:
    """A range of bytes of a document."""

    document: DocumentName
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Step:
    """A macro that a token came through; `definition` is None for a predefined one."""

    macro: str
    definition: Span | None


@dataclass(frozen=True, slots=True)
class Written:
    """The place that a person wrote, and the macros between it and the expanded text, outermost first."""

    document: DocumentName
    start: int
    end: int
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class MacroUse:
    """A macro's name in a document. `expansion` is what it became there; None where it was not expanded."""

    name: str
    document: DocumentName
    start: int
    end: int
    definition: Span | None
    definition_text: str
    expansion: str | None


@dataclass(frozen=True, slots=True, eq=False)
class SourceMap:
    """The map of one document's expanded text.

    Rows of expanded text and raw lines have the same numbers; only rows that are not their raw line have a
    RowMap, with columns and offsets relative to the line, so that an edit elsewhere leaves them alone.
    """

    document: Document
    text: bytes
    lines: LineTable
    rows: Sequence[RowMap | None]
    moves: Moves
    history: History

    def written(self, start: int, end: int) -> Written:
        """Where the expanded text from `start` to `end` was written.

        A token of a macro's argument lands on the argument, one of its replacement list on the invocation: on
        the macro's name, or on the whole call where the range holds all of its expansion. A range over several
        pieces gives their union; where an included document contributes only a part, its directive stands for it.
        """
        size = len(self.text)
        start = max(0, min(start, size))
        end = max(start, min(end, size))
        first = self.lines.find(start)
        last = self.lines.find(max(end - 1, start))
        if first == last and (first >= len(self.rows) or self.rows[first] is None):
            text = self.document.text
            shift = text.line_start(first) - self.lines.start(first)
            limit = text.line_start(first + 1)
            return Written(self.document.name, min(start + shift, limit), min(end + shift, limit), ())
        pieces = self._pieces(first, start, end)
        if last != first:
            pieces += self._pieces(last, start, end)
            for row in range(first + 1, last) if last - first < 64 else ():
                pieces += self._pieces(row, start, end)
        documents = {piece.document for piece in pieces}
        if len(documents) > 1:
            pieces = [
                piece if piece.document == self.document.name else self._directive(first) for piece in pieces
            ]
        return Written(
            pieces[0].document,
            min(piece.start for piece in pieces),
            max(piece.end for piece in pieces),
            pieces[0].steps,
        )

    def _directive(self, row: int) -> Written:
        text = self.document.text
        return Written(self.document.name, text.line_start(row), text.line_end(row), ())

    def _pieces(self, row: int, start: int, end: int) -> list[Written]:
        """Where the parts of one row between two offsets of the expanded text were written; at least one."""
        row_start = self.lines.start(row)
        raw_start = self.document.text.line_start(row)
        name = self.document.name
        mapped = self.rows[row] if row < len(self.rows) else None
        low = max(start - row_start, 0)
        high = end - row_start
        if mapped is None or not mapped.segments:
            limit = self.document.text.line_end(row) - raw_start
            return [
                Written(
                    name, raw_start + min(low, limit), raw_start + max(min(high, limit), min(low, limit)), ()
                )
            ]
        pieces = [
            self._piece(segment, mapped, raw_start, low, high)
            for segment in mapped.segments
            if segment.column < max(high, low + 1) and low < segment.column + segment.width
        ]
        if not pieces:
            pieces = [self._piece(_nearest(mapped.segments, low), mapped, raw_start, low, low)]
        return pieces

    def _piece(self, segment: Segment, mapped: RowMap, raw_start: int, low: int, high: int) -> Written:
        document = segment.document or self.document.name
        base = 0 if segment.document else raw_start
        calls = [call for call in mapped.calls if call.column <= segment.column < call.end_column]
        origin = segment.origin
        steps = self._outer_steps(calls)
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
        begin, name_end = _name_range(outer)
        finish = name_end
        if outer.end > name_end and _holds_all(mapped.segments, outer, low, high):
            finish = outer.end
        chain.reverse()
        own = tuple(self._step(expansion.macro) for expansion in chain)
        if calls and calls[0].start != begin:
            own = steps + own
        return Written(document, base + begin, base + finish, own)

    def _outer_steps(self, calls: list[Call]) -> tuple[Step, ...]:
        return tuple(self._step(call.macro) for call in calls)

    def _step(self, macro: Macro) -> Step:
        return Step(macro.name.decode("utf-8", "replace"), self.definition(macro))

    def definition(self, macro: Macro) -> Span | None:
        """Where a macro of this unit is defined; None for a predefined one."""
        if macro.document is None:
            return None
        if macro.document == self.document.name:
            return Span(macro.document, self.moves.now(macro.start), self.moves.now(macro.end - 1) + 1)
        return Span(macro.document, macro.start, macro.end)

    def spelled(self, start: int, end: int) -> Span | None:
        """Where exactly these characters are spelled, once, in a document, so that an edit may change them there."""
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
            return Span(self.document.name, raw_start + low, raw_start + high)
        covering = [s for s in mapped.segments if s.column <= low and high <= s.column + s.width]
        if not covering:
            return self._spelled_over(mapped, low, high, row)
        segment = covering[0] if len(covering) == 1 or low < high else covering[-1]
        if segment.shared or not isinstance(segment.origin, int):
            return None
        at = segment.origin + low - segment.column
        if segment.document is not None:
            return Span(segment.document, at, at + high - low)
        return Span(self.document.name, raw_start + at, raw_start + at + high - low)

    def _spelled_over(self, mapped: RowMap, low: int, high: int, row: int) -> Span | None:
        """As spelled, where the range lies over segments that stand in the document as they do in the row."""
        pieces = [s for s in mapped.segments if s.column < high and low < s.column + s.width]
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
        """The place in the expanded text of what a document spells at `offset`; None where nothing came of it."""
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
        if _in_comment(text.data, raw_start, offset, mapped is not None and mapped.comment):
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
                while isinstance(origin.parent, Expansion):
                    origin = origin.parent
                begin, end = _name_range(origin)
                if begin <= column < end:
                    return row_start + segment.column
        first = 0
        for call in mapped.calls:
            if call.start <= column < call.name_end:
                return row_start + call.column if call.end_column > call.column else None
            if call.start <= column < call.end:
                first = call.start
        # The place behind a name, where a cursor stands while it is being typed.
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
        """The macro whose name the document spells at `offset`, in code, in a condition or in a definition."""
        text = self.document.text
        row = text.line_of(offset)
        start = text.line_start(row)
        mapped = self.rows[row] if row < len(self.rows) else None
        if _in_comment(text.data, start, offset, mapped is not None and mapped.comment):
            return None
        tokens, _ = lex_line(text.data, start)
        for index, token in enumerate(tokens):
            begin, end = token_start(token), token_end(token)
            if token[0] == IDENTIFIER and begin <= offset <= end:
                defined = index == 2 and tokens[1][1] == b"define"
                table = self.history.at(self.moves.original(begin if defined else start))
                macro = table.get(token[1])
                if macro is None or macro.special is not None:
                    continue
                return MacroUse(
                    macro.name.decode("utf-8", "replace"),
                    self.document.name,
                    begin,
                    end,
                    self.definition(macro),
                    macro.text,
                    self._expansion_text(row, begin - start),
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
            if isinstance(origin, Expansion):
                while isinstance(origin.parent, Expansion):
                    origin = origin.parent
                if _name_range(origin)[0] == column:
                    inside.append(segment)
        if not inside:
            return None
        begin, end = inside[0].column, inside[-1].column + inside[-1].width
        return self.text[row_start + begin : row_start + end].decode("utf-8", "replace")


def _name_range(expansion: Expansion) -> tuple[int, int]:
    """Where a document spells the name whose expansion this is."""
    parent = expansion.parent
    if isinstance(parent, Spliced):
        return parent.start, parent.end
    assert isinstance(parent, int)
    return parent, parent + len(expansion.macro.name)


def _nearest(segments: Sequence[Segment], column: int) -> Segment:
    """The last segment that begins at or before `column`, else the first."""
    found = segments[0]
    for segment in segments:
        if segment.column > column:
            break
        found = segment
    return found


def _holds_all(segments: Sequence[Segment], outer: Expansion, low: int, high: int) -> bool:
    """Whether the columns hold everything that an invocation brought forth, its arguments included."""
    first, last = _name_range(outer)[0], outer.end
    columns = [
        (segment.column, segment.column + segment.width)
        for segment in segments
        if (isinstance(segment.origin, Expansion) and _outermost(segment.origin) is outer)
        or (
            isinstance(segment.origin, int)
            and segment.document == outer.document
            and first <= segment.origin < last
        )
    ]
    return low <= columns[0][0] and columns[-1][1] <= high


def _outermost(expansion: Expansion) -> Expansion:
    while isinstance(expansion.parent, Expansion):
        expansion = expansion.parent
    return expansion


def _in_comment(data: bytes, start: int, offset: int, opened: bool) -> bool:
    """Whether `offset` lies in a comment of the line that begins at `start`, itself in a comment where `opened`."""
    if opened:
        closed = data.find(b"*/", start)
        if closed < 0 or offset < closed + 2:
            return True
        start = closed + 2
    for token in lex_line(data, start)[0]:
        if token_start(token) <= offset <= token_end(token):
            return False
        if token_start(token) > offset:
            break
    between = data[start:offset]
    return b"/*" in between or b"//" in between
