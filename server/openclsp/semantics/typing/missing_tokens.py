"""Punctuation that is missing next to the name of a function or variable that is parsed as a macro."""

from __future__ import annotations

import re
from typing import Final

from openclsp.language.builtin_functions import is_builtin_function_name
from openclsp.semantics.facts.constructs import SyntaxFault
from openclsp.semantics.facts.entities import EntityKind, Place
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import FIELDS, kind

_STATEMENT, _ARGUMENT = kind("macro_statement"), kind("macro_argument")
_TYPE, _FUNCTION_DEFINITION = kind("macro_type_specifier"), kind("function_definition")
_ARGUMENTS = FIELDS["arguments"]
_ENDS_VALUE: Final = re.compile(r"\w+|[)\]]")
_VALUES: Final = frozenset(
    (EntityKind.VARIABLE, EntityKind.PARAMETER, EntityKind.FUNCTION, EntityKind.ENUMERATOR)
)


def missing_token(ctx: TypingContext, node: int, name: str, local: frozenset[str]) -> SyntaxFault | None:
    """Returns the missing `,` or `;` at a node that would otherwise be taken for an unknown macro.

    The node's `name` must denote a value or function, so that it is certainly no macro. `local` are the names
    declared in the item. Only function definitions are checked: at program scope, the name of a declared
    function may follow macros.
    """
    table = ctx.table
    number = table.kind[node]
    if table.kind[0] != _FUNCTION_DEFINITION or table.has_error_or_missing:
        return None
    symbol = ctx.find(name)
    if number == _ARGUMENT:
        before = table.first[node] - 1
        known = name in local or (symbol is not None and symbol.kind in _VALUES)
        if not known or not _ENDS_VALUE.fullmatch(table.token(before)):
            return None
        return SyntaxFault(Place(before, before + 1), found=table.token(before), expected=",")
    if number == _STATEMENT and table.child(node, _ARGUMENTS) < 0:
        if name not in local and (symbol is None or symbol.kind not in _VALUES):
            return None
        token_index = table.first[node]
        return SyntaxFault(Place(token_index, token_index + 1), found=name, expected=";")
    if not is_call(ctx, node, name, local):
        return None
    last = table.last[node] - 1
    return SyntaxFault(Place(last, last + 1), found=table.token(last), expected=";")


def is_call(ctx: TypingContext, node: int, name: str, local: frozenset[str]) -> bool:
    """Whether a node that is parsed as a macro call certainly calls a function."""
    table = ctx.table
    if table.kind[node] != _TYPE and (table.kind[node] != _STATEMENT or table.child(node, _ARGUMENTS) < 0):
        return False
    symbol = ctx.find(name)
    if name in local:
        return False
    if symbol is not None:
        return symbol.kind is EntityKind.FUNCTION
    return is_builtin_function_name(name) and not ctx.names.may_be_declared_elsewhere(name)
