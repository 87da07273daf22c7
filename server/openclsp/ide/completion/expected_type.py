"""The type that an expression at the cursor should have."""

from __future__ import annotations

from openclsp.ide.completion.cursor_scope import CursorScope
from openclsp.ide.completion.type_fit import ExpectedType
from openclsp.ide.completion.unfinished_code import PLACEHOLDER
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.types.builtin_function_types import overloads_of
from openclsp.semantics.types.type_model import Function, Pointer, Type
from openclsp.semantics.typing.conversions import rvalue
from openclsp.semantics.typing.dispatch import is_expression
from openclsp.semantics.typing.overloads import costs_of_unfinished_call
from openclsp.source.parser import FIELDS, kind

_CALL, _ASSIGNMENT = kind("call_expression"), kind("assignment_expression")
_SUBSCRIPT, _DECLARATOR = kind("subscript_expression"), kind("init_declarator")
_RETURN, _ARGUMENT_LIST = kind("return_statement"), kind("argument_list")
_FUNCTION, _LEFT, _INDEX = FIELDS["function"], FIELDS["left"], FIELDS["index"]
_ANYTHING = ExpectedType()


def expected_type(scope: CursorScope) -> ExpectedType:
    """Returns the types that fit at the cursor.

    Every type fits unless the word at the cursor begins an argument, an index, a returned value or an
    assigned value.
    """
    table = scope.context.table
    around = _nodes_around_cursor(table)
    if not around:
        return _ANYTHING
    at = table.first[around[0]]
    for node in around:
        if table.last[node] - table.first[node] == 1:
            continue
        number = table.kind[node]
        if number == _SUBSCRIPT:
            is_index = table.child(node, _INDEX) >= 0 and table.first[table.child(node, _INDEX)] == at
            return ExpectedType(is_index=is_index)
        if number == _ARGUMENT_LIST:
            return _of_argument(scope, node, at)
        if number == _ASSIGNMENT:
            value = (scope.context.trace or {}).get(table.child(node, _LEFT))
            whole = table.token(at - 1) == "="
            return ExpectedType((value.type,)) if value is not None and whole else _ANYTHING
        if number == _DECLARATOR:
            declared = [each for each in scope.locals if each.place.first == table.first[node]]
            declared = (
                declared
                or [each for each in scope.locals if table.first[node] <= each.place.first < at - 1][-1:]
            )
            whole = table.token(at - 1) == "="
            return ExpectedType((declared[-1].type,)) if declared and whole else _ANYTHING
        if number == _RETURN:
            return _of_result(scope) if table.token(at - 1) == "return" else _ANYTHING
        return _ANYTHING
    return _ANYTHING


def _nodes_around_cursor(table: Table) -> list[int]:
    """Returns the nodes that contain the cursor, innermost first."""
    mark = PLACEHOLDER.encode()
    at = next((number for number in range(len(table.tokens) - 1, -1, -1) if table.tokens[number] == mark), -1)
    if at < 0:
        return []
    found, node = [], 0
    while node < len(table.kind):
        if table.first[node] <= at < table.last[node]:
            found.append(node)
            node += 1
        else:
            node = table.skip[node]
    return found[::-1]


def _of_argument(scope: CursorScope, node: int, at: int) -> ExpectedType:
    """Returns the types that the argument at the cursor should have.

    They are the types of the parameter in the overloads that best fit the arguments before the cursor. `node`
    is the argument list, and `at` the token at the cursor.
    """
    ctx, table = scope.context, scope.context.table
    call = next((n for n in range(node - 1, -1, -1) if table.kind[n] == _CALL and table.last[n] >= at), -1)
    if call < 0 or table.token(at - 1) not in ("(", ","):
        return _ANYTHING
    name = table.text(table.child(call, _FUNCTION))
    children = [child for child in table.children(node) if is_expression(table.kind[child])]
    before = [child for child in children if table.first[child] < at]
    trace = ctx.trace or {}
    values = [rvalue(value) if (value := trace.get(child)) is not None else None for child in before]
    symbol = ctx.program_symbols.get(name) or ctx.names.symbol(name)
    candidates: tuple[Type, ...] = (symbol.type,) if symbol is not None else overloads_of(name, ctx.dialect)
    functions = [
        each for each in candidates if isinstance(each, Function) and len(each.parameters) > len(before)
    ]
    if not functions:
        return _ANYTHING
    costs = costs_of_unfinished_call(functions, values)
    best = [each for each, cost in zip(functions, costs, strict=True) if cost == min(costs)]
    return ExpectedType(tuple(dict.fromkeys(each.parameters[len(before)] for each in best)))


def _of_result(scope: CursorScope) -> ExpectedType:
    for symbol in scope.context.program_symbols.values():
        type_ = symbol.type.pointee if isinstance(symbol.type, Pointer) else symbol.type
        if isinstance(type_, Function) and symbol.name != PLACEHOLDER:
            return ExpectedType((type_.result,))
    return _ANYTHING
