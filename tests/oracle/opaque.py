"""Programs about opaque types: images, samplers, events, queues, reservations, ndranges and pipes in every position."""

from __future__ import annotations

from collections.abc import Iterator

from .program import Program, listed, matrix

_TYPES = {
    "image": "image2d_t",
    "read": "read_only image2d_t",
    "write": "write_only image3d_t",
    "both": "read_write image1d_t",
    "sampler": "sampler_t",
    "event": "event_t",
    "clk_event": "clk_event_t",
    "queue": "queue_t",
    "reserve_id": "reserve_id_t",
    "ndrange": "ndrange_t",
    "pipe": "pipe int",
    "write_pipe": "write_only pipe int",
}

_EACH = {
    name: spelled for name, spelled in _TYPES.items() if name not in ("read", "write", "both", "write_pipe")
}
"""Those that differ in more than their access."""

_SPACES = {"g": "global ", "l": "local ", "p": "private ", "c": "constant ", "n": ""}
_STORAGE = {"none": "", "static": "static ", "extern": "extern ", "const": "const ", "volatile": "volatile "}
_VALUE = {"bare": "", "0": " = 0"}

_SCOPES = {
    "program": "{d};",
    "function": "void f(int n){{ {d}; }}",
    "kernel": "kernel void f(int n){{ {d}; }}",
    "kernel-inner": "kernel void f(int n){{ {{ {d}; }} }}",
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

_WITH = {
    "assign": "void f({type} x, {type} y){{ x = y; }}",
    "assign-0": "void f({type} x){{ x = 0; }}",
    "assign-1": "void f({type} x){{ x = 1; }}",
    "assign-add": "void f({type} x){{ x += 1; }}",
    "assign-variable": "void f({type} x){{ {type} y; y = x; }}",
    "assign-int": "void f({type} x){{ int y; y = x; }}",
    "assign-int-to": "void f({type} x, int y){{ x = y; }}",
    "assign-member": "struct T {{ int a; }}; void f({type} x, struct T t){{ t.a = x; }}",
    "assign-through": "void f({type} *x, {type} y){{ *x = y; }}",
    "increment": "void f({type} x){{ x++; }}",
    "decrement": "void f({type} x){{ --x; }}",
    "address": "void f({type} x){{ (void)&x; }}",
    "address-initialise": "void f({type} x){{ {type} *p = &x; }}",
    "dereference": "void f({type} x){{ (void)*x; }}",
    "subscript": "void f({type} x){{ (void)x[0]; }}",
    "index": "void f({type} x, global int *p){{ (void)p[x]; }}",
    "member": "void f({type} x){{ (void)x.a; }}",
    "arrow": "void f({type} x){{ (void)x->a; }}",
    "plus": "int f({type} x){{ return x + 1; }}",
    "minus": "void f({type} x, {type} y){{ (void)(x - y); }}",
    "negate": "void f({type} x){{ (void)-x; }}",
    "positive": "void f({type} x){{ (void)+x; }}",
    "complement": "void f({type} x){{ (void)~x; }}",
    "not": "void f({type} x){{ (void)!x; }}",
    "times": "void f({type} x){{ (void)(2 * x); }}",
    "modulo": "void f({type} x){{ (void)(x % 2); }}",
    "shift": "void f({type} x){{ (void)(1 << x); }}",
    "bit-and": "void f({type} x){{ (void)(x & 1); }}",
    "bit-or": "void f({type} x, {type} y){{ (void)(x | y); }}",
    "equal": "int f({type} x, {type} y){{ return x == y; }}",
    "unequal": "int f({type} x, {type} y){{ return x != y; }}",
    "equal-0": "int f({type} x){{ return x == 0; }}",
    "equal-1": "int f({type} x){{ return x == 1; }}",
    "equal-int": "int f({type} x, int y){{ return y == x; }}",
    "less": "int f({type} x, {type} y){{ return x < y; }}",
    "greater-0": "int f({type} x){{ return x > 0; }}",
    "and": "int f({type} x, {type} y){{ return x && y; }}",
    "or-int": "int f({type} x, int y){{ return y || x; }}",
    "condition": "int f({type} x){{ return x ? 1 : 2; }}",
    "conditional": "void f({type} x, {type} y, int n){{ (void)(n ? x : y); }}",
    "conditional-0": "void f({type} x, int n){{ (void)(n ? x : 0); }}",
    "conditional-passed": "void g({type} z); void f({type} x, {type} y, int n){{ g(n ? x : y); }}",
    "if": "void f({type} x){{ if (x) ; }}",
    "while": "void f({type} x){{ while (x) break; }}",
    "for": "void f({type} x){{ for (; x; ) break; }}",
    "do": "void f({type} x){{ do ; while (x); }}",
    "switch": "void f({type} x){{ switch (x) {{ case 1: break; }} }}",
    "comma": "void f({type} x, {type} y){{ (void)(x, y); }}",
    "discarded": "void f({type} x){{ x; (void)x; }}",
    "sizeof-value": "int f({type} x){{ return sizeof(x) + sizeof x; }}",
    "initialise": "void f({type} x){{ {type} y = x; }}",
    "initialise-kernel": "kernel void f(void){{ {type} x; {type} y = x; }}",
    "initialise-const": "void f({type} x){{ const {type} y = x; }}",
    "initialise-0": "void f(void){{ {type} y = 0; }}",
    "initialise-1": "void f(void){{ {type} y = 1; }}",
    "initialise-float": "void f(void){{ {type} y = 1.0f; }}",
    "initialise-int": "void f(int n){{ {type} y = n; }}",
    "initialise-null": "void f(void){{ {type} y = (void *)0; }}",
    "initialise-pointer": "void f(global int *p){{ {type} y = p; }}",
    "initialise-zero-expression": "void f(void){{ {type} y = 1 - 1; }}",
    "initialise-braces": "void f(void){{ {type} y = {{ 0 }}; }}",
    "initialise-braced-value": "void f({type} x){{ {type} y = {{ x }}; }}",
    "initialise-from-int": "void f({type} x){{ int y = x; }}",
    "initialise-pointer-from": "void f({type} x){{ global int *y = x; }}",
    "initialise-array": "void f({type} x){{ {type} y[1] = {{ x }}; }}",
    "program-0": "{type} y = 0;",
    "program-const": "const {type} y = 0;",
    "program-constant": "constant {type} y = 0;",
    "program-constant-bare": "constant {type} y;",
    "program-constant-copied": "constant {type} y = 0; constant {type} z = y;",
    "pass": "void g({type} y); void f({type} x){{ g(x); }}",
    "pass-0": "void g({type} y); void f(void){{ g(0); }}",
    "pass-1": "void g({type} y); void f(void){{ g(1); }}",
    "pass-int": "void g({type} y); void f(int n){{ g(n); }}",
    "pass-float": "void g({type} y); void f(void){{ g(1.0f); }}",
    "pass-to-int": "void g(int y); void f({type} x){{ g(x); }}",
    "pass-to-pointer": "void g(global void *y); void f({type} x){{ g(x); }}",
    "pass-address": "void g({type} *y); void f({type} x){{ g(&x); }}",
    "pass-few": "void g({type} y, int z); void f({type} x){{ g(x); }}",
    "return": "{type} f({type} x){{ return x; }}",
    "return-0": "{type} f(void){{ return 0; }}",
    "return-int": "int f({type} x){{ return x; }}",
    "return-void": "void f({type} x){{ return x; }}",
    "cast-to-int": "int f({type} x){{ return (int)x; }}",
    "cast-to-long": "ulong f({type} x){{ return (ulong)x; }}",
    "cast-to-pointer": "void f({type} x){{ (void)(global int *)x; }}",
    "cast-from-int": "void f(int n){{ (void)({type})n; }}",
    "cast-from-1": "void f(void){{ (void)({type})1; }}",
    "cast-from-pointer": "void f(global int *p){{ (void)({type})p; }}",
    "cast-to-itself": "void f({type} x){{ (void)({type})x; }}",
    "cast-to-void": "void f({type} x){{ (void)x; }}",
    "cast-to-vector": "void f({type} x){{ (void)(float4)x; }}",
    "cast-passed": "void g({type} y); void f({type} x){{ g(({type})x); }}",
    "vector": "void f({type} x){{ float4 v = (float4)(x, 0, 0, 0); }}",
    "as": "void f({type} x){{ (void)as_ulong(x); }}",
    "typedef-pass": "typedef {type} T; void g(T y); void f({type} x){{ g(x); }}",
    "subscripted-array": "void f(void){{ {type} x[2]; x[0]; x[1] = x[0]; }}",
    "printf": 'kernel void f(void){{ {type} x; printf("%p", x); }}',
    "statement-expression": "void g({type} y); void f({type} x){{ g(({{ x; }})); }}",
    "typeof": "void f({type} x){{ __typeof__(x) y; }}",
}

_PAIRS = "void g({a} y); void f({b} x){{ g(x); }}"
_ASSIGNED = "void f({b} x){{ {a} y; y = x; }}"
_COMPARED = "int f({a} x, {b} y){{ return x == y; }}"
_CAST = "void f({b} x){{ (void)({a})x; }}"
_EITHER = "void f({a} x, {b} y, int n){{ (void)(n ? x : y); }}"

_ACCESS = """
kernel void f(read_only read_only image2d_t x){}

kernel void f(read_only write_only image2d_t x){}

kernel void f(read_only int x){}

kernel void f(read_only global int *x){}

void f(write_only int x);

kernel void f(image2d_t read_only x){}

kernel void f(__read_only image2d_t x, __write_only image2d_t y){}

kernel void f(__read_write image2d_t x){}

read_only int x;

void f(void){ read_only int x; }

struct T { read_only int x; };

typedef read_only image2d_t T;
void f(T x){}

typedef read_only image2d_t T;
void f(read_only T x){}

typedef read_only image2d_t T;
void f(write_only T x){}

typedef image2d_t T;
void f(write_only T x){}

typedef image2d_t T;
void f(read_only T x){}

typedef read_only int T;

read_only image2d_t f(void);

read_only void f(void);

void f(void){ (void)(read_only int)1; }

int f(void){ return sizeof(read_only image2d_t); }

void g(image2d_t x);
void f(read_only image2d_t x){ g(x); }

void g(read_only image2d_t x);
void f(image2d_t x){ g(x); }

void g(read_only image2d_t x);
void f(write_only image2d_t x){ g(x); }

void g(write_only image2d_t x);
void f(image2d_t x){ g(x); }

void f(image2d_t x);
void f(read_only image2d_t x);

void f(image2d_t x);
void f(write_only image2d_t x);

__attribute__((overloadable)) void f(read_only image2d_t x);
__attribute__((overloadable)) void f(write_only image2d_t x);
void g(read_only image2d_t x, write_only image2d_t y){ f(x); f(y); }

void f(image2d_t x){ float4 v = read_imagef(x, (int2)(0)); }

void f(write_only image2d_t x){ float4 v = read_imagef(x, (int2)(0)); }

void f(read_only image2d_t x){ write_imagef(x, (int2)(0), (float4)(0)); }

void f(write_only image2d_t x){ write_imagef(x, (int2)(0), (float4)(0)); }

void f(read_write image2d_t x){ write_imagef(x, (int2)(0), read_imagef(x, (int2)(0))); }

void f(read_write image2d_t x, sampler_t s){ float4 v = read_imagef(x, s, (int2)(0)); }

void f(read_only image2d_t x, sampler_t s){ float4 v = read_imagef(x, s, (float2)(0)); }

void f(read_only image2d_t x){ float4 v = read_imagef(x, 0, (float2)(0)); }

constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
void f(read_only image2d_t x){ float4 v = read_imagef(x, s, (float2)(0)); }

kernel void f(read_only image2d_t x){
    const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    float4 v = read_imagef(x, s, (float2)(0));
}

void f(pipe pipe int x){}

void f(pipe global int *x){}

void f(pipe int *x){}

void f(pipe int4 x){}

void f(pipe half x){}

void f(pipe bool x){}

void f(pipe size_t x){}

void f(pipe image2d_t x){}

void f(pipe event_t x){}

struct T { int a; };
void f(pipe struct T x){}

typedef struct { int a; } T;
kernel void f(pipe T x){}

typedef int T;
kernel void f(pipe T x){}

kernel void f(read_write pipe int x){}

kernel void f(read_only write_only pipe int x){}

kernel void f(pipe read_only int x){}

kernel void f(read_only pipe int x, write_only pipe float4 y){}

void g(pipe int x);
void f(pipe int x){ g(x); }

void g(pipe int x);
void f(pipe float x){ g(x); }

void g(write_only pipe int x);
void f(read_only pipe int x){ g(x); }

void g(read_only pipe int x);
void f(pipe int x){ g(x); }

void g(pipe uint x);
void f(pipe int x){ g(x); }

pipe int f(void);

pipe int x;

global pipe int x;

typedef pipe int T;
kernel void f(T x){}

typedef pipe int T;
kernel void f(write_only T x){}

int pipe(int x){ return x; }

int f(int pipe){ return pipe; }
"""

_SAMPLERS = """
constant sampler_t s = 0x10;

const sampler_t s = 5;

constant sampler_t s = 1 | 2;

int f(void);
constant sampler_t s = f();

constant int n = 1;
constant sampler_t s = n;

constant sampler_t s = 1.0f;

constant sampler_t s = { 1 };

constant sampler_t s;

const sampler_t s;

static const sampler_t s = 0;

static constant sampler_t s = 0;

static sampler_t s = 0;

extern constant sampler_t s;

extern sampler_t s;

private sampler_t s = 0;

constant const sampler_t s = 0;

kernel void f(void){ sampler_t s; }

kernel void f(void){ constant sampler_t s; }

kernel void f(void){ constant sampler_t s = 0; }

kernel void f(void){ const sampler_t s = 0; }

kernel void f(int n){ const sampler_t s = n; }

kernel void f(int n){ sampler_t s = n; }

kernel void f(int n){ if (n) { const sampler_t s = 0; } }

kernel void f(int n){ if (n) { constant sampler_t s = 0; } }

void f(void){ const sampler_t s = 0; }

void f(void){ constant sampler_t s = 0; }

void f(void){ static sampler_t s = 0; }

void f(void){ static const sampler_t s = 0; }

void f(void){ static constant sampler_t s = 0; }

void f(void){ extern sampler_t s; }

void f(void){ extern constant sampler_t s; }

kernel void f(void){ static const sampler_t s = 0; }

void f(sampler_t s){ const sampler_t t = s; }

void f(const sampler_t s){ s = 1; }

kernel void f(const sampler_t s){}

constant sampler_t s = 0;
void f(void){ const sampler_t t = s; }

constant sampler_t s = 0;
void g(sampler_t t);
void f(void){ g(s); }

constant sampler_t s = 0;
void g(sampler_t t);
void f(int n){ g(n ? s : s); }

constant sampler_t s = 0;
void f(void){ s = 1; }

kernel void f(void){ sampler_t s = 0; s = 1; }

kernel void f(void){ sampler_t s = 0, t = s; }

void g(sampler_t t);
void f(void){ g(CLK_ADDRESS_NONE); }

void g(sampler_t t);
void f(uint n){ g(n); }

void g(sampler_t t);
void f(void){ const int n = 2; g(n); }

void g(sampler_t t);
void f(void){ g(2u); }

void g(sampler_t t);
void f(void){ g(2l); }

void g(sampler_t t);
void f(void){ g('a'); }

struct T { const sampler_t s; };

typedef const sampler_t T;
T s = 0;

typedef constant sampler_t T;
T s = 0;

typedef sampler_t T;
constant T s = 0;

typedef global sampler_t T;
T s = 0;

typedef struct { int a; } T;
void f(T t){ const sampler_t s = t; }
"""

_EVENTS = """
event_t f(event_t e, local int *d, global int *s){ return async_work_group_copy(d, s, 1, e); }

void f(local int *d, global int *s){ event_t e = async_work_group_copy(d, s, 1, 0); wait_group_events(1, &e); }

void f(local int *d, global int *s){ event_t e[2]; e[0] = async_work_group_copy(d, s, 1, 0); wait_group_events(2, e); }

void f(void){ event_t e = 0; e = 0; }

void f(void){ event_t e; e = (event_t)0; }

void f(event_t e, event_t f){ e = f; }

void f(void){ static event_t e; }

kernel void f(void){ static event_t e; }

void f(void){ extern event_t e; }

extern event_t e;

static event_t e;

constant event_t e = 0;

const event_t e = 0;

private event_t e;

void f(void){ private event_t e; }

void f(void){ const event_t e = 0; }

void f(void){ volatile event_t e; }

void f(private event_t e){}

typedef global event_t T;
kernel void f(void){ T e; }

typedef local event_t T;
kernel void f(void){ T e[2]; }

typedef event_t T;
T e;

typedef event_t T;
kernel void f(T e){}

typedef event_t T[2];
T e;

typedef event_t T[2];
kernel void f(T e){}

kernel void f(event_t *e){}

kernel void f(global event_t *e){}

kernel void f(global event_t *global *e){}

struct T { event_t *e; };

struct T { event_t *e; };
kernel void f(struct T t){}

void f(void){ event_t *e; }

void f(event_t **e){}

event_t *f(void);

void f(void){ queue_t q; }

void f(void){ queue_t q = get_default_queue(); }

kernel void f(void){ global queue_t q; }

kernel void f(void){ local queue_t q; }

kernel void f(void){ constant queue_t q = 0; }

queue_t q;

constant queue_t q = 0;

const queue_t q = 0;

global queue_t q;

static queue_t q;

struct T { queue_t q; };

kernel void f(queue_t *q){}

kernel void f(global queue_t *q){}

void f(queue_t q, queue_t r){ q = r; }

void f(queue_t q, queue_t r){ if (q == r) ; }

void f(queue_t q){ if (q == 0) ; }

void f(queue_t q){ if (q) ; }

clk_event_t e;

constant clk_event_t e = 0;

global clk_event_t e;

static clk_event_t e;

void f(void){ static clk_event_t e; }

void f(void){ extern clk_event_t e; }

void f(void){ clk_event_t e = create_user_event(); release_event(e); }

void f(void){ clk_event_t e = 0; }

void f(void){ clk_event_t e = CLK_NULL_EVENT; }

kernel void f(void){ local clk_event_t e; }

kernel void f(void){ global clk_event_t e; }

kernel void f(void){ constant clk_event_t e = 0; }

struct T { clk_event_t e; };

struct T { clk_event_t e; };
kernel void f(struct T t){}

struct T { clk_event_t e; };
struct T t;

kernel void f(global clk_event_t *e){}

kernel void f(clk_event_t *e){}

clk_event_t f(clk_event_t e){ return e; }

reserve_id_t r;

static reserve_id_t r;

constant reserve_id_t r = 0;

void f(void){ static reserve_id_t r; }

void f(void){ reserve_id_t r; if (is_valid_reserve_id(r)) ; }

kernel void f(void){ local reserve_id_t r; }

kernel void f(void){ global reserve_id_t r; }

struct T { reserve_id_t r; };

struct T { reserve_id_t r; };
kernel void f(struct T t){}

kernel void f(global reserve_id_t *r){}

reserve_id_t f(reserve_id_t r){ return r; }

void f(reserve_id_t r){ if (r == 0) ; }

ndrange_t n;

global ndrange_t n;

constant ndrange_t n;

constant ndrange_t n = { 0 };

void f(void){ ndrange_t n = ndrange_1D(1); }

void f(void){ ndrange_t n = 0; }

void f(void){ static ndrange_t n; }

kernel void f(void){ local ndrange_t n; }

struct T { ndrange_t n; };

struct T { ndrange_t n; };
kernel void f(struct T t){}

kernel void f(global ndrange_t *n){}

ndrange_t f(ndrange_t n){ return n; }

void f(ndrange_t n, ndrange_t m){ n = m; }

void f(ndrange_t n, ndrange_t m){ if (n == m) ; }

void f(ndrange_t n){ (void)n.workDimension; }
"""

_KERNEL_TYPES = {
    name: spelled
    for name, spelled in (
        (word.replace(" ", "-").replace("*", "pointer"), word)
        for word in (
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
    )
}

_KERNEL_FRAME = "enum E {{ A }}; struct S {{ int a; }}; union U {{ int a; float b; }};\n"

_KERNEL_FORMS = {
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

_RECORD_FORMS = {
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

_RECORD_TYPES = {
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
    "value": "kernel void f(struct M m){}",
    "pointer": "kernel void f(global struct M *m){}",
    "function": "void f(struct M m){}",
    "typedef": "typedef struct M T; kernel void f(T m){}",
}


def _kernel_parameters() -> Iterator[Program]:
    for form, text in _KERNEL_FORMS.items():
        yield from matrix(f"kernel-{form}", _KERNEL_FRAME + text, space=_SPACES, type=_KERNEL_TYPES)
    for form, text in _RECORD_FORMS.items():
        for passed, kernel in _PASSED.items():
            template = "enum E {{ A }};\n" + text + kernel.replace("{", "{{").replace("}", "}}")
            yield from matrix(
                f"kernel-record-{form}-{passed}", template, space=_MEMBER_SPACES, type=_RECORD_TYPES
            )


def opaque() -> Iterator[Program]:
    """Opaque types in every position and under every operator, and all that a kernel's parameters can be."""
    for scope, frame in _SCOPES.items():
        template = frame.replace("{d}", "{storage}{space}{type} x{value}")
        yield from matrix(
            f"opaque-{scope}", template, storage=_STORAGE, space=_SPACES, type=_EACH, value=_VALUE
        )
    for name, template in _IN_PLACE.items():
        yield from matrix(f"opaque-{name}", template, space=_SPACES, type=_EACH)
    for name, template in _WITH.items():
        yield from matrix(f"opaque-{name}", template, type=_TYPES)
    for name, template in (
        ("pass", _PAIRS),
        ("assign", _ASSIGNED),
        ("equal", _COMPARED),
        ("cast", _CAST),
        ("conditional", _EITHER),
    ):
        yield from matrix(f"opaque-{name}-pair", template, a=_EACH, b=_EACH)
    yield from listed("opaque-access", _ACCESS)
    yield from listed("opaque-sampler", _SAMPLERS)
    yield from listed("opaque-event", _EVENTS)
    yield from _kernel_parameters()
