"""Programs that declare something: every scope with every storage class, space, form and initialiser."""

from __future__ import annotations

from collections.abc import Iterator

from .program import WITH_GENERIC, Program, listed, matrix

_STORAGE = {"none": "", "static": "static ", "extern": "extern ", "auto": "auto ", "register": "register "}

_SCOPES = {
    "program": "{declaration};",
    "function": "void f(int n){{ {declaration}; }}",
    "function-inner": "void f(int n){{ {{ {declaration}; }} }}",
    "kernel": "kernel void f(int n){{ {declaration}; }}",
    "kernel-late": "kernel void f(int n){{ n = 1; {declaration}; }}",
    "kernel-if": "kernel void f(int n){{ if (n) {{ {declaration}; }} }}",
    "kernel-for": "kernel void f(int n){{ for ({declaration}; n; ) {{}} }}",
    "kernel-switch": "kernel void f(int n){{ switch (n) {{ case 1: {{ {declaration}; }} }} }}",
    "kernel-statement": "kernel void f(int n){{ (void)({{ {declaration}; 1; }}); }}",
}

_FORMS = {
    "object": "{storage}{space}int x{value}",
    "const": "{storage}const {space}int x{value}",
    "pointer": "{storage}{space}int *x{value}",
    "const-pointer": "{storage}{space}int *const x{value}",
    "array": "{storage}{space}int x[4]{values}",
    "outer": "{storage}int *{space}x{value}",
    "outer-global": "{storage}global int *{space}x{value}",
    "outer-constant": "{storage}constant int *{space}x{value}",
    "rows": "{storage}{space}int (*x)[4]{value}",
    "pointers": "{storage}{space}int *x[2]{values}",
    "struct": "{storage}{space}struct {{ int a; }} x{values}",
}

_VALUE = {"value": {"bare": "", "0": " = 0"}, "values": {"bare": "", "0": " = { 0 }"}}
_VALUED = {"value": {"bare": "", "1": " = 1"}, "values": {"bare": "", "0": " = { 0 }"}}


def _variables() -> Iterator[Program]:
    for scope, frame in _SCOPES.items():
        for form, declarator in _FORMS.items():
            template = frame.replace("{declaration}", declarator)
            choices = _VALUED if form in ("object", "const") else _VALUE
            used = {field: choice for field, choice in choices.items() if f"{{{field}}}" in template}
            yield from matrix(
                f"declare-{scope}-{form}", template, storage=_STORAGE, space=WITH_GENERIC, **used
            )


_PLACES = {
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
    "result": "{S}int f(void);",
    "result-definition": "{S}int f(void){{ return 1; }}",
    "result-pointer": "{S}int *f(void);",
    "result-pointer-top": "int *{S}f(void);",
    "result-pointer-both": "{D}int *{S}f(void);",
    "result-pointer-definition": "{D}int *{S}f(void){{ return 0; }}",
    "result-void": "{S}void f(void){{}}",
    "result-struct": "struct T {{ int a; }}; {S}struct T f(void);",
    "result-kernel": "kernel {S}int *f(void){{ return 0; }}",
    "multi": "kernel void f(void){{ {S}int x, *y, z[2]; }}",
    "multi-assign": "kernel void f(void){{ {S}int x, *y; y = &x; }}",
    "multi-levels": "kernel void f(void){{ {S}int *x, *{D}y; }}",
    "multi-program": "{S}int x = 1, y = 2;",
    "local-then-use": "kernel void f(void){{ {S}int x; x = 1; }}",
    "prototype-again": "void f({D}int *x); void f({S}int *x){{}}",
    "prototype-result": "{D}int *f(void); {S}int *f(void){{ return 0; }}",
    "prototype-top": "void f({D}int *x); void f(int *{S}x){{}}",
    "prototype-kernel": "kernel void f({D}int *x); void f({S}int *x){{}}",
    "prototype-overload": "__attribute__((overloadable)) void f({D}int *x){{}}"
    " __attribute__((overloadable)) void f({S}int *x){{}}",
    "variable-again": "extern {D}int x; extern {S}int x;",
    "variable-defined": "extern {D}int x; {S}int x = 1;",
    "pointer-again": "extern {D}int *constant x; extern {S}int *constant x;",
    "typedef-again": "typedef {D}int *T; typedef {S}int *T;",
    "typedef-object-again": "typedef {D}int T; typedef {S}int T;",
    "cast-object": "int f(int x){{ return ({S}int)x; }}",
    "cast-struct": "struct T {{ int a; }}; void f(struct T x){{ ({S}struct T)x; }}",
    "sizeof": "int f(void){{ return sizeof({S}int); }}",
    "sizeof-pointer": "int f(void){{ return sizeof({D}int *{S}*); }}",
    "compound": "void f(void){{ {D}int *p = ({S}int[]){{ 1 }}; }}",
    "compound-object": "void f(void){{ {D}int *p = &({S}int){{ 1 }}; }}",
    "compound-program": "{D}int *constant p = ({S}int[]){{ 1 }};",
    "compound-value": "void f(void){{ int x = ({S}int){{ 1 }}; }}",
    "enum-program": "enum {{ A, B }} {S}x = A;",
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
    "constant-address": "{D}int a = 1; {S}int *constant b = &a;",
    "constant-address-global": "{D}int a = 1; {S}int *global b = &a;",
    "constant-address-array": "{D}int a[2] = {{ 1 }}; {S}int *constant b = a + 1;",
    "constant-copy": "{D}int a = 1; {S}int b = a;",
    "constant-copy-kernel": "{D}int a = 1; kernel void f(void){{ {S}int b = a; }}",
    "constant-kernel-address": "{D}int a = 1; kernel void f(void){{ {S}int *constant b = &a; }}",
    "bound": "{S}int n = 4; void f(void){{ int a[n]; }}",
    "bound-const": "const {S}int n = 4; void f(void){{ int a[n]; }}",
    "bound-kernel": "kernel void f(void){{ {S}int n = 4; int a[n]; }}",
    "bound-local": "{S}int n = 4; kernel void f(void){{ local int a[n]; }}",
    "case-label": "{S}int n = 4; void f(int m){{ switch (m) {{ case n: break; }} }}",
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
    "reserved-variable": "void f(void){{ int {W}; }}",
    "reserved-function": "void {W}(void){{}}",
    "reserved-parameter": "void f(int {W}){{}}",
    "reserved-member": "struct T {{ int {W}; }};",
    "reserved-tag": "struct {W} {{ int a; }};",
    "reserved-typedef": "typedef int {W};",
    "reserved-label": "void f(void){{ {W}: ; }}",
    "reserved-enumerator": "enum E {{ {W} }};",
    "reserved-underscore": "void f(void){{ int __{W}; }}",
}

_WORDS = {word: word for word in ("global", "local", "private", "constant", "generic", "kernel", "read_only")}


def declarations() -> Iterator[Program]:
    """The product of scopes and forms, the shapes above, and single programs."""
    yield from _variables()
    for name, template in _PLACES.items():
        if "{W}" in template:
            yield from matrix(f"declare-{name}", template.replace("{W}", "{word}"), word=_WORDS)
        else:
            yield from matrix(f"declare-{name}", template, WITH_GENERIC)
    yield from listed("declaration", _SINGLE)


_SINGLE = """
global global int *x;

void f(global global int *x){}

void f(local local int *x){}

void f(global const global int *x){}

typedef global int T;
void f(global T *x){}

void f(int n){
    int a[n];
}

void f(int n, global int (*a)[n]){
}

void f(int n, int a[n]){
}

struct T {
    int a;
    int b[];
};

struct T {
    int a : 3;
};

struct T {
    int b[0];
};

void f(int a, ...){
}

void f(int a, ...);

kernel void f(int a, ...){}

int printf(constant char *format, ...);

void f(void (*g)(int)){}

void g(int n);
void f(void){
    void (*p)(int) = g;
}

void g(int n);
void f(void){
    g;
    &g;
}

typedef void (*T)(int);

typedef void T(int);
void f(T *x){}

struct T {
    void (*a)(void);
};

kernel int f(void){ return 1; }

kernel float4 f(void){ return (float4)(1); }

kernel int *f(void){ return 0; }

kernel f(void){}

int main(void){ return 0; }

kernel void main(void){}

void main(void){}

void f(){}

void f(){}
void g(void){ f(1); }

void f(int a){}
void g(void){ f(); }

void f(int a){}
void g(void){ f(1, 2); }

int f(a) int a; { return a; }

f(void){ return 1; }

static f(void){}

kernel static void f(void){}

static kernel void f(void){}

inline kernel void f(void){}

kernel inline void f(void){}

extern kernel void f(void){}

static void f(void){}

inline void f(void){}

extern void f(void);

static inline int f(int x){ return x; }

kernel kernel void f(void){}

kernel void f(bool x){}

kernel void f(size_t x){}

kernel void f(ptrdiff_t x){}

kernel void f(intptr_t x){}

kernel void f(uintptr_t x){}

kernel void f(half x){}

kernel void f(event_t x){}

kernel void f(double x){}

kernel void f(unsigned long x){}

kernel void f(long long x){}

kernel void f(void *x){}

typedef size_t T;
kernel void f(T x){}

struct T { size_t a; };
kernel void f(struct T x){}

struct T { bool a; };
kernel void f(struct T x){}

struct I { bool a; };
struct T { struct I i; };
kernel void f(struct T x){}

struct T { size_t a; };
kernel void f(global struct T *x){}

struct T { bool a[2]; };
kernel void f(struct T x){}

struct T { half a; };
kernel void f(struct T x){}

struct T { event_t a; };
kernel void f(struct T x){}

enum E { A };
kernel void f(enum E x){}

union T { int a; float b; };
kernel void f(union T x){}

kernel void f(int4 x, float16 y, uchar3 z){}

kernel void f(struct Unknown x){}

struct T;
kernel void f(struct T x){}

kernel void f(struct { int a; } x){}

kernel void f(global struct { int a; } *x){}

kernel void f(const int x){}

kernel void f(volatile int x){}

kernel void f(global volatile int *x){}

kernel void f(global int *restrict x, local float *const y){}

kernel void f(__global int *__restrict x, __local float *__restrict__ y){}

kernel void f(restrict global int *x){}

void f(int restrict x){}

typedef int T;
void f(T restrict x){}

typedef global int *T;
void f(T restrict x){}

void f(global int restrict *x){}

void f(global int *restrict *x){}

void f(void){
    global int *restrict x;
    int restrict y;
}

struct T {
    global int *restrict x;
};

auto int x;

register int x;

void f(void){
    auto x = 1;
}

void f(void){
    auto int x = 1;
}

void f(void){
    register int x = 1;
}

void f(register int x){}

void f(auto int x){}

void f(static int x){}

typedef static int T;

thread_local int x;

_Thread_local int x;

__thread int x;

void f(void){
    extern int g(int);
}

void f(void){
    static int g(int);
}

void f(void){
    int g(int);
    g(1);
}

extern constant int x = 1;

extern constant int x;
constant int x = 1;

constant int x;
constant int x = 1;

static constant int x = 1;
constant int x = 1;

constant int x = 1;
constant int x = 1;

constant int x = 1;
extern constant int x;

extern constant int x;
void f(void){
    extern constant int x;
}

extern constant int x;
void f(void){
    extern constant float x;
}

constant int x;

constant int x[4];

constant int x[];

constant int x[] = { 1, 2 };

constant struct { int a; } x;

static constant int x;

extern constant int x[];

kernel void f(void){
    constant int x;
}

kernel void f(void){
    constant int x[] = { 1, 2 };
}

kernel void f(void){
    static constant int x;
}

void f(void){
    extern constant int x = 1;
}

kernel void f(void){
    local int x;
    {
        local int y;
    }
    local int z;
}

kernel void f(int n){
    while (n) {
        local int x;
    }
}

kernel void f(int n){
    do {
        local int x;
    } while (n);
}

kernel void f(int n){
    if (n)
        ;
    else {
        constant int x = 1;
    }
}

kernel void f(int n){
label:
    ;
    local int x;
}

kernel void f(int n){
    for (int i = 0; i < n; i++) {
        local int x;
        private int y;
        constant int z = 1;
    }
}

kernel void f(void){
    local int x, y[2], *z;
    private int *p = z;
}

kernel void f(void){
    local int a[4] = { 1 };
}

kernel void f(void){
    local struct { int a; } s = { 1 };
}

kernel void f(void){
    local int *local x = 0;
}

kernel void f(void){
    local int *x = 0;
}

kernel void f(void){
    local float4 v = (float4)(0);
}

kernel void f(void){
    local int x;
}
kernel void g(void){
    f();
}

kernel void f(global int *x){}
kernel void g(global int *x){
    f(x);
}

kernel void f(global int *x){}
void g(local int *x){
    f(x);
}

void f(global int *x){}
void f(global int *x){}

void f(global int *x);
void f(global int *x);
void f(global int *y){}

void f(global int *x);
int f(global int *x);

void f(global int *x);
void f(global int *x, int y);

void f(global int *x);
void f(global const int *x);

void f(global int *x);
void f(global int *const x);

void f(global int *x);
void f(global int x[4]);

void f(global int *x);
void f(global float *x);

__attribute__((overloadable)) void f(global int *x);
__attribute__((overloadable)) void f(local int *x);
void g(global int *a, local int *b){
    f(a);
    f(b);
}

__attribute__((overloadable)) void f(global int *x);
__attribute__((overloadable)) void f(local int *x);
void g(constant int *a){
    f(a);
}

__attribute__((overloadable)) void f(global int *x);
__attribute__((overloadable)) void f(int *x);
void g(local int *a){
    f(a);
}

int f;
void f(void);

struct T { int a; };
struct T { int a; };

typedef int T;
typedef int T;

typedef int T;
typedef float T;

void f(void){
    int x;
    int x;
}

void f(int x){
    int x;
}

void f(int x){
    { int x; }
}

void f(void){
    int x;
    float x;
}

enum E { A };
int A;

kernel void f(void){
    local int x;
    private int x;
}

void f(void){
    local int *x;
    global int *x;
}

void f(int x, int x){}

union U { global int *a; local int *b; };
kernel void f(union U u){}

__kernel void f(__global int *x, __local int *y, __constant int *z, __private int w){}

int x[2] = { 1, 2 };

int *x = 0;

const int x = 1;

float4 x;

private int x = 1;

extern private int x;

extern int x;

static int x;

static int *x;

static global int x;

static local int x;

static constant int x = 1;

static private int x;

global int x[];

global struct T { int a; } x;

struct T { int a; } x;

struct T { int a; };
struct T x;

enum { A, B };

enum E { A } x;

typedef global int *T;
T x;

typedef global int *T;
global T x;

typedef global int *T;
constant T x = 0;

typedef constant int T;
T x = 1;
void f(T *y){ *y = 1; }

event_t x;

sampler_t x = 1;

const sampler_t x = 1;

constant sampler_t x = 1;

global sampler_t x = 1;

bool x;

half x;

void x;

void f(void){
    void x;
}

void f(void x){}

void f(void, int x){}

int f(void);
global int x = 1;
global int *global p = &x;
global int *global q = p;

constant int x = 1;
constant int y = x;
constant int z = x + 1;
constant int *constant p = &x;
constant int w = *p;

constant int x[2] = { 1, 2 };
constant int *constant p = x;
constant int *constant q = &x[1];
constant int y = x[1];

constant float4 x = (float4)(1, 2, 3, 4);
constant float y = x.x;

constant int x = sizeof(int) + 1;
constant int y = (int)1.5f;
constant uint z = ~0u;
constant int w = 1 ? 2 : 3;

enum { A = 3 };
constant int x = A;
constant int y[A] = { 1 };

constant int x = undeclared;

int f(int);
constant int x = f(1);

kernel void f(int n){
    constant int x = 1 + n;
}

kernel void f(int n){
    constant int x = 1;
    constant int y = x;
}

kernel void f(void){
    const int n = 3;
    constant int x = n;
}

kernel void f(constant int *p){
    constant int x = *p;
}

kernel void f(constant int *p){
    constant int *constant x = p;
}

kernel void f(constant int *p){
    constant int *x = p;
}

kernel void f(void){
    constant int x[2] = { 1 };
    constant int *p = x;
    constant int *constant q = x;
}

static int counter(void){
    static int n = 0;
    return ++n;
}

kernel void f(void){
    static int n = 0;
}

kernel void f(void){
    static global int n = 0;
    static constant int m = 0;
}

kernel void f(void){
    static local int n;
}

kernel void f(void){
    static int *n;
    static local int *m;
}

constant int __attribute__((aligned(16))) x = 1;

__attribute__((aligned(16))) constant int x = 1;

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void f(void){}

__attribute__((reqd_work_group_size(1, 1, 1))) kernel void f(void){}

typedef struct __attribute__((packed)) { char a; global int *b; } T;
void f(T *t, local int *l){ t->b = l; }

global int *x, y;

constant int x = 1, *y = 0;

int f(int n), x;

global int f(void), x;

global int *f(void), *x;

local int f(int);

local int *local f(int);

int (*f(void))[4];

global int (*f(void))[4];

void f(int n){
    goto end;
    local int x;
end:
    ;
}

void f(void){ __local int x; }

void f(void){ __constant int x = 1; }

void f(void){ __global int x; }

void f(void){ __private int x; }

void f(void){ int __private x; }

void f(void){ private private int x; }

private private int *f(void);

void f(void){ const const int x = 1; }
"""
