"""Calls, lambdas and references of C and C++ that may change an integer variable without an assignment to it.

Host code often counts the indices of kernel arguments in such a variable. It passes the variable by
reference (`tensor.set_arg(kernel, index)`), or increments it in the body of a macro (`ADD(x)`), which a header
may define, in a lambda or in another method. The value is unknown afterwards.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Final

from tree_sitter import Node

from openclsp.host_code.host_language import HostLanguage
from openclsp.host_code.host_tree import HostTree, ancestors, field, operands
from openclsp.host_code.kernel_calls.c_declarations import CDeclarations
from openclsp.host_code.kernel_calls.variable_history import UNKNOWN, Change, VariableHistory, scope_of

_NODES: Final = "(call_expression) @call (preproc_function_def) @macro"
_CPP_NODES: Final = """
(function_declarator) @function
(lambda_expression) @lambda
(init_declarator declarator: (reference_declarator) value: (identifier) @referenced)
"""
_CHANGES: Final = """
(update_expression argument: (identifier) @name)
(assignment_expression left: (identifier) @name)
"""
_WRITTEN_CHANGE: Final = re.compile(
    rb"\b([A-Za-z_]\w*)\s*(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?!=))|(?:\+\+|--)\s*([A-Za-z_]\w*)"
)
_BY_VALUE: Final = re.compile(
    r"(?:\w+_)?cl[A-Z]\w*|\w*printf|min|max|abs|ceil|floor|sqrt|pow|to_string|assert|NDRange|enqueue\w+"
    r"|(?:un)?signed|int|long|short|size_t|float|double|u?int\d+_t|cl_\w+|static_cast|string|push_back|resize|malloc"
)
"""Names of functions that take numbers by value, and of types, which convert them"""
_MACRO: Final = re.compile(r"[A-Z][A-Z0-9_]*")
_SETTING: Final = frozenset(("setArg", "set_arg"))
_INDEX_NODES: Final = frozenset(("number_literal", "update_expression", "binary_expression"))


class _Functions:
    """Determines which variables a call may change, from the functions and macros that the file defines."""

    def __init__(
        self, tree: HostTree, declarations: CDeclarations, found: dict[str, list[Node]], cpp: bool
    ) -> None:
        self._tree, self._declarations, self._cpp = tree, declarations, cpp
        self._changeable: dict[str, list[list[bool]]] = defaultdict(list)
        for node in found.get("function", ()):
            name, parameters = field(node, "declarator"), field(node, "parameters")
            if name is not None and parameters is not None:
                self._changeable[_last_part(_text(tree, name))].append(
                    [_is_changeable(tree.text(each)) for each in parameters.named_children]
                )
        self._macros: dict[str, set[str]] = {}
        for node in found.get("macro", ()):
            name = field(node, "name")
            if name is not None:
                written = _WRITTEN_CHANGE.finditer(tree.text(node))
                self._macros[_text(tree, name)] = {(each[1] or each[2]).decode() for each in written}

    def changed_by(self, call: Node) -> set[str]:
        """Returns the variables that a call may change: in a macro's body, or by reference parameters."""
        name = _called_name(self._tree, call)
        changed = set(self._macros.get(name, ()))
        arguments = field(call, "arguments")
        if not self._cpp or arguments is None:
            return changed
        given = operands(arguments)
        for position, each in enumerate(given):
            if each.type == "identifier" and self._may_change(name, position, given[0]):
                changed.add(_text(self._tree, each))
        return changed

    def may_count(self, call: Node) -> bool:
        """Whether a call may be a macro of a header that sets an argument and increments the argument's index.

        The name of such a macro contains `ARG`, or one of its arguments is a kernel object.
        """
        name = _called_name(self._tree, call)
        arguments = field(call, "arguments")
        if _MACRO.fullmatch(name) is None or name in self._macros or name in self._changeable:
            return False
        return "ARG" in name or (
            arguments is not None and any(self._is_kernel(each) for each in operands(arguments))
        )

    def _is_kernel(self, node: Node) -> bool:
        if node.type != "identifier":
            return False
        variable = self._declarations.variable(_text(self._tree, node), node.start_byte)
        return variable is not None and "ernel" in variable[0].name

    def _may_change(self, name: str, position: int, first: Node) -> bool:
        """Whether the function `name` may change its argument at `position`, counted from 0.

        `first` is the first argument of the call. It shows whether a setter is a method that takes numbers by
        value (`setArg(index, x)`) or a function that may change an argument (`set_arg(kernel, index)`). A
        function that the file does not define may change any argument, unless it is known to take numbers by
        value.
        """
        if name in _SETTING:
            return not self._is_index(first)
        if name in self._changeable:
            return any(position >= len(each) or each[position] for each in self._changeable[name])
        return _BY_VALUE.fullmatch(name) is None

    def _is_index(self, node: Node) -> bool:
        """Whether the first argument of a `setArg` call is the argument's index; otherwise it is a kernel."""
        if node.type in _INDEX_NODES:
            return True
        if node.type != "identifier":
            return False
        name = _text(self._tree, node)
        if self._declarations.constant(name) is not None:
            return True
        variable = self._declarations.variable(name, node.start_byte)
        return variable is not None and "ernel" not in variable[0].name


def add_hidden_changes(tree: HostTree, declarations: CDeclarations, numbers: VariableHistory[int]) -> None:
    """Makes the values of integer variables unknown where they may change without an assignment.

    A value is unknown after a call that may change the variable. It is unknown in the whole function if a
    reference is bound to the variable or a lambda changes it.
    """
    if not numbers.names():
        return
    cpp = tree.language is HostLanguage.CPP
    found = tree.captures(_NODES + _CPP_NODES if cpp else _NODES)
    functions = _Functions(tree, declarations, found, cpp)
    for call in found.get("call", ()):
        called = _called_name(tree, call)
        counts = functions.may_count(call)
        changed = functions.changed_by(call)
        runs_host_code = called not in _SETTING and _BY_VALUE.fullmatch(called) is None
        if not runs_host_code and not changed and not counts:
            continue
        scope, _ = scope_of(call)
        branches = frozenset(scope.branches)
        for name in numbers.names_in(scope.function):
            # A function with thousands of calls and hundreds of variables would otherwise have a million changes.
            if not numbers.is_unknown(scope.function, name, call.end_byte, branches) and (
                counts
                or name in changed
                or (runs_host_code and not declarations.is_local(name, call.start_byte))
            ):
                numbers.add(scope.function, name, Change(call.end_byte, branches, UNKNOWN))
    for node in found.get("referenced", ()):
        numbers.forget(scope_of(node)[0].function, _text(tree, node))
    for node in found.get("lambda", ()):
        captures = field(node, "captures")
        if captures is None or b"&" not in tree.text(captures):
            continue
        changed = {_text(tree, name) for name in tree.captures(_CHANGES, node).get("name", ())}
        for call in tree.captures("(call_expression) @call", node).get("call", ()):
            changed |= functions.changed_by(call)
        for name in changed & numbers.names():
            for parent in ancestors(node):
                numbers.forget(parent.start_byte, name)


def _called_name(tree: HostTree, call: Node) -> str:
    """Returns the unqualified name of the called function or macro."""
    function = field(call, "function")
    return "" if function is None else _last_part(_text(tree, function))


def _is_changeable(parameter: bytes) -> bool:
    return b"..." in parameter or (b"&" in parameter and b"const" not in parameter)


def _last_part(name: str) -> str:
    return re.split(r"::|->|\.", name.partition("<")[0])[-1].strip()


def _text(tree: HostTree, node: Node) -> str:
    return tree.text(node).decode("utf-8", "replace")
