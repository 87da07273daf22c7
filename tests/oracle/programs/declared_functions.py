"""Parameter and result types of functions and kernels, and redeclarations."""

from __future__ import annotations

from collections.abc import Iterator

from .program import WITH_GENERIC, Program, matrices

_PARAMETERS = {
    "parameter": "void f({S}int x){{}}",
    "parameter-prototype": "void f({S}int x);",
    "parameter-unnamed": "void f({S}int);",
    "parameter-unnamed-pointer": "void f({S}int *);",
    "parameter-pointer": "void f({S}int *x){{}}",
    "parameter-pointer-top": "void f(int *{S}x){{}}",
    "parameter-pointer-both": "void f({D}int *{S}x){{}}",
    "parameter-const": "void f(const {S}int *const x){{}}",
    "parameter-array": "void f({S}int x[4]){{}}",
    "parameter-array-open": "void f({S}int x[]){{}}",
    "parameter-rows": "void f({S}int x[2][4]){{}}",
    "parameter-array-of-pointers": "void f({S}int *x[2]){{}}",
    "parameter-struct": "struct T {{ int a; }}; void f({S}struct T x){{}}",
    "parameter-vector": "void f({S}int4 x){{}}",
    "parameter-restrict": "void f({S}int *restrict x){{}}",
    "parameter-restrict-object": "void f({S}int restrict x){{}}",
    "prototype-again": "void f({D}int *x); void f({S}int *x){{}}",
    "prototype-result": "{D}int *f(void); {S}int *f(void){{ return 0; }}",
    "prototype-top": "void f({D}int *x); void f(int *{S}x){{}}",
    "prototype-kernel": "kernel void f({D}int *x); void f({S}int *x){{}}",
    "prototype-overload": "__attribute__((overloadable)) void f({D}int *x){{}}"
    " __attribute__((overloadable)) void f({S}int *x){{}}",
}

_KERNELS = {
    "kernel-parameter": "kernel void f({S}int x){{}}",
    "kernel-pointer": "kernel void f({S}int *x){{}}",
    "kernel-pointer-top": "kernel void f(global int *{S}x){{}}",
    "kernel-pointer-const": "kernel void f(const {S}int *restrict x){{}}",
    "kernel-pointer-void": "kernel void f({S}void *x){{}}",
    "kernel-pointer-struct": "struct T {{ int a; }}; kernel void f({S}struct T *x){{}}",
    "kernel-pointer-struct-pointer": "struct T {{ int *a; }}; kernel void f({S}struct T *x){{}}",
    "kernel-pointer-incomplete": "struct T; kernel void f({S}struct T *x){{}}",
    "kernel-pointer-vector": "kernel void f({S}float4 *x){{}}",
    "kernel-pointer-half": "kernel void f({S}half *x){{}}",
    "kernel-pointer-bool": "kernel void f({S}bool *x){{}}",
    "kernel-pointer-size": "kernel void f({S}size_t *x){{}}",
    "kernel-pointer-pointer": "kernel void f({D}int *{S}*x){{}}",
    "kernel-pointer-pointer-pointer": "kernel void f(global int *{D}*{S}*x){{}}",
    "kernel-pointer-void-pointer": "kernel void f({D}void *{S}*x){{}}",
    "kernel-array": "kernel void f({S}int x[4]){{}}",
    "kernel-array-open": "kernel void f({S}int x[]){{}}",
    "kernel-array-rows": "kernel void f({S}int x[2][4]){{}}",
    "kernel-array-pointers": "kernel void f({D}int *{S}x[4]){{}}",
    "kernel-row-pointer": "kernel void f({S}int (*x)[4]){{}}",
    "kernel-prototype": "kernel void f({S}int *x);",
    "kernel-prototype-unnamed": "kernel void f({S}int *);",
    "kernel-struct-value": "struct T {{ {S}int *a; }}; kernel void f(struct T x){{}}",
    "kernel-struct-nested": "struct I {{ {S}int *a; }}; struct T {{ struct I i; }}; kernel void f(struct T x){{}}",
    "kernel-struct-array": "struct T {{ {S}int *a[2]; }}; kernel void f(struct T x){{}}",
    "kernel-struct-in-global": "struct T {{ {S}int *a; }}; kernel void f(global struct T *x){{}}",
    "kernel-union-value": "union T {{ {S}int *a; int b; }}; kernel void f(union T x){{}}",
}

_RESULTS = {
    "result": "{S}int f(void);",
    "result-definition": "{S}int f(void){{ return 1; }}",
    "result-pointer": "{S}int *f(void);",
    "result-pointer-top": "int *{S}f(void);",
    "result-pointer-both": "{D}int *{S}f(void);",
    "result-pointer-definition": "{D}int *{S}f(void){{ return 0; }}",
    "result-void": "{S}void f(void){{}}",
    "result-struct": "struct T {{ int a; }}; {S}struct T f(void);",
    "result-kernel": "kernel {S}int *f(void){{ return 0; }}",
}


def declared_functions() -> Iterator[Program]:
    """Yields every parameter and result of this module in every space."""
    yield from matrices("declare", _PARAMETERS | _KERNELS | _RESULTS, WITH_GENERIC)
