"""The functions that read and write pipes, with arguments of every kind."""

from __future__ import annotations

from collections.abc import Iterator

from .program import Program, matrix

_FUNCTIONS = {
    f"{who}{what}_{way}_pipe": f"{who}{what}_{way}_pipe"
    for who in ("", "work_group_", "sub_group_")
    for what in ("reserve", "commit")
    for way in ("read", "write")
} | {name: name for name in ("read_pipe", "write_pipe", "get_pipe_num_packets", "get_pipe_max_packets")}

_ARGUMENTS = {
    "none": "",
    "pipe": "p",
    "pipe-int": "p, 1",
    "pipe-uint": "p, 1u",
    "pipe-long": "p, 1L",
    "pipe-float": "p, 1.0f",
    "pipe-reserve": "p, i",
    "pipe-address": "p, &x",
    "pipe-pointer": "p, y",
    "pipe-const": "p, c",
    "pipe-global": "p, g",
    "pipe-local": "p, l",
    "pipe-constant": "p, k",
    "pipe-array": "p, a",
    "pipe-unsigned": "p, u",
    "pipe-other": "p, o",
    "pipe-void": "p, v",
    "pipe-null": "p, 0",
    "pipe-value": "p, x",
    "pipe-pointers": "p, &y",
    "reserved": "p, i, 0, &x",
    "reserved-uint": "p, i, 0u, g",
    "reserved-float": "p, i, 1.0f, &x",
    "reserved-no-id": "p, 0, 0, &x",
    "reserved-pointer": "p, i, y, &x",
    "reserved-other": "p, i, 0, o",
    "three": "p, i, &x",
    "five": "p, i, 0, 0, &x",
    "integer": "x",
    "pointer": "y",
    "integer-address": "x, &x",
    "pointer-address": "y, &x",
}

_ACCESS = {"none": "", "read": "read_only ", "write": "write_only "}

_FRAME = (
    "void f({pipe}pipe int p, reserve_id_t i, global int *g, local int *l, constant int *k, float *o, void *v,"
    " const int *c, uint *u, int *y){{ int x; int a[4]; {function}({arguments}); }}"
)

_ELEMENTS = {
    "int": "int",
    "uint": "uint",
    "float4": "float4",
    "char": "char",
    "struct": "struct T",
    "typedef": "U",
    "bool": "bool",
    "size_t": "size_t",
    "ulong": "ulong",
}

_ELEMENT_FRAME = (
    "struct T {{ int a; }}; typedef int U;\n"
    "void f(read_only pipe {element} p, {packet} *x){{ read_pipe(p, x); }}"
)


def pipes() -> Iterator[Program]:
    """Yields every function with every list of arguments, and packets of every type for pipes of every type."""
    yield from matrix("pipe", _FRAME, pipe=_ACCESS, function=_FUNCTIONS, arguments=_ARGUMENTS)
    yield from matrix("pipe-element", _ELEMENT_FRAME, element=_ELEMENTS, packet=_ELEMENTS)
