"""The pragmas that the `_Pragma` operators of a document state."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.source.lexer import lex_spelling
from openclsp.source.line_reader import Reader
from openclsp.source.macros import spell


def operator_pragmas(run: Reader) -> Iterator[tuple[int, int, str, str, int, int]]:
    """Yields the `_Pragma` operators: row, column, text, document, start and end offset."""
    name = run.document.name
    for row, column, text, origin in run.output.pragmas:
        start = origin if isinstance(origin, int) else run.text.line_start(row)
        shown = spell(lex_spelling(text)).decode("utf-8", "replace")
        yield row, column, shown, name, start, start + len(b"_Pragma")
