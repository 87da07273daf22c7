"""Calls of unknown macros at program scope: `DECLARE(x);`, `GLOBALS`, `DEFINE(float) kernel void f() …`.

No function can be called there, so the name is a macro that the host or a missing header defines. It may declare
any names. Its arguments may be whole functions (`SOURCE(` … `)`): these are items of their own, so the call begins
in one item and ends in another.
"""

from __future__ import annotations

import re
from typing import Final

from openclsp.semantics.items.syntax_table import Table
from openclsp.source.blanked_text import skip_white_space
from openclsp.source.chunks import ends_in_leading_call
from openclsp.source.macro_calls import match_leading_call
from openclsp.source.parser import ERROR, FIELDS, kind

_STATEMENT, _MODIFIER = kind("macro_statement"), kind("macro_modifier")
_EXPRESSION, _TYPE = kind("expression_statement"), kind("type_identifier")
_NAMED = frozenset((kind("declaration"), kind("function_definition")))
_FUNCTION = kind("function_declarator")
_DECLARATOR = FIELDS["declarator"]
_WORD: Final = re.compile(rb"[A-Za-z_$]\w*")
_DECLARES: Final = re.compile(rb"[ \t]*(?:\(|//|[\r\n])")
"""What follows a macro that is no specifier of the declaration after it: arguments, or the end of the line"""
NO_WORDS: Final = frozenset[str]()
OPENS_CALL, CLOSES_CALL = "(", ")"
"""The word of an item in which a call begins but does not end, and of one that begins with the end of a call"""


def macro_words(table: Table, text: bytes) -> frozenset[str]:
    """Returns the words of the unknown macro calls in an item at program scope; empty if there is none.

    The words may include OPENS_CALL or CLOSES_CALL.

    `text` is the item's text. The table cannot replace it, because arguments that are not valid C are
    replaced by spaces before the text is parsed.
    """
    number = table.kind[0]
    if table.has_error or table.missing:
        if ends_in_leading_call(text):
            return _words(text) | {OPENS_CALL}
        if text.startswith(b")", skip_white_space(text, 0)):
            return frozenset((CLOSES_CALL,))
    if number == _STATEMENT or (number == ERROR and match_leading_call(text, 0) is not None):
        return _words(text)
    if number == _EXPRESSION:
        return _words(text) if len(table.tokens) > 1 else NO_WORDS
    if number not in _NAMED:
        return NO_WORDS
    found = NO_WORDS
    base = table.starts[0]
    for child in table.children(0):
        if table.kind[child] == _MODIFIER:
            end = table.ends[table.last[child] - 1] - base
            if _DECLARES.match(text, end):
                behind = table.last[child]
                found |= _words(text[table.starts[table.first[child]] - base : table.starts[behind] - base])
        elif table.kind[child] == _TYPE:
            between = text[table.ends[table.first[child]] - base : table.starts[table.last[child]] - base]
            # `DECLARE(int, x)` on a line of its own, not `VECTOR(float, 4) x;`
            if between.lstrip().startswith(b"(") and b"\n" in between:
                return _words(text)
        elif table.field[child] == _DECLARATOR and table.kind[child] == _FUNCTION:
            inner = table.child(child, _DECLARATOR)
            if inner >= 0 and table.kind[inner] == _FUNCTION:
                found |= _words(text[: table.ends[table.last[inner] - 1] - base])
    return found


def _words(text: bytes) -> frozenset[str]:
    return frozenset(word.decode() for word in _WORD.findall(text))
