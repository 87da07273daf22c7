"""Programs that convert a pointer to another space, or combine two pointers: every pair of spaces."""

from __future__ import annotations

from collections.abc import Iterator

from .program import WITH_GENERIC, Program, matrices, matrix

PAIRS = {
    "IA": "void f({D}int *d, {S}int *s){{ d = s; }}",
    "II": "void f({S}int *s){{ {D}int *d = s; }}",
    "IP": "void h({D}int *d); void f({S}int *s){{ h(s); }}",
    "IR": "{D}int *f({S}int *s){{ return s; }}",
    "XC": "void f({S}int *s){{ {D}int *d = ({D}int *)s; }}",
    "XT": "void f({S}int *s){{ {D}char *d = ({D}char *)s; }}",
    "VA": "void f({S}int *s){{ {D}void *d = s; }}",
    "EQ": "int f({D}int *d, {S}int *s){{ return d == s; }}",
    "RL": "int f({D}int *d, {S}int *s){{ return d < s; }}",
    "SB": "long f({D}int *d, {S}int *s){{ return d - s; }}",
    "CO": "int f(int n, {D}int *d, {S}int *s){{ return *(n ? d : s); }}",
    "NI": "void f({D}int *private *d, {S}int *private *s){{ d = s; }}",
    "NX": "void f({S}int *private *s){{ {D}int *private *d = ({D}int *private *)s; }}",
    "ZN": "void f(int *{S}*s){{ int *{D}*d = s; }}",
}
"""The shapes that the test of the two relations checks too: one conversion or operation, two spaces."""

_VALUES = {
    "address": "&s[1]",
    "deref": "&*s",
    "add": "s + 1",
    "radd": "1 + s",
    "sub": "s - 1",
    "inc": "s++",
    "preinc": "++s",
    "paren": "((s))",
    "comma": "(0, s)",
    "same": "n ? s : s",
    "elvis": "s ?: s",
    "null": "n ? s : 0",
    "null2": "n ? 0 : s",
    "nullv": "n ? s : (void*)0",
    "void": "n ? s : (const {S}int *)s",
    "cast": "({S}int *)s",
    "assign": "(s = s)",
    "addassign": "(s += 1)",
    "statement": "({{ s; }})",
}

_MORE = {
    "const-from": "void f({D}int *d, const {S}int *s){{ d = s; }}",
    "const-to": "void f({D}const int *d, {S}int *s){{ d = s; }}",
    "volatile-from": "void f({D}int *d, volatile {S}int *s){{ d = s; }}",
    "volatile-to": "void f(volatile {D}int *d, {S}int *s){{ d = s; }}",
    "const-cast": "void f(const {S}int *s){{ {D}int *d = ({D}int *)s; }}",
    "restrict": "void f({D}int *restrict d, {S}int *restrict s){{ d = s; }}",
    "type": "void f({D}int *d, {S}float *s){{ d = s; }}",
    "type-init": "void f({S}char *s){{ {D}int *d = s; }}",
    "type-sign": "void f({S}uint *s){{ {D}int *d = s; }}",
    "type-vector": "void f({S}float *s){{ {D}float4 *d = ({D}float4 *)s; }}",
    "type-equal": "int f({D}int *d, {S}float *s){{ return d == s; }}",
    "type-less": "int f({D}int *d, {S}float *s){{ return d < s; }}",
    "type-sub": "long f({D}int *d, {S}float *s){{ return d - s; }}",
    "type-cond": "void f(int n, {D}int *d, {S}float *s){{ (void)(n ? d : s); }}",
    "void-both": "void f({D}void *d, {S}void *s){{ d = s; }}",
    "void-from": "void f({D}int *d, {S}void *s){{ d = s; }}",
    "void-equal": "int f({D}void *d, {S}int *s){{ return d == s; }}",
    "void-not-equal": "int f({D}int *d, {S}void *s){{ return d != s; }}",
    "void-less": "int f({D}void *d, {S}int *s){{ return d < s; }}",
    "void-sub": "long f({D}void *d, {S}void *s){{ return d - s; }}",
    "void-cond": "void f(int n, {D}void *d, {S}int *s){{ (void)(n ? d : s); }}",
    "void-cast": "void f({S}int *s){{ {D}void *d = ({D}void *)s; }}",
    "cond-pair": "void f(int n, {D}int *d, {S}int *s){{ (void)(n ? d : s); }}",
    "cond-void-cast": "void f(int n, {D}int *d, {S}int *s){{ n ? (void)d : (void)s; }}",
    "greater-equal": "int f({D}int *d, {S}int *s){{ return d >= s; }}",
    "not-equal": "int f({D}int *d, {S}int *s){{ return d != s; }}",
    "logic": "int f({D}int *d, {S}int *s){{ return d && s || !d; }}",
    "comma": "int f({D}int *d, {S}int *s){{ return *(d, s); }}",
    "round": "void f({S}int *s){{ {D}int *d = ({D}int *)(void *)s; }}",
    "integer": "void f({S}int *s){{ {D}int *d = ({D}int *)(uintptr_t)s; }}",
    "integer-init": "void f({S}int *s){{ {D}int *d = (uintptr_t)s; }}",
    "sizeof": "int f({S}int *s){{ return sizeof(({D}int *)s); }}",
    "sizeof-op": "int f({S}int *s, {D}int *d){{ return sizeof(s == d); }}",
    "typeof": "void f({S}int *s, {D}int *d){{ __typeof__(d) e = s; }}",
    "typeof-cast": "void f({S}int *s, {D}int *d){{ (void)(__typeof__(d))s; }}",
    "typedef": "typedef {D}int *T; void f({S}int *s){{ T d = s; }}",
    "typedef-cast": "typedef {D}int *T; void f({S}int *s){{ (void)(T)s; }}",
    "typedef-pointee": "typedef int T; void f({S}T *s){{ {D}T *d = s; }}",
    "typedef-space": "typedef {D}int T; void f({S}int *s){{ T *d = s; }}",
    "typedef-param": "typedef {D}int *T; void h(T d); void f({S}int *s){{ h(s); }}",
    "typedef-result": "typedef {D}int *T; T f({S}int *s){{ return s; }}",
    "member": "typedef struct {{ {D}int *m; }} T; void f({S}int *s){{ T t; t.m = s; }}",
    "member-of": "typedef struct {{ {S}int *m; }} T; void f(T t){{ {D}int *d = t.m; }}",
    "member-arrow": "typedef struct {{ {D}int *m; }} T; void f(global T *t, {S}int *s){{ t->m = s; }}",
    "member-init": "typedef struct {{ int n; {D}int *m; }} T; void f({S}int *s){{ T t = {{ 1, s }}; }}",
    "member-named": "typedef struct {{ int n; {D}int *m; }} T; void f({S}int *s){{ T t = {{ .m = s, .n = 1 }}; }}",
    "member-nested": "struct I {{ {D}int *m; }}; struct T {{ struct I i[2]; }};"
    " void f({S}int *s){{ struct T t = {{ {{ {{ s }}, {{ 0 }} }} }}; }}",
    "member-array": "struct T {{ {D}int *m[2]; }}; void f({S}int *s){{ struct T t; t.m[1] = s; }}",
    "member-copy": "typedef struct {{ int a; }} T; void f({D}T *d, {S}T *s){{ T t = *s; d[0].a; }}",
    "member-address": "typedef struct {{ int a; }} T; void f({S}T *s){{ {D}int *d = &s->a; }}",
    "member-star": "typedef struct {{ int a; }} T; void f({S}T *s){{ {D}int *d = &(*s).a; }}",
    "member-decay": "typedef struct {{ int a[4]; }} T; void f({S}T *s){{ {D}int *d = s->a; }}",
    "member-element": "typedef struct {{ int a[4]; }} T; void f({S}T *s){{ {D}int *d = &s->a[1]; }}",
    "member-inner": "struct I {{ int a[4]; }}; struct T {{ struct I i; }};"
    " void f({S}struct T *s){{ {D}int *d = s[1].i.a + 1; }}",
    "member-pointee": "struct T {{ {S}int *m; }}; void f(local struct T *t){{ {D}int *d = t->m; }}",
    "member-self": "struct T {{ {S}struct T *next; }}; void f({D}struct T *t){{ t = t->next; }}",
    "union": "union U {{ {D}int *d; {S}int *s; }}; {D}int *f({S}int *s){{ union U u; u.s = s; return u.d; }}",
    "union-init": "union U {{ {D}int *d; long l; }}; void f({S}int *s){{ union U u = {{ s }}; }}",
    "compound": "struct T {{ {D}int *m; }}; void f({S}int *s){{ struct T t = (struct T){{ s }}; }}",
    "array": "void f({S}int *s){{ {D}int *d[2] = {{ s, 0 }}; }}",
    "array-element": "void f({S}int *s){{ {D}int *d[2]; d[1] = s; }}",
    "array-matrix": "void f({S}int *s){{ {D}int *d[2][2] = {{ {{ 0, s }} }}; }}",
    "array-named": "void f({S}int *s){{ {D}int *d[2] = {{ [1] = s }}; }}",
    "array-load": "void f({S}int *s[2]){{ {D}int *d = s[0]; }}",
    "param-array": "void h({D}int d[4]); void f({S}int *s){{ h(s); }}",
    "param-from-array": "void f({S}int s[4]){{ {D}int *d = s; }}",
    "row": "void f({S}int (*s)[4]){{ {D}int *d = *s; }}",
    "row-pointer": "void f({S}int (*s)[4]){{ {D}int (*d)[4] = s; }}",
    "row-param": "void f({S}int s[2][4]){{ {D}int (*d)[4] = s; }}",
    "row-cast": "void f({S}int *s){{ {D}int (*d)[4] = ({D}int (*)[4])s; }}",
    "call-result": "{S}int *h(void); void f(void){{ {D}int *d = h(); }}",
    "call-nested": "{S}int *h(void); {D}int *k({D}int *d); void f(void){{ k(h()); }}",
    "call-overload": "__attribute__((overloadable)) void h({D}int *d); void f({S}int *s){{ h(s); }}",
    "second-argument": "void h(int n, {D}int *d); void f({S}int *s){{ h(1, s); }}",
    "for": "void f({S}int *s){{ for ({D}int *d = s; ; ) {{}} }}",
    "while": "void f({S}int *s, {D}int *d){{ while (d == s) {{}} }}",
    "if": "void f({S}int *s, {D}int *d){{ if (s < d) {{}} else d = d; }}",
    "return-cond": "{D}int *f(int n, {S}int *s){{ return n ? s : 0; }}",
    "return-nested": "{D}int *f(int n, {S}int *s){{ if (n) {{ return s; }} return 0; }}",
    "multi": "void f({S}int *s){{ {D}int x, *d = s; }}",
    "const-pointer": "void f({S}int *s){{ {D}int *const d = s; }}",
    "chain": "void f({S}int *s, {D}int *d, {D}int *e){{ e = d = s; }}",
    "half": "void f({S}half *s){{ {D}half *d = s; }}",
    "vector": "void f({S}float4 *s){{ {D}float4 *d = s; }}",
    "enum": "enum E {{ A }}; void f({S}enum E *s){{ {D}enum E *d = s; }}",
    "null-typed": "void f({D}int *d){{ d = ({S}void *)0; }}",
    "null-typed-int": "void f({D}int *d){{ d = ({S}int *)0; }}",
    "null-typed-init": "void f(void){{ {D}int *d = ({S}void *)0; }}",
    "null-typed-cast": "void f(void){{ {D}int *d = ({D}int *)({S}void *)0; }}",
    "null-typed-equal": "int f({D}int *d){{ return d == ({S}void *)0; }}",
    "null-typed-cond": "void f(int n, {D}int *d){{ (void)(n ? d : ({S}void *)0); }}",
    "null-typed-arg": "void h({D}int *d); void f(void){{ h(({S}void *)0); }}",
    "null-cond": "void f(int n, {D}int *d, {S}int *s){{ d = n ? s : (void *)0; }}",
    "compare-null": "int f({D}int *d, {S}int *s){{ return d == 0 && 0 != s && d > 0; }}",
    "compare-cast": "int f({D}int *d, {S}int *s){{ return ({S}int *)d == s; }}",
    "kernel": "kernel void f({S}int *s, int n){{ {D}int *d = n ? s : s + 1; }}",
}

_NESTED = {
    "init": "void f({S}int *private *s){{ {D}int *private *d = s; }}",
    "argument": "void h({D}int *private *d); void f({S}int *private *s){{ h(s); }}",
    "return": "{D}int *private *f({S}int *private *s){{ return s; }}",
    "equal": "int f({D}int *private *d, {S}int *private *s){{ return d == s; }}",
    "less": "int f({D}int *private *d, {S}int *private *s){{ return d < s; }}",
    "sub": "long f({D}int *private *d, {S}int *private *s){{ return d - s; }}",
    "cond": "void f(int n, {D}int *private *d, {S}int *private *s){{ (void)(n ? d : s); }}",
    "outer-assign": "void f(global int *{D}*d, global int *{S}*s){{ d = s; }}",
    "outer-cast": "void f(global int *{S}*s){{ (void)(global int *{D}*)s; }}",
    "outer-equal": "int f(global int *{D}*d, global int *{S}*s){{ return d == s; }}",
    "global-assign": "void f({D}int *global *d, {S}int *global *s){{ d = s; }}",
    "global-cast": "void f({S}int *global *s){{ (void)({D}int *global *)s; }}",
    "plain-assign": "void f({D}int **d, {S}int **s){{ d = s; }}",
    "plain-cast": "void f({S}int **s){{ (void)({D}int **)s; }}",
    "to-plain": "void f({D}int *d, {S}int *private *s){{ d = s; }}",
    "from-plain": "void f({D}int *private *d, {S}int *s){{ d = s; }}",
    "cast-to-plain": "void f({S}int *private *s){{ (void)({D}int *)s; }}",
    "void-to": "void f({D}void *d, global int *{S}*s){{ d = s; }}",
    "void-from": "void f(global int *{D}*d, {S}void *s){{ d = s; }}",
    "void-inner": "void f({D}void *private *d, {S}int *private *s){{ d = s; }}",
    "void-inner-cast": "void f({S}int *private *s){{ (void)({D}void *private *)s; }}",
    "third": "void f({D}int *private *private *d, {S}int *private *private *s){{ d = s; }}",
    "third-cast": "void f({S}int *private *private *s){{ (void)({D}int *private *private *)s; }}",
    "middle": "void f(local int *{D}*private *d, local int *{S}*private *s){{ d = s; }}",
    "middle-cast": "void f(local int *{S}*private *s){{ (void)(local int *{D}*private *)s; }}",
    "address": "void f({S}int *s){{ {D}int **d = &s; }}",
    "address-private": "void f({S}int *s){{ {D}int *private *d = &s; }}",
    "array": "void f(void){{ {S}int *s[2]; {D}int **d = s; }}",
    "array-param": "void f({S}int *s[2]){{ {D}int *private *d = s; }}",
    "array-pointer": "void f(void){{ {S}int *s[2]; {D}int *(*d)[2] = &s; }}",
    "rows": "void f({S}int *private (*s)[2]){{ {D}int *private (*d)[2] = s; }}",
    "const": "void f({D}int *const private *d, {S}int *private *s){{ d = s; }}",
    "const-inner": "void f(const {D}int *private *d, {S}int *private *s){{ d = s; }}",
    "const-inner-cast": "void f({S}int *private *s){{ (void)(const {D}int *private *)s; }}",
    "type": "void f({D}int *private *d, {S}float *private *s){{ d = s; }}",
    "type-cast": "void f({S}float *private *s){{ (void)({D}int *private *)s; }}",
    "deref": "void f({S}int *global *s){{ {D}int *d = *s; }}",
    "deref-array": "void f({S}int *global *s){{ {D}int *d = s[1]; }}",
    "deref-store": "void f({D}int *global *d, {S}int *s){{ *d = s; d[1] = s; }}",
    "typedef": "typedef {S}int *T; typedef {D}int *U; void f(T *s){{ U *d = s; }}",
    "member": "struct T {{ {S}int *m; }}; void f(struct T *t){{ {D}int **d = &t->m; }}",
    "member-global": "struct T {{ {S}int *m; }}; void f(global struct T *t){{ {D}int *global *d = &t->m; }}",
    "null": "void f({D}int *{S}*d){{ d = 0; *d = 0; d = (void *)0; }}",
    "function": "void h({D}int **d); void f({S}int *s){{ h(&s); }}",
}

_OBJECTS = {
    "variable": "kernel void f(void){{ {O}int x{i}; {D}int *d = &x; }}",
    "decay": "kernel void f(void){{ {O}int x[4]{a}; {D}int *d = x; }}",
    "element": "kernel void f(void){{ {O}int x[4]{a}; {D}int *d = &x[1]; }}",
    "array-address": "kernel void f(void){{ {O}int x[4]{a}; {D}int (*d)[4] = &x; }}",
    "rows": "kernel void f(void){{ {O}int x[4][2]{a}; {D}int (*d)[2] = x; {D}int *e = x[1]; }}",
    "member": "struct T {{ int a; int b[2]; }}; kernel void f(void){{ {O}struct T x{a}; {D}int *d = &x.a; {D}int *e = x.b; }}",
    "argument": "void h({D}int *d); kernel void f(void){{ {O}int x[4]{a}; h(x); h(x + 1); }}",
    "cast": "kernel void f(void){{ {O}int x{i}; (void)({D}int *)&x; }}",
    "pointer": "kernel void f(void){{ {D}int *{O}x{z}; {D}int *d = x; }}",
    "pointer-address": "kernel void f(void){{ {D}int *{O}x{z}; {D}int *{O}*d = &x; }}",
    "vector": "kernel void f(void){{ {O}int4 x{i}; {D}int4 *d = &x; }}",
}

_INITIAL = {
    "i": {"0": "", "1": " = 1"},
    "a": {"0": "", "1": " = { 1 }"},
    "z": {"0": "", "1": " = 0"},
}

_PROGRAM_SCOPE = {
    "variable": "{O}int x = 1; void f(void){{ {D}int *d = &x; }}",
    "decay": "{O}int x[4] = {{ 0 }}; void f(void){{ {D}int *d = x; }}",
    "pointer": "{D}int *{O}x = 0; void f(void){{ {D}int *d = x; }}",
    "initial": "{O}int x = 1; {D}int *constant d = &x; {D}int *global e = &x;",
    "static": "static {O}int x = 1; void f(void){{ {D}int *d = &x; }}",
    "inner": "void f(void){{ static {O}int x = 1; {D}int *d = &x; }}",
    "extern": "extern {O}int x; void f(void){{ {D}int *d = &x; }}",
    "member": "struct T {{ int a[2]; }}; {O}struct T x = {{ {{ 1 }} }}; void f(void){{ {D}int *d = x.a; }}",
}


def conversions() -> Iterator[Program]:
    """Yields the combinations of all shapes in this module."""
    for name, template in PAIRS.items():
        yield from matrix(name, template)
    for name, value in _VALUES.items():
        yield from matrix(f"value-{name}", f"void f(int n, {{S}}int *s){{{{ {{D}}int *d = {value}; }}}}")
    yield from matrices("pair", _MORE)
    yield from matrices("nested", _NESTED)
    yield from matrices("object", _OBJECTS, **_INITIAL)
    yield from matrices("program", _PROGRAM_SCOPE)
    for name in ("IA", "XC", "EQ", "CO", "NI"):
        for program in matrix(f"generic-{name}", PAIRS[name], WITH_GENERIC):
            if "u" in program.name.rpartition("-")[2]:
                yield program
    yield from matrix("three-CO", "void f(int n, {A}int *a, {B}int *b){{ {D}int *d = n ? a : b; }}")
    yield from matrix("three-CO-void", "void f(int n, {A}int *a, {B}void *b){{ {D}int *d = n ? a : b; }}")
    underscores = "void f(__{s} int *s, {t} int *t){{ s = t; t = (__{t} int *)s; }}"
    yield from matrix("underscore", underscores, s=_WORDS, t=_WORDS)


_WORDS = {word: word for word in ("global", "local", "constant", "private")}
