"""The programs that pyopencl generates for `ElementwiseKernel`, `ReductionKernel` and `GenericScanKernel`.

The text is close to that of pyopencl 2024 (`pyopencl/elementwise.py`, `reduction.py`, `scan.py`): the strings
that the caller gives are in the same places, after the same declarations. A type that the host computes is a
hole (unknown text).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from openclsp.host_code.host_tree import field, operands
from openclsp.host_code.python_strings import PythonStrings
from openclsp.host_code.string_value import StringValue, added, hole, join_values, slice_of

_CALLS: Final = "(call) @call"
_BUILDERS: Final = {
    b"ElementwiseKernel": ("context", "arguments", "operation", "name", "options"),
    b"ReductionKernel": (
        "ctx",
        "dtype_out",
        "neutral",
        "reduce_expr",
        "map_expr",
        "arguments",
        "name",
        "options",
        "preamble",
    ),
    b"GenericScanKernel": (
        "ctx",
        "dtype",
        "arguments",
        "input_expr",
        "scan_expr",
        "neutral",
        "output_statement",
        "is_segment_start_expr",
        "input_fetch_exprs",
        "index_dtype",
        "name_prefix",
        "options",
        "preamble",
    ),
}
"""The parameters of each builder, in the order of its positional arguments"""
_ADDRESS_SPACE: Final = re.compile(rb"\b(?:__)?(?:global|local|constant|private)\b|\bimage\dd_")
_GLOBAL: Final = b"__global"
MAXIMUM_CALLS: Final = 1_000
_LOOP: Final = b"for (long i = get_global_id(0); i < n; i += get_global_size(0)) {\n"


def find_built_programs(strings: PythonStrings) -> Iterator[StringValue]:
    """Yields the programs that calls of kernel builders generate.

    A call is skipped if the strings with its code cannot be read.
    """
    if not any(name in strings.tree.data for name in _BUILDERS):
        return
    for call in strings.tree.captures(_CALLS).get("call", ())[:MAXIMUM_CALLS]:
        function = field(call, "function")
        name = b"" if function is None else strings.tree.text(function).rsplit(b".", 1)[-1]
        parameters = _BUILDERS.get(name)
        if parameters is None:
            continue
        program = _Builder(strings, call, parameters)
        value = {
            b"ElementwiseKernel": program.elementwise,
            b"ReductionKernel": program.reduction,
            b"GenericScanKernel": program.scan,
        }[name]()
        if value is not None and value.literals:
            yield value


class _Builder:
    """A call of a kernel builder, from which the program is generated."""

    def __init__(self, strings: PythonStrings, call: Node, parameters: tuple[str, ...]) -> None:
        self._strings, self._start = strings, call.start_byte
        self._given: dict[str, Node] = {}
        arguments = field(call, "arguments")
        position = 0
        for child in () if arguments is None else operands(arguments):
            if child.type == "keyword_argument":
                name, value = field(child, "name"), field(child, "value")
                if name is not None and value is not None:
                    self._given[strings.tree.text(name).decode("ascii", "replace")] = value
            else:
                if position < len(parameters):
                    self._given[parameters[position]] = child
                position += 1

    def elementwise(self) -> StringValue | None:
        """Returns the kernel of `ElementwiseKernel`, which executes a statement for each element.

        Returns None if an argument that it needs cannot be read.
        """
        operation, arguments = self._text("operation"), self._arguments()
        if operation is None or arguments is None:
            return None
        return join_values(
            (
                self._preamble(),
                self._added(b"\n#define PYOPENCL_ELWISE_CONTINUE continue\n__kernel void elementwise("),
                arguments,
                self._added(b", long n) {\n" + _LOOP),
                operation,
                self._added(b";\n}\n}\n"),
            )
        )

    def reduction(self) -> StringValue | None:
        """Returns the kernel of `ReductionKernel`, which maps each element and combines two results, `a` and `b`.

        Returns None if an argument that it needs cannot be read.
        """
        reduce, arguments = self._text("reduce_expr"), self._arguments()
        if reduce is None or arguments is None:
            return None
        mapped = self._text("map_expr")
        return join_values(
            (
                self._preamble(),
                self._added(b"\n__kernel void reduction("),
                arguments,
                self._added(b", long n) {\n" + _LOOP),
                self._unknown("dtype_out"),
                self._added(b" a = ("),
                mapped if mapped is not None else self._unknown("map_expr"),
                self._added(b");\n"),
                self._unknown("dtype_out"),
                self._added(b" b = ("),
                self._expression("neutral"),
                self._added(b");\na = ("),
                reduce,
                self._added(b");\n}\n}\n"),
            )
        )

    def scan(self) -> StringValue | None:
        """Returns the kernel of `GenericScanKernel`, which combines each element with its predecessors.

        A statement then uses the result. Returns None if an argument that it needs cannot be read.
        """
        scanned, arguments = self._text("scan_expr"), self._arguments()
        if scanned is None or arguments is None:
            return None
        output = self._text("output_statement")
        return join_values(
            (
                self._preamble(),
                self._added(b"\n__kernel void scan("),
                arguments,
                self._added(b", long N, bool across_seg_boundary) {\n" + _LOOP.replace(b"< n", b"< N")),
                self._unknown("dtype"),
                self._added(b" a = ("),
                self._expression("input_expr"),
                self._added(b");\n"),
                self._unknown("dtype"),
                self._added(b" b = a, item, prev_item = a, last_item = a;\nitem = ("),
                scanned,
                self._added(b");\n"),
                output if output is not None else self._unknown("output_statement"),
                self._added(b";\n}\n}\n"),
            )
        )

    def _text(self, name: str) -> StringValue | None:
        node = self._given.get(name)
        value = None if node is None else self._strings.evaluate(node)
        return value if value is not None and value.data.strip() else None

    def _expression(self, name: str) -> StringValue:
        value = self._text(name)
        return self._unknown(name) if value is None else value

    def _preamble(self) -> StringValue:
        return self._text("preamble") or self._added(b"")

    def _arguments(self) -> StringValue | None:
        """Returns the parameter list of the kernel; None if it cannot be read.

        As in `parse_c_arg` of pyopencl, `__global` is added to a pointer without an address space, and
        removed from a scalar.
        """
        value = self._text("arguments")
        if value is None:
            return None
        parts: list[StringValue] = []
        at = 0
        for written in value.data.split(b","):
            end = at + len(written)
            start = end - len(written.lstrip())
            parts.append(slice_of(value, at, start))
            if b"*" in written and _ADDRESS_SPACE.search(written) is None:
                parts.append(added(b"__global ", value.host_range(start, start)[0]))
            if b"*" not in written and (qualifier := value.data.find(_GLOBAL, start, end)) >= 0:
                parts.append(slice_of(value, start, qualifier))
                start = qualifier + len(_GLOBAL)
            parts.append(slice_of(value, start, min(end + 1, len(value.data))))
            at = end + 1
        joined = join_values(StringValue(part.data, part.pieces) for part in parts)
        return StringValue(joined.data, joined.pieces, value.literals)

    def _unknown(self, name: str) -> StringValue:
        node = self._given.get(name)
        start, end = (self._start, self._start) if node is None else (node.start_byte, node.end_byte)
        return hole(start, end, name.encode())

    def _added(self, text: bytes) -> StringValue:
        return added(text, self._start)
