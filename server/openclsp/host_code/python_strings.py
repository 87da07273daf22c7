"""Evaluates the string expressions of Python."""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from openclsp.host_code.host_tree import HostTree, field, operands
from openclsp.host_code.python_literals import Formatting, read_python_literal
from openclsp.host_code.string_evaluator import StringEvaluator
from openclsp.host_code.string_value import (
    StringValue,
    added,
    hole,
    join_values,
    slice_of,
)

_STATEMENTS: Final = """
(assignment) @set
(augmented_assignment) @append
(call function: (attribute)) @call
"""
_KEEPING_METHODS: Final = frozenset(
    (b"strip", b"lstrip", b"rstrip", b"encode", b"decode", b"expandtabs", b"lower", b"upper")
)
"""Methods that return the text of their object, but for white space and the like"""
_KEEPING_FUNCTIONS: Final = frozenset((b"dedent", b"str", b"Template", b"cleandoc", b"indent", b"bytes"))
"""Functions that return the text of their first argument, or a template of it"""
_APPENDING: Final = frozenset((b"append", b"extend", b"write"))
_RENDERING: Final = frozenset((b"render", b"substitute", b"safe_substitute"))
MAXIMUM_OPERANDS: Final = 20_000


class PythonStrings(StringEvaluator):
    """Evaluates the string expressions of a Python file."""

    function_kinds = frozenset(("function_definition", "lambda"))
    branch_kinds = frozenset(
        ("if_statement", "elif_clause", "else_clause", "for_statement", "while_statement", "except_clause")
        + ("conditional_expression", "match_statement", "case_clause", "list_comprehension")
        + ("generator_expression",)
    )

    def __init__(self, tree: HostTree) -> None:
        super().__init__(tree)

    def collect_contributions(self) -> None:
        found = self.tree.captures(_STATEMENTS)
        for kind in ("set", "append"):
            for node in found.get(kind, ()):
                target, value = field(node, "left"), field(node, "right")
                operator = field(node, "operator")
                if operator is not None and self.tree.text(operator) != b"+=":
                    continue
                if target is not None and value is not None:
                    self.add_contribution(self.name_of(target), node, value, replaces=kind == "set")
        for node in found.get("call", ()):
            target, method, arguments = self._method_call(node)
            if target is None or method not in _APPENDING or arguments is None:
                continue
            if arguments.named_child_count == 1:
                self.add_contribution(self.name_of(target), node, arguments.named_child(0), replaces=False)

    def name_of(self, node: Node) -> bytes:
        """Returns the name of a variable or attribute, as written."""
        return self.tree.text(node)

    def evaluate_node(self, node: Node, formatting: Formatting) -> StringValue | None:
        kind = node.type
        if kind == "string":
            return read_python_literal(self.tree.data, node, formatting)
        if kind in ("concatenated_string", "list", "tuple"):
            return self._join(node, b"", formatting)
        if kind in ("identifier", "attribute"):
            return self.variable_value(node, self.name_of(node), formatting)
        if kind == "binary_operator":
            return self._operator(node, formatting)
        if kind == "call":
            return self._call(node, formatting)
        if kind in ("parenthesized_expression", "named_expression") and node.named_child_count:
            return self.evaluate(node.named_child(node.named_child_count - 1), formatting)
        if kind == "keyword_argument":
            value = field(node, "value")
            return None if value is None else self.evaluate(value, formatting)
        return None

    def _join(self, node: Node, separator: bytes, formatting: Formatting) -> StringValue:
        parts: list[StringValue] = []
        for child in operands(node):
            if parts:
                parts.append(added(separator, child.start_byte))
            parts.append(self.evaluate_part(child, formatting))
        return join_values(parts)

    def _operator(self, node: Node, formatting: Formatting) -> StringValue | None:
        operands: list[Node] = []
        left: Node | None = node
        operator = self._text(node, "operator")
        if operator == b"%":
            left = field(node, "left")
            return None if left is None else self.evaluate(left, Formatting.PERCENT)
        if operator != b"+":
            return None
        while left is not None and left.type == "binary_operator" and self._text(left, "operator") == b"+":
            right = field(left, "right")
            if right is not None:
                operands.append(right)
            left = field(left, "left")
            if len(operands) > MAXIMUM_OPERANDS:
                return None
        if left is not None:
            operands.append(left)
        return join_values(self.evaluate_part(each, formatting) for each in reversed(operands))

    def _call(self, node: Node, formatting: Formatting) -> StringValue | None:
        arguments = field(node, "arguments")
        target, method, _ = self._method_call(node)
        if arguments is None:
            return None
        if target is not None:
            if method == b"format":
                return self.evaluate(target, Formatting.BRACES)
            if method in _KEEPING_METHODS or method in _RENDERING:
                return self.evaluate(target, formatting)
            if method == b"join" and arguments.named_child_count == 1:
                return self._joined(target, arguments.named_child(0), formatting)
            if method == b"replace" and arguments.named_child_count == 2:
                value, replaced = self.evaluate(target, formatting), self.evaluate(arguments.named_child(0))
                return None if value is None or replaced is None else replace_by_holes(value, replaced.data)
        function = self._text(node, "function").rsplit(b".", 1)[-1]
        if function in _KEEPING_FUNCTIONS and arguments.named_child_count:
            return self.evaluate(arguments.named_child(0), formatting)
        return None

    def _joined(self, separator: Node, parts: Node, formatting: Formatting) -> StringValue | None:
        between = self.evaluate(separator)
        if between is None:
            return None
        if parts.type in ("list", "tuple"):
            return self._join(parts, between.data, formatting)
        if parts.type != "identifier":
            return None
        key = self.variable_at(parts, self.name_of(parts))
        if key is None or len(self.chains(key)) != 1:
            return None
        values: list[StringValue] = []
        chain = self.chains(key)[0]
        for each in chain:
            if values and values[-1].data:
                values.append(added(between.data, each.value.start_byte))
            if not each.branches <= chain[0].branches:
                values.append(self.hole_of(each.value))
            elif each.value.type in ("list", "tuple"):
                values.append(self._join(each.value, between.data, formatting))
            else:
                values.append(self.evaluate_part(each.value, formatting))
        return join_values(values)

    def _method_call(self, node: Node) -> tuple[Node | None, bytes, Node | None]:
        """Returns the object, the method's name and the arguments of a method call.

        For any other call, returns None, an empty name and None.
        """
        function = field(node, "function")
        if function is None or function.type != "attribute":
            return None, b"", None
        return field(function, "object"), self._text(function, "attribute"), field(node, "arguments")

    def _text(self, node: Node, name: str) -> bytes:
        child = field(node, name)
        return b"" if child is None else self.tree.text(child)


def replace_by_holes(value: StringValue, replaced: bytes) -> StringValue:
    """Returns the value with a hole (unknown text) in place of each occurrence of `replaced`.

    The host replaces these occurrences by text that is not known.
    """
    if not replaced or replaced not in value.data:
        return value
    parts: list[StringValue] = []
    at = 0
    for match in re.finditer(re.escape(replaced), value.data):
        start, end = value.host_range(match.start(), match.end())
        parts += (slice_of(value, at, match.start()), hole(start, end, replaced))
        at = match.end()
    parts.append(slice_of(value, at, len(value.data)))
    # All slices have the literals of the whole.
    joined = join_values(StringValue(part.data, part.pieces) for part in parts)
    return StringValue(joined.data, joined.pieces, value.literals)
