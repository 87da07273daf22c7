"""Syntactic summary of an item, available without typing it.

It lists the names that a function calls and its variables in local memory, and whether the item is a kernel
or `static`. It is computed when the item is cut from the text. An edit in a body that does not change the
summary invalidates no callers.
"""

from __future__ import annotations

from typing import NamedTuple

from openclsp.language.spaces import QUALIFIERS, Space
from openclsp.semantics.items.program_scope_macros import NO_WORDS, macro_words
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.items.unevaluated_operands import has_unevaluated_operands
from openclsp.source.parser import FIELDS, kind

_FUNCTION_DEFINITION = kind("function_definition")
_CALL, _IDENTIFIER, _DECLARATION = kind("call_expression"), kind("identifier"), kind("declaration")
_BLOCK = kind("block_literal")
_QUALIFIER = kind("type_qualifier")
_STORAGE, _KERNEL = kind("storage_class_specifier"), kind("function_qualifier")
_INITIALISED = kind("init_declarator")
_NAMED = frozenset((_IDENTIFIER, kind("array_declarator")))
"""Declarator kinds whose object has the base type itself."""
_FUNCTION, _BODY, _DECLARATOR = FIELDS["function"], FIELDS["body"], FIELDS["declarator"]
_ARGUMENTS = FIELDS["arguments"]
_INLINE = ("inline", "__inline", "__inline__")


class SyntacticSummary(NamedTuple):
    """The summary of one item.

    - `calls`: the names that its body calls, without calls in operands that are not evaluated.
    - `local_variables`: the variables that its body declares in local memory.
    - `kernel`, `static`, `inline`: whether the item, a definition or a declaration, has this specifier.
    - `in_blocks`: those of `calls` that only block literals contain.
    - `passed`: the names that its body calls only in operands that are not evaluated, and the names that it
      passes to possible macros. A name in capitals may be a macro that calls its arguments: `APPLY(f, x)`.
    - `macro_words`: the words in calls of unknown macros, outside of bodies, that may declare any names; also
      OPENS_CALL or CLOSES_CALL, if only part of a call is in the item.
    """

    calls: frozenset[str] = frozenset()
    local_variables: tuple[str, ...] = ()
    kernel: bool = False
    static: bool = False
    inline: bool = False
    passed: frozenset[str] = frozenset()
    macro_words: frozenset[str] = NO_WORDS
    in_blocks: frozenset[str] = frozenset()


NO_SUMMARY = SyntacticSummary()


def summarise_item(table: Table, text: bytes) -> SyntacticSummary:
    """Summarises the item with this text; `calls` and `local_variables` are empty for all but function definitions."""
    macros = macro_words(table, text)
    kernel = static = inline = False
    for child in table.children(0):
        if table.kind[child] == _KERNEL:
            kernel = True
        elif table.kind[child] == _STORAGE:
            word = table.token(table.first[child])
            static = static or word == "static"
            inline = inline or word in _INLINE
    if table.kind[0] != _FUNCTION_DEFINITION:
        if not (kernel or static or inline or macros):
            return NO_SUMMARY
        return SyntacticSummary(kernel=kernel, static=static, inline=inline, macro_words=macros)
    body = table.child(0, _BODY)
    calls: set[str] = set()
    in_blocks: set[str] = set()
    passed: set[str] = set()
    unevaluated_until = block_until = 0
    for node, number in enumerate(table.kind):
        if has_unevaluated_operands(table, node):
            unevaluated_until = max(unevaluated_until, table.skip[node])
        if number == _BLOCK:
            block_until = max(block_until, table.skip[node])
        if number != _CALL:
            continue
        callee = table.child(node, _FUNCTION)
        if callee >= 0 and table.kind[callee] == _IDENTIFIER:
            name = table.text(callee)
            (passed if node < unevaluated_until else in_blocks if node < block_until else calls).add(name)
            if name.upper() == name:
                arguments = table.children(table.child(node, _ARGUMENTS))
                passed.update(table.text(each) for each in arguments if table.kind[each] == _IDENTIFIER)
    found = _local_variables(table, body) if body >= 0 else ()
    in_blocks -= calls
    calls |= in_blocks
    if not (calls or found or kernel or static or inline or macros):
        return NO_SUMMARY
    called, passed_names, block_names = _frozen(calls), _frozen(passed), _frozen(in_blocks)
    return SyntacticSummary(called, found, kernel, static, inline, passed_names, macros, block_names)


def _frozen(names: set[str]) -> frozenset[str]:
    # Python makes a new object of 216 bytes for each empty set
    return frozenset(names) if names else NO_WORDS


def _local_variables(table: Table, body: int) -> tuple[str, ...]:
    """Returns the variables that are declared with the qualifier `local`; typedefs are not resolved."""
    return tuple(
        table.token(table.first[child])
        for node in table.children(body)
        if table.kind[node] == _DECLARATION and _is_local(table, node)
        for child in table.children(node)
        if table.field[child] == _DECLARATOR and _declares_object(table, child)
    )


def _declares_object(table: Table, declarator: int) -> bool:
    """Whether a declarator declares an object of the base type: `a`, `a[2]`, `a = 1`, but not `*p` or `*p = q`."""
    if table.kind[declarator] == _INITIALISED:
        declarator = table.child(declarator, _DECLARATOR)
    return declarator >= 0 and table.kind[declarator] in _NAMED


def _is_local(table: Table, node: int) -> bool:
    children = list(table.children(node))
    if any(table.kind[child] == _STORAGE for child in children):
        return False
    words = (table.token(table.first[child]) for child in children if table.kind[child] == _QUALIFIER)
    return any(QUALIFIERS.get(word) is Space.LOCAL for word in words)
