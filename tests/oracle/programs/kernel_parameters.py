"""Parameters of kernels: every type in every form, and every member of a structure."""

from __future__ import annotations

from collections.abc import Iterator

from .program import SPELLED, Program, matrix

_TYPES = {
    spelled.replace(" ", "-"): spelled
    for spelled in (
        "int",
        "bool",
        "_Bool",
        "size_t",
        "ptrdiff_t",
        "intptr_t",
        "uintptr_t",
        "half",
        "half4",
        "float",
        "double",
        "double4",
        "char3",
        "long",
        "unsigned long",
        "enum E",
        "struct S",
        "union U",
        "void",
        "sampler_t",
        "image2d_t",
        "event_t",
        "clk_event_t",
        "queue_t",
        "ndrange_t",
        "reserve_id_t",
        "pipe int",
        "atomic_int",
    )
}

_BEFORE = "enum E {{ A }}; struct S {{ int a; }}; union U {{ int a; float b; }};\n"

_FORMS = {
    "value": "kernel void f({space}{type} x){{}}",
    "array": "kernel void f({space}{type} x[4]){{}}",
    "pointer": "kernel void f({space}{type} *x){{}}",
    "pointers": "kernel void f({space}{type} *{space}*x){{}}",
    "array-of-pointers": "kernel void f({space}{type} *x[2]){{}}",
    "typedef": "typedef {space}{type} T; kernel void f(T x){{}}",
    "typedef-pointer": "typedef {space}{type} *T; kernel void f(T x){{}}",
    "typedef-pointee": "typedef {type} T; kernel void f({space}T *x){{}}",
    "typedef-pointers": "typedef {space}{type} *T; kernel void f(T *x){{}}",
    "typedef-array": "typedef {space}{type} T[2]; kernel void f(T x){{}}",
}

_RECORDS = {
    "member": "struct M {{ {space}{type}x; }};\n",
    "array": "struct M {{ {space}{type}x[2]; }};\n",
    "nested": "struct I {{ int a; {space}{type}x; }}; struct M {{ struct I i; }};\n",
    "nested-array": "struct I {{ {space}{type}x; }}; struct M {{ struct I i[2]; }};\n",
    "union": "union I {{ int a; {space}{type}x; }}; struct M {{ union I i; }};\n",
    "anonymous": "struct M {{ int a; struct {{ {space}{type}x; }}; }};\n",
    "typedef": "typedef struct {{ {space}{type}x; }} I; struct M {{ I i; }};\n",
    "second": "struct M {{ global int *p; {space}{type}x; }};\n",
}

_MEMBER_SPACES = {"g": "global ", "n": ""}

_MEMBER_TYPES = {
    "int": "int ",
    "bool": "bool ",
    "size_t": "size_t ",
    "half": "half ",
    "event": "event_t ",
    "clk_event": "clk_event_t ",
    "image": "image2d_t ",
    "sampler": "sampler_t ",
    "queue": "queue_t ",
    "reserve_id": "reserve_id_t ",
    "ndrange": "ndrange_t ",
    "pipe": "pipe int ",
    "pointer": "int *",
    "size_t-pointer": "size_t *",
    "pointers": "int **",
    "void-pointer": "void *",
    "enum": "enum E ",
}

_PASSED = {
    "value": "kernel void f(struct M m){{}}",
    "pointer": "kernel void f(global struct M *m){{}}",
    "function": "void f(struct M m){{}}",
    "typedef": "typedef struct M T; kernel void f(T m){{}}",
}


def kernel_parameters() -> Iterator[Program]:
    """Yields every parameter of every type, and every structure passed in every way."""
    for form, parameter in _FORMS.items():
        yield from matrix(f"kernel-{form}", _BEFORE + parameter, space=SPELLED, type=_TYPES)
    for form, record in _RECORDS.items():
        for way, kernel in _PASSED.items():
            template = "enum E {{ A }};\n" + record + kernel
            yield from matrix(
                f"kernel-record-{form}-{way}", template, space=_MEMBER_SPACES, type=_MEMBER_TYPES
            )
