"""Programs about blocks, their captures, and the functions that enqueue them or read and write pipes."""

from __future__ import annotations

from collections.abc import Iterator

from .program import Program, listed, matrix

_NAMED = {"g": "global ", "l": "local ", "p": "private ", "n": ""}
_STORAGE = {
    "none": "",
    "static": "static ",
    "extern": "extern ",
    "const": "const ",
    "__block": "__block ",
}
_VALUE = {
    "bare": "",
    "literal": " = ^(int x){ return x; }",
    "0": " = 0",
    "void": " = ^(void){ return 1; }",
}

_SCOPES = {
    "program": "{d};",
    "function": "void f(int n){{ {d}; }}",
    "kernel": "kernel void f(int n){{ {d}; }}",
    "inner": "kernel void f(int n){{ if (n) {{ {d}; }} }}",
    "block": "void f(int n){{ ^{{ {d}; }}(); }}",
}

_DECLARATORS = {
    "block": "int (^{space}b)(int)",
    "const": "int (^const {space}b)(int)",
    "space-result": "{space}int (^b)(int)",
}

_FORMS = """
void f(void){ ^{ }; }

void f(void){ ^{ return; }(); }

void f(void){ ^(void){ return; }(); }

void f(void){ int r = ^int(int x){ return x; }(1); }

void f(void){ int r = ^(int x){ return x; }(1); }

void f(void){ int r = ^(int x, int y){ return x + y; }(1); }

void f(void){ int r = ^(int x){ return x; }(1, 2); }

void f(global int *g){ int r = ^(global int *p){ return *p; }(g); }

void f(local int *l){ int r = ^(global int *p){ return *p; }(l); }

void f(global int *g){ global int *r = ^(global int *p){ return p; }(g); }

void f(global int *g){ local int *r = ^(global int *p){ return p; }(g); }

void f(local int *l){ local int *r = ^local int *(local int *p){ return p; }(l); }

void f(local int *l){ global int *r = ^local int *(local int *p){ return p; }(l); }

void f(local int *l){ ^global int *(local int *p){ return p; }(l); }

void f(int n){ int (^b)(int) = ^(int x){ return x; }; b(n); }

void f(int n){ int (^b)(int) = ^(int x){ return x; }; b(); }

void f(int n){ int (^b)(int) = ^(int x){ return x; }; b(n, n); }

void f(int n){ int (^const b)(int) = ^(int x){ return x; }; int r = b(n) + b(1); }

void f(int n){ const int (^b)(int) = ^(int x){ return x; }; b(n); }

void f(local int *l){ int (^b)(local int *) = ^(local int *x){ return *x; }; b(l); }

void f(local int *l){ int (^b)(global int *) = ^(global int *x){ return *x; }; b(l); }

void f(local int *l){ int (^b)(global int *) = ^(local int *x){ return *x; }; }

void f(local int *l){ int (^b)(int *) = ^(local int *x){ return *x; }; }

void f(local int *l){ int (^b)(local int *) = ^(int *x){ return *x; }; }

void f(void){ int (^b)(void) = ^{ return 1; }; b(); }

void f(void){ int (^b)() = ^{ return 1; }; b(); }

void f(void){ void (^b)(void) = ^{ return 1; }; }

void f(void){ int (^b)(void) = ^{ }; }

void f(void){ void (^b)(void) = 0; }

void f(void){ void (^b)(void) = (void *)0; }

void f(int n){ void (^b)(void) = n; }

void g(void); void f(void){ void (^b)(void) = g; }

void f(void){ int b = ^{ return 1; }; }

void f(void){ int *b = ^{ return 1; }; }

void f(void){ void *b = ^{ return 1; }; }

void f(void){ void (^a)(void) = ^{ }; void *b = a; }

void f(void){ void (^a)(void) = ^{ }; global void *b = a; }

void f(void){ void (^a)(void) = ^{ }; private void *b = a; }

void f(void){ void (^a)(void) = ^{ }; local void *b = (local void *)a; }

void f(void){ void (^a)(void) = ^{ }; constant void *b = (constant void *)a; }

void f(void){ void (^a)(void) = ^{ }; int b = (int)a; }

void f(void){ void (^a)(void) = ^{ }; (void)a; }

void f(void){ void (^a)(void) = ^{ }; a; }

void f(void){ void (^a)(void) = ^{ }; void (^b)(void) = a; }

void f(void){ void (^a)(void) = ^{ }; int (^b)(void) = a; }

void f(void){ void (^a)(void) = ^{ }; int (^b)(int) = (int (^)(int))a; }

void f(void){ void (^a)(void) = ^{ }; a = ^{ }; }

void f(void){ void (^const a)(void) = ^{ }; a = ^{ }; }

void f(void){ void (^a)(void) = ^{ }; a = 0; }

void f(void){ void (^a)(void) = ^{ }; a++; }

void f(void){ void (^a)(void) = ^{ }; *a; }

void f(void){ void (^a)(void) = ^{ }; (*a)(); }

void f(void){ void (^a)(void) = ^{ }; &a; }

void f(void){ void (^a)(void) = ^{ }; (void)&a; }

void f(void){ *^{ }; }

void f(void){ &^{ }; }

void f(void){ void (^a)(void) = ^{ }; a[0]; }

void f(void){ void (^a)(void) = ^{ }; a + 1; }

void f(void){ void (^a)(void) = ^{ }; -a; }

void f(void){ void (^a)(void) = ^{ }; ~a; }

void f(void){ void (^a)(void) = ^{ }; if (!a) ; }

void f(void){ void (^a)(void) = ^{ }; if (a) ; }

void f(void){ void (^a)(void) = ^{ }; while (a) break; }

void f(void){ void (^a)(void) = ^{ }; if (a && a) ; }

void f(void){ void (^a)(void) = ^{ }, (^b)(void) = ^{ }; if (a == b) ; }

void f(void){ void (^a)(void) = ^{ }, (^b)(void) = ^{ }; if (a != b) ; }

void f(void){ void (^a)(void) = ^{ }; if (a == 0) ; }

void f(void){ void (^a)(void) = ^{ }, (^b)(void) = ^{ }; if (a < b) ; }

void f(void){ void (^a)(void) = ^{ }, (^b)(void) = ^{ }; (void)(a - b); }

void f(int n){ void (^a)(void) = ^{ }, (^b)(void) = ^{ }; (n ? a : b)(); }

void f(int n){ void (^a)(void) = ^{ }, (^b)(void) = ^{ }; (void)(n ? a : b); }

void f(int n){ void (^a)(void) = ^{ }; (void)(n ? a : a); }

void f(int n){ void (^a)(void) = ^{ }; (void)(n ? a : 0); }

void f(int n){ void (^a)(void) = ^{ }; (void)(n ? 0 : a); }

void f(int n){ void (^a)(void) = ^{ }; (void)(a ? 1 : 2); }

void f(int n){ void (^a)(void) = ^{ }; (void)(n ? a() : a()); }

void f(int n){ (void)(n ? ^{ } : ^{ }); }

void f(int n){ int r = n ? ^{ return 1; }() : ^{ return 2; }(); }

void f(int n){ int (^ const a)(int) = ^(int x){ return x; }; int (^ const b)(int) = ^(int x){ return x + 1; }; int r = (n ? a : b)(1); }

void f(void){ void (^a)(void) = ^{ }; (a, a)(); }

void f(void){ void (^a)(void) = ^{ }; int s = sizeof(a); }

int f(void){ return sizeof(void (^)(void)); }

void f(void){ void (^a)(void) = ^{ }; __typeof__(a) b = a; }

void f(void){ void (^a[2])(void); }

void f(void){ void (^a[1])(void) = { ^{ } }; }

typedef void (^T)(void);
void f(void){ T a[2]; }

typedef void (^T)(void);
void f(void){ T a[1] = { ^{ } }; }

typedef void (^T)(void);
void f(void){ T a; }

typedef void (^T)(void);
void f(void){ T a = ^{ }; a(); }

typedef void (^T)(void);
void f(void){ const T a = ^{ }; a(); }

typedef void (^T)(void);
void f(void){ T a = ^{ }; a = ^{ }; }

typedef void (^T)(void);
void f(void){ T *a; }

typedef void (^T)(void);
void f(T *a){}

typedef void (^T)(void);
void f(T a){}

typedef void (^T)(void);
void f(const T a){}

typedef void (^T)(void);
void f(T);

typedef void (^T)(void);
kernel void f(T a){}

typedef void (^T)(void);
T f(void);

typedef void (^T)(void);
T f(void){ return ^{ }; }

typedef void (^T)(void);
T *f(void);

typedef void (^T)(void);
struct U { T a; };

typedef void (^T)(void);
union U { T a; int b; };

typedef void (^T)(void);
struct U { T a[2]; };

typedef void (^T)(void);
struct U { T *a; };

typedef void (^T)(void);
extern T a;

typedef void (^T)(void);
T a;

typedef void (^T)(void);
T a = ^{ };

typedef void (^T)(void);
constant T a = ^{ };

typedef void (^T)(void);
global T a = ^{ };

typedef void (^T)(void);
static T a = ^{ };

typedef void (^T)(void);
void f(void){ global T a = ^{ }; }

typedef void (^T)(void);
void f(void){ private T a = ^{ }; }

typedef void (^T)(void);
kernel void f(void){ local T a = ^{ }; }

typedef void (^T)(void);
void f(void){ extern T a; }

typedef void (^T)(void);
void f(void){ static T a = ^{ }; }

typedef void (^T)(void);
void f(void){ __block T a = ^{ }; }

typedef void (^T)(void);
void f(void){ (void)(T)0; }

typedef void (^T)(void);
typedef T *U;

typedef void (^T)(void);
typedef T U[2];

typedef void (^T)(void);
typedef T U;
void f(void){ U a = ^{ }; }

typedef void (^T)(void);
void f(void (^b)(T)){}

void f(void (^a)(void)){ a(); }

void f(void (^)(void));

void (^f(void))(void);

void (^f(void))(void){ return ^{ }; }

kernel void f(void (^a)(void)){}

struct T { void (^a)(void); };

struct T { int b; void (^a)(void); };
void f(struct T t){}

void f(void){ struct T { void (^a)(void); }; }

void f(void){ void (^*a)(void); }

void f(void (^*a)(void)){}

void f(void){ void (^a)(int, ...) = ^(int x, ...){ }; }

void f(void){ void (^a)(int, ...); }

void f(void){ ^(int x, ...){ }(1); }

typedef void (^T)(int, ...);

void f(void (^a)(int, ...)){}

void f(void){ void (^a)(void (^)(void)) = ^(void (^b)(void)){ b(); }; }

void f(void){ ^(void (^b)(void)){ }; }

void f(void){ ^{ return ^{ }; }; }

void f(void){ void (^(^a)(void))(void) = 0; }

void f(void){ void (^a)(void) = ^{ }; ^{ a(); }(); }

void f(void){ void (^a)(void) = ^{ }; void (^b)(void) = ^{ a(); }; }

void f(void){ void (^const a)(void) = ^{ }; void (^const b)(void) = ^{ (void)a; }; }

void f(void){ ^{ void (^a)(void) = ^{ }; a(); }(); }

void f(void){ ^{ ^{ }(); }(); }

void f(void){ ^{ void (^a)(void) = ^{ }; ^{ a(); }(); }(); }

constant void (^a)(void) = ^{ };
void f(void){ a(); }

constant void (^a)(void) = ^{ };
void f(void){ ^{ a(); }(); }

void (^constant a)(void) = ^{ };
void f(void){ ^{ a(); }(); }

void (^a)(void) = ^{ };
void f(void){ ^{ a(); }(); }

void (^a)(void) = ^{ };
void f(void){ a(); }

void (^const a)(void) = ^{ };
kernel void f(void){ a(); }

void (^a)(void);

extern void (^a)(void);

int (^a)(int) = ^(int x){ return x + 1; };
int (^b)(int) = a;

int n = 1;
int (^a)(void) = ^{ return n; };

void f(void){ int n = 1; ^{ n = 2; }(); }

void f(void){ int n = 1; ^{ n++; }(); }

void f(void){ int n = 1; ^{ int m = n; m = 2; }(); }

void f(int n){ ^{ n = 2; }(); }

void f(int n){ ^{ (void)&n; }(); }

void f(int n){ ^{ int *p = &n; }(); }

void f(int n){ ^{ const int *p = &n; *p; }(); }

void f(int n){ ^{ const private int *p = &n; }(); }

void f(int n){ ^{ const generic int *p = &n; }(); }

void f(int n){ ^{ ^{ n = 1; }(); }(); }

void f(void){ int a[4]; ^{ a[0] = 1; }(); }

void f(void){ int a[4]; ^{ return a[0]; }(); }

void f(void){ int a[4]; ^{ int *p = a; }(); }

void f(void){ int a[4]; ^{ const int *p = a; }(); }

void f(void){ int a[4]; int s = ^{ return (int)sizeof(a); }(); }

void f(int a[4]){ ^{ a[0] = 1; }(); }

void f(void){ int a[2][2]; ^{ return a[1][1]; }(); }

kernel void f(void){ local int a[4]; ^{ a[0] = 1; }(); }

kernel void f(void){ local int a; ^{ a = 1; }(); }

kernel void f(void){ constant int a = 1; ^{ a = 1; }(); }

kernel void f(void){ constant int a = 1; ^{ return a; }(); }

kernel void f(void){ constant int a[2] = { 1, 2 }; ^{ return a[0]; }(); }

void f(void){ static int a; ^{ a = 1; }(); }

global int a;
void f(void){ ^{ a = 1; }(); }

constant int a = 1;
void f(void){ ^{ a = 1; }(); }

void f(global int *g){ ^{ *g = 1; }(); }

void f(global int *g){ ^{ g = 0; }(); }

void f(global int *g){ ^{ g++; }(); }

void f(global int *g){ ^{ local int *l = g; }(); }

void f(global int *g){ ^{ int *l = g; }(); }

void f(int *g){ ^{ global int *l = g; }(); }

void f(int *g){ ^{ private int *l = g; }(); }

struct T { int a; global int *b; };
void f(struct T t){ ^{ t.a = 1; }(); }

struct T { int a; global int *b; };
void f(struct T t){ ^{ *t.b = 1; }(); }

struct T { int a; global int *b; };
void f(struct T t){ ^{ local int *l = t.b; }(); }

struct T { int a; };
void f(struct T *t){ ^{ t->a = 1; }(); }

void f(float4 v){ ^{ v.x = 1; }(); }

void f(int n){ __block int m = n; ^{ m = 1; }(); }

void f(__block int m){}

kernel void f(void){ __block local int m; }

void f(void){ ^{ return 1; return 2; }; }

void f(int n){ ^{ if (n) return 1; return 1.0f; }; }

void f(int n){ ^{ if (n) return 1; return; }; }

void f(global int *g, local int *l, int n){ ^{ if (n) return g; return l; }; }

void f(global int *g, int n){ ^{ if (n) return g; return 0; }; }

void f(global int *g, int n){ ^{ if (n) return g; return g + 1; }; }

void f(global int *g){ global int *p = ^{ return g; }(); }

void f(global int *g){ local int *p = ^{ return g; }(); }

void f(global int *g){ int r = ^{ return *g; }(); }

void f(void){ ^{ int x; return &x; }; }

void f(void){ ^{ local int x; }; }

void f(void){ ^{ local int x; }(); }

kernel void f(void){ ^{ local int x; }(); }

kernel void f(void){ ^{ { local int x; } }(); }

kernel void f(void){ { ^{ local int x; }(); } }

kernel void f(void){ if (1) ^{ local int x; }(); }

kernel void f(void){ ^{ constant int x = 1; }(); }

void f(void){ ^{ constant int x = 1; }(); }

kernel void f(void){ ^{ global int x; }(); }

kernel void f(void){ ^{ private int x; }(); }

kernel void f(void){ ^{ static int x; }(); }

kernel void f(void){ ^{ ^{ local int x; }(); }(); }

kernel void f(void){ void (^b)(void) = ^{ local int x; }; }

void f(void){ void (^b)(void) = ^{ local int x; }; }

void (^b)(void) = ^{ local int x; };

constant void (^b)(void) = ^{ constant int x = 1; };

kernel void f(void){ ^(local int x){ }; }

kernel void f(void){ ^(global int x){ }; }

kernel void f(void){ ^(local int *x){ }; }

void f(void){ local int (^b)(void) = 0; }

void f(void){ local int *(^b)(void) = ^{ return (local int *)0; }; }

void f(void){ local int (^b)(void) = ^local int { return 1; }; }

typedef local int (^T)(void);

typedef int (^local T)(void);

kernel void f(void){ int (^local b)(void); }

void f(void){ int (^global b)(void) = ^{ return 1; }; }

void f(void){ int (^private b)(void) = ^{ return 1; }; }

void f(void){ int (^constant b)(void) = ^{ return 1; }; }

kernel void f(void){ int (^constant b)(void) = ^{ return 1; }; }

void f(void){ int (^restrict b)(void) = ^{ return 1; }; }

void f(void){ int (^volatile b)(void) = ^{ return 1; }; }

void f(void){ goto end; ^{ end: ; }(); }

void f(void){ ^{ goto end; }(); end: ; }

void f(int n){ while (n) ^{ break; }(); }

void f(void){ int (^b)(int) = ^(int){ return 1; }; }

void f(void){ ^(image2d_t i){ }; }

void f(image2d_t i){ ^{ (void)i; }(); }

void f(sampler_t s){ ^{ (void)s; }(); }

void f(event_t e){ ^{ (void)e; }(); }

void f(queue_t q){ ^{ (void)q; }(); }

void f(void){ ^image2d_t(void){ }; }

void f(void){ int x = 1 ^ 2; int y = x ^ x; y ^= x; }

int f(int x){ return x ^ (x) ^ ~x; }

#define B(x) ^{ return x; }
int f(int x){ return B(x)(); }

void f(int x, int y){ int z = x ^ ({ y; }); }

void g(int x);
void f(void){ void (^b)(int) = ^(int x){ g(x); }; b(1); }

void f(void){ void (^b)(int) = ^(int x) __attribute__((noinline)) { }; }

void f(void){ void (^f)(void) = ^{ f(); }; }
"""

_FRAME = "kernel void f(queue_t q, global int *g, local int *l, clk_event_t e, int n)"
"""A kernel with what an enqueueing call may need."""

_ENQUEUE_SETUP = """{
    ndrange_t r = ndrange_1D(1);
    clk_event_t w[2];
    clk_event_t *pw = w;
    const ndrange_t cr = r;
    void *v;
    float h = 1;
    void (^none)(void) = ^{ };
    void (^one)(local void *) = ^(local void *a){ };
    void (^two)(local void *, local void *) = ^(local void *a, local void *b){ };
    void (^typed)(local int *) = ^(local int *a){ };
    void (^value)(int) = ^(int a){ };
    """


def _enqueue(call: str) -> str:
    return f"{_FRAME} {_ENQUEUE_SETUP}{call};\n}}\n"


_BLOCKS = {
    "none": "none",
    "literal": "^{ }",
    "literal-int": "^{ return 1; }",
    "one": "one",
    "two": "two",
    "typed": "typed",
    "value": "value",
    "local-int": "^(local int *a){ }",
    "global-void": "^(global void *a){ }",
    "void": "^(void *a){ }",
    "constant-void": "^(constant void *a){ }",
    "local-const-void": "^(local const void *a){ }",
    "local-void": "^(local void *a){ }",
    "mixed": "^(local void *a, local int *b){ }",
    "cast": "(void (^)(void))none",
    "parenthesised": "(none)",
    "pointer": "v",
    "0": "0",
    "integer": "n",
    "function": "get_global_id",
}

_SIZES = {
    "none": "",
    "1": ", 1",
    "1-1": ", 1, 1",
    "1-1-1": ", 1, 1, 1",
    "int": ", n",
    "long": ", 1L",
    "float": ", h",
    "double": ", 1.0",
    "pointer": ", v",
    "sizeof": ", sizeof(int)",
    "size-float": ", 1, h",
    "bool": ", true",
    "char": ", 'a'",
    "negative": ", -1",
    "size_t": ", get_local_size(0)",
}

_EVENT_LISTS = {
    "none": "",
    "null": "0, 0, 0, ",
    "NULL": "0, NULL, NULL, ",
    "one": "1, &e, &e, ",
    "list": "2, w, &e, ",
    "pointer": "2, pw, pw, ",
    "float": "1.0f, &e, &e, ",
    "wrong-list": "1, v, &e, ",
    "wrong-result": "1, &e, v, ",
    "array-result": "1, &e, w, ",
    "values": "1, e, e, ",
    "integer": "1, n, &e, ",
    "count-pointer": "v, &e, &e, ",
    "two": "1, &e, ",
    "single": "1, ",
}

_HEADS = {
    "right": "q, 0, r",
    "flags": "q, CLK_ENQUEUE_FLAGS_NO_WAIT, r",
    "const-range": "q, 0, cr",
    "range-call": "get_default_queue(), 0, ndrange_1D(1)",
    "pointer-queue": "v, 0, r",
    "zero-queue": "0, 0, r",
    "pointer-flags": "q, v, r",
    "float-flags": "q, 1.0f, r",
    "pointer-range": "q, 0, v",
    "integer-range": "q, 0, 1",
    "queue-range": "q, 0, q",
    "address-range": "q, 0, &r",
}

_QUERIES = {
    "size": "get_kernel_work_group_size",
    "multiple": "get_kernel_preferred_work_group_size_multiple",
}
_RANGE_QUERIES = {
    "max": "get_kernel_max_sub_group_size_for_ndrange",
    "count": "get_kernel_sub_group_count_for_ndrange",
}

_CALLS = """
enqueue_kernel()

enqueue_kernel(q, 0, r)

enqueue_kernel(q)

enqueue_kernel(q, 0, r, none, none)

enqueue_kernel(q, 0, r, 1, &e, &e)

enqueue_kernel(q, 0, r, 1, &e, &e, &e, none)

int x = enqueue_kernel(q, 0, r, none)

global int *x = enqueue_kernel(q, 0, r, none)

uint x = get_kernel_work_group_size(none)

get_kernel_work_group_size()

get_kernel_work_group_size(none, none)

get_kernel_work_group_size(1)

get_kernel_max_sub_group_size_for_ndrange(r)

get_kernel_max_sub_group_size_for_ndrange(r, none, none)

get_kernel_max_sub_group_size_for_ndrange(none, r)

enqueue_marker(q, 1, &e, &e)

enqueue_marker(q, 0, 0, &e)

enqueue_marker(q, 0, 0, 0)

enqueue_marker(q, 2, w, &e)

enqueue_marker(0, 2, w, &e)

enqueue_marker(q, 1, v, &e)

enqueue_marker(q, 1, (global clk_event_t *)0, &e)

capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, g)

capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, l)

capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, v)

retain_event(e)

retain_event(&e)

set_user_event_status(e, CL_COMPLETE)

if (is_valid_event(e)) ;

ndrange_t x = ndrange_2D(1)

ndrange_t x = ndrange_1D(1, 2, 3)

ndrange_t x = ndrange_1D(v)

size_t s[2]; ndrange_t x = ndrange_2D(s)

size_t s[2]; ndrange_t x = ndrange_2D(s, s, s)

enqueue_kernel(q, 0, r, ^{ *g = 1; })

enqueue_kernel(q, 0, r, ^{ *l = 1; })

int m; enqueue_kernel(q, 0, r, ^{ int k = m; })

int m; int *p = &m; enqueue_kernel(q, 0, r, ^{ *p = 1; })

int m; private int *p = &m; enqueue_kernel(q, 0, r, ^{ *p = 1; })

int m; enqueue_kernel(q, 0, r, ^{ m = 1; })

int m[4]; enqueue_kernel(q, 0, r, ^{ m[0] = 1; })

enqueue_kernel(q, 0, r, ^{ g = 0; })

enqueue_kernel(q, 0, r, ^{ local int *p = g; })

enqueue_kernel(q, 0, r, ^(local void *p){ *(local int *)p = *g; }, 4)

enqueue_kernel(q, 0, r, ^(local void *p){ *(global int *)p = *g; }, 4)

enqueue_kernel(q, 0, r, ^(local void *p){ local int *i = p; }, 4)

enqueue_kernel(q, 0, r, ^(local void *p){ global int *i = p; }, 4)

enqueue_kernel(q, 0, r, ^{ enqueue_kernel(q, 0, r, ^{ }); })

enqueue_kernel(q, 0, r, ^{ enqueue_kernel(q, 0, r, none); })

void (^b)(void) = ^{ *g = 1; }; enqueue_kernel(q, 0, r, b)

int enqueue_kernel = 1

int x = enqueue_kernel + 1

(void)&enqueue_kernel
"""

_PIPE_FUNCTIONS = {
    f"{who}{what}_{way}_pipe": f"{who}{what}_{way}_pipe"
    for who in ("", "work_group_", "sub_group_")
    for what in ("reserve", "commit")
    for way in ("read", "write")
} | {name: name for name in ("read_pipe", "write_pipe", "get_pipe_num_packets", "get_pipe_max_packets")}

_PIPE_ARGUMENTS = {
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

_PIPES = {"none": "", "read": "read_only ", "write": "write_only "}

_PIPE_FRAME = (
    "void f({pipe}pipe int p, reserve_id_t i, global int *g, local int *l, constant int *k, float *o, void *v,"
    " const int *c, uint *u, int *y){{ int x; int a[4]; {function}({arguments}); }}"
)

_PIPE_ELEMENTS = {
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

_PIPE_ELEMENT_FRAME = (
    "struct T {{ int a; }}; typedef int U;\n"
    "void f(read_only pipe {element} p, {packet} *x){{ read_pipe(p, x); }}"
)

_PIPE_FORMS = """
kernel void f(read_only pipe int p, global int *g){ int x; if (read_pipe(p, &x)) *g = x; }

kernel void f(write_only pipe int p){ int x = 1; write_pipe(p, &x); }

kernel void f(read_only pipe int p){ reserve_id_t i = reserve_read_pipe(p, 1); commit_read_pipe(p, i); }

kernel void f(read_only pipe int p){ int i = reserve_read_pipe(p, 1); }

kernel void f(write_only pipe int p){ reserve_id_t i = work_group_reserve_write_pipe(p, 1); work_group_commit_write_pipe(p, i); }

kernel void f(read_only pipe int p, write_only pipe int q){ int x; read_pipe(p, &x); write_pipe(q, &x); }

kernel void f(read_only pipe int p){ int x; write_pipe(p, &x); }

kernel void f(pipe int p){ int x; read_pipe(p, &x); write_pipe(p, &x); }

typedef write_only pipe int T;
kernel void f(T p){ int x; write_pipe(p, &x); }

typedef pipe int T;
kernel void f(T p){ int x; read_pipe(p, &x); }

kernel void f(pipe int p){ uint n = get_pipe_num_packets(p) + get_pipe_max_packets(p); }

void g(pipe int p);
kernel void f(pipe int p){ g(p); }

kernel void f(pipe int p){ ^{ int x; read_pipe(p, &x); }(); }

int read_pipe;

void f(void){ int read_pipe = 1; }

void f(int n){ if (is_valid_reserve_id(n)) ; }

void f(reserve_id_t n){ if (is_valid_reserve_id(n)) ; }
"""


def blocks() -> Iterator[Program]:
    """Block types and literals, what they capture, and the functions that take blocks, ndranges and pipes."""
    for scope, frame in _SCOPES.items():
        for form, declarator in _DECLARATORS.items():
            template = frame.replace("{d}", "{storage}" + declarator + "{value}")
            # clang itself crashes on `__block` at program scope
            storage = {key: word for key, word in _STORAGE.items() if scope != "program" or key != "__block"}
            yield from matrix(f"block-{scope}-{form}", template, storage=storage, space=_NAMED, value=_VALUE)
    yield from listed("block-form", _FORMS)
    for name, block in _BLOCKS.items():
        for size, sizes in _SIZES.items():
            yield Program(f"enqueue-{name}-{size}", _enqueue(f"enqueue_kernel(q, 0, r, {block}{sizes})"))
        for events in ("null", "one"):
            for size in ("none", "1", "1-1", "float"):
                arguments = f"{_EVENT_LISTS[events]}{block}{_SIZES[size]}"
                yield Program(
                    f"enqueue-{name}-{events}-{size}", _enqueue(f"enqueue_kernel(q, 0, r, {arguments})")
                )
        for name_of, query in _QUERIES.items():
            yield Program(f"query-{name_of}-{name}", _enqueue(f"uint x = {query}({block})"))
        for name_of, query in _RANGE_QUERIES.items():
            for kind, arguments in (("right", "r"), ("const", "cr"), ("0", "0"), ("queue", "q")):
                yield Program(
                    f"query-{name_of}-{name}-{kind}", _enqueue(f"uint x = {query}({arguments}, {block})")
                )
    for name, events in _EVENT_LISTS.items():
        for block in ("none", "one", "local-int", "pointer"):
            arguments = f"{events}{_BLOCKS[block]}"
            yield Program(f"enqueue-events-{name}-{block}", _enqueue(f"enqueue_kernel(q, 0, r, {arguments})"))
    for name, head in _HEADS.items():
        for block in ("none", "one"):
            yield Program(
                f"enqueue-head-{name}-{block}", _enqueue(f"enqueue_kernel({head}, {_BLOCKS[block]})")
            )
    for number, call in enumerate(filter(None, (part.strip() for part in _CALLS.split("\n\n"))), 1):
        yield Program(f"enqueue-call-{number:02}", _enqueue(call))
    yield from matrix("pipe", _PIPE_FRAME, pipe=_PIPES, function=_PIPE_FUNCTIONS, arguments=_PIPE_ARGUMENTS)
    yield from matrix("pipe-element", _PIPE_ELEMENT_FRAME, element=_PIPE_ELEMENTS, packet=_PIPE_ELEMENTS)
    yield from listed("pipe-form", _PIPE_FORMS)
    yield from matrix("block-capture", "void f({S}int *s){{ ^{{ {D}int *d = s; }}(); }}")
    yield from matrix("block-argument", "void f({S}int *s){{ ^({D}int *d){{ }}(s); }}")
    yield from matrix("block-result", "void f({S}int *s){{ {D}int *d = ^{{ return s; }}(); }}")
    yield from matrix("block-return", "void f({S}int *s){{ ^{D}int *(void){{ return s; }}(); }}")
    yield from matrix("block-convert", "void f(void){{ void (^b)({D}int *) = ^({S}int *x){{ }}; }}")
    yield from matrix(
        "block-convert-result", "void f(void){{ {D}int *(^b)(void) = ^{S}int *(void){{ return 0; }}; }}"
    )
    yield from matrix("block-to-pointer", "void f(void){{ {S}void *b = ^{{ }}; }}")
    yield from matrix("block-cast-pointer", "void f(void){{ {S}void *b = ({S}void *)^{{ }}; }}")
    yield from matrix("block-from-pointer", "void f({S}void *v){{ void (^b)(void) = v; }}")
    yield from matrix(
        "block-cast-from-pointer", "void f({S}void *v){{ void (^b)(void) = (void (^)(void))v; }}"
    )
