"""Finds the kernels that C and C++ code names, and the calls that set their arguments or enqueue them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from tree_sitter import Node

from openclsp.host_code.host_tree import HostTree, field, operands
from openclsp.host_code.kernel_calls.c_declarations import CDeclarations, DeclaredType
from openclsp.host_code.kernel_calls.c_kernel_objects import FUNCTOR_TYPE, CKernelObjects
from openclsp.host_code.kernel_calls.c_types import normalized_type
from openclsp.host_code.kernel_calls.c_values import CValues
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
    PassedKind,
    PassedValue,
)
from openclsp.host_code.kernel_calls.variable_history import scope_of
from openclsp.host_code.kernel_names import CREATING_FUNCTION

_CALLS: Final = "(call_expression) @call"
_FUNCTORS: Final = "(declaration) @declaration"
_SETTING: Final = re.compile(r"(?:.*_)?(?:clSetKernelArg|set_?kernel_?arg)\Z", re.IGNORECASE)
_SETTING_SHARED: Final = "clSetKernelArgSVMPointer"
_ENQUEUING: Final = re.compile(r"(?:.*_)?clEnqueueNDRangeKernel\Z")
_ENQUEUING_TASK: Final = re.compile(r"(?:.*_)?clEnqueueTask\Z")
_SET_METHODS: Final = frozenset(("setArg", "set_arg"))
_LAUNCHING: Final = frozenset(
    ("enqueueTask", "enqueue_task", "enqueue_1d_range_kernel", "enqueue_nd_range_kernel")
)
"""Methods of queues whose first argument is a kernel, and whose work-group sizes are not read"""
_RANGE: Final = re.compile(r"(?:cl\s*::\s*)?NDRange\Z")
MAXIMUM_CALLS: Final = 50_000
_MAXIMUM_TYPES: Final = 200


def find_c_kernel_uses(tree: HostTree) -> KernelUses:
    """Finds the kernels that a file names, and the calls that set their arguments or enqueue them."""
    return _Finder(tree).find()


class _Finder:
    def __init__(self, tree: HostTree) -> None:
        self._tree = tree
        self._declarations = CDeclarations(tree)
        self._objects = CKernelObjects(tree, self._declarations)
        self._values = CValues(tree, self._declarations, self._objects.numbers)
        self._argument_calls = 0
        self._unknown_holders: set[str] = set()
        self._holders: dict[str, Node] = {}

    def find(self) -> KernelUses:
        calls = self._tree.captures(_CALLS).get("call", [])[:MAXIMUM_CALLS]
        uses = [use for call in calls for use in self._uses_of_call(call)]
        uses += self._functor_declarations()
        uses.sort(key=lambda each: each.span)
        mentions = {each.kernel for each in uses} | set(self._objects.mentions.values())
        return KernelUses(
            tuple(sorted(mentions, key=lambda each: each.span)),
            tuple(uses),
            frozenset(self._closed_holders()),
            self._argument_calls,
        )

    def _uses_of_call(self, call: Node) -> Iterator[KernelUse]:
        function, arguments = field(call, "function"), field(call, "arguments")
        if function is None or arguments is None:
            return
        given = operands(arguments)
        name = self._objects.function_name(call)
        if function.type == "field_expression" and name in _SET_METHODS:
            yield from self._method_call(call, function, given)
        elif _SETTING.match(name) and len(given) >= 4:
            kernel, index, size, value = given[-4:]
            passed = self._values.passed_by_address(size, value)
            yield from self._set(call, kernel, index, passed, HostSpan(size.start_byte, value.end_byte))
        elif name == _SETTING_SHARED and len(given) == 3:
            span = HostSpan(given[2].start_byte, given[2].end_byte)
            yield from self._set(call, given[0], given[1], PassedValue(PassedKind.SHARED), span)
        elif _ENQUEUING.match(name) and len(given) >= 9:
            own = given[-9:]
            yield from self._launch(call, own[1], self._work_group(own[2], own[5]), own[5])
        elif _ENQUEUING_TASK.match(name) and len(given) >= 5:
            yield from self._launch(call, given[-4], (), given[-4])
        elif name == "enqueueNDRangeKernel" and len(given) >= 3:
            local = given[3] if len(given) > 3 else given[0]
            yield from self._launch(call, given[0], self._range(local), local)
        elif name in _LAUNCHING and given:
            yield from self._launch(call, given[0], (), given[0])
        elif CREATING_FUNCTION.match(name):
            self._objects.made_kernel(call)
        elif self._objects.made_kernel(call) is not None and (
            match := FUNCTOR_TYPE.match(self._text(function))
        ):
            yield from self._functor(call, self._objects.made_kernel(call), match["types"], call)

    def _text(self, node: Node) -> str:
        return normalized_type(self._objects.text(node))

    def _method_call(self, call: Node, function: Node, given: Sequence[Node]) -> Iterator[KernelUse]:
        """Yields the use in `kernel.setArg(index, value)` or `kernel.setArg(index, size, pointer)`."""
        kernel = field(function, "argument")
        if kernel is None or len(given) not in (2, 3):
            return
        if len(given) == 2:
            passed = self._values.passed_by_value(given[1])
        else:
            passed = self._values.passed_by_address(given[1], given[2])
        span = HostSpan(given[1].start_byte, given[-1].end_byte)
        yield from self._set(call, kernel, given[0], passed, span)

    def _set(
        self, call: Node, kernel: Node, index: Node, value: PassedValue, span: HostSpan
    ) -> Iterator[KernelUse]:
        self._argument_calls += 1
        mention = self._kernel(kernel)
        if mention is None:
            return
        scope, _ = scope_of(call)
        yield ArgumentSet(
            mention,
            self._objects.holder(kernel),
            HostSpan(call.start_byte, call.end_byte),
            scope,
            self._values.number(index),
            HostSpan(index.start_byte, index.end_byte),
            value,
            span,
        )

    def _launch(
        self, call: Node, kernel: Node, group: tuple[int | None, ...], local: Node
    ) -> Iterator[KernelUse]:
        mention = self._kernel(kernel)
        if mention is None:
            return
        scope, _ = scope_of(call)
        yield KernelLaunch(
            mention,
            self._objects.holder(kernel),
            HostSpan(call.start_byte, call.end_byte),
            scope,
            group,
            HostSpan(local.start_byte, local.end_byte),
        )

    def _kernel(self, node: Node) -> NamedKernel | None:
        """Returns the kernel of the kernel object `node`; None if it is unknown.

        Adds the object to `_holders` or, if its kernel is unknown, to `_unknown_holders`.
        """
        found = self._objects.kernel_of(node)
        holder = self._objects.holder(node)
        if found is None:
            self._unknown_holders.add(holder)
        else:
            self._holders[holder] = node
        return found

    def _work_group(self, dimensions: Node, local: Node) -> tuple[int | None, ...]:
        """Returns the work-group size in a call of `clEnqueueNDRangeKernel`; empty if it is unknown.

        The size in one dimension is None if it is not a known constant.
        """
        count = self._values.number(dimensions)
        if count is None or not 1 <= count <= 3:
            return ()
        if local.type == "pointer_expression" and (target := field(local, "argument")) is not None:
            return (self._values.number(target),) if count == 1 and target.type == "identifier" else ()
        if local.type != "identifier":
            return ()
        return self._array(local)[:count]

    def _array(self, node: Node) -> tuple[int | None, ...]:
        """Returns the elements of an array variable, as its initialiser gives them.

        An element is None if it is not a known constant. The result is empty if the variable has no
        initialiser list, or if an assignment changes an element.
        """
        name = self._objects.text(node)
        scope, _ = scope_of(node)
        found: list[Node] = []
        for declarator in self._arrays.get(name, ()):
            own, _ = scope_of(declarator)
            if own.function == scope.function and declarator.start_byte < node.start_byte:
                found.append(declarator)
        if len(found) != 1 or (scope.function, name) in self._changed_arrays:
            return ()
        value = field(found[0], "value")
        if value is None or value.type != "initializer_list":
            return ()
        return tuple(self._values.number(each) for each in operands(value))

    @property
    def _arrays(self) -> dict[str, list[Node]]:
        if self._array_declarators is None:
            self._array_declarators = defaultdict(list)
            for node in self._tree.captures("(init_declarator (array_declarator)) @array").get("array", ()):
                name = self._declarations.read_declarator(node, "")[0]
                self._array_declarators[name].append(node)
        return self._array_declarators

    _array_declarators: dict[str, list[Node]] | None = None

    @property
    def _changed_arrays(self) -> set[tuple[int, str]]:
        if self._changed is None:
            self._changed = set()
            query = "(assignment_expression left: (subscript_expression argument: (identifier) @name))"
            for node in self._tree.captures(query).get("name", ()):
                self._changed.add((scope_of(node)[0].function, self._objects.text(node)))
        return self._changed

    _changed: set[tuple[int, str]] | None = None

    def _range(self, node: Node) -> tuple[int | None, ...]:
        """Returns the sizes in an expression such as `cl::NDRange(16, 16)`; empty for any other expression.

        A size is None if it is not a known constant.
        """
        arguments, function = field(node, "arguments"), field(node, "function")
        if node.type != "call_expression" or arguments is None or function is None:
            return ()
        if not _RANGE.match(self._objects.text(function)):
            return ()
        return tuple(self._values.number(each) for each in operands(arguments))

    def _functor_declarations(self) -> Iterator[KernelUse]:
        """Yields the uses in declarations such as `cl::make_kernel<types> name(program, "kernel")`."""
        for node in self._tree.captures(_FUNCTORS).get("declaration", ()):
            written = field(node, "type")
            match = None if written is None else FUNCTOR_TYPE.match(self._text(written))
            if written is None or match is None:
                continue
            for declarator in node.children_by_field_name("declarator"):
                value = field(declarator, "value")
                if value is not None and value.type in ("argument_list", "initializer_list"):
                    kernel = self._objects.made_kernel(value, written)
                    yield from self._functor(declarator, kernel, match["types"], written)

    def _functor(
        self, node: Node, kernel: NamedKernel | None, types: str, written: Node
    ) -> Iterator[KernelUse]:
        names = split_types(types)
        if kernel is None or not names or len(names) > _MAXIMUM_TYPES:
            return
        self._argument_calls += 1
        span = HostSpan(written.start_byte, written.end_byte)
        scope, _ = scope_of(node)
        values = tuple(ListedArgument(span, self._type_value(each)) for each in names)
        whole = not any("..." in each for each in names)
        yield ArgumentList(kernel, f"functor:{node.start_byte}", span, scope, ListForm.FUNCTOR, values, whole)

    def _type_value(self, written: str) -> PassedValue:
        if "*" in written:
            return UNKNOWN_VALUE
        return self._declarations.value_of(DeclaredType(written.rstrip("& ")))

    def _closed_holders(self) -> Iterator[str]:
        """Yields the identifiers (`holder`) of the kernel objects whose uses are all known.

        These are the objects whose kernel is known and which the file passes to no other code.
        """
        if not self._holders:
            return
        names: dict[str, list[Node]] = defaultdict(list)
        wanted = {_last(self._objects.text(node)) for node in self._holders.values()}
        for node in self._tree.captures("[(identifier) (field_identifier)] @name").get("name", ()):
            text = self._objects.text(node)
            if text in wanted:
                names[text].append(node)
        for holder, node in self._holders.items():
            if holder in self._unknown_holders or node.type == "call_expression":
                continue
            if not self._objects.escapes(holder, names[_last(self._objects.text(node))]):
                yield holder


def _last(text: str) -> str:
    """Returns the variable or member that an expression names: `k` for `this->k[0]`."""
    text = text.strip()
    if text.endswith("]"):
        text = text[: text.rfind("[")]
    return re.split(r"->|\.|::", text)[-1].strip("* ()")


def split_types(written: str) -> list[str]:
    """Splits a template argument list at its outermost commas, and returns the arguments."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(written):
        if character in "<(":
            depth += 1
        elif character in ">)":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(written[start:at].strip())
            start = at + 1
    rest = written[start:].strip()
    return [*parts, rest] if rest else parts
