"""Undeclared names, and punctuation missing next to names parsed as macros.

The grammar accepts macro calls in many positions, because a macro that the host defines is not expanded. A
name in such a position is an unknown macro or a typo. If it is a known function or variable, a `;` or `,` is
missing.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from openclsp.language.availability import (
    extensions_with,
    is_missing_constant,
    is_missing_function,
    is_missing_type,
)
from openclsp.language.builtin_functions import is_builtin_function_name
from openclsp.language.builtin_types import is_builtin_type_name, predeclared_constants
from openclsp.language.keywords import C99_KEYWORDS, CLANG_KEYWORDS, keywords
from openclsp.language.newer_names import NEWER_CONSTANTS
from openclsp.semantics.facts.constructs import NameRole, SyntaxFault, UnavailableName, UnknownName
from openclsp.semantics.facts.entities import Place
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.typing.missing_tokens import is_call, missing_token
from openclsp.semantics.typing.misspelt_names import is_tag_after_misspelling, keywords_near, near_names
from openclsp.semantics.typing.reserved_words import lacks_type
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import ERROR, FIELDS, kind

_KEYWORDS = C99_KEYWORDS | CLANG_KEYWORDS
_MODIFIER = kind("macro_modifier")
_STATEMENT = kind("macro_statement")
_ARGUMENT = kind("macro_argument")
_TYPE = kind("macro_type_specifier")
TOLERATED = frozenset((_MODIFIER, _STATEMENT, _ARGUMENT, _TYPE))
"""The kinds of nodes that tolerate an unexpanded macro."""
_FUNCTION_DEFINITION, _DECLARATION = kind("function_definition"), kind("declaration")
_FUNCTION = kind("function_declarator")
_BEFORE_NAME: Final = frozenset(("case", "else", "goto", "return"))
"""Words that begin a statement and that a name may follow"""
_PARAMETERS = kind("parameter_list")
_IDENTIFIER, _FIELD_IDENTIFIER = kind("identifier"), kind("field_identifier")
_DECLARATOR, _NAME, _ARGUMENTS = FIELDS["declarator"], FIELDS["name"], FIELDS["arguments"]
_AROUND = 3
"""The number of enclosing parentheses that are searched."""
_WORD = re.compile(r"[A-Za-z_]\w*")
_ARITHMETIC = re.compile(
    r"unsigned|signed|bool|size_t|u?(?:char|short|int|long)(?:2|3|4|8|16)?|(?:half|float|double)(?:2|3|4|8|16)?"
)
_BETWEEN = ("*", "const", "restrict", "volatile")
_BEHIND = (";", ",", "=", ")", "[")


_OF_EXTENSIONS: Final = {"channel": ("cl_intel_channels", "cl_altera_channels")}
"""Words that an extension of a vendor makes keywords"""


def _is_accounted_for(ctx: TypingContext, word: str) -> bool:
    """Whether a typedef or macro of the unit, or an extension that is possibly enabled, defines the word."""
    if word in ctx.names.vocabulary():
        return True
    return any(ctx.names.is_switched_on(extension) for extension in _OF_EXTENSIONS.get(word, ()))


def emit_tolerated(ctx: TypingContext) -> bool:
    """Emits facts about nodes that the grammar accepts only because they may be macro calls.

    Each fact is about a missing `,` or `;`, or about an unknown name. Returns whether one of the nodes may
    really be a macro call, so that syntax errors around it are not reported.
    """
    table = ctx.table
    if TOLERATED.isdisjoint(table.kind):
        return False
    nodes = [node for node, number in enumerate(table.kind) if number in TOLERATED]
    local = names_declared(table)
    excused = False
    for node in nodes:
        name = _name_token(table, node)
        word = table.token(name)
        if word in _KEYWORDS:
            if _is_stray(ctx, node, word):
                ctx.emit(SyntaxFault(Place(name, name + 1), found=word))
            continue
        if _is_faulty(table) and table.kind[node] == _STATEMENT and is_call(ctx, node, word, local):
            continue
        fault = missing_token(ctx, node, word, local)
        if fault is not None:
            ctx.emit(fault)
            continue
        excused = True
        # next to a syntax error, the node may be an artefact of error recovery
        stray = table.kind[node] == _ARGUMENT and table.kind[0] != _FUNCTION_DEFINITION
        if not stray and not _is_faulty(table) and word not in local and not _is_accounted_for(ctx, word):
            similar = keywords_near(ctx, word) if table.kind[node] == _STATEMENT else near_names(ctx, word)
            if table.kind[node] in (_ARGUMENT, _TYPE):
                similar = ()
            ctx.emit(UnknownName(word, Place(name, name + 1), NameRole.OTHER, similar))
    return excused


def _is_stray(ctx: TypingContext, node: int, word: str) -> bool:
    """Whether a keyword is certainly wrong: an `else` without `if`, or a type after a parameter's name.

    False if an unknown name precedes it, which may be a macro.
    """
    table = ctx.table
    if word == "else":
        return is_stray_else(ctx, table.first[node])
    around = node - 1
    while around > 0 and (table.skip[around] <= node or table.kind[around] == ERROR):
        around -= 1
    is_after_name = table.kind[around] == _PARAMETERS and _ARITHMETIC.fullmatch(word) is not None
    return is_after_name and _follows_known_names(ctx, table.first[node])


def is_stray_else(ctx: TypingContext, token_index: int) -> bool:
    """Whether an `else` that the parser takes for a name certainly has no `if`."""
    if ctx.names.has_guessed_conditions() or ctx.names.host_may_define_names():
        # the `if` may be in a branch of a condition
        return False
    return _follows_known_names(ctx, token_index)


def _follows_known_names(ctx: TypingContext, token_index: int) -> bool:
    """Whether no unknown name precedes a token of a function. Such a name may be a macro."""
    table = ctx.table
    return (
        table.kind[0] == _FUNCTION_DEFINITION
        and not table.has_nested
        and unknown_word(ctx, 0, token_index) < 0
    )


def only_values_tolerated(ctx: TypingContext) -> bool:
    """Whether every name parsed as a macro is declared in the item as a value: `int *n; n[[[[ }`.

    None of these names can then expand to a bracket.
    """
    table = ctx.table
    tolerated = {
        table.token(_name_token(table, node)) for node, number in enumerate(table.kind) if number in TOLERATED
    }
    tolerated -= {
        table.token(token_index)
        for token_index in range(len(table.tokens))
        if _declares_value(table, token_index)
    }
    if tolerated and table.kind[0] == ERROR:
        # a function whose body is not closed: its declarations are items of their own
        tolerated = {word for word in tolerated if not ctx.names.is_declared_later(word)}
    return not tolerated


def _declares_value(table: Table, token_index: int) -> bool:
    """Whether a token certainly declares a variable or parameter, however it was parsed.

    Only `*` and qualifiers may come between it and the keyword of an arithmetic type.
    """
    if not token_index or table.token(token_index + 1) not in _BEHIND:
        return False
    before = token_index - 1
    while before > 0 and table.token(before) in _BETWEEN:
        before -= 1
    return _ARITHMETIC.fullmatch(table.token(before)) is not None


def emit_unknown_type(ctx: TypingContext, node: int) -> None:
    """Emits a fact for an undeclared type name."""
    name = ctx.table.text(node)
    if is_missing_type(name, ctx.dialect) and name not in ctx.names.vocabulary():
        _emit_unavailable(ctx, name, ctx.place(node), NameRole.TYPE)
        return
    if name == "else":
        if not _is_faulty(ctx.table) and is_stray_else(ctx, ctx.table.first[node]):
            ctx.emit(SyntaxFault(ctx.place(node), found=name))
        return
    known = is_builtin_type_name(name) or name in CLANG_KEYWORDS or _is_accounted_for(ctx, name)
    if (
        lacks_type(ctx.table.tokens, ctx.table.first[node])
        or known
        or name.startswith("__")
        or _is_faulty(ctx.table)
        or is_tag_after_misspelling(ctx, node)
    ):
        return
    if _may_be_macro_argument(ctx.table, node):
        similar: tuple[str, ...] = ()
    elif (
        _begins_statement(ctx, node) and _BEFORE_NAME.issuperset(words := keywords_near(ctx, name)) and words
    ):
        # `retrun x;` is parsed as a declaration
        ctx.emit(UnknownName(name, ctx.place(node), NameRole.OTHER, words))
        return
    else:
        similar = near_names(ctx, name)
    ctx.emit(UnknownName(name, ctx.place(node), NameRole.TYPE, similar))


def _begins_statement(ctx: TypingContext, node: int) -> bool:
    """Whether a type's name is the first token of a declaration in a function."""
    table = ctx.table
    return (
        bool(ctx.frames)
        and table.kind[node - 1] == _DECLARATION
        and table.first[node - 1] == table.first[node]
    )


def _may_be_macro_argument(table: Table, node: int) -> bool:
    """Whether a node in a body is in the parentheses after a name in capitals, which is rarely a function.

    `MACRO FIELD(pnum, uint)` is parsed as the declaration of a function with unnamed parameters.
    """
    first = table.first[node]
    opening = _opening_bracket(table, first)
    if opening < 1 or b"{" not in table.tokens[:first]:
        return False
    word = table.token(opening - 1)
    return word.isidentifier() and word.upper() == word


def emit_unknown_macro(ctx: TypingContext, node: int) -> None:
    """Emits a fact for a macro in place of a declared name: `FUNC(name)`."""
    token_index = ctx.table.first[node]
    name = ctx.table.token(token_index)
    if name not in ctx.names.vocabulary() and not _is_faulty(ctx.table):
        ctx.emit(UnknownName(name, Place(token_index, token_index + 1), NameRole.OTHER))


def unknown_word(ctx: TypingContext, first: int, last: int) -> int:
    """Returns the token index of the first unknown name from token `first` to `last`; -1 if there is none.

    Such a name may be a macro defined by the host.
    """
    table = ctx.table
    local = names_declared(table)
    in_string = False
    for token_index in range(max(first, 0), min(last, len(table.tokens))):
        word = table.token(token_index)
        if word.endswith('"'):
            in_string = not in_string
        if (
            in_string
            or not _WORD.fullmatch(word)
            or word in local
            or (token_index and table.token(token_index - 1) in (".", "->"))
            or _is_member_name(table, token_index)
        ):
            continue
        known = (
            word in keywords(ctx.dialect)
            or word == "_Atomic"
            or is_builtin_type_name(word)
            or is_builtin_function_name(word)
            or word in NEWER_CONSTANTS
            or word in predeclared_constants(ctx.dialect)
            or (word in ctx.names.vocabulary() and not ctx.names.is_macro_of_unknown_value(word))
        )
        if not known and ctx.find(word) is None:
            return token_index
    return -1


def _is_member_name(table: Table, token_index: int) -> bool:
    """Whether a token declares a member of a struct or union; a name in capitals may be a macro instead."""
    if table.token(token_index).isupper() and len(table.token(token_index)) > 1:
        return False
    # `table.first` is sorted, so that the nodes that begin with the token have consecutive numbers
    node = bisect_left(table.first, token_index)
    while node < len(table.first) and table.first[node] == token_index:
        if table.kind[node] == _FIELD_IDENTIFIER and table.field[node] == _DECLARATOR:
            return True
        node += 1
    return False


def unknown_around(ctx: TypingContext, token_index: int) -> int:
    """Returns the token index of an unknown name before parentheses that contain a token; else -1.

    An example is `unroll_for` in `unroll_for(4)(int i = 0; …)`.
    """
    table = ctx.table
    opening = _opening_bracket(table, token_index)
    for _ in range(_AROUND):
        if opening < 0:
            break
        called = opening - 1
        if table.token(called) == ")":
            called = _opening_bracket(table, called) - 1
        found = unknown_word(ctx, called, called + 1) if called >= 0 else -1
        if found >= 0:
            return found
        opening = _opening_bracket(table, opening)
    return -1


def _opening_bracket(table: Table, token_index: int) -> int:
    """Returns the token index of the innermost `(` open before a token, within the same braces; else -1."""
    depth = 0
    for before in range(min(token_index, len(table.tokens)) - 1, -1, -1):
        text = table.tokens[before]
        if text in (b"{", b"}"):
            return -1
        depth += (text == b")") - (text == b"(")
        if depth < 0:
            return before
    return -1


def emit_unavailable_function(ctx: TypingContext, name: str, place: Place) -> None:
    """Emits a fact for a call of a built-in function that this dialect lacks, but another one has."""
    if is_missing_function(name, ctx.dialect) and not any(
        map(ctx.names.is_switched_on, extensions_with(name))
    ):
        _emit_unavailable(ctx, name, place, NameRole.FUNCTION)


def emit_unavailable_constant(ctx: TypingContext, name: str, place: Place) -> None:
    """Emits a fact for a built-in constant that this dialect lacks, but another one has."""
    if is_missing_constant(name, ctx.dialect):
        _emit_unavailable(ctx, name, place, NameRole.CONSTANT)


def _emit_unavailable(ctx: TypingContext, name: str, place: Place, role: NameRole) -> None:
    if not ctx.names.may_be_declared_elsewhere(name) and not _is_faulty(ctx.table):
        ctx.emit(UnavailableName(name, place, role))


def _is_faulty(table: Table) -> bool:
    return table.has_error_or_missing


def _name_token(table: Table, node: int) -> int:
    named = table.child(node, _NAME)
    return table.first[named if named >= 0 else node]


def names_declared(table: Table) -> frozenset[str]:
    """Returns the names that are declared anywhere in the item, from syntax alone."""
    if table.declared is None:
        table.declared = frozenset(_declared_names(table))
    return table.declared


def _declared_names(table: Table) -> Iterator[str]:
    """Yields the names declared anywhere in the item, from syntax alone.

    Three kinds of words are parsed as declared names but may be macros, and are omitted: a word directly after
    another declared name, such as `MORE` in `f(a, b MORE)`, a word directly before a word that the parser
    could not classify, such as `INLINE` in `float INLINE f(float x)`, and a word before two parameter lists,
    such as `NAME` in `float NAME(f, T)(float x)`.
    """
    nodes = [
        node
        for node, number in enumerate(table.kind)
        if number == _IDENTIFIER and table.field[node] == _DECLARATOR
    ]
    names = {table.text(node) for node in nodes}
    for node in nodes:
        behind = table.skip[node]
        misplaced = (
            behind < len(table.kind)
            and table.kind[behind] == ERROR
            and table.token(table.last[behind]) == "("
        )
        twice = node > 1 and table.kind[node - 2 : node] == [_FUNCTION, _FUNCTION]
        if twice or (misplaced and _is_word(table, behind)):
            continue
        if table.token(table.first[node] - 1) not in names:
            yield table.text(node)


def _is_word(table: Table, node: int) -> bool:
    return (
        table.last[node] == table.first[node] + 1
        and _WORD.fullmatch(table.token(table.first[node])) is not None
    )
