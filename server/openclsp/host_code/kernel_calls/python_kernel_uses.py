"""Finds the kernels that Python code names through pyopencl, and the calls that use them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from tree_sitter import Node

from openclsp.host_code.host_tree import HostTree, field, operands
from openclsp.host_code.kernel_calls.kernel_uses import (
    UNKNOWN_VALUE,
    ArgumentList,
    ArgumentSet,
    HostSpan,
    KernelLaunch,
    KernelUse,
    KernelUses,
    ListedArgument,
    ListForm,
    NamedKernel,
)
from openclsp.host_code.kernel_calls.python_values import PythonValues
from openclsp.host_code.kernel_calls.variable_history import scope_of
from openclsp.host_code.kernel_names import PROGRAM_ATTRIBUTES

_CALLS: Final = "(call) @call (attribute) @attribute"
_PROGRAM: Final = re.compile(r"(?:(?:cl|pyopencl|_cl|opencl)\.)?Program\Z")
_KERNEL: Final = re.compile(r"(?:(?:cl|pyopencl|_cl|opencl)\.)?Kernel\Z")
_NAME: Final = re.compile(r"[A-Za-z_]\w*\Z")
_BEFORE_ARGUMENTS: Final = 3
"""The number of arguments before those of the kernel: the queue, the global and the local size"""
MAXIMUM_CALLS: Final = 50_000
_MAXIMUM_DEPTH: Final = 10


def find_python_kernel_uses(tree: HostTree, kernels: frozenset[str] = frozenset()) -> KernelUses:
    """Finds the kernels that a file names, and the calls that set their arguments or enqueue them.

    `kernels` are the names of variables that hold kernels without an assignment in the file, such as those
    that IPython creates for `%%cl_kernel`.
    """
    return _Finder(tree, kernels).find()


class _Finder:
    def __init__(self, tree: HostTree, kernels: frozenset[str]) -> None:
        self._tree, self._variables = tree, kernels
        self._values = PythonValues(tree)
        self._mentions: dict[int, NamedKernel] = {}
        self._argument_calls = 0

    def find(self) -> KernelUses:
        found = self._tree.captures(_CALLS)
        uses = [use for call in found.get("call", [])[:MAXIMUM_CALLS] for use in self._uses_of_call(call)]
        for node in found.get("attribute", [])[:MAXIMUM_CALLS]:
            self._kernel(node, 0)
        uses.sort(key=lambda each: each.span)
        mentions = sorted(self._mentions.values(), key=lambda each: each.span)
        return KernelUses(tuple(mentions), tuple(uses), frozenset(), self._argument_calls)

    def _uses_of_call(self, call: Node) -> Iterator[KernelUse]:
        function, arguments = field(call, "function"), field(call, "arguments")
        if function is None or arguments is None:
            return
        given = [each for each in operands(arguments) if each.type != "keyword_argument"]
        written = self._values.text(function)
        name = written.rpartition(".")[2]
        target = field(function, "object") if function.type == "attribute" else None
        if target is not None and name in ("set_args", "set_arg", "set_scalar_arg_dtypes"):
            kernel = self._kernel(target, 0)
            self._argument_calls += 1
            if kernel is not None:
                yield from self._method_call(call, kernel, name, given)
            return
        if name == "enqueue_nd_range_kernel" and len(given) >= 4:
            kernel = self._kernel(given[1], 0)
            if kernel is not None:
                yield self._launch(call, kernel, given[3])
            return
        kernel = self._kernel(function, 0)
        if kernel is None or len(given) < _BEFORE_ARGUMENTS or _has_splat(given[:_BEFORE_ARGUMENTS]):
            return
        if any(each.type == "dictionary_splat" for each in given):
            return
        self._argument_calls += 1
        yield self._list(call, kernel, ListForm.CALL, given[_BEFORE_ARGUMENTS:])
        yield self._launch(call, kernel, given[2])

    def _method_call(
        self, call: Node, kernel: NamedKernel, name: str, given: Sequence[Node]
    ) -> Iterator[KernelUse]:
        scope, _ = scope_of(call)
        if name == "set_args":
            yield self._list(call, kernel, ListForm.SET_ALL, given)
        elif name == "set_arg" and len(given) == 2:
            index, value = given
            yield ArgumentSet(
                kernel,
                f"{scope.function}:{self._values.text(call).split('.')[0]}",
                _span(call),
                scope,
                self._values.number(index),
                _span(index),
                self._values.passed(value),
                _span(value),
            )
        elif name == "set_scalar_arg_dtypes" and len(given) == 1:
            elements = self._values.sequence(given[0])
            if elements is not None:
                values = tuple(
                    ListedArgument(_span(each), self._values.number_type(each) or UNKNOWN_VALUE)
                    for each in elements
                )
                yield ArgumentList(kernel, "", _span(call), scope, ListForm.NUMBER_TYPES, values)

    def _list(self, call: Node, kernel: NamedKernel, form: ListForm, given: Sequence[Node]) -> ArgumentList:
        count = next((at for at, each in enumerate(given) if _has_splat((each,))), len(given))
        values = tuple(ListedArgument(_span(each), self._values.passed(each)) for each in given[:count])
        scope, _ = scope_of(call)
        return ArgumentList(kernel, "", _span(call), scope, form, values, count == len(given))

    def _launch(self, call: Node, kernel: NamedKernel, local: Node) -> KernelLaunch:
        elements = self._values.sequence(local) or ()
        scope, _ = scope_of(call)
        sizes = tuple(self._values.number(each) for each in elements)
        return KernelLaunch(kernel, "", _span(call), scope, sizes, _span(local))

    def _kernel(self, node: Node, depth: int) -> NamedKernel | None:
        """Returns the kernel that an expression denotes; None if there is none or it is unknown."""
        if depth > _MAXIMUM_DEPTH:
            return None
        if node.type in ("identifier", "attribute"):
            value = self._values.assigned(node)
            if value is not None:
                return self._kernel(value, depth + 1)
        if node.type == "identifier" and self._values.text(node) in self._variables:
            return self._mention(self._values.text(node), _span(node))
        if node.type == "attribute":
            target, name = field(node, "object"), field(node, "attribute")
            if target is not None and name is not None and self._is_program(target, depth):
                return self._mention(self._values.text(name), _span(name))
        if node.type != "call":
            return None
        function, arguments = field(node, "function"), field(node, "arguments")
        if function is None or arguments is None:
            return None
        given = operands(arguments)
        written = self._values.text(function)
        if len(given) >= 2 and given[1].type == "string" and (_KERNEL.match(written) or written == "getattr"):
            literal = next((each for each in given[1].named_children if each.type == "string_content"), None)
            if literal is not None and (written != "getattr" or self._is_program(given[0], depth)):
                return self._mention(self._values.text(literal), _span(literal))
        return None

    def _mention(self, name: str, span: HostSpan) -> NamedKernel | None:
        if name in PROGRAM_ATTRIBUTES or name.startswith("__") or not _NAME.match(name):
            return None
        return self._mentions.setdefault(span.start, NamedKernel(name, span))

    def _is_program(self, node: Node, depth: int) -> bool:
        """Whether the value of an expression is a pyopencl program."""
        if depth > _MAXIMUM_DEPTH:
            return False
        if node.type in ("identifier", "attribute"):
            value = self._values.assigned(node)
            return value is not None and self._is_program(value, depth + 1)
        if node.type == "parenthesized_expression" and node.named_child_count == 1:
            return self._is_program(node.named_children[0], depth + 1)
        if node.type != "call":
            return False
        function = field(node, "function")
        if function is None:
            return False
        if function.type == "attribute":
            target, name = field(function, "object"), field(function, "attribute")
            if target is not None and name is not None and self._values.text(name) == "build":
                return self._is_program(target, depth + 1)
        return _PROGRAM.match(self._values.text(function)) is not None


def _has_splat(given: Sequence[Node]) -> bool:
    return any(each.type in ("list_splat", "dictionary_splat") for each in given)


def _span(node: Node) -> HostSpan:
    return HostSpan(node.start_byte, node.end_byte)
