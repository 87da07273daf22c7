"""Emits facts about attributes with wrong arguments, or in places where they are not allowed.

Only arguments that are written as literals or types are judged: a name may be a macro of the host (OpenCL C 6.9.2, 6.13).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from openclsp.language.builtin_types import is_builtin_type_name
from openclsp.semantics.facts.constructs import SyntaxFault
from openclsp.semantics.facts.declarations import FunctionDeclaration
from openclsp.semantics.facts.entities import Place
from openclsp.semantics.facts.faults import AttributeFault, InvalidAttribute
from openclsp.semantics.types.type_structure import is_unknown
from openclsp.semantics.typing.fault_facts import is_certain
from openclsp.semantics.typing.literals import integer
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import FIELDS, kind

_ATTRIBUTE, _ARGUMENTS = kind("attribute_specifier"), kind("argument_list")
_CALL, _IDENTIFIER, _NUMBER = kind("call_expression"), kind("identifier"), kind("number_literal")
_STRING, _TYPE = kind("string_literal"), kind("type_descriptor")
_WRITTEN: Final = frozenset((_NUMBER, _STRING, _TYPE))
_FUNCTION, _LIST, _BODY = FIELDS["function"], FIELDS["arguments"], FIELDS["body"]
_DEFINITION, _DECLARATION = kind("function_definition"), kind("declaration")
_FUNCTION_DECLARATOR, _TYPE_FIELD = kind("function_declarator"), FIELDS["type"]
_SPECIFIERS: Final = frozenset(
    map(
        kind,
        ("primitive_type", "sized_type_specifier", "struct_specifier", "union_specifier", "enum_specifier"),
    )
)
_NO_FUNCTIONS: Final = frozenset(
    map(
        kind,
        (
            "parameter_declaration",
            "field_declaration",
            "enumerator",
            "struct_specifier",
            "union_specifier",
            "enum_specifier",
            "type_definition",
            "attributed_statement",
        ),
    )
)
_ATTRIBUTED = kind("attributed_statement")
_NO_LOOPS: Final = frozenset(
    kind(f"{word}_statement") for word in ("if", "switch", "compound", "return", "break", "continue", "goto")
)
_SIZES: Final = frozenset(("reqd_work_group_size", "work_group_size_hint"))
_OF_KERNELS: Final = _SIZES | {"vec_type_hint", "intel_reqd_sub_group_size"}
_COUNTS: Final = {
    **dict.fromkeys(_SIZES, (3, 3)),
    "vec_type_hint": (1, 1),
    "intel_reqd_sub_group_size": (1, 1),
    "aligned": (0, 1),
    "opencl_unroll_hint": (0, 1),
}
"""The least and the greatest number of arguments."""
_NAMES: Final = frozenset((*_COUNTS, "always_inline", "endian", "noinline", "packed", "unused"))
_POSITIVE: Final = (_OF_KERNELS - {"vec_type_hint"}) | {"opencl_unroll_hint"}
_NO_VECTOR_TYPE: Final = re.compile(r"void|bool|sampler_t|event_t|queue_t|(?:image|pipe)\w*|.*\*")


def emit_attribute_faults(ctx: TypingContext) -> None:
    """Emits a fact for each attribute of the item that is certainly wrong."""
    table = ctx.table
    if _ATTRIBUTE not in table.kind or not is_certain(ctx):
        return
    heads = [fact for fact in ctx.facts if isinstance(fact, FunctionDeclaration)]
    # Several functions are declared at once only without a body. A macro that is taken for the result type may
    # contain `kernel`.
    is_function = bool(heads) and not any(fact.kernel or is_unknown(fact.result) for fact in heads)
    body = table.child(0, _BODY) if table.kind[0] == _DEFINITION else -1
    last = body if body >= 0 else len(table.kind)
    ancestors: list[int] = []
    for node, number in enumerate(table.kind):
        while ancestors and table.skip[ancestors[-1]] <= node:
            ancestors.pop()
        parent = ancestors[-1] if ancestors else -1
        ancestors.append(node)
        if number != _ATTRIBUTE:
            continue
        check_parentheses(ctx, table.first[node])
        for name, place, arguments in _attributes(ctx, node):
            fault = _argument_fault(ctx, name, arguments)
            if (
                fault is None
                and name in _OF_KERNELS
                and ((is_function and node < last) or _belongs_to_no_function(ctx, ancestors[:-1]))
            ):
                fault = AttributeFault.NO_KERNEL
            if fault is None and name == "opencl_unroll_hint" and _precedes_no_loop(ctx, parent):
                fault = AttributeFault.NO_LOOP
            if fault is not None:
                ctx.emit(InvalidAttribute(fault, name, place))


def check_parentheses(ctx: TypingContext, keyword: int) -> bool:
    """Emits a fact for `__attribute__(aligned(8))`, in which a second pair of parentheses is missing.

    Returns whether it emitted one. `keyword` is the token of `__attribute__`. The name of any other attribute may be a macro of the host that
    contains the parentheses.
    """
    table = ctx.table
    token_index = keyword + 1
    if table.token(token_index) == "(" and table.token(token_index + 1).strip("_") in _NAMES:
        ctx.emit(SyntaxFault(Place(token_index, token_index + 1), found="(", expected="("))
        return True
    return False


def _attributes(ctx: TypingContext, node: int) -> Iterator[tuple[str, Place, list[int]]]:
    """Yields the name, its place and the argument nodes of each attribute in an attribute specifier."""
    table = ctx.table
    inside = table.find(node, _ARGUMENTS)
    for each in table.children(inside) if inside >= 0 else ():
        named = table.child(each, _FUNCTION) if table.kind[each] == _CALL else each
        if named < 0 or table.kind[named] != _IDENTIFIER:
            continue
        arguments = table.child(each, _LIST) if named != each else -1
        given = list(table.children(arguments)) if arguments >= 0 else []
        yield table.text(named).strip("_"), ctx.place(named), given


def _argument_fault(ctx: TypingContext, name: str, arguments: list[int]) -> AttributeFault | None:
    table = ctx.table
    counts = _COUNTS.get(name)
    if counts is None:
        return None
    # A name may be a macro of the host that expands to several arguments, or to none.
    are_written = all(table.kind[node] in _WRITTEN for node in arguments)
    if are_written and not counts[0] <= len(arguments) <= counts[1]:
        return AttributeFault.COUNT
    for node in arguments:
        number = table.kind[node]
        if name == "vec_type_hint":
            if (
                number == _NUMBER
                or number == _STRING
                or (number == _TYPE and _is_no_vector(table.text(node)))
            ):
                return AttributeFault.TYPE
            continue
        if number == _STRING:
            return AttributeFault.INTEGER
        literal = integer(table.text(node)) if number == _NUMBER else (None, 1)
        if literal is None:
            return AttributeFault.INTEGER
        value = literal[1]
        if value <= 0 and name in _POSITIVE:
            return AttributeFault.POSITIVE
        if name == "aligned" and (value <= 0 or value & (value - 1)):
            return AttributeFault.POWER
    return None


def _is_no_vector(text: str) -> bool:
    return _NO_VECTOR_TYPE.fullmatch(text) is not None and (text.endswith("*") or is_builtin_type_name(text))


def _belongs_to_no_function(ctx: TypingContext, ancestors: list[int]) -> bool:
    """Whether an attribute certainly belongs to a variable, parameter, member, type or statement.

    `ancestors` are the syntax nodes around the attribute, from the outside in. The name of a type may be a
    macro that declares a function.
    """
    table = ctx.table
    for node in reversed(ancestors):
        number = table.kind[node]
        if number in _NO_FUNCTIONS:
            return True
        if number == _DECLARATION:
            type_node = table.child(node, _TYPE_FIELD)
            return (
                type_node >= 0
                and table.kind[type_node] in _SPECIFIERS
                and _FUNCTION_DECLARATOR not in table.kind[node : table.skip[node]]
            )
        if number == _DEFINITION:
            break
    return False


def _precedes_no_loop(ctx: TypingContext, parent: int) -> bool:
    """Whether an attribute belongs to a declaration, or to a statement that is certainly no loop.

    `parent` is the syntax node directly around the attribute; -1 if there is none.
    """
    table = ctx.table
    if parent < 0 or table.kind[parent] != _ATTRIBUTED:
        return parent >= 0 and table.kind[parent] == _DECLARATION
    statements = [each for each in table.children(parent) if table.kind[each] != _ATTRIBUTE]
    return bool(statements) and table.kind[statements[0]] in _NO_LOOPS
