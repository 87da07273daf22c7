"""Evaluates the Python expressions that are passed to kernels through pyopencl."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Final

from tree_sitter import Node

from openclsp.host_code.host_tree import HostTree, field, operands
from openclsp.host_code.kernel_calls.kernel_uses import UNKNOWN_VALUE, PassedKind, PassedValue
from openclsp.host_code.kernel_calls.variable_history import UNKNOWN, Change, VariableHistory, scope_of
from openclsp.source.word_search import find_word

MAXIMUM_EXPRESSION_DEPTH: Final = 20
"""The maximum depth of nested expressions and variables; deeper ones are unknown"""
_ASSIGNMENTS: Final = """
(assignment) @set
(augmented_assignment) @change
(for_statement left: (_) @loop)
(with_item (as_pattern)) @with
"""
_NUMBER_TYPE: Final = re.compile(
    r"(?:(?:np|numpy)\.|(?P<cl>(?:cl|pyopencl)\.)?(?P<cltypes>cltypes\.))?(?P<name>(?:u?(?:int(?:8|16|32|64)|char|short|int|long)|float(?:16|32|64)?|half|double))\Z"
)
_SIZES: Final = {
    "int8": 1,
    "int16": 2,
    "int32": 4,
    "int64": 8,
    "float16": 2,
    "float32": 4,
    "float64": 8,
}
_CL_SIZES: Final = {"char": 1, "short": 2, "int": 4, "long": 8, "half": 2, "float": 4, "double": 8}
_MADE: Final = {
    "Buffer": PassedKind.BUFFER,
    "Image": PassedKind.IMAGE,
    "create_image": PassedKind.IMAGE,
    "image_from_array": PassedKind.IMAGE,
    "Sampler": PassedKind.SAMPLER,
    "SVM": PassedKind.SHARED,
}
_PACKAGES: Final = re.compile(r"(?:cl|pyopencl|_cl|opencl)\Z")
_ARRAYS: Final = re.compile(
    r"(?:(?:cl|pyopencl)\.array|cl_array|cla|clarray|pyopencl_array|cl_arr|pycl_array)\.(?:to_device|zeros|empty|zeros_like|empty_like|arange|Array)\Z"
)
_ARRAY: Final = PassedValue(PassedKind.UNKNOWN, None, "pyopencl.array.Array")
_OPERATORS: Final = {"*": int.__mul__, "+": int.__add__, "-": int.__sub__}
_LARGEST: Final = 1 << 62
_PLAIN_NUMBERS: Final = {"integer": False, "float": True}


class PythonValues:
    """Evaluates the expressions of one file, with the values of its variables."""

    def __init__(self, tree: HostTree) -> None:
        self._tree = tree
        self._history: VariableHistory[Node] = VariableHistory()
        self._everywhere: dict[str, list[Node | None]] = defaultdict(list)
        self._depth = 0
        found = tree.captures(_ASSIGNMENTS)
        for node in found.get("set", ()):
            target, value = field(node, "left"), field(node, "right")
            if target is not None and value is not None:
                self._assign(target, node, value)
        for node in found.get("change", ()):
            target = field(node, "left")
            if target is not None:
                self._set(target, node, None)
        for node in found.get("loop", ()):
            for name in _names(node):
                self._set(name, node, None)
        for node in found.get("with", ()):
            self._set(node, node, None)

    def text(self, node: Node) -> str:
        """Returns the source text of a node."""
        return self._tree.text(node).decode("utf-8", "replace")

    def _assign(self, target: Node, statement: Node, value: Node) -> None:
        if target.type in ("pattern_list", "tuple_pattern"):
            values = operands(value) if value.type in ("expression_list", "tuple") else []
            targets = operands(target)
            for number, each in enumerate(targets):
                self._set(each, statement, values[number] if len(values) == len(targets) else None)
            return
        # `a = b = value`
        while value.type == "assignment" and (inner := field(value, "right")) is not None:
            value = inner
        self._set(target, statement, value)

    def _set(self, target: Node, statement: Node, value: Node | None) -> None:
        scope, _ = scope_of(statement)
        name = self.text(target)
        known = UNKNOWN if value is None else value
        self._history.add(scope.function, name, Change(statement.end_byte, frozenset(scope.branches), known))
        if target.type == "attribute" or scope.function == -1:
            self._everywhere[name].append(value)

    def assigned(self, node: Node) -> Node | None:
        """Returns the expression that was last assigned to the variable which is used at `node`.

        Returns None if the value is unknown or several values are possible.
        """
        name = self.text(node)
        scope, _ = scope_of(node)
        if scope.function == -1 or self._history.changes(scope.function, name):
            return self._history.last_before(node, name)
        if node.type == "identifier" and self._is_parameter(node, name):
            return None
        found = self._everywhere.get(name, [])
        return found[0] if len(found) == 1 else None

    def _is_parameter(self, node: Node, name: str) -> bool:
        scope, _ = scope_of(node)
        function = self._tree.root.descendant_for_byte_range(scope.function, scope.function + 1)
        while function is not None and function.type not in ("function_definition", "lambda"):
            function = function.parent
        parameters = None if function is None else field(function, "parameters")
        return parameters is not None and find_word(self._tree.text(parameters), name.encode()) >= 0

    def number(self, node: Node) -> int | None:
        """Returns the value of an integer expression; None if it is not a known constant."""
        self._depth += 1
        try:
            if self._depth > MAXIMUM_EXPRESSION_DEPTH:
                return None
            if node.type == "integer":
                text = self.text(node).replace("_", "")
                return int(text) if text.isdecimal() else None
            if node.type in ("identifier", "attribute"):
                value = self.assigned(node)
                return None if value is None else self.number(value)
            if node.type == "parenthesized_expression" and node.named_child_count == 1:
                return self.number(node.named_children[0])
            if node.type == "binary_operator":
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
        finally:
            self._depth -= 1

    def sequence(self, node: Node) -> list[Node] | None:
        """Returns the elements of a list or tuple, or of a variable's value; None if they are unknown."""
        if node.type in ("identifier", "attribute"):
            value = self.assigned(node)
            if value is None or value.type not in ("list", "tuple"):
                return None
            node = value
        if node.type not in ("list", "tuple"):
            return None
        found = operands(node)
        return None if any(each.type in ("list_splat", "starred_expression") for each in found) else found

    def passed(self, node: Node) -> PassedValue:
        """Returns the kernel argument that results from passing the value of an expression."""
        self._depth += 1
        try:
            return UNKNOWN_VALUE if self._depth > MAXIMUM_EXPRESSION_DEPTH else self._passed(node)
        finally:
            self._depth -= 1

    def _passed(self, node: Node) -> PassedValue:
        kind = node.type
        if kind == "none":
            return PassedValue(PassedKind.NULL)
        if kind in _PLAIN_NUMBERS:
            return PassedValue(PassedKind.VALUE, None, "number", _PLAIN_NUMBERS[kind])
        if kind == "call":
            return self._call(node)
        if kind in ("identifier", "attribute"):
            value = self.assigned(node)
            if value is not None:
                return self.passed(value)
        if kind == "attribute":
            name, target = field(node, "attribute"), field(node, "object")
            is_data = name is not None and self.text(name) in ("data", "base_data")
            if is_data and target is not None and self.passed(target) == _ARRAY:
                return PassedValue(PassedKind.BUFFER)
        if kind == "parenthesized_expression" and node.named_child_count == 1:
            return self.passed(node.named_children[0])
        return UNKNOWN_VALUE

    def _call(self, node: Node) -> PassedValue:
        function, arguments = field(node, "function"), field(node, "arguments")
        if function is None or arguments is None:
            return UNKNOWN_VALUE
        written = self.text(function)
        number = self.number_type(function)
        if number is not None:
            given = operands(arguments)
            is_one = len(given) == 1 and self._is_one_number(given[0])
            return number if is_one else number._replace(may_be_array=True)
        package, _, name = written.rpartition(".")
        if _PACKAGES.match(package) is None:
            return _ARRAY if _ARRAYS.match(written) else UNKNOWN_VALUE
        if name == "LocalMemory":
            given = operands(arguments)
            size = self.number(given[0]) if len(given) == 1 else None
            return PassedValue(PassedKind.LOCAL, size, name)
        made = _MADE.get(name)
        return UNKNOWN_VALUE if made is None else PassedValue(made)

    def _is_one_number(self, node: Node) -> bool:
        """Whether an expression is certainly a number, and not a sequence."""
        if node.type in _PLAIN_NUMBERS or self.number(node) is not None:
            return True
        function = field(node, "function")
        return function is not None and self.text(function) in ("len", "int", "float", "round", "sum")

    def number_type(self, node: Node) -> PassedValue | None:
        """Returns the kernel argument that results from a value of a numpy or `pyopencl.cltypes` type.

        `node` is the expression that names the type. Returns None if it names no such type.
        """
        match = _NUMBER_TYPE.match(self.text(node))
        if match is None:
            return None
        name = match["name"]
        is_float = name.startswith(("float", "half", "double"))
        plain = name.removeprefix("u")
        size = _CL_SIZES.get(plain) if match["cltypes"] else _SIZES.get(plain)
        if size is None:
            return None
        return PassedValue(PassedKind.VALUE, size, self.text(node), is_float)


def _names(node: Node) -> list[Node]:
    if node.type == "identifier":
        return [node]
    return [each for each in node.named_children if each.type == "identifier"]
