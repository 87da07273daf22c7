"""Parses an item again if the parser confused names of types and values.

`T (*x)[4] = p;` is a declaration if `T` is a typedef and a call if it is a function, and `sizeof((f(x)) - n)`
may contain a cast: C's grammar depends on the meaning of names (C99 6.7.7), which the parser does not know.
The first pass over an item finds the misclassified names. With a type keyword or a number in their place, the
text has a single parse.
"""

from __future__ import annotations

from collections.abc import Mapping

from openclsp.semantics.table import Table, build_table
from openclsp.source.tree import kind, kind_of, parse

_NUMBER, _IDENTIFIER = kind("number_literal"), kind("identifier")
_TYPE_WORD, _VALUE_WORD = b"size_t", b"0"


def reread(table: Table, is_type: Mapping[int, bool]) -> Table | None:
    """Parses an item again with some tokens classified as types or values.

    None if the result is not an item of the same kind and tokens. The tokens and offsets are those of
    `table`.
    """
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
