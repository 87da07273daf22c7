"""Evaluates the string expressions of C and C++."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from tree_sitter import Node

from openclsp.host_code.c_literals import LINE_END_NAME, read_adjacent_literals, read_c_literal
from openclsp.host_code.host_tree import HostTree, field
from openclsp.host_code.printed_strings import read_printing, replace_conversions
from openclsp.host_code.python_literals import Formatting
from openclsp.host_code.string_evaluator import StringEvaluator
from openclsp.host_code.string_value import PieceKind, StringValue, ValuePiece, added, join_values

_STATEMENTS: Final = """
(init_declarator) @set
(assignment_expression) @set
(expression_statement (binary_expression) @stream)
(call_expression) @call
(preproc_def) @macro
"""
_STRING_MAKERS: Final = frozenset(
    (
        b"string",
        b"basic_string",
        b"String",
        b"QString",
        b"QStringLiteral",
        b"QLatin1String",
        b"move",
        b"string_view",
    )
    + (b"strdup", b"StringRef", b"Twine", b"CString")
)
"""Functions and types that make a string of their first argument"""
_TEXT_METHODS: Final = frozenset(
    (
        b"c_str",
        b"data",
        b"str",
        b"toStdString",
        b"toUtf8",
        b"constData",
        b"toLatin1",
        b"GetString",
        b"utf8_str",
    )
)
"""Methods that return the text of their object"""
_APPENDING: Final = frozenset((b"append", b"push_back", b"emplace_back", b"add", b"Append"))
_LITERALS: Final = frozenset(("string_literal", "raw_string_literal"))
_WRAPPERS: Final = frozenset(
    ("parenthesized_expression", "pointer_declarator", "array_declarator", "reference_declarator")
    + ("parenthesized_declarator", "function_declarator", "pointer_expression")
)
_INCLUDED: Final = re.compile(rb"\#[ \t]*include[ \t]*(?P<name>\"[^\"\r\n]+\")")
_DEFINED_KERNEL: Final = re.compile(rb"\b(?:__)?kernel\s+void\s+(\w+)\s*\([^;{}]{0,4000}\{")
_OPENING_DIRECTIVE: Final = re.compile(rb"^[ \t]*\#[ \t]*if", re.MULTILINE)
_CLOSING_DIRECTIVE: Final = re.compile(rb"^[ \t]*\#[ \t]*endif", re.MULTILINE)
_LINE_ENDS: Final = frozenset((b"endl", b"std::endl", b"'\\n'"))
MAXIMUM_OPERANDS: Final = 20_000
"""The maximum number of operands of one `a + b + …`"""


class CStrings(StringEvaluator):
    """Evaluates the strings of a C or C++ file.

    `stringified` maps the offset of each call of a stringifying macro to the string that the macro makes.
    """

    function_kinds = frozenset(("function_definition", "lambda_expression"))
    branch_kinds = frozenset(
        ("if_statement", "else_clause", "for_statement", "for_range_loop", "while_statement", "do_statement")
        + ("case_statement", "conditional_expression", "catch_clause", "preproc_if", "preproc_ifdef")
        + ("preproc_else", "preproc_elif", "preproc_elifdef")
    )

    def __init__(self, tree: HostTree, stringified: dict[int, StringValue]) -> None:
        self._stringified = stringified
        self._macros: dict[bytes, Node] = {}
        super().__init__(tree)

    def collect_contributions(self) -> None:
        found = self.tree.captures(_STATEMENTS)
        for node in found.get("set", ()):
            declares = node.type == "init_declarator"
            target = field(node, "declarator" if declares else "left")
            value = field(node, "value" if declares else "right")
            operator = b"=" if declares else self._operator(node)
            if value is not None and value.type == "call_expression" and read_printing(self.tree, value):
                # `n = sprintf(…)` assigns the number of printed characters, which is no text.
                continue
            if target is not None and value is not None and operator in (b"=", b"+="):
                self.add_contribution(self.name_of(target), node, value, replaces=operator == b"=")
        for node in found.get("stream", ()):
            target = _leftmost(node)
            if self._operator(node) == b"<<" and target.type in ("identifier", "field_expression"):
                self.add_contribution(self.name_of(target), node, node, replaces=False)
        for node in found.get("call", ()):
            self._add_call(node)
        for node in found.get("macro", ()):
            name = field(node, "name")
            if name is not None:
                self._macros[self.tree.text(name)] = node

    def _add_call(self, node: Node) -> None:
        """Records the text that a call prints into a buffer, or appends to a string or list."""
        printed = read_printing(self.tree, node)
        if printed is not None:
            if printed.target is not None:
                name = self.name_of(printed.target)
                self.add_contribution(name, node, node, replaces=not printed.appends)
            return
        function, arguments = field(node, "function"), field(node, "arguments")
        if function is None or function.type != "field_expression" or arguments is None:
            return
        target, method = field(function, "argument"), field(function, "field")
        if target is None or method is None:
            return
        if self.tree.text(method) in _APPENDING and arguments.named_child_count > 0:
            self.add_contribution(self.name_of(target), node, arguments.named_child(0), replaces=False)

    def name_of(self, node: Node) -> bytes:
        """Returns the name of a variable, without qualifiers.

        For a member of an object, the name is the whole expression, such as `object.member`.
        """
        for _ in range(20):
            inner = field(node, "declarator") or field(node, "argument")
            if node.type in _WRAPPERS and inner is None and node.named_child_count:
                inner = node.named_child(0)
            if node.type not in _WRAPPERS or inner is None:
                break
            node = inner
        if node.type == "qualified_identifier":
            return self.tree.text(node).rsplit(b"::", 1)[-1].strip()
        return self.tree.text(node).removeprefix(b"this->")

    def macro_body(self, name: bytes) -> Node | None:
        """Returns the body of an object-like macro of the file; None if there is none."""
        node = self._macros.get(name)
        return None if node is None else field(node, "value")

    def evaluate_node(self, node: Node, formatting: Formatting) -> StringValue | None:
        kind = node.type
        if kind in _LITERALS:
            return read_c_literal(self.tree.data, node.start_byte)
        if kind in ("concatenated_string", "argument_list", "compound_statement"):
            return self._join(self._elements(node))
        if kind == "initializer_list":
            values = [self._element(each) for each in self._elements(node)]
            return None if _are_alternatives(values) else join_values(values)
        if kind == "preproc_arg":
            return read_adjacent_literals(self.tree.data, node.start_byte, node.end_byte)
        if kind in ("identifier", "field_expression", "qualified_identifier"):
            return self._named(node, formatting)
        if kind == "binary_expression":
            return self._operands(node)
        if kind == "call_expression":
            return self._call(node)
        if kind == "subscript_expression":
            target = field(node, "argument")
            return None if target is None else self._named(node, formatting) or self.evaluate(target)
        inner = None
        if kind == "parenthesized_expression" and node.named_child_count == 1:
            inner = node.named_child(0)
        elif kind in ("cast_expression", "compound_literal_expression"):
            inner = field(node, "value")
        elif kind == "pointer_expression":
            inner = field(node, "argument")
        elif kind == "new_expression":
            inner = field(node, "arguments")
        return None if inner is None else self.evaluate(inner)

    def _elements(self, node: Node) -> Iterable[Node]:
        for child in node.named_children:
            if child.type == "expression_statement" and child.named_child_count:
                yield child.named_child(0)
            elif child.type not in ("comment", "ERROR"):
                yield child

    def _join(self, nodes: Iterable[Node]) -> StringValue:
        return join_values(self._element(node) for node in nodes)

    def _element(self, node: Node) -> StringValue:
        if node.type == "preproc_include":
            return self._included(node)
        return self.evaluate_part(node)

    def _included(self, node: Node) -> StringValue:
        """Returns the value of an `#include` directive in a list of literals.

        The value contains the directive itself, so that the preprocessor inserts the file into the program.
        """
        data = self.tree.data
        match = _INCLUDED.match(data, node.start_byte, node.end_byte)
        if match is None:
            return self.hole_of(node)
        start, end = match.span()
        pieces = (ValuePiece(0, end - start, start, end, PieceKind.COPIED, -1),)
        directive = StringValue(data[start:end], pieces)
        return join_values((added(b"\n", start), directive, added(b"\n", end)))

    def _named(self, node: Node, formatting: Formatting) -> StringValue | None:
        stringified = self._stringified.get(node.start_byte)
        if stringified is not None:
            return stringified
        name = self.name_of(node)
        value = self.variable_value(node, name, formatting)
        if value is None and (body := self.macro_body(name)) is not None:
            return self.evaluate(body)
        is_part = node.parent is not None and node.parent.type == "concatenated_string"
        if value is None and is_part and LINE_END_NAME.match(name) is not None:
            return added(b"\n", node.start_byte)
        return value

    def _operands(self, node: Node) -> StringValue | None:
        operator = self._operator(node)
        if operator not in (b"+", b"<<"):
            return None
        operands: list[Node] = []
        left: Node | None = node
        while left is not None and left.type == "binary_expression" and self._operator(left) == operator:
            right = field(left, "right")
            if right is not None:
                operands.append(right)
            left = field(left, "left")
            if len(operands) > MAXIMUM_OPERANDS:
                return None
        if left is not None and operator == b"+":
            operands.append(left)
        return join_values(self._operand(each) for each in reversed(operands))

    def _operand(self, node: Node) -> StringValue:
        if self.tree.text(node) in _LINE_ENDS:
            return added(b"\n", node.start_byte)
        if node.type == "number_literal":
            return added(self.tree.text(node), node.start_byte)
        return self.evaluate_part(node)

    def _call(self, node: Node) -> StringValue | None:
        function, arguments = field(node, "function"), field(node, "arguments")
        if function is None or arguments is None:
            return None
        if function.type == "field_expression":
            method, target = field(function, "field"), field(function, "argument")
            if method is not None and target is not None and self.tree.text(method) in _TEXT_METHODS:
                return self.evaluate(target)
            return None
        printed = read_printing(self.tree, node)
        if printed is not None:
            text = self.evaluate(printed.text)
            return replace_conversions(text) if text is not None and printed.formats else text
        name = self.tree.text(function).rsplit(b"::", 1)[-1].split(b"<", 1)[0].strip()
        if name in _STRING_MAKERS and arguments.named_child_count:
            return self.evaluate(arguments.named_child(0))
        return None

    def _operator(self, node: Node) -> bytes:
        operator = field(node, "operator")
        return b"" if operator is None else self.tree.text(operator)


def _are_alternatives(values: Sequence[StringValue]) -> bool:
    """Whether several elements of a list define the same kernel, so that the host builds only one of them.

    Returns False if a conditional directive begins in one element and ends in another: the list is then one
    program.
    """
    names: list[bytes] = []
    for value in values:
        if len(_OPENING_DIRECTIVE.findall(value.data)) != len(_CLOSING_DIRECTIVE.findall(value.data)):
            return False
        if b"}" in value.data:
            names += {match[1] for match in _DEFINED_KERNEL.finditer(value.data)}
    return len(names) != len(set(names))


def _leftmost(node: Node) -> Node:
    """Returns the first operand of a chain of operators."""
    for _ in range(MAXIMUM_OPERANDS):
        left = field(node, "left") if node.type == "binary_expression" else None
        if left is None:
            break
        node = left
    return node
