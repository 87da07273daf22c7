"""Semantic tokens of a document that is included inside an item.

An example is a document that is included within the body of a struct or function of another document.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right

from openclsp.ide.tokens.token_blocks import (
    TokenInputs,
    compute_macro_meanings,
    encode_tokens,
    token_meaning,
)
from openclsp.ide.tokens.token_lines import DIRECTIVE_TOKENS, RawLineReader
from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.items.item import Item
from openclsp.semantics.items.unit_part import UnitPart
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.typing.token_meanings import compute_token_meanings, word_meanings
from openclsp.source.lexer import lex_line
from openclsp.source.text import Encoding, Text


def compute_nested_include_tokens(unit: TranslationUnit, name: str, encoding: Encoding) -> array[int]:
    """Computes the document's tokens in the encoding of LSP.

    Text in inactive branches is not in the expanded text, so its tokens are classified by their spelling
    alone.
    """
    document = unit.document_named(name)
    if document is None:
        return array("I")
    text = document.text
    kept: dict[ItemKey, array[int]] = {}

    def meanings_of(item: Item) -> array[int]:
        if item.key not in kept:
            kept[item.key] = compute_token_meanings(
                unit.typed(item.key, bodies=True, deferring=True, trace=True)
            )
        return kept[item.key]

    words = word_meanings(unit.dialect)
    sheets = [
        TokenInputs(part, meanings_of, words, encoding, compute_macro_meanings(part.preprocessed.source_map))
        for part in unit.parts()
        if part.preprocessed.trace.splices and name in part.preprocessed.spliced()
    ]
    if not sheets:
        return array("I")
    reader = _NestedIncludeReader(text, sheets[0], _mapped_ranges(sheets[0].part, name))
    reader.read()
    reader.found.sort()
    return encode_tokens(reader.found, 0, text, encoding).numbers


def _mapped_ranges(part: UnitPart, name: str) -> list[tuple[int, int, int]]:
    """Returns the ranges in the expanded text of a `UnitPart` that come from the document `name`.

    Each range consists of its offset in the document, its width, and its offset in the expanded text, in
    bytes.
    """
    source_map = part.preprocessed.source_map
    found: list[tuple[int, int, int]] = []
    for row, mapped in enumerate(source_map.rows):
        for segment in mapped.segments if mapped is not None else ():
            if segment.document == name and isinstance(segment.origin, int):
                found.append((segment.origin, segment.width, source_map.lines.start(row) + segment.column))
    return sorted(found)


class _NestedIncludeReader(RawLineReader):
    """Reads the tokens of a whole document that is only partly in the expanded text."""

    def __init__(self, text: Text, inputs: TokenInputs, ranges: list[tuple[int, int, int]]) -> None:
        super().__init__(text, inputs.macros, inputs.words)
        self._inputs, self._ranges = inputs, ranges

    def collects_line(self, row: int) -> bool:
        """Returns true for every line, because all lines are read from the raw text."""
        return True

    def expanded_meaning(self, offset: int) -> int | None:
        """Returns the meaning (kind and modifiers) of the expanded token that comes from byte `offset`.

        None if the document's text there was not copied to the expanded text.
        """
        at = bisect_right(self._ranges, (offset, 1 << 60, 0)) - 1
        if at < 0 or offset >= self._ranges[at][0] + self._ranges[at][1]:
            return None
        return token_meaning(self._inputs, self._ranges[at][2] + offset - self._ranges[at][0])

    def read(self) -> None:
        """Collects the tokens of all lines."""
        data, at = self.text.data, 0
        while at < len(data):
            tokens, end = lex_line(data, at)
            if tokens and tokens[0][1] in DIRECTIVE_TOKENS:
                self.add_directive(tokens)
            else:
                self.add_code(tokens)
            self.add_comments(at, end, tokens)
            at = end
