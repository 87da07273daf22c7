"""Initialisers of variables, and constant expressions that refer to initialised variables."""

from __future__ import annotations

from collections.abc import Iterator

from .program import WITH_GENERIC, Program, matrices

_INITIALISERS = {
    "constant-address": "{D}int a = 1; {S}int *constant b = &a;",
    "constant-address-global": "{D}int a = 1; {S}int *global b = &a;",
    "constant-address-array": "{D}int a[2] = {{ 1 }}; {S}int *constant b = a + 1;",
    "constant-copy": "{D}int a = 1; {S}int b = a;",
    "constant-copy-kernel": "{D}int a = 1; kernel void f(void){{ {S}int b = a; }}",
    "constant-kernel-address": "{D}int a = 1; kernel void f(void){{ {S}int *constant b = &a; }}",
    "static-init": "void f(int n){{ static {S}int x = n; }}",
    "static-init-sum": "void f(int n){{ static {S}int x = 1 + 2; }}",
    "global-init-call": "int h(void); {S}int x = h();",
    "kernel-init-parameter": "kernel void f(int n){{ {S}int x = n; }}",
    "kernel-init-array": "kernel void f(int n){{ {S}int x[2] = {{ 1, n }}; }}",
    "kernel-init-struct": "struct T {{ int a; }}; kernel void f(int n){{ {S}struct T x = {{ n }}; }}",
    "kernel-init-pointer": "kernel void f({D}int *n){{ int *{S}x = n; }}",
    "kernel-init-sizeof": "kernel void f(int n){{ {S}int x = sizeof(n); }}",
    "kernel-init-vector": "kernel void f(void){{ {S}int4 x = (int4)(1, 2, 3, 4); }}",
    "kernel-init-cast": "kernel void f(void){{ {S}float x = (float)1; }}",
}

_BOUNDS = {
    "bound": "{S}int n = 4; void f(void){{ int a[n]; }}",
    "bound-const": "const {S}int n = 4; void f(void){{ int a[n]; }}",
    "bound-kernel": "kernel void f(void){{ {S}int n = 4; int a[n]; }}",
    "bound-local": "{S}int n = 4; kernel void f(void){{ local int a[n]; }}",
    "case-label": "{S}int n = 4; void f(int m){{ switch (m) {{ case n: break; }} }}",
}

_LITERALS = {
    "compound": "void f(void){{ {D}int *p = ({S}int[]){{ 1 }}; }}",
    "compound-object": "void f(void){{ {D}int *p = &({S}int){{ 1 }}; }}",
    "compound-program": "{D}int *constant p = ({S}int[]){{ 1 }};",
    "compound-value": "void f(void){{ int x = ({S}int){{ 1 }}; }}",
}

_STRINGS = {
    "literal": '{S}char *{D}x = "a";',
    "literal-const": 'const {S}char *{D}x = "a";',
    "literal-array": '{S}char x[] = "a";',
    "literal-array-sized": '{S}char x[4] = "abc";',
    "literal-table": '{S}char *{D}x[] = {{ "a", "b" }};',
    "literal-in-function": 'void f(void){{ {S}char *x = "a"; }}',
    "literal-assigned": 'void f({S}char *x){{ x = "a"; }}',
    "literal-argument": 'void h({S}char *x); void f(void){{ h("a"); }}',
    "literal-argument-const": 'void h(const {S}char *x); void f(void){{ h("a"); }}',
    "literal-result": '{S}char *f(void){{ return "a"; }}',
    "literal-cast": 'void f(void){{ (void)({S}char *)"a"; }}',
    "literal-compare": 'int f({S}char *x){{ return x == "a"; }}',
    "literal-cond": 'void f(int n, {S}char *x){{ (void)(n ? x : "a"); }}',
    "literal-element": 'void f(void){{ {S}char *x = &"abc"[1]; }}',
    "literal-member": 'struct T {{ {S}char *x; }}; void f(void){{ struct T t = {{ "a" }}; }}',
    "literal-kernel-array": 'kernel void f(void){{ {S}char x[] = "a"; }}',
    "func": "void f(void){{ {S}char *x = __func__; }}",
    "func-const": "void f(void){{ const {S}char *x = __func__; }}",
    "func-function": "void f(void){{ const {S}char *x = __FUNCTION__; }}",
}


def initial_values() -> Iterator[Program]:
    """Yields every initialiser and constant expression with variables and pointers of every space."""
    yield from matrices("declare", _INITIALISERS | _BOUNDS | _LITERALS | _STRINGS, WITH_GENERIC)
