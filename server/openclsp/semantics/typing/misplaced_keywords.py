"""Emits facts about keywords and quotes that are certainly wrong, although unknown names follow them.

An unknown name next to a syntax error may be a macro that makes the text valid. No macro can do this in these
cases: `if n`, `int a, float b`, and a quote that is not closed.
"""

from __future__ import annotations

from typing import Final

from openclsp.language.keywords import NEVER_NAMES
from openclsp.semantics.facts.constructs import SyntaxFault
from openclsp.semantics.facts.entities import Place
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.typing.attribute_faults import check_parentheses
from openclsp.semantics.typing.misused_types import closing_parenthesis
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.semantics.typing.unknown_names import unknown_around, unknown_word
from openclsp.source.parser import FIELDS, kind

_IDENTIFIER, _DECLARATION = kind("identifier"), kind("declaration")
_DECLARATOR, _TYPE = FIELDS["declarator"], FIELDS["type"]
_BUILT_IN: Final = frozenset((kind("primitive_type"), kind("sized_type_specifier")))
_BEFORE_PARENTHESES: Final = frozenset((b"if", b"while", b"switch", b"for"))
_ARITHMETIC: Final = frozenset(("int", "long", "short", "char", "double", "signed", "unsigned"))
_ATTRIBUTE: Final = b"__attribute__"
_QUOTES: Final = (b'"', b"'")


def emit_misplaced_keywords(ctx: TypingContext) -> set[int]:
    """Emits the facts of an item with syntax errors; returns the tokens that need no other report."""
    table = ctx.table
    found: set[int] = set()
    if not _BEFORE_PARENTHESES.isdisjoint(table.tokens):
        quote = b""
        for token_index, text in enumerate(table.tokens):
            if text[-1:] in _QUOTES and (not quote or text == quote):
                quote = b"" if quote else text[-1:]
            elif not quote and text in _BEFORE_PARENTHESES and _lacks_parentheses(ctx, token_index):
                found.add(token_index)
                ctx.emit(SyntaxFault(Place(token_index, token_index + 1), table.token(token_index), "("))
    if _ATTRIBUTE in table.tokens:
        for token_index, text in enumerate(table.tokens):
            if text == _ATTRIBUTE and check_parentheses(ctx, token_index):
                found.update(range(token_index, closing_parenthesis(table, token_index + 2) + 1))
    for node, number in enumerate(table.kind):
        if number == _IDENTIFIER and table.field[node] == _DECLARATOR and _is_keyword_as_name(ctx, node):
            token_index = table.first[node]
            found.add(token_index)
            ctx.emit(SyntaxFault(Place(token_index, token_index + 1), found=table.token(token_index)))
    return found


def emit_unclosed_quote(ctx: TypingContext) -> bool:
    """Emits a fact if a string or character literal is not closed; returns whether it did.

    No macro can close it, because a macro's replacement is a sequence of complete tokens.
    """
    if all(quote not in ctx.table.tokens for quote in _QUOTES):
        return False
    quote, opening = b"", -1
    for token_index, text in enumerate(ctx.table.tokens):
        if text[-1:] in _QUOTES and (not quote or text == quote):
            quote, opening = (b"", -1) if quote else (text[-1:], token_index)
    if quote:
        ctx.emit(SyntaxFault(Place(opening, opening + 1), found=quote.decode(), closing=quote.decode()))
    return bool(quote)


def _lacks_parentheses(ctx: TypingContext, token_index: int) -> bool:
    """Whether neither `(` nor a name that may be a macro follows a keyword.

    False for the suffix of the imaginary number `1.0if`.
    """
    table = ctx.table
    following = token_index + 1
    if (
        table.starts[token_index] == table.ends[token_index - 1]
        and table.tokens[token_index - 1][-1:].isalnum()
    ):
        return False
    return (
        table.token(following) not in ("", "(")
        and unknown_word(ctx, following, following + 1) < 0
        and unknown_around(ctx, token_index) < 0
    )


def _is_keyword_as_name(ctx: TypingContext, node: int) -> bool:
    """Whether a declarator is a keyword, in a declaration of a built-in type that uses no unknown names."""
    table = ctx.table
    token_index = table.first[node]
    word = table.token(token_index)
    if word not in NEVER_NAMES and not (word in _ARITHMETIC and table.token(token_index - 1) == ","):
        return False
    around = _declaration_around(table, node)
    base = table.child(around, _TYPE) if around >= 0 else -1
    return (
        base >= 0
        and table.kind[base] in _BUILT_IN
        and unknown_word(ctx, table.first[around], token_index) < 0
        and unknown_around(ctx, token_index) < 0
    )


def _declaration_around(table: Table, node: int) -> int:
    around = node - 1
    while around >= 0 and (table.kind[around] != _DECLARATION or table.skip[around] <= node):
        around -= 1
    return around
