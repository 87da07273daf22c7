"""The positions of a qualifier: repeated, after its type, in typedefs, members and casts."""

from __future__ import annotations

from collections.abc import Iterator

from .program import WITH_GENERIC, Program, matrices

_TWICE = {
    "qualifier-after": "void f(void){{ int {S}x; }}",
    "qualifier-after-star": "void f(void){{ int {S}*x; }}",
    "qualifier-last": "int const {S}x = 1;",
    "qualifier-storage": "{S}static int x = 1;",
    "qualifier-typedef-after": "int {S}typedef T; T *x;",
    "two": "{D}{S}int x = 1;",
    "two-pointee": "void f({D}{S}int *x){{}}",
    "two-pointer": "void f(void){{ int *{D}{S}x; }}",
    "two-spread": "void f({D}int {S}*x){{}}",
    "two-levels": "void f(void){{ {D}int *{S}x; }}",
    "two-typedef": "typedef {D}int T; void f({S}T *x){{}}",
    "two-typedef-typedef": "typedef {D}int T; typedef {S}T U;",
    "two-typedef-object": "typedef {D}int T; {S}T x = 1;",
    "two-typedef-pointer": "typedef {D}int *T; void f(void){{ {S}T x; }}",
    "two-typedef-array": "typedef {D}int T[4]; void f({S}T *x){{}}",
    "two-typeof": "{D}int a = 1; void f({S}__typeof__(a) *x){{}}",
    "two-member": "struct T {{ {D}{S}int *x; }};",
    "two-cast": "void f(int *x){{ (void)({D}{S}int *)0; }}",
    "two-array-parameter": "void f({D}int {S}x[4]){{}}",
    "two-definition": "struct T {{ int a; }} {D}{S}x = {{ 1 }};",
}

_TYPEDEFS = {
    "typedef-object": "typedef {S}int T; T x = 1;",
    "typedef-local": "typedef {S}int T; kernel void f(void){{ T x; }}",
    "typedef-inner": "kernel void f(void){{ typedef {S}int T; T *x; }}",
    "typedef-function": "typedef {S}int T; void f(void){{ T x; }}",
    "typedef-parameter": "typedef {S}int T; void f(T x){{}}",
    "typedef-kernel": "typedef {S}int T; kernel void f(T *x){{}}",
    "typedef-kernel-pointer": "typedef {S}int *T; kernel void f(T x){{}}",
    "typedef-result": "typedef {S}int T; T f(void);",
    "typedef-result-pointer": "typedef {S}int *T; T f(void);",
    "typedef-member": "typedef {S}int T; struct U {{ T x; }};",
    "typedef-array": "typedef {S}int T[4]; void f(T x){{}}",
    "typedef-array-kernel": "typedef {S}int T[4]; kernel void f(T x){{}}",
    "typedef-array-object": "typedef {S}int T[4]; kernel void f(void){{ T x; }}",
    "typedef-pointer-object": "typedef int *{S}T; T x = 0;",
    "typedef-pointer-parameter": "typedef int *{S}T; void f(T x){{}}",
    "typedef-struct": "typedef {S}struct {{ int a; }} T; void f(T *x){{}}",
    "typedef-struct-behind": "typedef struct {{ int a; }} {S}T; void f(T *x){{}}",
    "typedef-function-type": "typedef {S}int T(void); T f;",
    "typedef-function-space": "typedef void T(void); {S}T f;",
    "typedef-void": "typedef {S}void T; void f(T *x){{}}",
    "typedef-again": "typedef {D}int *T; typedef {S}int *T;",
    "typedef-object-again": "typedef {D}int T; typedef {S}int T;",
}

_MEMBERS = {
    "member": "struct T {{ {S}int x; }};",
    "member-array": "struct T {{ {S}int x[4]; }};",
    "member-pointer": "struct T {{ {S}int *x; }};",
    "member-pointer-top": "struct T {{ int *{S}x; }};",
    "member-pointer-both": "struct T {{ {D}int *{S}x; }};",
    "member-struct": "struct I {{ int a; }}; struct T {{ {S}struct I i; }};",
    "member-union": "union T {{ {S}int x; float y; }};",
    "member-anonymous": "struct T {{ {S}struct {{ int a; }}; }};",
    "member-inner": "kernel void f(void){{ struct T {{ {S}int x; }}; }}",
    "member-pointers": "struct T {{ {S}int *x[2]; }};",
}

_TYPE_NAMES = {
    "cast-object": "int f(int x){{ return ({S}int)x; }}",
    "cast-struct": "struct T {{ int a; }}; void f(struct T x){{ ({S}struct T)x; }}",
    "sizeof": "int f(void){{ return sizeof({S}int); }}",
    "sizeof-pointer": "int f(void){{ return sizeof({D}int *{S}*); }}",
}


def qualifiers() -> Iterator[Program]:
    """Yields every position with every space, and with two spaces if two qualifiers meet."""
    yield from matrices("declare", _TWICE | _TYPEDEFS | _MEMBERS | _TYPE_NAMES, WITH_GENERIC)
