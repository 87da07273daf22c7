"""Syntax errors, and address space names used as identifiers.

All spellings of address space names are reserved (OpenCL C 6.7: the names shall not be used otherwise). The
parser takes such a word for a qualifier, and then a name is missing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from openclsp.language.spaces import QUALIFIERS
from openclsp.semantics.bounds import MAXIMUM_DEPTH, Bound
from openclsp.semantics.context import Context
from openclsp.semantics.entities import Place
from openclsp.semantics.facts.constructs import (
    Construct,
    ConstructKind,
    LimitReached,
    NameRole,
    SyntaxFault,
    UnknownName,
)
from openclsp.semantics.reserved_words import reserved_words
from openclsp.semantics.table import TOO_DEEP, Table
from openclsp.semantics.unknown_names import (
    only_values_tolerated,
    tell_tolerated,
    unknown_around,
    unknown_word,
)
from openclsp.source.tree import ERROR, FIELDS, kind

_NAMES = frozenset(kind(f"{word}identifier") for word in ("", "field_", "type_", "statement_"))
_FUNCTION_DEFINITION = kind("function_definition")
_FUNCTION_DECLARATOR = kind("function_declarator")
_DECLARATOR = FIELDS["declarator"]
_RESERVED = frozenset(QUALIFIERS)
_RESERVED_BYTES = frozenset(word.encode() for word in QUALIFIERS)
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_OPENING = {opening.encode(): closing.encode() for opening, closing in _CLOSING.items()}
_BRACKETS = frozenset((*_OPENING, *_OPENING.values(), b"[[", b"]]"))
_SHOWN = 4
"""The number of tokens of an error that are marked: its beginning suffices."""


def tell_faults(ctx: Context) -> None:
    """Emits a fact for each syntax error, reserved name and limit of nesting.

    Syntax errors of an item that contains an unknown macro are not reported.
    """
    table = ctx.table
    if table.deepest > MAXIMUM_DEPTH and TOO_DEEP in table.kind:
        deep = table.first[table.kind.index(TOO_DEEP)]
        ctx.emit(LimitReached(Place(deep, deep + 1), Bound.DEPTH))
    words = reserved_words(table.leaves, in_function=table.kind[0] == _FUNCTION_DEFINITION)
    declared = words.names | words.alone
    reserved = {*_reserved_leaves(table), *declared}
    for leaf in sorted(reserved):
        if leaf not in declared and _is_argument_of_unknown(ctx, leaf):
            continue
        kind_ = ConstructKind.RESERVED_NAME_ALONE if leaf in words.alone else ConstructKind.RESERVED_NAME
        ctx.emit(Construct(kind_, Place(leaf, leaf + 1), table.leaf(leaf)))
    errors = [row for row, number in enumerate(table.kind) if number == ERROR] if table.torn else []
    excused = tell_tolerated(ctx)
    if not (errors or table.missing):
        return
    # one unmatched bracket can cause any number of errors: it is reported alone
    unmatched = _unmatched(table)
    if excused and (unmatched < 0 or not only_values_tolerated(ctx)):
        return
    if unmatched >= 0:
        word = table.leaf(unmatched)[:1]
        closing = _CLOSING.get(word, "")
        ctx.emit(SyntaxFault(Place(unmatched, unmatched + 1), found=word, closing=closing or None))
        return
    for leaf, expected in table.missing.items():
        if leaf - 1 not in reserved and not _by_unknown(ctx, leaf - 2, leaf + 2):
            before = max(leaf - 1, 0)
            wanted = (
                "expression" if expected == "identifier" and _awaits_value(table.leaf(before)) else expected
            )
            ctx.emit(SyntaxFault(Place(before, before + 1), found=table.leaf(before), expected=wanted))
    for row in errors:
        first, last = table.first[row], table.last[row]
        if not _excused(table, row, reserved, errors) and not _by_unknown(ctx, first - 1, last + 1):
            last = min(max(last, first + 1), first + _SHOWN)
            ctx.emit(SyntaxFault(Place(first, last), found=table.leaf(first)))


def _is_argument_of_unknown(ctx: Context, leaf: int) -> bool:
    """Whether a qualifier is an argument of a name that is not known, `DECLARE(float, local)`: a macro puts it in its place."""
    around = unknown_around(ctx, leaf)
    if around >= 0:
        _tell_unknown(ctx, around)
    return around >= 0


def _by_unknown(ctx: Context, first: int, last: int) -> bool:
    """Whether an unknown name explains an error, as in `a COMPARE b`.

    `COMPARE` may be a macro defined by the host. The name is reported instead.
    """
    leaf = unknown_word(ctx, first, last)
    if leaf < 0:
        # among its arguments, `SUM(1 2)`
        leaf = unknown_around(ctx, first + 1)
    if leaf < 0 and ctx.table.leaf(first) == ")":
        # right behind them, `LOAD(local) x = 1;`
        leaf = unknown_around(ctx, first)
    if leaf < 0:
        return False
    _tell_unknown(ctx, leaf)
    return True


def _tell_unknown(ctx: Context, leaf: int) -> None:
    name = ctx.table.leaf(leaf)
    if not ctx.names.is_itself(name):
        ctx.emit(UnknownName(name, Place(leaf, leaf + 1), NameRole.OTHER))


def _unmatched(table: Table) -> int:
    """The first unmatched bracket; -1 if all match."""
    opened: list[tuple[int, bytes]] = []
    for leaf, text in enumerate(table.leaves):
        if text not in _BRACKETS:
            continue
        # `[[` and `]]` of C23 attributes are single tokens
        for bracket in (text[:1],) * len(text):
            if bracket in _OPENING:
                opened.append((leaf, bracket))
            elif not opened:
                return leaf
            elif _OPENING[opened[-1][1]] != bracket:
                return opened[-1][0]
            else:
                opened.pop()
    return opened[-1][0] if opened else -1


def _awaits_value(word: str) -> bool:
    """Whether an expression has to follow the token."""
    return word in ("return", "(", ",", "[", "?", ":") or (
        bool(word) and not (word[-1].isalnum() or word[-1] in "_)]}")
    )


def _reserved_leaves(table: Table) -> Iterator[int]:
    """Yields the tokens of address space names in the place of identifiers."""
    if not _RESERVED_BYTES.isdisjoint(table.leaves):
        for leaf, text in enumerate(table.leaves):
            if text in _RESERVED_BYTES and _is_name(table, leaf):
                yield leaf
    for leaf, expected in table.missing.items():
        if expected.endswith("identifier") and table.leaf(leaf - 1) in _RESERVED:
            yield leaf - 1
    if table.kind[0] == _FUNCTION_DEFINITION:
        declarator = table.child(0, _DECLARATOR)
        if declarator >= 0 and table.kind[declarator] != _FUNCTION_DECLARATOR:
            before = table.first[declarator] - 1
            if table.leaf(before) in _RESERVED:
                yield before


def _is_name(table: Table, leaf: int) -> bool:
    """Whether the parser takes a token for a name.

    The rows that begin with it are consecutive, since `first` ascends.
    """
    row = bisect_left(table.first, leaf)
    while row < len(table.first) and table.first[row] == leaf:
        if table.kind[row] in _NAMES and table.last[row] == leaf + 1:
            return True
        row += 1
    return False


def _excused(table: Table, row: int, reserved: set[int], errors: list[int]) -> bool:
    """Whether an error is reported elsewhere.

    This is so if it contains another error, if it contains or follows a reserved word, or if it is a comment
    that nothing closes, which the preprocessor reports.
    """
    first, last = table.first[row], table.last[row]
    if any(row < other < table.skip[row] for other in errors):
        return True
    if any(leaf in reserved for leaf in range(first - 1, last)):
        return True
    return table.leaf(first) == "/" and table.leaf(first + 1).startswith("*")
