"""Evaluates the C and C++ expressions that are passed to kernels."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from tree_sitter import Node

from openclsp.host_code.host_tree import HostTree, field, operands
from openclsp.host_code.kernel_calls.c_declarations import CDeclarations, DeclaredType
from openclsp.host_code.kernel_calls.c_types import value_of_type
from openclsp.host_code.kernel_calls.kernel_uses import UNKNOWN_VALUE, PassedKind, PassedValue
from openclsp.host_code.kernel_calls.variable_history import VariableHistory

MAXIMUM_EXPRESSION_DEPTH: Final = 30
"""The maximum depth of nested expressions; deeper ones are unknown"""
_NULLS: Final = frozenset(("NULL", "nullptr", "0"))
_CASTS: Final = frozenset(("static_cast", "reinterpret_cast", "const_cast"))
_NUMBER: Final = re.compile(
    r"(?P<digits>0[xX][0-9a-fA-F']{1,20}|\d[\d']{0,30}(?:\.[\d']{0,30})?(?:[eE][-+]?\d{1,5})?"
    r"|\.\d{1,30}(?:[eE][-+]?\d{1,5})?)(?P<suffix>[a-zA-Z]{0,4})\Z"
)
_LOCALS: Final = re.compile(r"(?:cl\s*::\s*)?(?:Local|__local)\Z|(?:boost::)?compute::local_buffer")
_HANDLE_SIZES: Final = frozenset(("cl_mem", "cl_sampler"))
_SIZE: Final = PassedValue(PassedKind.VALUE, None, "size_t", False)
_INT: Final = PassedValue(PassedKind.VALUE, 4, "int", False)
_BOOL: Final = PassedValue(PassedKind.VALUE, 1, "bool", False)
_OPERATORS: Final[dict[str, Callable[[int, int], int]]] = {
    "+": int.__add__,
    "-": int.__sub__,
    "*": int.__mul__,
}
_LARGEST: Final = 1 << 62
HANDLE_BYTES: Final = (4, 8)
"""Sizes that the handle of a memory object has on some host"""
NULL_OF_LOCAL: Final = "NULL"
"""The type name of a null pointer whose size cannot be that of a handle"""


class CValues:
    """Evaluates the expressions of one file."""

    def __init__(self, tree: HostTree, declarations: CDeclarations, numbers: VariableHistory[int]) -> None:
        self._tree, self._declarations, self._numbers = tree, declarations, numbers
        self._depth = 0

    def text(self, node: Node) -> str:
        """Returns the source text of a node."""
        return self._tree.text(node).decode("utf-8", "replace")

    def number(self, node: Node) -> int | None:
        """Returns the value of an integer expression; None if it is not a known constant."""
        self._depth += 1
        try:
            return None if self._depth > MAXIMUM_EXPRESSION_DEPTH else self._number(node)
        finally:
            self._depth -= 1

    def _number(self, node: Node) -> int | None:
        kind = node.type
        if kind == "number_literal":
            match = _NUMBER.match(self.text(node))
            digits = "" if match is None else match["digits"].replace("'", "")
            if digits.lower().startswith("0x"):
                return int(digits, 16)
            return int(digits) if digits.isdecimal() and (digits == "0" or digits[0] != "0") else None
        if kind == "identifier":
            name = self.text(node)
            known = self._numbers.last_before(node, name)
            if known is None and not self._declarations.is_local(name, node.start_byte):
                return self._declarations.constant(name)
            return known
        if kind == "qualified_identifier":
            return self._declarations.constant(self.text(node).rsplit("::", 1)[-1])
        if kind == "update_expression":
            return self._updated(node)
        if kind == "sizeof_expression":
            return self.size(node)[0]
        inner = _unwrapped(node, self.text)
        if inner != node:
            return self.number(inner)
        if kind == "binary_expression":
            left, right, operator = (field(node, name) for name in ("left", "right", "operator"))
            if left is None or right is None or operator is None:
                return None
            apply = _OPERATORS.get(self.text(operator))
            first, second = self.number(left), self.number(right)
            if apply is None or first is None or second is None:
                return None
            result = apply(first, second)
            return result if abs(result) < _LARGEST else None
        return None

    def _updated(self, node: Node) -> int | None:
        """Returns the value of `i++` or `++i`; None if it is unknown."""
        argument, operator = field(node, "argument"), field(node, "operator")
        if argument is None or operator is None or argument.type != "identifier":
            return None
        known = self._numbers.last_before(node, self.text(argument))
        if known is None or self.text(operator) != "++":
            return None
        return known + 1 if operator.start_byte < argument.start_byte else known

    def type_of(self, node: Node) -> DeclaredType | None:
        """Returns the declared type of an expression; None if it is unknown."""
        self._depth += 1
        try:
            return None if self._depth > MAXIMUM_EXPRESSION_DEPTH else self._type_of(node)
        finally:
            self._depth -= 1

    def _type_of(self, node: Node) -> DeclaredType | None:
        kind = node.type
        if kind in ("identifier", "this"):
            found = self._declarations.variable(self.text(node), node.start_byte)
            return None if found is None else found[0]
        if kind == "parenthesized_expression" and node.named_child_count == 1:
            return self.type_of(node.named_children[0])
        target = field(node, "argument")
        if kind == "field_expression" and target is not None:
            name = field(node, "field")
            if name is None or name.type != "field_identifier":
                return None
            if target.type == "this":
                found = self._declarations.variable(self.text(name), 0)
                return None if found is None else found[0]
            record = self.type_of(target)
            return None if record is None else self._declarations.member(record, self.text(name))
        if kind == "subscript_expression" and target is not None:
            array = self.type_of(target)
            return None if array is None else self._element(array)
        if kind == "pointer_expression" and target is not None:
            operator = field(node, "operator")
            declared = self.type_of(target)
            if operator is None or declared is None:
                return None
            if self.text(operator) == "*":
                return self._element(declared)
            return None if declared.arrays else declared._replace(pointers=declared.pointers + 1)
        return self._called_object(node) if kind == "call_expression" else None

    def _called_object(self, call: Node) -> DeclaredType | None:
        """Returns the type of `buffer` in `buffer()`, a call that returns the handle in the C++ bindings.

        Returns None for any other call.
        """
        function, arguments = field(call, "function"), field(call, "arguments")
        if function is None or arguments is None or arguments.named_child_count:
            return None
        if function.type not in ("identifier", "field_expression", "subscript_expression"):
            return None
        declared = self.type_of(function)
        is_handle = declared is not None and not declared.pointers and self._is_handle(declared)
        return declared if is_handle else None

    def _element(self, declared: DeclaredType) -> DeclaredType | None:
        return declared.element or self._declarations.resolved(declared).element

    def _is_handle(self, declared: DeclaredType) -> bool:
        return self._declarations.value_of(declared).kind in (
            PassedKind.BUFFER,
            PassedKind.IMAGE,
            PassedKind.MEMORY,
            PassedKind.SAMPLER,
        )

    def size(self, node: Node) -> tuple[int | None, str, PassedValue]:
        """Evaluates an expression that gives a size in bytes, such as `sizeof(cl_mem)` or `4 * n`.

        Returns the size, the kind of handle in `sizeof` (`cl_mem`, `cl_sampler`, `pointer` or empty), and the
        kernel argument that results from passing an object of the type in `sizeof`.
        """
        node = _unwrapped(node, self.text)
        if node.type != "sizeof_expression":
            return self.number(node), "", UNKNOWN_VALUE
        written = field(node, "type")
        value = field(node, "value")
        declared: DeclaredType | None = None
        if written is not None:
            name = field(written, "type")
            base = self.text(written if name is None else name)
            inner = field(written, "declarator")
            declared = (
                DeclaredType(base) if inner is None else self._declarations.read_declarator(inner, base)[1]
            )
            if inner is not None and inner.type == "abstract_pointer_declarator":
                declared = DeclaredType(base, 1)
        elif value is not None:
            value = _unwrapped(value, self.text)
            declared = self.type_of(value)
            if declared is None and value.type in ("identifier", "qualified_identifier"):
                declared = DeclaredType(self.text(value))
        if declared is None:
            return None, "", UNKNOWN_VALUE
        plain = self._declarations.resolved(declared)
        if plain.pointers and not plain.arrays:
            return None, "pointer", UNKNOWN_VALUE
        passed = self._declarations.value_of(declared)
        if plain.name in _HANDLE_SIZES and not plain.arrays:
            return None, plain.name, UNKNOWN_VALUE
        return passed.size, "", passed

    def passed_by_address(self, size: Node, value: Node) -> PassedValue:
        """Returns the kernel argument that results from a size and a pointer, as in `clSetKernelArg`."""
        count, handle, sized = self.size(size)
        value = _unwrapped(value, self.text)
        if self.text(value) in _NULLS:
            if handle:
                return PassedValue(PassedKind.NULL)
            # A plain variable may hold the size of a handle.
            is_product = _unwrapped(size, self.text).type in ("binary_expression", "sizeof_expression")
            is_certain = is_product if count is None else count not in HANDLE_BYTES
            return PassedValue(PassedKind.LOCAL, count, NULL_OF_LOCAL if is_certain else "")
        pointee = self._pointee(value)
        passed = UNKNOWN_VALUE if pointee is None else self._declarations.value_of(pointee)
        if passed.kind is PassedKind.VALUE:
            if handle:
                return passed._replace(size=None)
            return passed._replace(size=count, is_float=None if count != passed.size else passed.is_float)
        if passed.kind is not PassedKind.UNKNOWN:
            return passed._replace(size=count)
        if handle and handle != "pointer":
            return value_of_type(handle)._replace(type_name="")
        if count is None or (pointee is not None and pointee.pointers):
            return UNKNOWN_VALUE
        return PassedValue(PassedKind.VALUE, count, "", sized.is_float)

    def _pointee(self, value: Node) -> DeclaredType | None:
        """Returns the type of the object that a pointer expression points to; None if it is unknown."""
        operator, target = field(value, "operator"), field(value, "argument")
        is_address = operator is not None and self.text(operator) == "&"
        if value.type == "pointer_expression" and target is not None and is_address:
            found = self.type_of(_unwrapped(target, self.text))
            return found.element if found is not None and found.arrays else found
        declared = self.type_of(value)
        if declared is None or not (declared.pointers or declared.arrays):
            return None
        return declared.element

    def passed_by_value(self, node: Node) -> PassedValue:
        """Returns the kernel argument that results from the expression in `setArg(index, expression)`."""
        self._depth += 1
        try:
            return UNKNOWN_VALUE if self._depth > MAXIMUM_EXPRESSION_DEPTH else self._passed(node)
        finally:
            self._depth -= 1

    def _passed(self, node: Node) -> PassedValue:
        kind = node.type
        if kind == "number_literal":
            return self._literal(self.text(node))
        if kind in ("true", "false"):
            return _BOOL
        if self.text(node) == "nullptr":
            return PassedValue(PassedKind.NULL)
        if kind == "sizeof_expression":
            return _SIZE
        if kind == "parenthesized_expression" and node.named_child_count == 1:
            return self.passed_by_value(node.named_children[0])
        if kind == "cast_expression":
            written = field(node, "type")
            return UNKNOWN_VALUE if written is None else self._type_value(self.text(written))
        if kind == "unary_expression":
            argument, operator = field(node, "argument"), field(node, "operator")
            if argument is None or operator is None or self.text(operator) != "-":
                return UNKNOWN_VALUE
            return self.passed_by_value(argument)
        if kind == "call_expression":
            return self._call(node)
        if kind == "binary_expression":
            return self._arithmetic(node)
        declared = self.type_of(node)
        if declared is None:
            return UNKNOWN_VALUE
        plain = self._declarations.resolved(declared)
        if plain.pointers or plain.arrays:
            return UNKNOWN_VALUE
        return self._declarations.value_of(declared)

    def _type_value(self, written: str) -> PassedValue:
        if "*" in written:
            return UNKNOWN_VALUE
        return self._declarations.value_of(DeclaredType(written.rstrip("& ")))

    def _literal(self, written: str) -> PassedValue:
        match = _NUMBER.match(written)
        if match is None:
            return UNKNOWN_VALUE
        digits, suffix = match["digits"].lower(), match["suffix"].lower()
        if not digits.startswith("0x") and any(each in digits for each in ".e"):
            if suffix.endswith("f"):
                return PassedValue(PassedKind.VALUE, 4, "float", True)
            return PassedValue(PassedKind.VALUE, 8, "double", True) if not suffix else UNKNOWN_VALUE
        if "ll" in suffix:
            return PassedValue(PassedKind.VALUE, 8, "long long", False)
        if "l" in suffix or "z" in suffix:
            return PassedValue(PassedKind.VALUE, None, "long", False)
        return _INT if not suffix else _INT._replace(type_name="unsigned int")

    def _call(self, node: Node) -> PassedValue:
        function, arguments = field(node, "function"), field(node, "arguments")
        if function is None or arguments is None:
            return UNKNOWN_VALUE
        if function.type == "template_function":
            name, types = field(function, "name"), field(function, "arguments")
            if name is not None and types is not None and self.text(name) in _CASTS:
                return self._type_value(self.text(types).strip("<> "))
            if name is not None and _LOCALS.match(self.text(function)):
                return PassedValue(PassedKind.LOCAL, None, NULL_OF_LOCAL)
            return UNKNOWN_VALUE
        if function.type == "field_expression":
            method = field(function, "field")
            if method is not None and self.text(method) in ("size", "length", "count"):
                return _SIZE if self.text(method) != "count" else UNKNOWN_VALUE
        written = self.text(function)
        if _LOCALS.match(written):
            given = operands(arguments)
            size = self.number(given[0]) if len(given) == 1 else None
            return PassedValue(PassedKind.LOCAL, size, NULL_OF_LOCAL)
        if function.type in ("identifier", "primitive_type", "qualified_identifier"):
            constructed = value_of_type(written)
            if constructed.kind is not PassedKind.UNKNOWN:
                return constructed
        handle = self.type_of(node)
        return UNKNOWN_VALUE if handle is None else self._declarations.value_of(handle)

    def _arithmetic(self, node: Node) -> PassedValue:
        left, right, operator = (field(node, name) for name in ("left", "right", "operator"))
        if (
            left is None
            or right is None
            or operator is None
            or self.text(operator) not in ("+", "-", "*", "/", "%")
        ):
            return UNKNOWN_VALUE
        first, second = self.passed_by_value(left), self.passed_by_value(right)
        plain = ("int", "float", "double", "cl_int", "cl_float")
        same = first.type_name == second.type_name and first.type_name in plain
        return first if same else UNKNOWN_VALUE


def _unwrapped(node: Node, text: Callable[[Node], str]) -> Node:
    """Returns an expression without its outer parentheses and casts."""
    for _ in range(MAXIMUM_EXPRESSION_DEPTH):
        inner: Node | None = None
        if node.type == "parenthesized_expression" and node.named_child_count == 1:
            inner = node.named_children[0]
        elif node.type == "cast_expression":
            inner = field(node, "value")
        elif node.type == "call_expression":
            function, arguments = field(node, "function"), field(node, "arguments")
            name = None if function is None else field(function, "name")
            if name is not None and arguments is not None and arguments.named_child_count == 1:
                inner = arguments.named_children[0] if text(name) in _CASTS else None
        if inner is None:
            break
        node = inner
    return node
