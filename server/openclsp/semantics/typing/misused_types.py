"""Emits facts about types in the place of expressions: `if (int i = n)`, `float4(x)`, `f(int)`, `x = T;`."""

from __future__ import annotations

from typing import Final

from openclsp.language.builtin_functions import is_builtin_function_name
from openclsp.language.builtin_types import is_builtin_type_name
from openclsp.semantics.facts.constructs import SyntaxFault, SyntaxReason
from openclsp.semantics.facts.entities import EntityKind, Place
from openclsp.semantics.items.reparsing import NameClass
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.types import known_types
from openclsp.semantics.types.type_model import Function
from openclsp.semantics.types.type_structure import is_unknown
from openclsp.semantics.typing.fault_facts import emit_fault, is_certain
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.semantics.typing.unknown_names import unknown_around
from openclsp.source.parser import FIELDS, kind

_CALL, _ARGUMENTS, _IDENTIFIER = kind("call_expression"), kind("argument_list"), kind("identifier")
_FUNCTION = FIELDS["function"]
_BEFORE_BODIES: Final = frozenset((b"else", b"do"))
_BEFORE_STATEMENTS: Final = _BEFORE_BODIES | {b"if", b"while", b"switch", b"for"}
_SPECIFIERS: Final = frozenset(
    ("char", "const", "double", "float", "int", "long", "short", "signed", "struct", "union", "unsigned")
    + ("void", "volatile")
)
_ASSIGNMENTS: Final = ("=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<=", ">>=")
_BEFORE_OPERAND: Final = frozenset(
    (*_ASSIGNMENTS, "return", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", *"+-/%|^<>?!~[")
)
"""Tokens after which only an expression can follow. `*`, `&` and `,` may also precede a declared name."""
_AFTER_OPERAND: Final = frozenset((*_ASSIGNMENTS, ".", "->", "++", "--"))
_STATEMENT_STARTS: Final = frozenset(";{}")


def emit_misplaced_declarations(ctx: TypingContext) -> set[int]:
    """Emits a fact for each declaration in the place of a condition or of the body of a statement.

    Returns the tokens of these conditions and the first tokens of the other declarations. To be called for
    items with syntax errors, because the parser rejects such a declaration (C99 6.8.4, 6.8.5).
    """
    table = ctx.table
    found: set[int] = set()
    if _BEFORE_STATEMENTS.isdisjoint(table.tokens):
        return found
    for token_index, text in enumerate(table.tokens[:-3]):
        if text not in _BEFORE_STATEMENTS:
            continue
        body = token_index + 1
        if text not in _BEFORE_BODIES:
            if table.tokens[body] != b"(":
                continue
            body = closing_parenthesis(table, body + 1) + 1
            first = token_index + 2
            if text != b"for" and _begins_declaration(ctx, first) and unknown_around(ctx, token_index) < 0:
                found.update(range(first, body - 1))
                _emit(ctx, Place(first, first + 1), table.token(first), SyntaxReason.CONDITION)
        if text == b"while" and b"do" in table.tokens:
            # a `;` may be missing after `do … while (n)`
            continue
        if _begins_declaration(ctx, body) and unknown_around(ctx, token_index) < 0:
            found.update((body, body + 1))
            _emit(ctx, Place(body, body + 1), table.token(token_index), SyntaxReason.DECLARATION)
    return found


def _begins_declaration(ctx: TypingContext, first: int) -> bool:
    """Whether a token is a type or a qualifier, and a name or another word follows it."""
    table = ctx.table
    # the parser may insert a token after the first word
    word, following = table.token(first), table.token(first + 1) or table.token(first + 2)
    if not following.isidentifier() and following != "*":
        return False
    if word in _SPECIFIERS:
        return True
    symbol = ctx.find(word)
    if symbol is None:
        return known_types.named(word, ctx.dialect) is not None
    return symbol.kind is EntityKind.TYPEDEF


def closing_parenthesis(table: Table, first: int) -> int:
    """Returns the index of the `)` that closes the parentheses around a token; the end if there is none."""
    depth = 0
    for token_index in range(first, len(table.tokens)):
        text = table.tokens[token_index]
        depth += (text == b"(") - (text == b")")
        if depth < 0:
            return token_index
    return len(table.tokens)


def emit_types_as_values(ctx: TypingContext) -> None:
    """Emits a fact for each typedef's name in the place of a value: `x = T;`.

    To be called after the last pass over an item in which the parser took names of types for values.
    """
    if not is_certain(ctx):
        return
    table = ctx.table
    for node, number in enumerate(table.kind):
        token_index = table.first[node]
        if (
            number == _IDENTIFIER
            and ctx.misparsed_names.get(token_index) is NameClass.TYPE
            and _is_operand(ctx, node)
            and unknown_around(ctx, token_index) < 0
        ):
            _emit_type(ctx, Place(token_index, token_index + 1))


def _is_operand(ctx: TypingContext, node: int) -> bool:
    """Whether the name of a type is certainly in the place of a value.

    `typedef struct { int a; } JOIN(a, b);` seems to declare a type `JOIN` of functions, but an unknown macro
    forms the name.
    """
    table = ctx.table
    symbol = ctx.names.symbol(table.text(node))
    if table.token(table.last[node]) == "(" and (symbol is None or isinstance(symbol.type, Function)):
        return False
    before = table.token(table.first[node] - 1)
    if before in _STATEMENT_STARTS:
        return table.token(table.last[node]) in _AFTER_OPERAND
    return before in _BEFORE_OPERAND or _is_argument_of_function(ctx, node)


def check_type_argument(ctx: TypingContext, node: int) -> None:
    """Emits a fact for a type name that is an argument of a function: `f(int)`."""
    if _is_argument_of_function(ctx, node):
        place = ctx.place(node)
        emit_fault(ctx, SyntaxFault(place, _text(ctx, place), reason=SyntaxReason.TYPE))


def check_called_type(ctx: TypingContext, node: int) -> None:
    """Emits a fact for a call of a type's name, `float4(x)`, unless another file may define it as a macro."""
    name = ctx.table.text(node)
    if (
        is_builtin_type_name(name)
        and known_types.named(name, ctx.dialect) is not None
        and not ctx.names.host_may_define_names()
        and name not in ctx.names.vocabulary()
        and unknown_around(ctx, ctx.table.first[node]) < 0
    ):
        _emit_type(ctx, ctx.place(node))


def _emit_type(ctx: TypingContext, place: Place) -> None:
    _emit(ctx, place, _text(ctx, place), SyntaxReason.TYPE)


def _emit(ctx: TypingContext, place: Place, found: str, reason: SyntaxReason) -> None:
    ctx.emit(SyntaxFault(place, found, reason=reason))


def _text(ctx: TypingContext, place: Place) -> str:
    return " ".join(map(ctx.table.token, range(place.first, place.last)))


def _is_argument_of_function(ctx: TypingContext, node: int) -> bool:
    """Whether a node is an argument of a call of a function that is certainly neither a macro nor an operator."""
    table = ctx.table
    around = node - 1
    while around > 0 and table.skip[around] <= node:
        around -= 1
    if around <= 0 or table.kind[around] != _ARGUMENTS:
        return False
    call = around - 1
    while call > 0 and table.skip[call] <= around:
        call -= 1
    function_node = table.child(call, _FUNCTION) if table.kind[call] == _CALL else -1
    if function_node < 0 or table.kind[function_node] != _IDENTIFIER:
        return False
    name = table.text(function_node)
    if name.startswith("__") or ctx.names.host_may_define_names():
        return False
    symbol = ctx.find(name)
    if symbol is None:
        return is_builtin_function_name(name)
    # `int JOIN(f, int)(int a)` declares a function whose name an unknown macro forms
    type_ = symbol.type
    if symbol.kind is not EntityKind.FUNCTION or not isinstance(type_, Function):
        return False
    return not isinstance(type_.result, Function) and not is_unknown(type_.result)
