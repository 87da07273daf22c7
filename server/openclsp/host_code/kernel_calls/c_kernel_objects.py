"""The kernel objects of a C or C++ file: which kernel each variable holds at each of its uses."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from openclsp.host_code.c_literals import read_c_literal
from openclsp.host_code.host_language import HostLanguage
from openclsp.host_code.host_tree import HostTree, field, operands
from openclsp.host_code.kernel_calls.c_declarations import CDeclarations
from openclsp.host_code.kernel_calls.c_hidden_changes import add_hidden_changes
from openclsp.host_code.kernel_calls.c_object_keys import is_other_member, last_name, path_of
from openclsp.host_code.kernel_calls.c_types import normalized_type
from openclsp.host_code.kernel_calls.kernel_uses import HostSpan, NamedKernel
from openclsp.host_code.kernel_calls.variable_history import UNKNOWN, Change, VariableHistory, scope_of
from openclsp.host_code.kernel_names import CREATING_FUNCTION, FUNCTOR_NAMES

_STATEMENTS: Final = """
(init_declarator) @set
(assignment_expression) @set
(update_expression) @update
(pointer_expression) @address
"""
_MEMBERS: Final = "(field_initializer) @member"
_KERNEL_TYPE: Final = re.compile(r"(?:(?:::)?(?:cl|compute|boost\s*::\s*compute)\s*::\s*)?[kK]ernel\Z")
FUNCTOR_TYPE: Final = re.compile(rf"(?:cl\s*::\s*)?(?:{'|'.join(FUNCTOR_NAMES)})\s*<(?P<types>[\s\S]*)>\Z")
_NAME: Final = re.compile(r"[A-Za-z_]\w*\Z")
_MAXIMUM_PASSED: Final = 4
"""The maximum number of functions that pass a kernel on to each other"""
_STEP_OPERATORS: Final = {"+=": 1, "-=": -1}
_OBJECT_NODES: Final = frozenset(
    ("identifier", "field_expression", "subscript_expression", "qualified_identifier")
)
_NOT_ESCAPING: Final = re.compile(
    r"(?:\w+_)?cl(?:SetKernelArg(?:SVMPointer)?|EnqueueNDRangeKernel|EnqueueTask|ReleaseKernel|RetainKernel"
    r"|GetKernelWorkGroupInfo|GetKernelInfo|GetKernelArgInfo|GetKernelSubGroupInfo)\Z"
    r"|enqueue(?:NDRangeKernel|Task|_task|_[1n]d_range_kernel)\Z|\w*?(?:[rR]elease|RELEASE)"
)


class CKernelObjects:
    """The variables of a file that hold kernels, and its integer variables."""

    def __init__(self, tree: HostTree, declarations: CDeclarations) -> None:
        self._tree, self._declarations = tree, declarations
        self.numbers: VariableHistory[int] = VariableHistory()
        self.mentions: dict[int, NamedKernel] = {}
        self._kernels: VariableHistory[NamedKernel] = VariableHistory()
        self._everywhere: dict[str, list[NamedKernel | None]] = defaultdict(list)
        self._paths: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        self._arrays: dict[str, list[NamedKernel | None]] = defaultdict(list)
        self._calls: dict[str, list[Node]] | None = None
        self._depth = 0
        found = tree.captures(_STATEMENTS)
        if tree.language is HostLanguage.CPP:
            found |= tree.captures(_MEMBERS)
        for node in found.get("set", ()):
            self._add_assignment(node)
        for node in found.get("update", ()):
            target, operator = field(node, "argument"), field(node, "operator")
            if target is not None and operator is not None and target.type == "identifier":
                step = 1 if self.text(operator) == "++" else -1
                self._add_number(target, node, None, step)
        for node in found.get("member", ()):
            self._add_member(node)
        for node in found.get("address", ()):
            target, operator = field(node, "argument"), field(node, "operator")
            if target is not None and operator is not None and self.text(operator) == "&":
                self._add_address(target, node)
        add_hidden_changes(tree, declarations, self.numbers)

    def text(self, node: Node) -> str:
        """Returns the source text of a node."""
        return self._tree.text(node).decode("utf-8", "replace")

    def _add_assignment(self, node: Node) -> None:
        declares = node.type == "init_declarator"
        target = field(node, "declarator" if declares else "left")
        value = field(node, "value" if declares else "right")
        if target is None or value is None:
            return
        operator = "=" if declares else self.text(field(node, "operator") or node)
        if target.type == "identifier" and (operator == "=" or operator in _STEP_OPERATORS):
            number = self._plain_number(value)
            step = _STEP_OPERATORS.get(operator, 0)
            if step and number is not None:
                self._add_number(target, node, None, step * number)
            else:
                self._add_number(target, node, None if step else number)
        elif target.type == "identifier":
            self._add_number(target, node, None)
        if declares:
            while target.type in ("pointer_declarator", "reference_declarator", "array_declarator"):
                inner = field(target, "declarator")
                if inner is None and target.named_child_count:
                    inner = target.named_children[-1]
                if inner is None:
                    return
                target = inner
        if target.type in _OBJECT_NODES or self._is_dereference(target):
            declared_type = field(node.parent, "type") if declares and node.parent is not None else None
            kernel = self.made_kernel(value, declared_type)
            self._add_kernel(target, node, kernel, is_null=self.text(value) in ("NULL", "0", "nullptr"))

    def _is_dereference(self, node: Node) -> bool:
        return node.type == "pointer_expression" and self.text(node).startswith("*")

    def _plain_number(self, node: Node) -> int | None:
        text = self.text(node).rstrip("uUlL")
        if text.removeprefix("-").isdecimal():
            return int(text)
        return self._declarations.constant(text) if _NAME.match(text) else None

    def _add_number(self, target: Node, statement: Node, value: int | None, step: int = 0) -> None:
        scope, _ = scope_of(statement)
        known = UNKNOWN if value is None else value
        change = Change(statement.end_byte, frozenset(scope.branches), known, step)
        self.numbers.add(scope.function, self.text(target), change)

    def _add_member(self, node: Node) -> None:
        """Records the kernel with which a constructor initialises a member: `kernel_(program, "name")`."""
        parts = node.named_children
        if len(parts) == 2 and parts[1].type in ("argument_list", "initializer_list"):
            found = self._declarations.variable(self.text(parts[0]), 0)
            if found is not None and _KERNEL_TYPE.match(normalized_type(found[0].name)):
                self._everywhere[self.text(parts[0])].append(self._named_kernel(parts[1]))

    def _add_address(self, target: Node, node: Node) -> None:
        """Records that a variable's address is passed to a function that may set the variable."""
        parent = node.parent
        call = None if parent is None else parent.parent
        if parent is None or call is None or call.type != "call_expression":
            return
        name = self.function_name(call)
        if re.search(r"SetKernelArg|setArg|set_?kernel_?arg|enqueue", name, re.IGNORECASE):
            return
        scope, _ = scope_of(node)
        change = Change(call.end_byte, frozenset(scope.branches), UNKNOWN)
        if target.type == "identifier":
            self.numbers.add(scope.function, self.text(target), change)
        if target.type in _OBJECT_NODES:
            key = self.key(target)
            if self._kernels.changes(scope.function, key) or last_name(key) in self._everywhere:
                kernel = self._named_kernel_of_call(call)
                self._add_kernel(target, call, kernel, is_null=False)

    def _named_kernel_of_call(self, call: Node) -> NamedKernel | None:
        arguments = field(call, "arguments")
        if arguments is None or not CREATING_FUNCTION.match(self.function_name(call)):
            return None
        return self._named_kernel(arguments)

    def function_name(self, call: Node) -> str:
        """Returns the unqualified name of the called function."""
        function = field(call, "function")
        if function is None:
            return ""
        if function.type == "field_expression":
            function = field(function, "field") or function
        if function.type == "template_function":
            function = field(function, "name") or function
        return re.split(r"::|->|\.", self.text(function))[-1].strip()

    def _add_kernel(
        self, target: Node, statement: Node, kernel: NamedKernel | None, *, is_null: bool
    ) -> None:
        key = self.key(target)
        scope, _ = scope_of(statement)
        known = UNKNOWN if kernel is None else kernel
        self._kernels.add(scope.function, key, Change(statement.end_byte, frozenset(scope.branches), known))
        if not is_null and target.type == "subscript_expression":
            array = field(target, "argument") or target
            self._arrays[last_name(self.key(array))].append(kernel)
        if not is_null:
            base = target
            if target.type == "subscript_expression" and not self._is_constant_subscript(target):
                base = field(target, "argument") or target
            if base.type != "identifier" or not self._declarations.is_local(self.text(base), base.start_byte):
                key = self.key(base)
                self._everywhere[last_name(key)].append(kernel)
                self._paths[last_name(key)].add(path_of(key))

    def _is_constant_subscript(self, node: Node) -> bool:
        key = self.key(node)
        index = key[key.rfind("[") + 1 : -1]
        return index.isdecimal() or self._declarations.constant(index.rsplit("::", 1)[-1]) is not None

    def key(self, node: Node) -> str:
        """Returns the expression that denotes a kernel object, as written but without blanks and `this->`."""
        return re.sub(r"\s+", "", self.text(node)).removeprefix("this->").removeprefix("::")

    def made_kernel(self, node: Node, declared_type: Node | None = None) -> NamedKernel | None:
        """Returns the kernel that an expression creates or holds; None if there is none or it is unknown.

        If the expression initialises a variable, `declared_type` is the type in the variable's declaration.
        """
        for _ in range(5):
            if node.type == "parenthesized_expression" and node.named_child_count == 1:
                node = node.named_children[0]
            elif node.type == "new_expression":
                made, arguments = field(node, "type"), field(node, "arguments")
                if made is None or arguments is None or not self._is_kernel_class(self.text(made)):
                    return None
                return self._named_kernel(arguments)
            else:
                break
        if node.type in ("argument_list", "initializer_list"):
            if declared_type is None or not self._is_kernel_class(self.text(declared_type)):
                return None
            return self._named_kernel(node)
        if node.type == "compound_literal_expression":
            made, value = field(node, "type"), field(node, "value")
            is_kernel = made is not None and value is not None and self._is_kernel_class(self.text(made))
            return self._named_kernel(value) if is_kernel and value is not None else None
        if node.type in _OBJECT_NODES:
            found = self._kernels.last_before(node, self.key(node))
            return found
        if node.type != "call_expression":
            return None
        arguments, function = field(node, "arguments"), field(node, "function")
        if arguments is None or function is None:
            return None
        is_creating = CREATING_FUNCTION.match(self.function_name(node)) or self._is_kernel_class(
            self.text(function)
        )
        return self._named_kernel(arguments) if is_creating else None

    @staticmethod
    def _is_kernel_class(written: str) -> bool:
        name = normalized_type(written)
        return _KERNEL_TYPE.match(name) is not None or FUNCTOR_TYPE.match(name) is not None

    def _named_kernel(self, arguments: Node) -> NamedKernel | None:
        """Returns the kernel that the arguments of a creating call name; None if that is unknown.

        The name is the only string literal after the first argument. Without a string literal, it is the
        value of the second argument if that is a string constant. If the first argument is itself a call that
        creates a kernel, the result is the kernel of that call.
        """
        nested = self._nested_kernel(arguments)
        if nested is not None:
            return nested
        given = operands(arguments)
        literals = [each for each in given if each.type in ("string_literal", "raw_string_literal")]
        if len(literals) == 1 and literals[0] != given[0]:
            return self.mention(literals[0].start_byte)
        if literals or len(given) < 2 or given[1].type != "identifier":
            return None
        at = self._declarations.string_constant(self.text(given[1]))
        return None if at is None else self.mention(at)

    def _nested_kernel(self, arguments: Node) -> NamedKernel | None:
        given = operands(arguments)
        return self.made_kernel(given[0]) if given and given[0].type == "call_expression" else None

    def mention(self, start: int) -> NamedKernel | None:
        """Returns the kernel that the string literal at offset `start` names; None if it names none."""
        if start in self.mentions:
            return self.mentions[start]
        value = read_c_literal(self._tree.data, start)
        name = "" if value is None else value.data.decode("utf-8", "replace")
        if value is None or not _NAME.match(name):
            return None
        span = HostSpan(value.literals[0].content_start, value.literals[0].content_end)
        made = self.mentions[start] = NamedKernel(name, span)
        return made

    def kernel_of(self, node: Node) -> NamedKernel | None:
        """Returns the kernel that an expression denotes where it is used; None if that is unknown."""
        made = self.made_kernel(node)
        if made is not None or node.type == "call_expression":
            return made
        key = self.key(node)
        scope, _ = scope_of(node)
        if node.type == "subscript_expression":
            array = field(node, "argument")
            found = self._arrays.get("" if array is None else last_name(self.key(array)), [])
            if len({None if each is None else each.name for each in found}) == 1:
                return found[0]
        if self._kernels.changes(scope.function, key):
            return None
        if node.type == "identifier" and (passed := self._passed_kernel(node, scope.function)) is not None:
            return passed
        base = re.split(r"->|\.|\[", key)[0]
        if key == base.lstrip("*") and self._declarations.is_local(base, node.start_byte):
            return None
        if node.type == "subscript_expression":
            if not self._is_constant_subscript(node) or self._declarations.is_local(base, node.start_byte):
                return None
            array = field(node, "argument")
            if array is not None and self._everywhere.get(last_name(self.key(array))):
                return None
        if is_other_member(key, self._paths.get(last_name(key), ()), self._everywhere):
            return None
        found = self._everywhere.get(last_name(key), [])
        names = {None if each is None else each.name for each in found}
        return found[0] if len(names) == 1 else None

    def _passed_kernel(self, node: Node, function: int) -> NamedKernel | None:
        """Returns the kernel that all calls of a function in this file pass for one of its parameters.

        `function` is the offset of the function, and `node` is a use of the parameter. Returns None if the
        calls pass different kernels, or if a passed kernel is unknown.
        """
        position = self._declarations.parameter_position(self.text(node), function)
        if position is None or self._depth >= _MAXIMUM_PASSED:
            return None
        name, index = position
        if self._calls is None:
            self._calls = defaultdict(list)
            for call in self._tree.captures("(call_expression) @call").get("call", ()):
                self._calls[self.function_name(call)].append(call)
        self._depth += 1
        try:
            found: list[NamedKernel | None] = []
            for call in self._calls.get(name, ()):
                arguments = field(call, "arguments")
                given = [] if arguments is None else operands(arguments)
                found.append(self.kernel_of(given[index]) if index < len(given) else None)
            names = {None if each is None else each.name for each in found}
            return found[0] if len(names) == 1 else None
        finally:
            self._depth -= 1

    def holder(self, node: Node) -> str:
        """Returns the identifier of a kernel object within the file.

        It is the object's expression (`key`); for a local variable, the offset of its function precedes it.
        """
        scope, _ = scope_of(node)
        key = self.key(node)
        is_local = self._declarations.is_local(re.split(r"->|\.|\[", key)[0].lstrip("*"), node.start_byte)
        return f"{scope.function}:{key}" if is_local else key

    def escapes(self, holder: str, occurrences: Sequence[Node]) -> bool:
        """Whether one of `occurrences` may pass the kernel object `holder` to other code.

        `occurrences` are the nodes with the object's name. For a local variable, those in other functions are
        skipped.
        """
        function = holder.rpartition(":")[0]
        for node in occurrences:
            scope, _ = scope_of(node)
            if function and str(scope.function) != function:
                continue
            if not self._is_plain_use(node):
                return True
        return False

    def _is_plain_use(self, node: Node) -> bool:
        """Whether a use of a kernel object does not pass the object to other code.

        Such uses are a declaration, an assignment to the object, a test and an OpenCL API call.
        """
        outer = node
        parent = node.parent
        while parent is not None and parent.type in (
            "field_expression",
            "subscript_expression",
            "parenthesized_expression",
        ):
            if parent.type == "field_expression" and field(parent, "argument") == outer:
                method = field(parent, "field")
                call = parent.parent
                if call is not None and call.type == "call_expression" and method is not None:
                    return self.text(method) in (
                        "setArg",
                        "set_arg",
                        "getWorkGroupInfo",
                        "getInfo",
                        "set_args",
                    )
            outer, parent = parent, parent.parent
        if parent is None:
            return False
        if parent.type == "argument_list" and parent.parent is not None:
            return _NOT_ESCAPING.match(self.function_name(parent.parent)) is not None
        if parent.type == "assignment_expression":
            return field(parent, "left") == outer
        if parent.type == "field_initializer":
            return parent.named_child(0) == outer
        return parent.type in (
            "init_declarator",
            "declaration",
            "binary_expression",
            "unary_expression",
            "if_statement",
            "condition_clause",
        )
