"""Single programs around expressions and statements: null pointers, literals, members, unions, calls, plain C."""

from __future__ import annotations

from collections.abc import Iterator

from .program import Program, listed


def expressions() -> Iterator[Program]:
    """The programs below; where several lines of one can be errors, each has its own line."""
    yield from listed("pointer", _POINTERS)
    yield from listed("space", _SPACES)
    yield from listed("plain", _PLAIN_C)
    yield from listed("ambiguous", _AMBIGUOUS)
    yield from listed("specification", _SPECIFICATION)


_POINTERS = """
void f(global int *g, local int *l, private int *p, constant int *c, int *n){
    g = 0; l = 0; p = 0; c = 0; n = 0;
    g = NULL; l = NULL; p = NULL; c = NULL; n = NULL;
    g = (void *)0; l = (void *)0; p = (void *)0; c = (void *)0; n = (void *)0;
    g = 0L; l = 0u; p = '\\0';
    g = (int)0;
    c = 1 - 1;
    l = (0);
    p = ((void *)0);
    n = 0x0;
}

int f(global int *g, local int *l, private int *p, constant int *c, int *n){
    if (g == 0 || l == NULL || p != (void *)0 || c == 0L || 0 == n) return 1;
    if (!g && !l && !p && !c && !n) return 2;
    if (g && l && p && c && n) return 3;
    return g ? 1 : l ? 2 : 0;
}

int f(global int *g){
    return g == (global void *)0;
}

int f(global int *g){
    return g == (local void *)0;
}

int f(local int *l){ return l == NULL; }

int f(global int *g){ return g == 1; }

int f(global int *g){ return g < 0; }

int f(global int *g){ return g < NULL; }

int f(global int *g){ return g - 0; }

void f(global int *g, int n){ g = n; }

void f(global int *g, int n){ n = g; }

void f(global int *g){ int n = g; }

void f(global int *g){ long n = g; }

void f(global int *g){ long n = (long)g; int m = (int)g; uintptr_t u = (uintptr_t)g; size_t s = (size_t)g; }

void f(uintptr_t u){ global int *g = (global int *)u; local int *l = (local int *)u; constant int *c = (constant int *)u; private int *p = (private int *)u; int *n = (int *)u; }

void f(void){ global int *g = (global int *)1; }

void f(void){ global int *g = 1; }

void f(global int *g){ float x = (float)g; }

void f(float x){ global int *g = (global int *)x; }

void f(global int *g){ bool b = g; }

bool f(global int *g){ return g; }

global int *f(void){ return 1; }

int f(global int *g){ return g; }

void h(int n); void f(global int *g){ h(g); }

void h(global int *g); void f(int n){ h(n); }

void f(global int *g, int n){
    g + n;
    n + g;
    g - n;
    g += n;
    g -= n;
    ++g;
    g--;
    g[n];
    n[g];
    *(g + n);
}

void f(global int *g, global int *h){ g + h; }

void f(global int *g){ g * 2; }

void f(global int *g){ -g; }

void f(global int *g){ ~g; }

void f(global int *g){ g & 1; }

void f(global int *g){ g % 2; }

void f(global int *g){ g << 1; }

void f(global int *g, int n){ n - g; }

void f(global int *g, float x){ g + x; }

void f(global int *g, float x){ g[x]; }

void f(global int *g){ g += g; }

void f(global void *v){ v + 1; }

void f(global void *v){ *v; }

void f(global void *v){ v[0]; }

void f(global void *v){ int n = *v; }

void f(int n){ *n; }

void f(int n){ n[0]; }

void f(int n){ n->a; }

void f(int n){ n.a; }

struct T { int a; };
void f(global struct T *t){
    t->a;
    (*t).a;
    t[0].a;
}

struct T { int a; };
void f(global struct T *t){ t.a; }

struct T { int a; };
void f(struct T t){ t->a; }

struct T { int a; };
void f(global struct T *t){ t->b; }

struct T { int a; };
void f(struct T t){ t.b; }

struct T;
void f(global struct T *t){ t->a; }

struct T;
void f(global struct T *t){ *t; }

struct T;
void f(global struct T *t){ t + 1; }

struct T { int a; };
struct U { int a; };
void f(struct T t, struct U u){ t = u; }

struct T { int a; };
void f(struct T t){ int n = t; }

struct T { int a; };
void f(struct T t, int n){ t = n; }

struct T { int a; };
struct U { int a; };
void f(global struct T *t, global struct U *u){ t = u; }

void f(global int *g){ global float *x = g; }

void f(global int *g){ global uint *x = g; }

void f(global int *g){ global char *x = (global char *)g; }

void f(global int *g, global float *h){ g = h; }

void h(global int *g); void f(global float *x){ h(x); }

global int *f(global float *x){ return x; }

int f(global int *g, global float *h){ return g == h; }

int f(global int *g, global float *h){ return g < h; }

long f(global int *g, global float *h){ return g - h; }

void f(int n, global int *g, global float *h){ n ? g : h; }

void f(global int *g){ global int **h = &g; }

void f(global int *g){ private int *p = &g; }

void f(global int4 *g){ global int *p = g; }

void f(global int4 *g){ global float4 *p = g; }

void f(global int4 *g){ global int *p = (global int *)g; }

void f(int4 v){ int *p = &v.x; }

void f(global int4 *v){ global int *p = &v->x; }

void f(int4 v){ int2 *p = &v.xy; }

void f(int4 v){ int *p = (int *)&v; }

void f(int4 v){ int *p = &v[0]; }

void f(int4 v){ int *p = &v.s0; }

void f(global int4 *v){ global int2 *p = &v[0].lo; }

void f(void){ &1; }

void f(int n){ &(n + 1); }

int h(void); void f(void){ &h(); }

void f(int n){ int *p = &n; int *private *q = &p; }

void f(int n){ int *p = &(n); int *q = &*p; }

void f(global int *g){ const global int *c = g; volatile global int *v = g; const volatile global int *w = c; }

void f(const global int *c){ global int *g = c; }

void f(volatile global int *v){ global int *g = v; }

void f(const global int *c){ global int *g = (global int *)c; }

void h(global int *g); void f(const global int *c){ h(c); }

global int *f(const global int *c){ return c; }

void f(global int *const g){ g = 0; }

void f(const global int *g){ *g = 0; }

void f(const global int *g){ g = 0; g++; }

void f(const int n){ n = 1; }

void f(void){ const int n = 1; n = 2; }

void f(void){ const int n = 1; n++; }

void f(void){ const int n = 1; n += 2; }

void f(void){ const int n[2] = { 1 }; n[0] = 2; }

void f(void){ const int n = 1; int *p = &n; }

void f(void){ const int n = 1; int *p = &n; *p = 2; }

struct T { const int a; };
void f(struct T t){ t.a = 1; }

struct T { int a; };
void f(const struct T t){ t.a = 1; }

struct T { int a[2]; };
void f(const struct T *t){ t->a[0] = 1; }

struct T { struct { int a; } i; };
void f(constant struct T *t){ t->i.a = 1; }

struct T { global int *a; };
void f(constant struct T *t){ *t->a = 1; t->a[1] = 2; }

struct T { global int *a; };
void f(constant struct T *t){ t->a = 0; }

constant int x = 1;
void f(void){ ++x; }

constant int x = 1;
void f(void){ x--; }

constant int x = 1;
void f(void){ x *= 2; }

constant int x[4] = { 1 };
void f(int n){ x[n] = 2; }

constant int4 x = (int4)(1);
void f(void){ x.x = 2; }

constant int x = 1;
void f(void){ constant int *p = &x; *p = 2; }

constant int x = 1;
void f(void){ int *p = &x; }

constant int x = 1;
void f(void){ *(int *)&x = 2; }

constant int x = 1;
int f(void){ return x + *&x; }

void f(constant int *c){ c++; c = c + 1; int n = *c++; }

void f(constant int *c){ (*c)++; }

void f(constant int *c){ *c++ = 1; }

void f(constant int *c, int n){ (n ? c : c)[0] = 1; }

void f(constant int *c, int n){ *(n, c) = 1; }

void f(constant int (*c)[4]){ (*c)[1] = 1; }

typedef constant int T;
void f(T *t){ *t = 1; }

void f(constant int *const c){ c = 0; }

void f(void){ 1 = 2; }

void f(int n){ n + 1 = 2; }

void f(int n){ (n) = 2; }

void f(int a[4], int b[4]){ a = b; }

void f(void){ int a[4]; int b[4]; a = b; }

void f(void){ int a[4]; a = 0; }

void f(void){ int a[4]; a++; }

void f(int n, int m){ (n ? n : m) = 1; }

int h(void); void f(void){ h() = 1; }

void f(int4 v){ v.xx = (int2)(1, 2); }

void f(int4 v){ v.xy = (int2)(1, 2); }

void f(int4 v){ v.q = 1; }

void f(int2 v){ v.z = 1; }
"""

_SPACES = """
void f(global int *g){ local int *l = (local int *)(uintptr_t)g; }

void f(global int *g){ ulong u = (ulong)g; local int *l = (local int *)u; }

void f(global int *g){ local int *l = as_type(g); }

union U { global int *g; local int *l; };
local int *f(global int *g){ union U u; u.g = g; return u.l; }

union U { global int *g; local int *l; };
void f(union U u){ u.l = u.g; }

void f(global int *g){ local int *l = as_int(g); }

void f(global int *g){ ulong u = as_ulong(g); }

char *f(void){ return "x"; }

const char *f(void){ return "x"; }

constant char *f(void){ return "x"; }

const constant char *f(void){ return "x"; }

void f(void){ char *s = "x"; }

void f(void){ const char *s = "x"; }

void f(void){ constant char *s = "x"; }

void f(void){ constant uchar *s = "x"; }

void f(void){ constant int *s = "x"; }

void f(void){ constant void *s = "x"; }

void f(void){ global char *s = "x"; }

void f(void){ char s[] = "abc"; }

void f(void){ char s[4] = "abc"; s[0] = 'x'; }

void f(void){ char s[3] = "abc"; }

void f(void){ char s[2] = "abc"; }

void f(void){ char s[] = { "abc" }; }

void f(void){ "abc"[0] = 'x'; }

char f(int n){ return "abc"[n]; }

void f(void){ constant char *s[] = { "a", "b" }; }

void f(void){ const char *s[] = { "a", "b" }; }

int f(void){ return sizeof("abc"); }

void f(void){ constant char *s = "a" "b"; }

void f(void){ constant char (*s)[4] = &"abc"; }

void h(const char *s); void f(void){ h("x"); }

void h(constant char *s); void f(void){ h("x"); }

void f(int n){ constant char *s = n ? "a" : "b"; }

void f(int n){ const char *s = n ? "a" : "b"; }

void f(int n){ constant char *s = n ? "a" : 0; }

void f(void){ constant char *s = __func__; }

void f(void){ const constant char *s = __func__; }

void f(void){ const char *s = __func__; }

void f(void){ constant char *s = __FILE__; const constant char *t = __PRETTY_FUNCTION__; }

typedef struct { int a; float b[4]; } T;
void f(global T *p){
    global int *a = &p->a;
    global float *b = p->b;
    global float *c = &p->b[1];
    local float *d = p->b;
    private int *e = &p[1].a;
    int *n = &(*p).a;
}

typedef struct { int a; } T;
void f(global T *p, local T *q){ T s = *p; *p = s; *q = *p; *p = *q; }

typedef struct { int a; } T;
void f(constant T *p, global T *q){ *q = *p; *p = *q; }

kernel void f(void){
    local int a[4];
    local int *p = a;
    local int (*q)[4] = &a;
    global int *g = a;
    global int (*h)[4] = &a;
    int *n = a;
    private int *r = &a[2];
}

kernel void f(global int *g, local int *l){
    global int *a[2] = { g, l };
    global int *b[2] = {
        g,
        g + 1 };
    local int *c[] = { l, 0, g };
    a[0] = g;
    a[1] = l;
    *a = l;
}

kernel void f(global int *g, local int *l){ int *a[2] = { g, l }; }

typedef struct { global int *p; local int *q; } T;
void f(global int *g, local int *l){
    T a = { g, l };
    T b = { l, g };
    T c = { .q = l, .p = g };
    T d = { .q = g };
    T e[2] = { { g }, { l } };
    T h = a;
    a.p = l;
    a.p = b.q;
    T i = (T){ g, l };
    T j = (T){ l };
}

typedef struct { global int *p; } T;
typedef struct { T t; int n; } U;
void f(global int *g, local int *l){
    U a = { { g }, 1 };
    U b = { g, 1 };
    U c = { { l }, 1 };
    U d = { l, 1 };
    U e = { .t.p = l };
    U h = { .t = { l } };
}

void f(void){
    int x;
    private int *p = &x;
    int *n = &x;
    global int *g = &x;
    local int *l = &x;
    constant int *c = &x;
}

void f(int n, global int *g, local int *l, private int *p, constant int *c, int *u){
    global int *a = n ? g : 0;
    global int *b = n ? 0 : g;
    global int *d = n ? g : l;
    int *e = n ? g : u;
    int *h = n ? l : p;
    constant int *i = n ? c : g;
    global int *j = n ? g : (void *)0;
    int *k = n ? 0 : 0;
    global int *m = n ? u : g;
    global int *o = n ? NULL : g;
}

void f(int n, global int *g, global void *v){
    global int *a = n ? g : v;
    global float *b = n ? g : v;
    local int *c = n ? g : v;
}

void f(int n, global int *g, int m){ n ? g : m; }

void f(int n, global int *g, int m){ n ? g : 1; }

void f(global int *g){ g ? : g; }

int f(global int *g, local int *l){ return *(1, g) + (g && l); }

int f(global int *g, local int *l){ return (g, l) == l; }

int f(global int *g, local int *l){ return (g, l) == g; }

void f(global int *g){ private int *p = (int *)g; }

void f(global int *g){ global int *p = (int *)g; }

void f(global int *g){ global int *p = (void *)g; }

void f(global int *g){ void *v = g; global int *p = v; }

void f(global int *g){ void *v = g; global int *p = (global int *)v; }

void f(global float *g){ global int *p = (global int *)g; global char *c = (global void *)g; }

global int *f(local int *l){ return (global int *)(void *)l; }

int f(global int *g, local int *l){ return sizeof((local int *)g); }

int f(global int *g, local int *l){ return sizeof(g == l); }

int f(global int *g){ return sizeof(global int *) + sizeof *g + sizeof(g); }

int f(global int *g, local int *l){ return sizeof(global int *) == sizeof(local int *); }

int f(void){ return sizeof(void); }

int f(void){ return sizeof(undeclared); }

void f(int n){ if (n) f(n - 1); }

void g(int n);
void f(int n){ g(n); }
void g(int n){ f(n); }

void f(void){ undeclared; }

void f(void){ undeclared = 1; }

void f(void){ int x = undeclared + 1; }

void f(undeclared_t x){}

undeclared_t x;

void f(void){ undeclared_t x; }

struct T { undeclared_t x; };

void f(void){ struct U x; }

struct U x;

void f(struct U x){}

void f(struct U *x){}

void f(void){ sizeof(struct U); }

void f(void){ int *p = (int[]){ 1, 2 }; }

void f(void){ private int *p = (int[]){ 1, 2 }; }

void f(void){ private int *p = (private int[]){ 1, 2 }; }

void f(void){ global int *p = (int[]){ 1, 2 }; }

void f(void){ local int *p = (local int[]){ 1, 2 }; }

void f(void){ constant int *p = (constant int[]){ 1, 2 }; }

void f(void){ private int *p = &(int){ 1 }; }

void f(void){ int *p = &(int){ 1 }; }

void f(void){ int x = (int){ 1 }; float4 v = (float4){ 1, 2, 3, 4 }; }

struct T { int a; };
void f(void){ struct T t = (struct T){ 1 }; int n = ((struct T){ 2 }).a; }

struct T { int a; };
void h(struct T t); void f(void){ h((struct T){ 1 }); }

struct T { int a; };
void h(private struct T *t); void f(void){ h(&(struct T){ 1 }); }

struct T { int a; };
void h(struct T *t); void f(void){ h(&(struct T){ 1 }); }

constant int *constant p = (constant int[]){ 1, 2 };

void h(int *p){}
void f(global int *g){ h(g); }

void h(int *p){}
void f(local int *l){ h(l); }

void h(int *p){}
void f(constant int *c){ h(c); }

void h(int *p){}
void f(void){ int x; h(&x); }

void h(private int *p){}
void f(int *n){ h(n); }

void h(private int *p){}
void f(void){ int x[4]; h(x); int *q = x; h(q); }

void h(int **pp){}
void f(void){ int x; int *p = &x; h(&p); }

void h(int **pp){}
void f(global int *g){ h(&g); }

void h(private int *private *pp){}
void f(void){ int x; int *p = &x; h(&p); }

void h(global int *private *pp){}
void f(global int *g){ h(&g); }

void h(global int **pp){}
void f(global int *g){ h(&g); }

void f(void){ private int x; private int *p = &x; int **pp = &p; }

void f(void){ int x; int *p = &x; int **pp = &p; int ***ppp = &pp; }

void f(global int *private *gg){ void *v = gg; }

void f(global int *private *gg){ private void *v = gg; }

void f(global int *private *gg){ global int *private *hh = (private void *)gg; }

void f(global int *private *gg){ local int *private *ll = (local int *private *)(private void *)gg; }

void f(global int *private *gg){ local int *private *ll = (private void *)gg; }

void f(int **a, int *private *b, int *global *c){
    a = b;
    a = c;
    b = a;
    b = c;
    c = b;
}

void f(global int *global *a, global int *local *b){
    global int *x = *a;
    local int *y = *b;
    global int *z = b[0];
    **a = 1;
    *a = *b;
    a = b;
}

typedef struct { int *p; } T;
void f(global int *g, local int *l, private int *p, constant int *c){
    T t;
    t.p = g;
    t.p = l;
    t.p = p;
    t.p = c;
    T u = { g };
    T v = { c };
}

typedef struct { int *p; } T;
void f(global T *t, global int *g){
    t->p = g;
    global int *q = t->p;
    int *r = t->p;
    private int *s = t->p;
    global int *o = (global int *)t->p;
}

struct Node { global struct Node *next; int value; };
int f(global struct Node *n){
    int sum = 0;
    while (n) {
        sum += n->value;
        n = n->next;
    }
    return sum;
}

struct Node { struct Node *next; };
void f(global struct Node *n){ n = n->next; }

struct Node { struct Node *next; };
void f(struct Node *n){ n = n->next; n->next = n; }

void f(global int *g, local int *l){ int *p = g; p = l; *p = 1; }

kernel void f(global int *g, local int *l){
    int *var;
    if (g) var = g; else var = l;
    *var = 42;
}

void foo(int *a){ *a = *a + 2; }
kernel void k1(local int *a){ foo(a); }
kernel void k2(global int *a){ foo(a); }

int *f(void){ int x; return &x; }

global int *f(void){ int x; return &x; }

int *f(global int *g){ return g; }

int *f(constant int *c){ return c; }

global int *f(int *n){ return n; }

void f(global int *g){ return g; }

int f(void){ return; }

global int *f(void){ return; }

void f(void){ return 1; }

void g(void); void f(void){ return g(); }

int f(void){ }

int f(int n){ return n; return 1.5f; }

void f(volatile global int *g){ global int *p = g; volatile global int *q = p; }

void f(local int a[4]){ a[0] = 1; }
void g(int a[4]){ a[0] = 1; }
kernel void k(void){ local int a[4]; int b[4]; f(a); g(b); g(a); f(b); }

void f(local int a[static 4]){ }

void f(int a[const 4]){ }

void f(local int a[]){ local int *p = a; a++; }

void f(int a[2][3]){ int (*p)[3] = a; int *q = a[1]; }

void f(global int a[2][3]){ global int (*p)[3] = a; int (*q)[3] = a; local int (*r)[3] = a; }

void f(global int (*a)[4]){ global int *p = *a; global int *q = a[1]; global int *r = &a[1][2]; int *s = *a; }

void f(global int *g){ global int (*a)[4] = g; }

void f(global int *g){ global int (*a)[4] = (global int (*)[4])g; local int (*b)[4] = (local int (*)[4])g; }

constant int n = 4;
void f(void){ int a[n]; }

constant int n = 4;
kernel void f(void){ local int a[n]; local int b[n * 2 + 1]; }

void f(void){ const int n = 4; int a[n]; }

enum { N = 4 };
void f(void){ int a[N]; a[0] = N; }

void f(global int *restrict g, local int *restrict l){ g[0] = l[0]; }

void f(global int *g){ __typeof__(g) p = g; __typeof__(*g) *q = g; }

void f(global int *g, local int *l){ __typeof__(g) p = l; }

void f(global int *g){ __typeof__(*g) x; }

void f(global int *g){ __typeof__(*g + 0) x; }

void f(global int *g){ typeof(g) p = g; }

void f(global int *g){ __auto_type p = g; local int *l = p; }

void f(global int *g){ auto p = g; }

void f(global int *g){ global int **pp = 0; global int *private *qq = &g; }

void f(global int *g){ local float *p = g; }

void f(global int *g){ local float *p = (local float *)g; }

void f(int n){ switch (n) { case 1: { int x; break; } default: ; } }

kernel void f(int n){ switch (n) { case 1: ; local int x; } }

kernel void f(global int *g){ local int x; if (g[0]) { x = 1; local int *p = &x; global int *q = &x; } }

kernel void f(global int *in, global int *out, local int *scratch, constant int *table){
    int i = in[0];
    scratch[i] = in[i] * table[i];
    out[i] = scratch[0];
    in = out;
    in = scratch;
    scratch = in;
    table = in;
    in = table;
    table[i] = 1;
}

__kernel void f(__global float4 *a, __global float *b){
    __global float *p = (__global float *)a;
    __global float4 *q = (__global float4 *)b;
    __local float *r = (__local float *)a;
    float *s = (float *)b;
    *q = a[0];
}

void f(global int *g){ ((local int *)g)[0] = 1; }

void f(global int *g){ *(int *)g = 1; }

void f(global int *g){ ((global char *)g)[1] = 1; }

void f(local int *l){ g(l); }

int h(global int *g){ return *g; }
int f(local int *l){ return h(l) + h(0) + h(NULL); }

int h(global int *a, local int *b, int n){ return n; }
int f(global int *g, local int *l){
    h(g, l, 1);
    h(l, g, 1);
    h(g, l);
    h(g, l, 1, 2);
    h(0, 0, 0);
    return h(
        g,
        g, 1);
}

global int *h(global int *g){ return g; }
void f(global int *g, local int *l){
    *h(g) = 1;
    h(g)[1] = 2;
    l = h(g);
    global int *p = h(h(g));
    h(h(g) + 1);
    h(&h(g)[1]);
    local int *q = &h(g)[1];
}

void f(global int *g){ for (global int *p = g; p < g + 4; p++) *p = 0; }

void f(global int *g){ for (local int *p = g; p; p++) *p = 0; }

void f(global int *g){ do { g++; } while (g); }

void f(local int *l){ local int **p; }

void f(generic int *p, global int *g){ p = g; g = p; g = (global int *)p; }

void f(__generic int *p){ local int *l = (local int *)p; }

void f(generic int x){}

generic int x;

kernel void f(generic int *p){}

void f(void){ generic int x; }

void f(const int *p, global const int *g){ p = g; global int *h = (global int *)p; }

void f(global int *g){ int *const p = g; const int *q = g; volatile int *r = g; }

void f(global int *g){ { int *p = g; } }

static void f(global int *g){ local int *l = g; }

inline void f(global int *g){ local int *l = g; }

#define SPACE global
void f(SPACE int *g){ local int *l = g; }

#define POINTER(s) s int *
void f(POINTER(global) g){ POINTER(local) l = g; }

void f(global struct { int a; } *p){ global int *q = &p->a; local int *r = &p->a; }

typedef struct { float x; } P;
typedef struct { P p[2]; global P *q; } R;
void f(global R *r, local R *s){
    global P *a = r->p;
    global P *b = &r->p[1];
    global float *c = &r->p[0].x;
    global P *d = s->q;
    local P *e = s->q;
    local P *g = s->p;
    global float *h = &s->q->x;
    local float *i = &s->q->x;
    s->q = r->p;
    r->q = s->p;
    *r = *s;
}

struct T { int a[2]; };
struct T h(void);
void f(void){ int x = h().a[0]; }

void f(global half *p){ half x = *p; }

void f(half *p, float x){ *p = x; }

void f(image2d_t i){}

void f(read_only image2d_t i, write_only image3d_t j){}

void f(global image2d_t i){}

void f(image2d_t i){ image2d_t j = i; }

void f(image2d_t i){ image2d_t *j = &i; }

void f(image2d_t *i){}

image2d_t f(void);

struct T { image2d_t i; };

void f(image2d_t i[2]){}

global image2d_t i;

image2d_t i;

kernel void f(read_only image2d_t i, local image2d_t j){}

void f(image2d_t i){ i = 0; }

kernel void f(constant image2d_t i){}

kernel void f(private image2d_t i){}

kernel void f(const image2d_t i){}

void h(image2d_t i); void f(image2d_t i){ h(i); }
"""

_PLAIN_C = """
void f(void){ break; }

void f(void){ continue; }

void f(void){ goto nowhere; }

void f(void){ a: ; a: ; }

void f(void){ case 1: ; }

void f(int n){ switch (n) { case 1: ; case 1: ; } }

void f(int n){ switch (n) { default: ; default: ; } }

void f(int *n){ switch (n) { } }

void f(float n){ switch (n) { } }

struct T { int a; };
void f(struct T t){ if (t) { } }

struct T { int a; };
void f(struct T t){ !t; }

struct T { int a; };
void f(struct T t){ t + 1; }

struct T { int a; };
void f(struct T t){ t == t; }

struct T { int a; };
void f(struct T t){ (int)t; }

struct T { int a; };
void f(int n){ (struct T)n; }

void h(void);
void f(void){ int x = h(); }

void h(void);
void f(void){ h() + 1; }

void h(void);
void f(void){ if (h()) { } }

void f(int n){ n(); }

void f(int n){ n(1); }

void f(void){ int a[-1]; }

void f(void){ int a[0]; }

void f(void){ int a[1.5f]; }

void f(void){ int a[]; }

void f(void){ int a[] = { 1, 2, 3 }; int b = a[3 - 1]; }

void f(void){ int a[2] = { 1, 2, 3 }; }

void f(void){ int a = { 1 }; }

void f(void){ int a = { 1, 2 }; }

void f(void){ int a[2] = 1; }

struct T { int a; };
void f(void){ struct T t = 1; }

struct T { int a; };
void f(void){ struct T t = { 1, 2 }; }

struct T { int a; };
void f(void){ struct T t = { .b = 1 }; }

void f(void){ int a[2] = { [5] = 1 }; }

void f(void){ int a[2] = { .x = 1 }; }

void f(void){ void *p = 0; p++; }

void a[2];

void f(void a[2]){}

int f(void)[2];

int f[2](void);

void f(void){ int x = 1.5f; float y = 1; uint z = -1; char c = 300; }

void f(float4 v){ float x = v; }

void f(float4 v, float x){ v = x; v = v * x; v += 1.0f; }

void f(float4 v, int4 w){ v = w; }

void f(float4 v, float3 w){ v = w; }

void f(float4 v, int4 w){ v + w; }

void f(float4 v){ int4 w = (int4)v; }

void f(float4 v){ v = (float4)(1, 2); }

void f(float4 v){ v = (float4)(1, 2, 3, 4, 5); }

void f(float4 v){ v = (float4)(v.xy, v.zw); v = (float4)(1.0f); v = (float4)(v.xyz, 1); }

void f(float4 v){ if (v) { } }

void f(float4 v, float4 w){ int4 c = v < w; float4 r = c ? v : w; }

void f(float4 v, float4 w){ int c = v < w; }

void f(int n, float4 v, float4 w){ float4 r = n ? v : w; }

void f(float x){ x % 2; }

void f(float x){ x & 1; }

void f(float x){ ~x; }

void f(float x){ x << 1; }

void f(int n){ n++ + ++n; n-- - --n; }

void f(int n){ n++++; }

void f(void){ int x = x; }

int f(int);
float f(int);

static int f(int n);
int f(int n){ return n; }

int f(int n){ return n; }
static int f(int n);

int f(int n){ return n; }
int f(int n){ return n; }

struct T { int a; int a; };

struct T { struct T t; };

struct T { };

union U { int a; float b; };
void f(union U u){ u.a = 1; u.b = 2; u.c = 3; }

enum E { A, B, A };

enum E { A };
enum E { B };

enum E { A };
struct E { int a; };

typedef int T;
void f(void){ int T; T = 1; T x; }

typedef int T;
T T;

void f(int n){ int n; }

void f(int n){ for (int n = 0; n < 1; n++) { int n; } }

void f(void){ int x; { float x; x = 1.5f; } x = 1; }

void f(void){ extern int y; }

int x = 1;
int x = 2;

long long x;

void f(void){ long long x; unsigned long long y; long double z; }

void f(void){ double x = 1.0; half y; }

void f(void){ unsigned x; unsigned int y; signed char z; unsigned long w; short int v; }

void f(void){ unsigned float x; }

void f(void){ int int x; }

void f(void){ int float x; }

void f(void){ _Bool b = 1; bool c = true; }

void f(void){ _Complex float x; }

void f(void){ _Atomic int x; }

void f(void){ _Static_assert(1, ""); }

void f(void){ _Static_assert(0, "no"); }

void f(void){ int x = sizeof(int) + _Alignof(int); }

void f(void){ asm("nop"); }

void f(int n){ int x = ({ int y = n; y + 1; }); }

void f(int n){ int g(void){ return n; } }

void f(void){ const int x; }

void f(void){ int const *p; *p = 1; }

void f(void){ x: int y; }

int f(int n) { return n ?: 1; }

typedef float float_t4 __attribute__((ext_vector_type(4)));
void f(float_t4 v){ v.x = 1; }

void f(uchar a, ushort b, uint c, ulong d, uchar4 e, float16 g){ a = b; c = d; e.s0 = a; g.sF = 1; }

void f(float2 v){ v.s2 = 1; }

void f(float3 v){ v.w = 1; }

void f(float4 v){ v.xyzwx; }

void f(float4 v){ v.lo = v.hi; v.even = v.odd; }

void f(float4 v){ v.xr; }

void f(float4 v){ v.s01 = (float2)(1, 2); v.S23 = v.s01; }

void f(int3 v){ int4 w = v; }

void f(void){ goto a; { int x; a: ; } }

void f(size_t s, ptrdiff_t p, intptr_t i, uintptr_t u){ s = p; i = u; }

void f(void){ void g(int); g(1); g(); }

void f(int x){ x.y.z; }

void f(void){ f = 0; }

void f(void){ f++; }

void f(void){ int x = f; }

void f(void){ (void)f; }

void f(void){ sizeof(f); }

void f(void){ sizeof(void (int)); }

int f(const int x, volatile int y){ y = 1; return x; }

void f(void){ char c = 'ab'; int d = L'a'; }

void f(void){ int x = 08; }

void f(void){ int x = 0b101; float y = 0x1.8p3f; float z = 1e3f; half h = 1.0h; }

void f(void){ for (int i = 0, j = 1; i < j; i++, j--) ; }

void f(void){ if (1) int x; }

void f(void){ ; ; ; }

void f(void){ int x; x; }

;

int;

struct { int a; };

const int;

static;
"""

_AMBIGUOUS = """
void f(int a, int b){ a * b; a*b; a & b; }

void f(void){ int a = 1; int b = 2; a * b; a*b; a & b; }

void f(void){ global int *a; int b = 2; a[b]; (a)[b]; *a; }

void f(int a, int b, int c){ a * b, c; (a) * b; (a) - b; (a) & b; (a) + b; }

void f(int a, global int *b){ a * b; }

typedef int T;
void f(int b){ T * b2; T (c); T (*d); T e[2]; (T) - b; (T) + b; sizeof(T) * b; }

typedef int T;
void f(int T, int b){ T * b; (T) - b; (T) & b; sizeof(T); }

int h(int a); void f(int a, int *p){ int b[4]; int x = (h(a)) - a; x = (b[a]) + a; x = (h(b[a])) * a; x = (b[1]) & a; }

#define lerp(t, a, b) ((a) + (t) * ((b) - (a)))
float grad(int a, float x); void f(int a, float x, constant int *c){ float y = lerp(x, grad(c[a], x), grad(c[a], x)); }

void f(int a, global int *p){ int x = (a) * *p; x = (a) & *p; x = -(a) - *p; }

void f(int a, global int *p){ int x = sizeof(a) + sizeof(*p) + sizeof p; }

void h(int a); void f(int a){ (h)(a); h((a)); }

int h(int a); void f(int a){ int x = (h)(a) * (a); }

void f(global int *g, int i){ (g)[i] = 1; (*g) = 2; *(g) = 3; (*(g + i))++; }

#define CAST(x) ((local int *)x)
void f(global int *g){ CAST(g); }

#define P global int *
void f(P a, P b){ a = b; local int *c = a; }

#define DECLARE(t, n) t n
void f(void){ DECLARE(int, x); DECLARE(private int *, p) = &x; DECLARE(global int *, q) = &x; }

#define IF(c) if (c) {
#define END }
void f(global int *g){ IF(g) local int *l = g; END }

#ifdef __OPENCL_C_VERSION__
void f(global int *g){
    global int *p = g;
}
#else
void f(global int *g){
    local int *p = g;
}
#endif

#if __OPENCL_C_VERSION__ >= 200
#define ANY
#else
#define ANY global
#endif
void h(ANY int *p);
void f(global int *g){ h(g); }

#define LOOP for (int i = 0; i < 4; i++)
void f(global int *g){ LOOP g[i] = i; LOOP { local int *l = g; } }

#define SPACE(s) __##s
void f(SPACE(global) int *g){ SPACE(local) int *l = g; }

#define STR(x) #x
void f(void){ constant char *s = STR(a b); global char *t = STR(a b); }

#define ARGS(...) __VA_ARGS__
void f(ARGS(global int *g, local int *l)){ l = g; }
"""

_SPECIFICATION = """
private int f(void){ return 1; }

local int *f(void){ return 0; }

local int *private f(void){ return 0; }

global int *p;
void f(void){
    float x[4];
}

kernel void f(void){
    local float a;
    local float b[10];
    if (1) {
        local float c;
    }
}

kernel void f(global int *x){
    constant float d[] = { 1.0f, 2.0f };
    local float e = 1;
    private float g = 1;
}

void f(void){
    local float a;
    constant float b = 1.0f;
}

void f(int *ptr, global int *g){
    ptr = g;
    private int p;
    ptr = &p;
}

constant int c = 1;
void f(void){
    int *ptr;
    ptr = &c;
}

kernel void f(void){
    int *ptr;
    local int l;
    ptr = &l;
    private int p;
    ptr = &p;
}

void f(global int *gp, local int *lp, private int *pp){
    int *p;
    p = gp;
    p = lp;
    p = pp;
    gp = p;
    lp = p;
    pp = p;
}

void f(global int *gp, local int *lp, private int *pp, constant int *cp){
    int *p = (int *)gp;
    gp = (global int *)p;
    lp = (local int *)p;
    pp = (private int *)p;
    cp = (constant int *)p;
    p = (int *)cp;
    gp = (global int *)lp;
}

int f(int *a, private int *b, local int *c, constant int *d, int n){
    int *p = n ? a : b;
    p = n ? b : c;
    p = n ? a : c;
    p = n ? a : d;
    return *p;
}

global int foo;
global int *global ptr;
int *global ptr2;

global int baz = 12;
constant int *global ptr = &baz;

global int baz = 12;
global int *constant ptr = &baz;

global int baz = 12;
global int *global baz_ptr = &baz;

static global int bat;
static int foo2;
global uchar buf[512];

global int foo;
int foo;

kernel void f(global int *a, local int *b, constant int *c, private int d, int e){
    a[0] = b[0] + c[0] + d + e;
}

kernel void f(global int *a[4]){
}

kernel void f(global int *global *a){
}

kernel void f(int a[4], global int b[4]){
}

void f(int *a){
    global int *g = (global int *)a;
    int *n = g;
    constant int *c = (constant int *)a;
}

static constant int table[4] = { 1, 2, 3, 4 };
int f(int i){ return table[i]; }

constant int c = 1;
int f(constant int *p){ return *p; }
int g(void){ return f(&c); }
int h(void){ return f((int *)&c); }

int f(int i, global int *g){
    private int *p = &i;
    private int *global *q;
    local int *local *r;
    return *p;
}

kernel void f(global int *restrict a, global int *__restrict b){
    global int *restrict c = a;
}

kernel void f(void){
    local int a[2][4];
    local int (*b)[4] = a;
    local int *c = a[1];
    local int *d = &a[1][2];
    local int *e = *a;
    int *g = a[0];
    global int *h = a[0];
}

kernel void f(global float4 *v){
    global float *x = (global float *)&v[1];
    float y = v[1].x;
    v[0].xy = (float2)(y, y);
    v->s0 = 1;
    (*v).w = 2;
}

typedef struct { int n; float4 v; int a[2]; } T;
kernel void f(global T *t, local T *l, constant T *c){
    l[0] = t[0];
    t->v = c->v;
    t->a[1] = l->a[0];
    c->n = 1;
    c->v.x = 1;
    c->a[0] = 1;
    *c = *t;
    global float4 *v = &t->v;
    local int *a = l->a;
    constant int *b = c->a;
    local int *d = c->a;
}
"""
