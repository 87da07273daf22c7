"""Opaque types in every place where a type can be written."""

from __future__ import annotations

from collections.abc import Iterator

from .opaque_types import EACH
from .program import SPELLED, Program, matrices

_STORAGE = {"none": "", "static": "static ", "extern": "extern ", "const": "const ", "volatile": "volatile "}
_VALUE = {"bare": "", "0": " = 0"}

_SCOPES = {
    "program": "{storage}{space}{type} x{value};",
    "function": "void f(int n){{ {storage}{space}{type} x{value}; }}",
    "kernel": "kernel void f(int n){{ {storage}{space}{type} x{value}; }}",
    "kernel-inner": "kernel void f(int n){{ {{ {storage}{space}{type} x{value}; }} }}",
}

_IN_PLACE = {
    "parameter": "void f({space}{type} x){{}}",
    "parameter-const": "void f(const {space}{type} x){{}}",
    "parameter-volatile": "void f(volatile {space}{type} x){{}}",
    "parameter-restrict": "void f({space}{type} restrict x){{}}",
    "prototype": "void f({space}{type});",
    "kernel-parameter": "kernel void f({space}{type} x){{}}",
    "kernel-parameter-const": "kernel void f(const {space}{type} x){{}}",
    "parameter-array": "void f({space}{type} x[2]){{}}",
    "parameter-array-open": "void f({space}{type} x[]){{}}",
    "kernel-parameter-array": "kernel void f({space}{type} x[2]){{}}",
    "parameter-pointer": "void f({space}{type} *x){{}}",
    "parameter-pointers": "void f({space}{type} **x){{}}",
    "parameter-const-pointer": "void f(const {space}{type} *x){{}}",
    "parameter-array-of-pointers": "void f({space}{type} *x[2]){{}}",
    "kernel-parameter-pointer": "kernel void f({space}{type} *x){{}}",
    "kernel-parameter-pointers": "kernel void f(global {type} *{space}*x){{}}",
    "member": "struct T {{ {space}{type} x; }};",
    "member-union": "union T {{ {space}{type} x; int y; }};",
    "member-array": "struct T {{ {space}{type} x[2]; }};",
    "member-pointer": "struct T {{ {space}{type} *x; }};",
    "member-inner": "void f(void){{ struct T {{ int a; {space}{type} x; }}; }}",
    "result": "{space}{type} f(void);",
    "result-pointer": "{space}{type} *f(void);",
    "typedef": "typedef {space}{type} T;",
    "typedef-pointer": "typedef {space}{type} *T;",
    "typedef-array": "typedef {space}{type} T[2];",
    "typedef-program": "typedef {space}{type} T; T x;",
    "typedef-function": "typedef {space}{type} T; void f(void){{ T x; }}",
    "typedef-kernel": "typedef {space}{type} T; kernel void f(void){{ T x; }}",
    "typedef-parameter": "typedef {space}{type} T; void f(T x){{}}",
    "typedef-parameter-pointer": "typedef {space}{type} T; void f(T *x){{}}",
    "typedef-kernel-parameter": "typedef {space}{type} T; kernel void f(T x){{}}",
    "typedef-member": "typedef {space}{type} T; struct U {{ T x; }};",
    "typedef-array-object": "typedef {space}{type} T; void f(void){{ T x[2]; }}",
    "typedef-result": "typedef {space}{type} T; T f(void);",
    "cast": "void f(void){{ (void)({space}{type})0; }}",
    "cast-pointer": "void f(void){{ (void)({space}{type} *)0; }}",
    "cast-pointers": "void f(void){{ (void)({space}{type} **)0; }}",
    "sizeof": "int f(void){{ return sizeof({space}{type}); }}",
    "sizeof-pointer": "int f(void){{ return sizeof({space}{type} *); }}",
    "sizeof-array": "int f(void){{ return sizeof({space}{type}[2]); }}",
    "literal": "void f(void){{ (void)(({space}{type}){{ 0 }}); }}",
    "array": "void f(void){{ {space}{type} x[2]; }}",
    "array-kernel": "kernel void f(void){{ {space}{type} x[2]; }}",
    "array-program": "{space}{type} x[2];",
    "array-const-program": "const {space}{type} x[2] = {{ 0, 0 }};",
    "array-valued": "kernel void f(void){{ {space}{type} x[2] = {{ 0, 0 }}; }}",
    "array-rows": "kernel void f(void){{ {space}{type} x[2][2]; }}",
    "pointer": "void f(void){{ {space}{type} *x; }}",
    "pointer-kernel": "kernel void f(void){{ {space}{type} *x; }}",
    "pointer-program": "{space}{type} *x;",
    "pointer-constant-program": "{space}{type} *constant x = 0;",
    "pointer-array": "void f(void){{ {space}{type} *x[2]; }}",
    "function-pointer": "void f(void (*g)({space}{type})){{}}",
    "struct-parameter": "struct T {{ {space}{type} x; }}; kernel void f(struct T x){{}}",
    "struct-pointer-parameter": "struct T {{ {space}{type} x; }}; kernel void f(global struct T *x){{}}",
}


def opaque_places() -> Iterator[Program]:
    """Yields variables of opaque types in every scope, and all other places, each in every space."""
    yield from matrices("opaque", _SCOPES, storage=_STORAGE, space=SPELLED, type=EACH, value=_VALUE)
    yield from matrices("opaque", _IN_PLACE, space=SPELLED, type=EACH)
