"""Numbers that the parser splits into several tokens, because they are no literals: `12abc`, `1.0.0`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from openclsp.semantics.facts.entities import Place
from openclsp.semantics.facts.faults import InvalidLiteral
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.typing.literals import is_number
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.semantics.typing.unknown_names import unknown_around

_BEGINNING: Final = re.compile(rb"\.?[0-9][\w.]*")
_CONTINUATION: Final = re.compile(rb"[\w.]+")


def emit_split_numbers(ctx: TypingContext) -> set[int]:
    """Emits a fact for each split number that is no literal; returns the tokens of all split numbers.

    A number in the arguments of an unknown name may be joined to a name: `NAME(2d)`.
    """
    table = ctx.table
    found: set[int] = set()
    for first, last in _split_numbers(table):
        found.update(range(first, last))
        text = b"".join(table.tokens[first:last]).decode("utf-8", "replace")
        if not is_number(text) and unknown_around(ctx, first) < 0:
            ctx.emit(InvalidLiteral(text, Place(first, last)))
    return found


def _split_numbers(table: Table) -> Iterator[tuple[int, int]]:
    """Yields the first and the last token (exclusive) of each split number.

    A preprocessing number extends over letters and periods (C99 6.4.8). The expanded text has a space between
    two preprocessing tokens that would form one.
    """
    in_string = False
    last = 0
    for first, text in enumerate(table.tokens):
        if text.endswith(b'"'):
            in_string = not in_string
        if in_string or first < last or _BEGINNING.fullmatch(text) is None:
            continue
        last = first + 1
        while (
            last < len(table.tokens)
            and table.ends[last - 1] == table.starts[last]
            and _CONTINUATION.fullmatch(table.tokens[last]) is not None
        ):
            last += 1
        if last > first + 1:
            yield first, last
