"""Maps tokens of items to the places that spell them, also in macro bodies, and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from openclsp.ide.feature_results import Location
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.expansion import Expansion
from openclsp.source.lexer import IDENTIFIER, Spliced, lex_line, token_end, token_start
from openclsp.source.macros import Macro
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.row_map import COMMENT, Segment, segments_in
from openclsp.source.source_locations import Span
from openclsp.source.source_map import SourceMap
from openclsp.source.text import Text
from openclsp.source.word_search import word_starts

_MAXIMUM_BODY_USES: Final = 64
"""The maximum number of expansions of a macro in which a name of its body is looked up."""


class TokenPlaces:
    """The locations of tokens in one state of a unit; create a new instance after each update."""

    def __init__(self, unit: TranslationUnit) -> None:
        self.unit = unit
        self._definitions: dict[Macro, Span | None] = {}
        self._texts: dict[str, Text | None] = {}

    def place(self, source_map: SourceMap, start: int, end: int) -> Location | None:
        """Returns the location that spells the token at bytes `start` to `end` of an expanded text.

        A token from a macro's body is located in the macro's definition. None if no location spells the
        token: `##` forms its name, or a build option defines the macro.
        """
        row, row_start, _ = source_map.lines.around(start)
        mapped = source_map.rows[row] if row < len(source_map.rows) else None
        document = source_map.document
        if mapped is None or mapped is COMMENT:
            begin = document.text.line_start(row) + start - row_start
            return Location(document.name, begin, begin + end - start)
        column = start - row_start
        segment = next(iter(segments_in(mapped.segments, column, end - row_start)), None)
        if segment is None or not segment.column <= column < segment.column + segment.width:
            return None
        base = 0 if segment.document else document.text.line_start(row)
        name = segment.document or document.name
        origin = segment.origin
        if isinstance(origin, int):
            at = base + origin + column - segment.column
            return Location(name, at, at + end - start)
        if isinstance(origin, Spliced):
            return Location(name, base + origin.start, base + origin.end)
        if not isinstance(origin, Expansion):
            return None
        word = source_map.text[start:end]
        number = _count_before(source_map, mapped.segments, origin, row_start, column, word)
        return self._in_body(origin.macro, word, number)

    def definition(self, macro: Macro) -> Span | None:
        """Returns the current range of a macro's definition, from its name to the end of its body.

        None if no document defines the macro.
        """
        if macro not in self._definitions:
            self._definitions[macro] = self.unit.preprocessed.definition(macro)
        return self._definitions[macro]

    def text(self, document: str) -> Text | None:
        """Returns the text of a document of the unit; None if the unit does not contain the document."""
        if document not in self._texts:
            found = self.unit.document_named(document)
            self._texts[document] = None if found is None else found.text
        return self._texts[document]

    def _in_body(self, macro: Macro, word: bytes, number: int) -> Location | None:
        """Returns the location of the word's occurrence `number` (from 0) in the macro's replacement list.

        If there are fewer occurrences, the last one is returned. None if there is none.
        """
        span = self.definition(macro)
        text = None if span is None else self.text(span.document)
        if span is None or text is None or word not in macro.words:
            return None
        places = body_words(text.data[span.start : span.end], macro.parameters is not None, word)
        if not places:
            return None
        start, end = places[min(number, len(places) - 1)]
        return Location(span.document, span.start + start, span.start + end)

    def uses_of_body(self, document: str, offset: int, word: bytes) -> Iterator[tuple[SourceMap, int, int]]:
        """Yields the expanded tokens that come from the word at a byte of a macro's replacement list.

        Each result contains a source map, and the start and end of the token in its expanded text.
        """
        count = 0
        for part in self.unit.preprocessed.with_included():
            source_map = part.source_map
            for row, mapped in enumerate(source_map.rows):
                if mapped is None or not mapped.segments:
                    continue
                for segment in mapped.segments:
                    if not isinstance(segment.origin, Expansion) or word not in segment.origin.macro.words:
                        continue
                    span = self.definition(segment.origin.macro)
                    if span is None or span.document != document or not span.start <= offset < span.end:
                        continue
                    row_start = source_map.lines.start(row)
                    start, end = row_start + segment.column, row_start + segment.column + segment.width
                    for at in word_starts(source_map.text, word, start, end):
                        place = self.place(source_map, at, at + len(word))
                        if place is not None and place.start <= offset <= place.end:
                            yield source_map, at, at + len(word)
                            count += 1
                            if count >= _MAXIMUM_BODY_USES:
                                return


def _count_before(
    source_map: SourceMap,
    segments: tuple[Segment, ...],
    origin: Expansion,
    row_start: int,
    column: int,
    word: bytes,
) -> int:
    """Counts the tokens `word` before `column` that come from one expansion's replacement list."""
    count = 0
    for segment in segments:
        if segment.column >= column:
            break
        if segment.origin is origin:
            end = row_start + min(segment.column + segment.width, column)
            count += len(list(word_starts(source_map.text, word, row_start + segment.column, end)))
    return count


def body_words(definition: bytes, has_parameters: bool, word: bytes) -> list[tuple[int, int]]:
    """Returns the byte ranges of a word in a macro's replacement list.

    They are relative to the start of the macro's name, where `definition` begins. `has_parameters` is whether
    the macro is function-like.
    """
    tokens, _ = lex_line(definition, 0)
    first = 1
    if has_parameters:
        first = next((index for index, token in enumerate(tokens) if token[1] == b")"), 0) + 1
    return [
        (token_start(token), token_end(token))
        for token in tokens[first:]
        if token[0] == IDENTIFIER and token[1] == word
    ]


def documents_of(unit: TranslationUnit, name: str) -> list[Preprocessed]:
    """Returns the preprocessing results of a document: one for each of its inclusions between items.

    The root document counts as included once.
    """
    return [each for each in unit.preprocessed.with_included() if each.document.name == name]
