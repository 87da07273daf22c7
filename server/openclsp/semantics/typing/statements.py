"""Types statements: scopes, local declarations, `return`, and the expressions in all other statements."""

from __future__ import annotations

from openclsp.semantics.facts.entities import (
    Entity,
    EntityKind,
    Origin,
    Place,
    Reason,
)
from openclsp.semantics.facts.expressions import ConversionKind as Why
from openclsp.semantics.facts.values import Value
from openclsp.semantics.items.reparsing import NameClass
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.types import known_types
from openclsp.semantics.types.type_model import UNKNOWN, VOID, Type
from openclsp.semantics.types.type_structure import is_unknown
from openclsp.semantics.typing.conversions import emit_application, emit_conversion, rvalue
from openclsp.semantics.typing.declarations import declare, define_types
from openclsp.semantics.typing.default_spaces import finished_levels
from openclsp.semantics.typing.dispatch import (
    is_expression,
    is_type_specifier,
    specified_type,
    value_of,
)
from openclsp.semantics.typing.fault_facts import check_assertion, check_condition, check_return
from openclsp.semantics.typing.returned_variables import emit_returned_variable
from openclsp.semantics.typing.specifiers import is_attribute
from openclsp.semantics.typing.symbols import Symbol
from openclsp.semantics.typing.type_levels import RawLevel
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import FIELDS, kind

_COMPOUND = kind("compound_statement")
_DECLARATION = kind("declaration")
_TYPE_DEFINITION = kind("type_definition")
_RETURN = kind("return_statement")
_EXPRESSION_STATEMENT = kind("expression_statement")
_SCOPED = frozenset(kind(f"{word}_statement") for word in ("for", "while", "do", "if", "switch"))
_TYPE_IDENTIFIER = kind("type_identifier")
_MACRO_TYPE = kind("macro_type_specifier")
_MACRO_MODIFIER = kind("macro_modifier")
_PARENTHESES = kind("parenthesized_declarator")
_MACRO_STATEMENT = kind("macro_statement")
_SUBSCRIPT = kind("subscript_expression")
_IDENTIFIER = kind("identifier")
_STATIC_ASSERT = "_Static_assert"
_TYPE = FIELDS["type"]
_DECLARATOR, _CONDITION = FIELDS["declarator"], FIELDS["condition"]


def type_statement(ctx: TypingContext, node: int) -> None:
    """Types everything in a statement, in order."""
    number = ctx.table.kind[node]
    if number == _DECLARATION:
        if _follows_macro(ctx, node):
            _type_after_macro(ctx, node)
        elif not _is_product(ctx, node):
            declare(ctx, node)
    elif number == _TYPE_DEFINITION:
        define_types(ctx, node)
    elif number == _RETURN:
        _type_return(ctx, node)
    elif is_type_specifier(number):
        specified_type(ctx, node, RawLevel())
    elif number == _COMPOUND or number in _SCOPED:
        ctx.open_scope()
        ctx.blocks += 1
        _type_parts(ctx, node)
        ctx.blocks -= 1
        ctx.close_scope()
    else:
        _type_parts(ctx, node)


def _is_product(ctx: TypingContext, node: int) -> bool:
    """Whether the statement `a * b;`, which the grammar takes for a declaration, is an expression."""
    table = ctx.table
    base = table.child(node, _TYPE)
    if base < 0 or table.kind[base] != _TYPE_IDENTIFIER or table.first[base] != table.first[node]:
        return False
    symbol = ctx.find(table.text(base))
    if symbol is None or symbol.kind is EntityKind.TYPEDEF:
        return False
    if symbol.kind is not EntityKind.FUNCTION and not is_unknown(symbol.type):
        # with a value as the first name, `a * b` parses as an expression; two adjacent names, `a b`, do not
        ctx.misparsed_names[table.first[base]] = NameClass.VALUE
    return True


def _follows_macro(ctx: TypingContext, node: int) -> bool:
    """Whether the parser took an unknown macro and an expression for a declaration.

    `f(a)` or `MACRO` followed by `b = 1;` parses as a declaration of `b`. If `b` is declared already, the text
    is not a declaration, and its meaning depends on the macro. A single word may be the type of another `b` in
    an inner scope.
    """
    table = ctx.table
    base = table.child(node, _TYPE)
    if base < 0 or table.kind[base] not in (_MACRO_TYPE, _TYPE_IDENTIFIER) or not ctx.frames:
        return False
    declared = _declared_identifier(table, node)
    if declared < 0:
        return False
    if table.kind[base] == _MACRO_TYPE:
        return ctx.find(table.text(declared)) is not None
    if ctx.bound_here(table.text(declared)) is None or table.last[base] != _first_of_declarator(table, node):
        return False
    if any(table.kind[child] != _MACRO_MODIFIER for child in table.children(node) if child < base):
        return False
    word = table.text(base)
    return ctx.find(word) is None and known_types.named(word, ctx.dialect) is None


def _first_of_declarator(table: Table, node: int) -> int:
    declarator = table.child(node, _DECLARATOR)
    return table.first[declarator] if declarator >= 0 else -1


def _declared_identifier(table: Table, node: int) -> int:
    """Returns the identifier in the first declarator of a declaration; -1 if it declares no identifier."""
    declarator = table.child(node, _DECLARATOR)
    while declarator >= 0 and table.kind[declarator] != _IDENTIFIER:
        inner = table.child(declarator, _DECLARATOR)
        if inner < 0 and table.kind[declarator] == _PARENTHESES:
            inner = next((c for c in table.children(declarator) if not is_attribute(table.kind[c])), -1)
        declarator = inner
    return declarator


def _type_after_macro(ctx: TypingContext, node: int) -> None:
    """Types the names, subscripts and values after an unknown macro, but no operations on them."""
    table = ctx.table
    base = table.child(node, _TYPE)
    if table.kind[base] == _TYPE_IDENTIFIER:
        specified_type(ctx, base, RawLevel())
    for child in table.children(node):
        if table.field[child] == _DECLARATOR:
            _type_operands(ctx, child)


def _type_operands(ctx: TypingContext, node: int) -> None:
    """Types the expressions in a declarator, and its name."""
    table = ctx.table
    if is_expression(table.kind[node]):
        value_of(ctx, node)
        return
    for child in table.children(node):
        _type_operands(ctx, child)


def type_statement_expression(ctx: TypingContext, node: int) -> Value | None:
    """Types the `{…}` of a statement expression.

    Returns the value of the last statement if that is an expression, else None.
    """
    # not logged: its bindings end with it, and its value belongs to the enclosing expression
    log, ctx.log = ctx.log, None
    ctx.open_scope()
    ctx.blocks += 1
    value: Value | None = None
    for child in ctx.table.children(node):
        value = None
        if ctx.uncertain:
            ctx.range_symbols.leave(ctx.table.first[child])
        if ctx.table.kind[child] == _EXPRESSION_STATEMENT:
            for inner in ctx.table.children(child):
                if is_expression(ctx.table.kind[inner]):
                    value = value_of(ctx, inner)
        else:
            type_statement(ctx, child)
    ctx.blocks -= 1
    ctx.close_scope()
    ctx.log = log
    return value


def type_body(ctx: TypingContext, node: int) -> None:
    """Types a function's outermost block, whose scope is that of the parameters (C99 6.2.1p4)."""
    ctx.blocks += 1
    _type_parts(ctx, node)
    ctx.blocks -= 1


def _declare_after_macro(ctx: TypingContext, node: int) -> None:
    """Declares `a` in `TYPE(T, 4) a[8];`, with an unknown type.

    The parser takes this text for a macro statement without a semicolon and a statement without effect.
    """
    table = ctx.table
    inner = node + 1
    while inner < table.skip[node] and table.kind[inner] == _SUBSCRIPT:
        inner += 1
    if inner >= table.skip[node] or table.kind[inner] != _IDENTIFIER:
        return
    name = table.text(inner)
    if ctx.bound_here(name) is None:
        levels = finished_levels(UNKNOWN, [RawLevel()], Reason.UNKNOWN)
        ref = ctx.ref(ctx.reserve(1))
        ctx.entities[ref.number] = Entity(
            ref, EntityKind.VARIABLE, name, UNKNOWN, levels, ctx.place(inner), ctx.place(node)
        )
        ctx.bind(Symbol(name, EntityKind.VARIABLE, UNKNOWN, ref, ctx.scope))


def _type_parts(ctx: TypingContext, node: int) -> None:
    """Types the parts of a statement; adds each inner statement to `ctx.log`, if there is one, for reuse."""
    table, log = ctx.table, ctx.log
    before = -1
    for child in table.children(node):
        if ctx.uncertain:
            ctx.range_symbols.leave(table.first[child])
        follows_macro = before == _MACRO_STATEMENT
        if follows_macro and table.kind[child] == _EXPRESSION_STATEMENT:
            _declare_after_macro(ctx, child)
        before = table.kind[child]
        if is_expression(before):
            value = value_of(ctx, child)
            if table.field[child] == _CONDITION:
                keyword = table.token(table.first[node])
                emit_application(ctx, keyword, value)
                if keyword == _STATIC_ASSERT:
                    check_assertion(ctx, child, value)
                else:
                    check_condition(ctx, keyword, rvalue(value))
        elif log is None:
            type_statement(ctx, child)
        else:
            mark = log.begin(ctx, child, follows_macro)
            type_statement(ctx, child)
            log.finish(ctx, mark)


def _type_return(ctx: TypingContext, node: int) -> None:
    """Types a `return`: converts the value to the result type, or records its type if the result is deduced."""
    frame = ctx.frames[-1] if ctx.frames else None
    returned: tuple[Type, Place] = (VOID, ctx.place(node))
    valueless = True
    for child in ctx.table.children(node):
        if is_expression(ctx.table.kind[child]):
            value = value_of(ctx, child)
            valueless = False
            if frame is None:
                continue
            if frame.result is not None:
                emit_conversion(ctx, Why.RETURN, value, frame.result, Origin(frame.ref, 0), name=frame.name)
            emit_returned_variable(ctx, value)
            returned = (rvalue(value).type.unqualified, value.place)
    if frame is not None and valueless:
        check_return(ctx, frame.name, frame.result, returned[1], Origin(frame.ref, 0))
    if frame is not None and frame.result is None:
        frame.returned.append(returned)
