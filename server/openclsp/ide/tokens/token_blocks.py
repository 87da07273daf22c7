"""Semantic tokens of one group of items.

The semantic tokens are computed from the parsed tokens and their meanings (`token_meanings`). Lines that
preprocessing changes (macros, directives, inactive branches) are read from the raw text instead.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.ide.tokens.token_lines import (
    COMMENTS,
    DIRECTIVE_TOKENS,
    RawLineReader,
    RawToken,
)
from openclsp.language.spaces import QUALIFIERS
from openclsp.semantics.items.item import Item, ItemGroup
from openclsp.semantics.items.unit_part import UnitPart
from openclsp.semantics.typing.token_meanings import (
    BUILT_IN,
    COMMENT,
    KIND_MASK,
    MACRO,
    NUMBER,
    SPACES,
    STRING,
)
from openclsp.source.expansion import Expansion, outermost
from openclsp.source.lexer import Spliced, Token, lex_line, token_start
from openclsp.source.macros import Macro
from openclsp.source.row_map import COMMENT as IN_COMMENT
from openclsp.source.row_map import RowMap, name_range
from openclsp.source.source_map import SourceMap
from openclsp.source.text import Encoding, Text
from openclsp.source.touched_rows import is_spliced

_SIGNS = b"+-"
_SPACE_WORDS = {word.encode(): SPACES[space] for word, space in QUALIFIERS.items()}

MeaningsOfItem = Callable[[Item], "array[int]"]
"""Returns the meaning of each token of an item."""


@dataclass(slots=True, eq=False)
class TokenBlock:
    """The tokens of one group of items in the encoding of LSP, with five numbers for each token.

    Each token is relative to the preceding one, and the first to the start of the group's first line.
    - `last_line`, `last_column`: the line and column of the last token; the line is relative to the group's
      first.
    - `line_mapping`: for each line of the group, how preprocessing changed it, or None if it did not; empty
      if no line was changed.
    - `meanings`: for each item, the meanings from which the block was computed.
    - `looked_up_names`: the names that were looked up as macros.
    """

    numbers: array[int] = field(default_factory=lambda: array("I"))
    last_line: int = 0
    last_column: int = 0
    line_mapping: tuple[RowMap | None, ...] = ()
    meanings: tuple[array[int], ...] = ()
    looked_up_names: frozenset[bytes] = frozenset()


@dataclass(frozen=True, slots=True)
class TokenInputs:
    """The inputs for computing the tokens of a part's groups in one state of the unit."""

    part: UnitPart
    meanings: MeaningsOfItem
    words: Mapping[bytes, int]
    encoding: Encoding
    macros: Mapping[bytes, int]
    """The macros defined anywhere in the document, with their meanings"""

    @property
    def text(self) -> Text:
        """The raw text of the document."""
        return self.part.preprocessed.source_map.document.text


def compute_macro_meanings(source_map: SourceMap) -> Mapping[bytes, int]:
    """Maps the name of each macro that is defined anywhere in a document to the macro's meaning.

    A meaning is an integer: the kind of a token, with a bit for each modifier. Predefined macros and the
    macros of build options are included. If an object-like macro expands to text with one address space
    qualifier, its meaning has the modifier of that address space.
    """
    history = source_map.history
    found = dict.fromkeys((change.name for change in history.changes), MACRO)
    found.update((name, _macro_meaning(macro)) for name, macro in history.final.items())
    return found


def _macro_meaning(macro: Macro) -> int:
    spaces = {_SPACE_WORDS[word] for word in macro.words & _SPACE_WORDS.keys()}
    space = spaces.pop() if macro.parameters is None and len(spaces) == 1 else 0
    return MACRO | space if macro.document is not None else MACRO | BUILT_IN | space


def compute_token_block(inputs: TokenInputs, group: ItemGroup) -> TokenBlock:
    """Computes the tokens of a group.

    An expanded line that differs from its raw line belongs to the group that contains its first byte.
    """
    source_map = inputs.part.preprocessed.source_map
    lines = source_map.lines
    first, last = lines.find(group.start), lines.find(max(group.end - 1, group.start))
    rows = tuple(source_map.rows[first : last + 1])
    rows = rows if any(rows) else ()
    tokens = _parsed_tokens(inputs, group, first, last, rows)
    reader = None
    if rows:
        own = first if lines.start(first) >= group.start else first + 1
        reader = _MappedLineReader(inputs)
        tokens += reader.read(own, last + 1)
        tokens.sort()
    block = encode_tokens(tokens, first, inputs.text, inputs.encoding)
    block.looked_up_names = frozenset(reader.looked_up_names) if reader is not None else frozenset()
    block.line_mapping, block.meanings = rows, tuple(map(inputs.meanings, group.items))
    return block


def encode_tokens(tokens: list[RawToken], first: int, text: Text, encoding: Encoding) -> TokenBlock:
    """Encodes sorted tokens as a block. `first` is the line to which the block is relative."""
    if not tokens:
        return TokenBlock()
    if encoding != "utf-8":
        start, end = text.line_start(tokens[0][0]), text.line_end(tokens[-1][0])
        if not text.data[start:end].isascii():
            tokens = [_in_units(token, text, encoding) for token in tokens]
    numbers: list[int] = []
    row, column, end = first, 0, 0
    for line, start, length, meaning in tokens:
        if line != row:
            numbers += (line - row, start, length, (meaning & KIND_MASK) - 1, meaning >> 4)
            row = line
        elif start >= end:
            numbers += (0, start - column, length, (meaning & KIND_MASK) - 1, meaning >> 4)
        else:
            # no two tokens may overlap (LSP 3.17, "Semantic Tokens"), whatever is in the text
            continue
        column, end = start, start + length
    return TokenBlock(array("I", numbers), row - first, column)


def _in_units(token: RawToken, text: Text, encoding: Encoding) -> RawToken:
    row, column, length, meaning = token
    start = text.line_start(row) + column
    begin, end = text.position(start, encoding).column, text.position(start + length, encoding).column
    return row, begin, end - begin, meaning


def _parsed_tokens(
    inputs: TokenInputs, group: ItemGroup, first: int, last: int, rows: tuple[RowMap | None, ...]
) -> list[RawToken]:
    """Computes the tokens and comments of the lines that preprocessing does not change."""
    found = list(_token_ranges(inputs, group))
    count = len(found)
    if b"/" in group.text:
        for match in COMMENTS.finditer(group.text):
            if match[1] is not None:
                found.append((match.start(), match.end(), COMMENT))
    if len(group.items) > 1 or len(found) > count:
        found.sort()
    lines = inputs.part.preprocessed.source_map.lines
    starts = [start - group.start for start in lines.slice(first, last + 1)]
    ends = [*(start - 1 for start in starts[1:]), len(group.text) - group.text.endswith(b"\n")]
    tokens: list[RawToken] = []
    row, row_start, row_end = 0, starts[0], ends[0]
    written = not rows or rows[0] is None or rows[0] is IN_COMMENT
    behind = 0
    for start, end, meaning in found:
        # The parser may see the end of a comment elsewhere, at a byte that is no text. Overlaps are clipped.
        start, behind = max(start, behind), max(end, behind)
        while start < end:
            while start > row_end:
                row += 1
                row_start, row_end = starts[row], ends[row]
                written = not rows or rows[row] is None or rows[row] is IN_COMMENT
            stop = min(end, row_end)
            if written and stop > start:
                tokens.append((first + row, start - row_start, stop - start, meaning))
            start = stop + 1 if stop < end else end
    return tokens


def _token_ranges(inputs: TokenInputs, group: ItemGroup) -> Iterator[tuple[int, int, int]]:
    """Yields the start, end and meaning of each token; the parts of a string literal are merged."""
    for item in group.items:
        base = item.offset
        meanings = inputs.meanings(item)
        string, string_end = -1, -1
        for start, end, meaning in zip(
            item.token_index_starts, item.token_index_ends, meanings, strict=False
        ):
            if string >= 0:
                if meaning == STRING and start == string_end:
                    string_end = end
                    continue
                yield base + string, base + string_end, STRING
                string = -1
            if meaning == STRING:
                string, string_end = start, end
            elif meaning == NUMBER and group.text[base + start] in _SIGNS:
                # the grammar includes the sign in the literal, but in C it is an operator
                yield base + start + 1, base + end, meaning
            elif meaning:
                yield base + start, base + end, meaning
        if string >= 0:
            yield base + string, base + string_end, STRING


class _MappedLineReader(RawLineReader):
    """Reads the tokens of those lines of a part that preprocessing changes."""

    def __init__(self, inputs: TokenInputs) -> None:
        super().__init__(inputs.text, inputs.macros, inputs.words)
        self.inputs = inputs
        preprocessed = inputs.part.preprocessed
        self.map, self.inactive = preprocessed.source_map, preprocessed.inactive
        self._end_row = len(self.map.rows)
        """The end (exclusive) of the lines that are read together."""
        self._used: tuple[RowMap | None, dict[int, Macro]] = (None, {})
        self._segments_of_line: dict[int, list[tuple[int, int, int]]] = {}

    def read(self, first: int, last: int) -> list[RawToken]:
        """Reads those of the lines from `first` to `last` (exclusive) that preprocessing changes."""
        rows, text = self.map.rows, self.text
        done = text.line_start(first)
        if first < len(rows):
            # a comment or logical line that started above was read with the line where it started
            above, end = find_logical_line_start(rows, first, text), done
            done = text.line_start(above)
            while done < end:
                _, done = lex_line(text.data, done)
        for row in range(first, min(last, len(rows))):
            mapped, start = rows[row], text.line_start(row)
            if mapped is None or mapped is IN_COMMENT or start < done:
                continue
            if mapped.blank:
                done = self._read_blank_line(row, start)
            else:
                if mapped.comment:
                    closed = text.data.find(b"*/", start)
                    closed = len(text.data) if closed < 0 else closed + 2
                    self.add(start, closed, COMMENT)
                    start = closed
                tokens, done = lex_line(text.data, start)
                # The parsed text has the tokens of a line that equals its raw line: what follows such a line
                # comes behind them, and belongs to the group that starts there.
                self._end_row = row + 1
                while self._end_row < len(rows) and self._differs(self._end_row):
                    self._end_row += 1
                if tokens and tokens[0][1] in DIRECTIVE_TOKENS:
                    # an #include inside an item
                    self.add_directive(tokens)
                else:
                    self.add_code(tokens)
                self.add_comments(start, done, tokens)
                done = min(done, max(text.line_start(self._end_row), start))
                self._end_row = len(rows)
        return self.found

    def _read_blank_line(self, row: int, start: int) -> int:
        """Reads a directive or an inactive line, which is blank in the expanded text; returns the next line's start."""
        at = bisect_right(self.inactive, (row, 1 << 60)) - 1
        if at >= 0 and self.inactive[at][0] <= row < self.inactive[at][1]:
            self.add_inactive_line(row)
            return self.text.line_start(row + 1)
        tokens, end = lex_line(self.text.data, start)
        self.add_directive(tokens)
        self.add_comments(start, end, tokens)
        return end

    def collects_line(self, row: int) -> bool:
        """Whether this reader has to collect the tokens of a line.

        It has to if preprocessing changes the line, and if the line is among the lines that are being read.
        """
        return row < self._end_row and self._differs(row)

    def _differs(self, row: int) -> bool:
        mapped = self.map.rows[row]
        return mapped is not None and mapped is not IN_COMMENT

    def expanded_meaning(self, offset: int) -> int | None:
        """Returns the meaning (kind and modifiers) of the expanded token that comes from byte `offset`.

        None if the document's text there was not copied to the expanded text.
        """
        place = self._expanded(offset)
        return None if place is None else token_meaning(self.inputs, place)

    def macro_meaning(self, token: Token) -> int:
        """Returns the meaning (kind and modifiers) of the macro that is expanded at the token.

        If none is expanded there, this is the meaning of the macro with the token's name; 0 without such a
        macro.
        """
        offset = token_start(token)
        row = self.text.line_of(offset)
        mapped, column = self.map.rows[row], offset - self.text.line_start(row)
        if mapped is not None and mapped.home and (column < mapped.own or not mapped.segments):
            column += self.text.line_start(row) - self.text.line_start(row - mapped.home)
            mapped = self.map.rows[row - mapped.home]
        found = None if mapped is None else self._uses(mapped).get(column)
        return super().macro_meaning(token) if found is None else _macro_meaning(found)

    def _uses(self, mapped: RowMap) -> dict[int, Macro]:
        """Returns the macros that a line expands, by the column of their names in bytes."""
        if self._used[0] is not mapped:
            found = {call.start: call.macro for call in mapped.calls}
            for segment in mapped.segments:
                if isinstance(segment.origin, Expansion) and segment.document is None:
                    outer = outermost(segment.origin)
                    found[name_range(outer)[0]] = outer.macro
            self._used = mapped, found
        return self._used[1]

    def _expanded(self, offset: int) -> int | None:
        """Maps byte `offset` of the document to the expanded text; None if the text there was not copied."""
        row = self.text.line_of(offset)
        mapped = self.map.rows[row]
        if mapped is None:
            return self.map.lines.start(row) + offset - self.text.line_start(row)
        column = offset - self.text.line_start(row)
        if column < mapped.own or (mapped.home and not mapped.segments):
            row -= mapped.home
            column = offset - self.text.line_start(row)
        segments = self._segments_of_line.get(row)
        if segments is None:
            segments = self._segments_of_line[row] = self._segments(row)
        at = bisect_right(segments, (column, 1 << 60, 0)) - 1
        if at >= 0 and column < segments[at][0] + segments[at][1]:
            return self.map.lines.start(row) + segments[at][2] + column - segments[at][0]
        return None

    def _segments(self, row: int) -> list[tuple[int, int, int]]:
        """Returns the ranges of an expanded line that were copied from its raw line.

        Each range consists of the column in the raw line, the width, and the column in the expanded line, in
        bytes.
        """
        found: list[tuple[int, int, int]] = []
        mapped = self.map.rows[row]
        for segment in mapped.segments if mapped is not None else ():
            if segment.document is None:
                origin = segment.origin
                if isinstance(origin, int):
                    found.append((origin, segment.width, segment.column))
                elif isinstance(origin, Spliced):
                    found.append((origin.start, 1, segment.column))
        found.sort()
        return found


def token_meaning(inputs: TokenInputs, place: int) -> int:
    """Returns the meaning of the token that starts at byte `place` of the expanded text; 0 if none does."""
    groups = inputs.part.groups
    index = bisect_right(groups, place, key=_start) - 1
    for item in groups[index].items if index >= 0 else ():
        inside = place - item.start
        if 0 <= inside < item.length:
            token_index = bisect_left(item.token_index_starts, inside)
            if token_index < len(item.token_index_starts) and item.token_index_starts[token_index] == inside:
                found = inputs.meanings(item)
                return found[token_index] if token_index < len(found) else 0
    return 0


def find_logical_line_start(rows: Sequence[RowMap | None], row: int, text: Text) -> int:
    """Returns the line from which the raw lines must be read so that `row` is read correctly.

    This is the first line of its logical line, or a line before that.
    """
    while row > 0 and _continues_above(rows, row, text):
        row -= 1
    return row


def _continues_above(rows: Sequence[RowMap | None], row: int, text: Text) -> bool:
    mapped, above = rows[row], rows[row - 1]
    if mapped is None:
        return False
    if mapped.home or mapped.comment or mapped.blank:
        return True
    # a line whose tokens come from the parsed text is not read as a raw line
    return above is not None and above is not IN_COMMENT and is_spliced(text, row)


def _start(group: ItemGroup) -> int:
    return group.start
