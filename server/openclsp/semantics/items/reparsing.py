"""Parses an item again if the parser confused names of types and values.

`T (*x)[4] = p;` is a declaration if `T` is a typedef and a call if it is a function, and `sizeof((f(x)) - n)`
may contain a cast: C's grammar depends on the meaning of names (C99 6.7.7), which the parser does not know.
The first pass over an item finds the misclassified names. For the second parse, each of them is replaced by a
word whose class the parser knows, such as `size_t` for the name of a type.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.items.syntax_table_builder import build_table
from openclsp.source.parser import FIELDS, kind, kind_of, parse

_NUMBER, _IDENTIFIER = kind("number_literal"), kind("identifier")
_BODY = FIELDS["body"]
_SIGNS, _NUMBER_START = (b"+", b"-"), b".0123456789"


class NameClass(Enum):
    """The role of a name.

    The value is a word that replaces the name in the second parse; the grammar allows it only in this role.
    """

    TYPE = b"size_t"
    VALUE = b"0"
    DECLARED = b"generic"
    """The name that a declarator declares; the grammar accepts this keyword as a name, but not as a type."""


def reparse(table: Table, classes: Mapping[int, NameClass]) -> Table | None:
    """Parses an item again with some tokens classified.

    The result has the tokens and offsets of `table`. Returns None if the parse does not yield a single item
    of the same kind and tokens.
    """
    if table.missing or not table.kind:
        return None
    words = list(table.tokens)
    for token_index, name_class in classes.items():
        words[token_index] = b" %b " % name_class.value
    text = _join(words, table)
    # `Table.head` has left nothing of a function's body but the node
    body = table.child(0, _BODY)
    is_head = body >= 0 and table.first[body] == table.last[body]
    if is_head:
        text += b"{}"
    found = [each for each in parse(text).root_node.children if kind_of(each) == table.kind[0]]
    if len(found) != 1:
        return None
    made = build_table(found[0], text)
    made = made.head() if is_head else made
    if len(made.tokens) != len(table.tokens) or made.missing or (made.has_error and not table.has_error):
        return None
    for node, number in enumerate(made.kind):
        token_index = made.first[node]
        if number == _NUMBER and made.last[node] == token_index + 1 and token_index in classes:
            made.kind[node] = _IDENTIFIER
    made.has_nested, made.in_function = table.has_nested, table.in_function
    made.tokens, made.starts, made.ends = table.tokens, table.starts, table.ends
    return made


def _join(words: list[bytes], table: Table) -> bytes:
    """Joins the words of an item into a text that has the same tokens.

    No space is inserted between words that have none between them in the item: `' a '` differs from `'a'`. A
    space is always inserted between a sign and a number: the parser takes `-1` in `(T)-1` for one token if
    `T` is a type, but for two tokens otherwise.
    """
    pieces: list[bytes] = []
    end, before = -1, b""
    for word, start, ends in zip(words, table.starts, table.ends, strict=True):
        if start != end or (before in _SIGNS and word[0] in _NUMBER_START):
            pieces.append(b" ")
        pieces.append(word)
        end, before = ends, word
    return b"".join(pieces)
