"""Finds syntax errors, and address space names used as identifiers.

All spellings of address space names are reserved (OpenCL C 6.7: the names shall not be used otherwise). The
parser takes such a word for a qualifier, so that a name is missing after it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from openclsp.language.spaces import QUALIFIERS
from openclsp.semantics.facts.constructs import (
    Construct,
    ConstructKind,
    LimitReached,
    NameRole,
    SyntaxFault,
    UnknownName,
)
from openclsp.semantics.facts.entities import Place
from openclsp.semantics.items.syntax_table import TOO_DEEP, Table
from openclsp.semantics.limits import MAXIMUM_DEPTH, Limit
from openclsp.semantics.typing.misplaced_keywords import emit_misplaced_keywords, emit_unclosed_quote
from openclsp.semantics.typing.misused_types import emit_misplaced_declarations
from openclsp.semantics.typing.reserved_words import lacks_type, reserved_words
from openclsp.semantics.typing.split_numbers import emit_split_numbers
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.semantics.typing.unknown_names import (
    emit_tolerated,
    is_stray_else,
    only_values_tolerated,
    unknown_around,
    unknown_word,
)
from openclsp.source.missing_separators import COMMA, SEMICOLON_AFTER_RECORD
from openclsp.source.parser import ERROR, FIELDS, kind, parse

_NAMES = frozenset(kind(f"{word}identifier") for word in ("", "field_", "type_", "statement_"))
_USED_NAMES = frozenset((kind("identifier"), kind("statement_identifier")))
_FUNCTION_DEFINITION = kind("function_definition")
_PARENTHESES = kind("parenthesized_declarator")
_MEMBER = kind("field_declaration")
_DECLARATOR = FIELDS["declarator"]
_RESERVED = frozenset(QUALIFIERS)
_RESERVED_BYTES = frozenset(word.encode() for word in QUALIFIERS)
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_OPENING = {opening.encode(): closing.encode() for opening, closing in _CLOSING.items()}
_BRACKETS = frozenset((*_OPENING, *_OPENING.values(), b"[[", b"]]"))
_AROUND_STATEMENTS = frozenset((b"{", b"}", b";"))
_BEFORE_STATEMENT = _AROUND_STATEMENTS | {b")", b":", b"else", b"do"}
_BEFORE_OPERAND = frozenset((
    "return", *"=+-/%|^<>", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=",
))  # fmt: skip
"""Words after which a name is an operand. `*` and `&` are not among them, because a declarator may follow them."""
_UNFINISHED: Final = (_BEFORE_OPERAND - {">", "<"}) | {"break", "continue", "*", "&"}
"""Words before which a block cannot end"""
_FARTHEST = 256
"""The most tokens of a statement in which the brackets around an error are searched."""
_SHOWN = 4
"""The number of tokens of an error that are marked: its beginning suffices."""


def emit_faults(ctx: TypingContext) -> None:
    """Emits a fact for each syntax error and reserved name, and one if the item is nested too deeply.

    Syntax errors of an item that contains an unknown macro are not reported.
    """
    table = ctx.table
    if table.deepest > MAXIMUM_DEPTH and TOO_DEEP in table.kind:
        deep = table.first[table.kind.index(TOO_DEEP)]
        ctx.emit(LimitReached(Place(deep, deep + 1), Limit.DEPTH))
    words = reserved_words(table.tokens, in_function=table.kind[0] == _FUNCTION_DEFINITION)
    declared = words.names | words.alone
    reserved = {*_reserved_tokens(table), *declared}
    reported: set[str] = set()
    for token_index in sorted(reserved):
        word, place = table.token(token_index), Place(token_index, token_index + 1)
        if word in reported and _is_name(table, token_index, _USED_NAMES):
            # the uses of a declared name need no report of their own
            continue
        if token_index not in declared and _is_argument_of_unknown(ctx, token_index):
            continue
        if token_index in words.alone:
            ctx.emit(Construct(ConstructKind.RESERVED_NAME_ALONE, place, word))
        else:
            reported.add(word)
            ctx.emit(Construct(ConstructKind.RESERVED_NAME, place, word))
    missing = dict(table.missing)
    for token_index, expected in table.missing.items():
        if expected in (COMMA, SEMICOLON_AFTER_RECORD):
            # An unknown name does not explain that this separator is missing (`source/missing_separators.py`).
            del missing[token_index]
            # A declaration without a name may lack the name, too.
            before = token_index - 1 - (missing.pop(token_index - 1, None) is not None)
            ctx.emit(SyntaxFault(Place(before, before + 1), table.token(before), expected[0]))
    errors = [node for node, number in enumerate(table.kind) if number == ERROR] if table.has_error else []
    misplaced = _misplaced_in_enumeration(table) if errors else -1
    if misplaced >= 0:
        ctx.emit(SyntaxFault(Place(misplaced, misplaced + 1), found=table.token(misplaced)))
        return
    if errors or missing:
        if _is_part_of_macro_call(ctx):
            return
        if emit_unclosed_quote(ctx):
            # the literal extends to the end of the line, and hides what follows
            return
        reserved |= emit_split_numbers(ctx) | emit_misplaced_declarations(ctx) | emit_misplaced_keywords(ctx)
    excused = emit_tolerated(ctx)
    if not (errors or missing):
        return
    # one unmatched bracket can cause any number of errors: it is reported alone
    unmatched = _unmatched_bracket(table)
    if excused and (unmatched < 0 or not only_values_tolerated(ctx)):
        for token_index in _before_end_of_block(table):
            place, found = Place(token_index, token_index + 1), table.token(token_index)
            ctx.emit(SyntaxFault(place, found, ";" if found.isalpha() else "expression"))
        return
    if unmatched >= 0:
        word = table.token(unmatched)[:1]
        closing = _CLOSING.get(word, "")
        ctx.emit(SyntaxFault(Place(unmatched, unmatched + 1), found=word, closing=closing or None))
        return
    for token_index, expected in missing.items():
        if token_index - 1 not in reserved and not _by_unknown(ctx, token_index - 2, token_index + 2):
            before = max(token_index - 1, 0)
            if table.token(before) == "else":
                if is_stray_else(ctx, before):
                    ctx.emit(SyntaxFault(Place(before, before + 1), found="else"))
                continue
            wanted = (
                "expression" if expected == "identifier" and _awaits_value(table.token(before)) else expected
            )
            place = Place(before, before + 1)
            tolerated = _ends_member(table, token_index) or _is_useless_typedef(table, token_index)
            ctx.emit(SyntaxFault(place, table.token(before), wanted, tolerated=tolerated))
    for node in errors:
        first, last = table.first[node], table.last[node]
        if _is_excused(table, node, reserved, errors) or _by_unknown(ctx, first - 1, last + 1):
            continue
        end = _end_of_statement(table, first, last)
        if end >= 0:
            ctx.emit(SyntaxFault(Place(end, end + 1), found=table.token(end), expected=";"))
        else:
            last = min(max(last, first + 1), first + _SHOWN)
            ctx.emit(SyntaxFault(Place(first, last), found=table.token(first)))


def _before_end_of_block(table: Table) -> Iterator[int]:
    """Yields the index of each token that precedes a `}` but cannot end a block: `return`, `+` …

    Such a token is an error even next to unknown macros. Braces within parentheses are ignored, because they
    may be part of a macro's argument.
    """
    depth, before = 0, -1
    for token_index, text in enumerate(table.tokens):
        if not text:
            continue
        depth += (text == b"(") - (text == b")")
        if text == b"}" and depth <= 0 and before >= 0 and table.token(before) in _UNFINISHED:
            yield before
        before = token_index


def _ends_member(table: Table, token_index: int) -> bool:
    """Whether a missing token is the `;` of the last member of a struct or union, after its declarator."""
    return table.token(token_index + 1) == "}" and any(
        number == _MEMBER and table.last[node] == token_index + 1 and table.child(node, _DECLARATOR) >= 0
        for node, number in enumerate(table.kind)
    )


def _is_useless_typedef(table: Table, token_index: int) -> bool:
    """Whether a missing token is the name in `typedef int;`, which compilers accept with a warning."""
    before = table.token(token_index - 1)
    return (
        table.missing[token_index] == "type_identifier"
        and table.token(token_index + 1) == ";"
        and before.isidentifier()
        and before not in ("struct", "union", "enum")
    )


def _end_of_statement(table: Table, first: int, last: int) -> int:
    """Returns the index of the token after which a `;` is missing; -1 if that does not explain the error.

    The error has the tokens `first` to `last` (exclusive). The `;` may be missing before them, after them if
    they end an expression (`a = 3` with `b = 4;` in the next line), or at the end of a block (`{ a = 3 }`).
    """
    if _lacks_semicolon(table, first):
        return first - 1
    if table.token(last) != "}" and not _lacks_semicolon(table, last):
        return -1
    begin = last - 1
    while begin > max(first - _FARTHEST, 0) and table.tokens[begin - 1] not in _AROUND_STATEMENTS:
        begin -= 1
    # the error may have another cause: the statement must be valid with the `;`
    statement = b" ".join(table.tokens[begin:last])
    alone = parse(b"void f(void) { %b; }" % statement).root_node
    return last - 1 if statement and not alone.has_error else -1


def _lacks_semicolon(table: Table, token_index: int) -> bool:
    """Whether a `;` is missing before the token, because it is a name after an expression.

    An example is `a = f(b)` with `c = d;` in the next line. Only function bodies are considered.
    """
    before, word = table.token(token_index - 1), table.token(token_index)
    if table.kind[0] != _FUNCTION_DEFINITION or not (word[:1].isalpha() or word[:1] == "_"):
        return False
    if (
        before not in (")", "]")
        and not before[:1].isdigit()
        and table.token(token_index - 2) not in _BEFORE_OPERAND
    ):
        return False
    closed = 0
    for each in range(token_index - 1, max(token_index - _FARTHEST, 0), -1):
        bracket = table.token(each)
        if bracket in (")", "]"):
            closed += 1
        elif bracket in ("(", "["):
            if not closed:
                return False
            closed -= 1
        elif not closed and bracket in ("{", "}", ";"):
            return True
    return False


def _misplaced_in_enumeration(table: Table) -> int:
    """Returns the token index of a bracket, `*`, `=` or `,` in the place of an enumerator's name, or of a `;` between
    enumerators; -1 if there is none.

    No macro of the host can make the enumeration valid. The parser reports the error at the braces or not at
    all.
    """
    tokens = table.tokens
    for start, text in enumerate(tokens):
        if text != b"enum":
            continue
        opened = start + 1
        while opened < len(tokens) and (tokens[opened][:1].isalpha() or tokens[opened][:1] == b"_"):
            opened += 1
        if opened >= len(tokens) or tokens[opened] != b"{":
            continue
        depth = 0
        for index in range(opened, len(tokens) - 1):
            if tokens[index] in _OPENING:
                depth += 1
            elif tokens[index] in _OPENING.values():
                depth -= 1
                if not depth:
                    break
            first = tokens[index + 1]
            if depth == 1 and first == b";":
                return index + 1
            begins = depth == 1 and (index == opened or tokens[index] == b",")
            if begins and first in (b"(", b"[", b"{", b"*", b"=", b","):
                return index + 1
    return -1


def _is_argument_of_unknown(ctx: TypingContext, token_index: int) -> bool:
    """Whether a qualifier is an argument of an unknown name: `DECLARE(float, local)`, probably a macro call.

    If so, a fact about the name is emitted.
    """
    around = unknown_around(ctx, token_index)
    if around >= 0:
        _emit_unknown(ctx, around)
    return around >= 0


def _by_unknown(ctx: TypingContext, first: int, last: int) -> bool:
    """Whether an unknown name explains a syntax error in the tokens `first` to `last`, as in `a COMPARE b`.

    `COMPARE` may be a macro that the host defines. If so, a fact about the name is emitted.
    """
    token_index = unknown_word(ctx, first, last)
    if token_index < 0:
        # the tokens are arguments of an unknown name: `SUM(1 2)`
        token_index = unknown_around(ctx, first + 1)
    if token_index < 0 and ctx.table.token(first) == ")":
        # the tokens follow the arguments of an unknown name: `LOAD(local) x = 1;`
        token_index = unknown_around(ctx, first)
    if token_index < 0:
        token_index = _unknown_before_statement(ctx, first + 1, last)
    if token_index < 0:
        return False
    _emit_unknown(ctx, token_index)
    return True


def _unknown_before_statement(ctx: TypingContext, first: int, last: int) -> int:
    """Returns the token index of an unknown word before a valid statement, `MACRO x += 1;`; -1 if there is none.

    The statement contains the tokens `first` to `last` (exclusive), which are an error with the word before
    them, because the parser takes the word for a type.
    """
    table = ctx.table
    before = first - 1
    while before > max(first - _FARTHEST, 0) and table.tokens[before] not in _AROUND_STATEMENTS:
        word = unknown_word(ctx, before, before + 1) if table.tokens[before - 1] in _BEFORE_STATEMENT else -1
        if word >= 0:
            end = last
            while end < min(last + _FARTHEST, len(table.tokens)) and table.tokens[end - 1] != b";":
                end += 1
            statement = b" ".join(table.tokens[word + 1 : end])
            return -1 if parse(b"void f(void) { %b }" % statement).root_node.has_error else word
        before -= 1
    return -1


def _emit_unknown(ctx: TypingContext, token_index: int) -> None:
    name = ctx.table.token(token_index)
    named = lacks_type(ctx.table.tokens, token_index)
    if not named and not ctx.names.is_macro_of_unknown_value(name):
        ctx.emit(UnknownName(name, Place(token_index, token_index + 1), NameRole.OTHER))


def _unmatched_bracket(table: Table) -> int:
    """Returns the token index of the first unmatched bracket; -1 if all match."""
    opened: list[tuple[int, bytes]] = []
    for token_index, text in enumerate(table.tokens):
        if text not in _BRACKETS:
            continue
        # `[[` and `]]` of C23 attributes are single tokens
        for bracket in (text[:1],) * len(text):
            if bracket in _OPENING:
                opened.append((token_index, bracket))
            elif not opened:
                return token_index
            elif _OPENING[opened[-1][1]] != bracket:
                return opened[-1][0]
            else:
                opened.pop()
    return opened[-1][0] if opened else -1


def _is_part_of_macro_call(ctx: TypingContext) -> bool:
    """Whether an item is the beginning, the end or a comma of an unknown macro call around other items."""
    table = ctx.table
    first = table.token(0)
    if first in (")", ","):
        return ctx.names.is_within_macro_call()
    return table.token(1) == "(" and _unmatched_bracket(table) == 1 and ctx.names.is_macro_call_closed_later()


def _awaits_value(word: str) -> bool:
    """Whether an expression must follow the token `word`."""
    return word in ("return", "(", ",", "[", "?", ":") or (
        bool(word) and not (word[-1].isalnum() or word[-1] in "_)]}")
    )


def _reserved_tokens(table: Table) -> Iterator[int]:
    """Yields the token indices of address space names in the place of identifiers."""
    if not _RESERVED_BYTES.isdisjoint(table.tokens):
        for token_index, text in enumerate(table.tokens):
            if text in _RESERVED_BYTES and _is_name(table, token_index):
                yield token_index
    for token_index, expected in table.missing.items():
        if expected.endswith("identifier") and table.token(token_index - 1) in _RESERVED:
            yield token_index - 1
    if table.kind[0] == _FUNCTION_DEFINITION:
        declarator = table.child(0, _DECLARATOR)
        # In `int global *f(void)`, the word is a qualifier of the result's type; in `int local(int n)`, a name.
        if declarator >= 0 and table.kind[declarator] == _PARENTHESES:
            before = table.first[declarator] - 1
            if table.token(before) in _RESERVED:
                yield before


def _is_name(table: Table, token_index: int, names: frozenset[int] = _NAMES) -> bool:
    """Whether the parser takes a token for a name of one of the given kinds."""
    # `table.first` is sorted, so that the nodes that begin with the token have consecutive numbers
    node = bisect_left(table.first, token_index)
    while node < len(table.first) and table.first[node] == token_index:
        if table.kind[node] in names and table.last[node] == token_index + 1:
            return True
        node += 1
    return False


def _is_excused(table: Table, node: int, reserved: set[int], errors: list[int]) -> bool:
    """Whether an error node needs no report of its own, because its cause is reported anyway.

    This is so if the node contains another error, if it contains or follows a reserved word, or if it is an
    unclosed comment, which the preprocessor reports.
    """
    first, last = table.first[node], table.last[node]
    if any(node < other < table.skip[node] for other in errors):
        return True
    if any(token_index in reserved for token_index in range(first - 1, last)):
        return True
    return table.token(first) == "/" and table.token(first + 1).startswith("*")
