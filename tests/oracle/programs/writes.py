"""Writes to objects of every space."""

from __future__ import annotations

from collections.abc import Iterator

from .program import WITH_GENERIC, Program, matrices

_WRITES = {
    "write": "{S}int x = 1; void f(void){{ x = 2; }}",
    "write-array": "{S}int x[2] = {{ 1 }}; void f(void){{ x[0] = 2; }}",
    "write-member": "struct T {{ int a; }}; void f({S}struct T *x){{ x->a = 1; }}",
    "write-member-array": "struct T {{ int a[2]; }}; void f({S}struct T *x){{ x->a[1] = 1; }}",
    "write-member-pointee": "struct T {{ {D}int *a; }}; void f({S}struct T *x){{ *x->a = 1; }}",
    "write-member-pointer": "struct T {{ {D}int *a; }}; void f({S}struct T *x){{ x->a = 0; }}",
    "write-pointee": "void f({S}int *x){{ *x = 1; }}",
    "write-element": "void f({S}int *x){{ x[1] = 1; }}",
    "write-element-reversed": "void f({S}int *x){{ 1[x] = 1; }}",
    "write-offset": "void f({S}int *x){{ *(x + 1) = 1; }}",
    "write-increment": "void f({S}int *x){{ (*x)++; }}",
    "write-decrement": "void f({S}int *x){{ --x[0]; }}",
    "write-add": "void f({S}int *x){{ *x += 1; }}",
    "write-shift": "void f({S}int *x){{ *x <<= 1; }}",
    "write-pointer-increment": "void f({S}int *x){{ *x++ = 1; }}",
    "write-pointer": "void f({S}int *x){{ x = x + 1; x++; }}",
    "write-vector": "void f({S}float4 *x){{ x->x = 1; }}",
    "write-vector-element": "void f({S}float4 *x){{ x[0].xy = (float2)(1, 2); }}",
    "write-row": "void f({S}int (*x)[4]){{ x[0][1] = 1; }}",
    "write-second-level": "void f(int *{S}*x){{ *x = 0; }}",
    "write-through-second-level": "void f({D}int *{S}*x){{ **x = 0; }}",
    "write-struct": "struct T {{ int a; }}; void f({S}struct T *x, struct T t){{ *x = t; }}",
    "write-paren": "void f({S}int *x){{ (x[0]) = 1; }}",
    "write-kernel": "kernel void f(void){{ {S}int x = 1; x = 2; }}",
    "write-typedef": "typedef {S}int T; void f(T *x){{ *x = 1; }}",
    "write-const": "void f(const {S}int *x){{ *x = 1; }}",
    "write-const-behind": "void f({S}int const *x){{ *x = 1; }}",
    "write-const-pointer": "void f({S}int *const x){{ *x = 1; }}",
    "write-const-pointer-self": "void f({S}int *const x){{ x = 0; }}",
    "write-const-typedef": "typedef const {S}int T; void f(T *x){{ *x = 1; }}",
    "write-const-member": "struct T {{ const int a; }}; void f({S}struct T *x){{ x->a = 1; }}",
    "write-const-struct": "struct T {{ const int a; }}; void f({S}struct T *x, struct T t){{ *x = t; }}",
    "write-const-array": "void f(const {S}int x[4]){{ x[0] = 1; }}",
    "write-const-vector": "void f(const {S}float4 *x){{ x->x = 1; }}",
    "write-union": "union T {{ int a; float b; }}; void f({S}union T *x){{ x->b = 1; }}",
    "read-all": "int f({S}int *x){{ return *x + x[1] + *(x + 2) + *&x[3]; }}",
}


def writes() -> Iterator[Program]:
    """Yields every kind of write, and one program that only reads."""
    yield from matrices("declare", _WRITES, WITH_GENERIC)
