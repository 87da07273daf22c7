"""Parses an item again where the grammar took a type's name for a value's, or the other way round.

`T (*x)[4] = p;` declares where `T` is a typedef and calls where it is a function, and `sizeof((f(x)) - n)` may measure a cast:
C's grammar needs to know what the names stand for (C99 6.7.7), and the parser does not. The first pass over an item finds the
names that do not stand for what the parser took them for; with a type's keyword or a number in the place of those there is one
reading only.
"""

from __future__ import annotations

from collections.abc import Mapping

from openclsp.semantics.table import Table, build_table
from openclsp.source.tree import kind, kind_of, parse

_NUMBER, _IDENTIFIER = kind("number_literal"), kind("identifier")
_TYPE_WORD, _VALUE_WORD = b"size_t", b"0"


def reread(table: Table, is_type: Mapping[int, bool]) -> Table | None:
    """The table of an item whose leaves `is_type` are names of types or of values; None where it is no such item then. Leaves
    and places are those of `table`."""
    if table.missing or not table.kind:
        return None
    words = list(table.leaves)
    for leaf, named_type in is_type.items():
        words[leaf] = _TYPE_WORD if named_type else _VALUE_WORD
    text = b" ".join(words)
    found = [node for node in parse(text).root_node.children if kind_of(node) == table.kind[0]]
    if len(found) != 1:
        return None
    made = build_table(found[0], text)
    if len(made.leaves) != len(table.leaves) or made.missing or (made.torn and not table.torn):
        return None
    for row, number in enumerate(made.kind):
        leaf = made.first[row]
        if number == _NUMBER and made.last[row] == leaf + 1 and leaf in is_type:
            made.kind[row] = _IDENTIFIER
    made.leaves, made.starts, made.ends = table.leaves, table.starts, table.ends
    return made
