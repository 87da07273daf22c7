"""Finds the whole string expression that a string literal is part of."""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from openclsp.host_code.host_language import HostLanguage
from openclsp.host_code.host_tree import MAXIMUM_NODE_DEPTH, HostTree, field
from openclsp.host_code.printed_strings import read_printing

_C_JOINS: Final = frozenset(
    ("concatenated_string", "parenthesized_expression", "cast_expression", "compound_literal_expression")
)
_C_STRING_CALL: Final = re.compile(
    rb"(?:\w+\s*::\s*)*(?:basic_string|string|String|QString|QStringLiteral|QLatin1String|move|string_view|strdup)(?:\s*<[^()]{0,80}>)?\s*\Z"
)
_C_TEXT_METHOD: Final = re.compile(rb"(?:\.|->)\s*(?:c_str|data|str|toStdString|toUtf8|constData)\s*\Z")
_KERNEL_NAME: Final = re.compile(rb"\bkernel\s+void\s+(\w+)|\b__kernel\s+void\s+(\w+)")
_C_STRING_TYPE: Final = re.compile(rb"\bchar\b|[sS]tring|\bSources\b|\bauto\b|\bcl_char\b|\bGLchar\b")
_PYTHON_JOINS: Final = frozenset(("concatenated_string", "parenthesized_expression"))
_PYTHON_STRING_CALL: Final = re.compile(
    rb"(?:\w+\.)*(?:dedent|str|Template|cleandoc|indent|bytes)\Z|[\s\S]*\.join\Z"
)
_PYTHON_METHODS: Final = re.compile(
    rb"(?:strip|lstrip|rstrip|encode|decode|expandtabs|format|replace|render|substitute|safe_substitute)\Z"
)


def string_root(tree: HostTree, node: Node) -> Node:
    """Returns the outermost string expression whose value contains that of `node`."""
    python = tree.language is HostLanguage.PYTHON
    for _ in range(MAXIMUM_NODE_DEPTH):
        parent = node.parent
        if parent is None:
            break
        outer = _python_parent(tree, node, parent) if python else _c_parent(tree, node, parent)
        if outer is None:
            break
        node = outer
    return node


def is_docstring(tree: HostTree, root: Node) -> bool:
    """Whether a Python string is a statement of its own, such as a docstring, so that nothing uses it."""
    parent = root.parent
    return (
        tree.language is HostLanguage.PYTHON and parent is not None and parent.type == "expression_statement"
    )


def _c_parent(tree: HostTree, node: Node, parent: Node) -> Node | None:
    kind = parent.type
    if kind in _C_JOINS:
        return parent
    if kind == "binary_expression":
        operator = field(parent, "operator")
        return parent if operator is not None and tree.text(operator) in (b"+", b"<<") else None
    if kind in ("ERROR", "expression_statement"):
        outer = parent.parent
        return outer if outer is not None and _is_list_of_files(outer) else None
    if _is_list_of_files(parent):
        return parent
    if kind == "initializer_list":
        return parent if _joins_list(tree, parent) else None
    if kind == "field_expression":
        call = parent.parent
        if call is not None and call.type == "call_expression" and _C_TEXT_METHOD.search(tree.text(parent)):
            return call
        return None
    if kind == "argument_list":
        call = parent.parent
        if call is not None and call.type == "call_expression":
            printed = read_printing(tree, call)
            if printed is not None:
                return call if printed.text == node else None
        if call is None or parent.named_child_count == 0 or parent.named_child(0) != node:
            return None
        if call.type == "init_declarator":
            return parent if parent.named_child_count == 1 and _declares_string(tree, call) else None
        function = field(call, "function")
        if function is not None and _C_STRING_CALL.match(tree.text(function)):
            return call
    return None


def _is_list_of_files(node: Node) -> bool:
    """Whether a node is a braced list of `#include` lines, which the grammar parses as a block."""
    parent = node.parent
    return (
        node.type == "compound_statement"
        and parent is not None
        and parent.type in ("argument_list", "init_declarator")
        and any(child.type == "preproc_include" for child in node.named_children)
    )


def _joins_list(tree: HostTree, elements: Node) -> bool:
    """Whether a braced list contains the lines or parts of one program."""
    parent = elements.parent
    if any(child.type == "preproc_include" for child in elements.named_children):
        return True
    if parent is None or any(child.type == "initializer_list" for child in elements.named_children):
        return False
    names = _KERNEL_NAME.findall(tree.text(elements))
    if len(names) != len(set(names)):
        # Two strings define the same kernel: they are alternatives, not parts of one program.
        return False
    if parent.type == "init_declarator":
        return _declares_string(tree, parent)
    if parent.type == "compound_literal_expression":
        declared = field(parent, "type")
        return declared is not None and _C_STRING_TYPE.search(tree.text(declared)) is not None
    return parent.type == "assignment_expression"


def _declares_string(tree: HostTree, declarator: Node) -> bool:
    """Whether the type in a declaration is a string type."""
    declaration = declarator.parent
    if declaration is None:
        return False
    declared = tree.data[declaration.start_byte : declarator.start_byte]
    return _C_STRING_TYPE.search(declared) is not None


def _python_parent(tree: HostTree, node: Node, parent: Node) -> Node | None:
    kind = parent.type
    if kind in _PYTHON_JOINS:
        return parent
    if kind == "binary_operator":
        operator, left = field(parent, "operator"), field(parent, "left")
        text = b"" if operator is None else tree.text(operator)
        return parent if text == b"+" or (text == b"%" and left == node) else None
    if kind == "attribute":
        call, method = parent.parent, field(parent, "attribute")
        if call is None or call.type != "call" or method is None:
            return None
        return call if _PYTHON_METHODS.match(tree.text(method)) else None
    if kind in ("list", "tuple"):
        arguments = parent.parent
        call = None if arguments is None else arguments.parent
        function = None if call is None else field(call, "function")
        is_joined = function is not None and tree.text(function).endswith((b".join", b".join "))
        return parent if is_joined else None
    if kind == "argument_list":
        call = parent.parent
        function = None if call is None else field(call, "function")
        if call is None or function is None or parent.named_child(0) != node:
            return None
        return call if _PYTHON_STRING_CALL.match(tree.text(function)) else None
    return None
