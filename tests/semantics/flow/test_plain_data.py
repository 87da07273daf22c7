"""Flow of pointers through integers and through copies of plain data."""

from __future__ import annotations

import pytest
from openclsp.semantics.database.derived_queries import FLOW
from openclsp.semantics.flow.flow_queries import CARRYING, SOLUTION, solution

from ..units import edited, unit_of
from .marks import wrong_marks

SOURCES = {
    "an object copied by a helper, byte by byte": """\
struct S { int *p; int *q; };
void copy(void *to, const void *from, size_t n) {
    char *d = to;
    const char *s = from;
    for (size_t i = 0; i < n; i++) d[i] = s[i];
}
kernel void k(global int *g, local int *l) {
    struct S a = {g, l}, b;
    copy(&b, &a, sizeof a);
    *b.p = 1;
//     ^ global
    *b.q = 1;
//     ^ local
}
""",
    "pointers that go on step by step may be anywhere in the object": """\
struct S { int *p; int *q; };
void copy(char *d, char *s, size_t n) { while (n--) *d++ = *s++; }
kernel void k(global int *g, local int *l) {
    struct S a = {g, l}, b;
    copy((char *)&b, (char *)&a, sizeof a);
    *b.p = 1;
//     ^ global, local
}
""",
    "another order": """\
struct S { int *p; int *q; };
kernel void k(global int *g, local int *l) {
    struct S a = {g, l}, b, c = {0, 0};
    for (int i = 0; i < 2; i++) ((ulong *)&b)[i] = ((ulong *)&a)[1 - i];
    *b.p = 1;
//     ^ global, local
    ulong *d = (ulong *)&c, *s = (ulong *)&a + 1;
    for (int i = 0; i < 1; i++) d[i] = s[i];
    *c.p = 1;
//     ^ global, local or null
}
""",
    "whole vectors": """\
struct S { int *p; int *q; };
kernel void k(global int *g, local int *l) {
    struct S a = {g, l}, b, c;
    *(ulong2 *)&b = *(ulong2 *)&a;
    *b.q = 1;
//     ^ local
    vstore2(vload2(0, (ulong *)&b), 0, (ulong *)&c);
    *c.p = 1;
//     ^ global
    ulong2 both = (ulong2)((ulong)g, (ulong)l);
    int *x = (int *)both.x;
    //   ^ global, local
}
""",
    "through a buffer, and by a swap": """\
struct S { int *p; };
void swap(void *a, void *b, int n) {
    uchar *x = a, *y = b;
    for (int i = 0; i < n; i++) { uchar t = x[i]; x[i] = y[i]; y[i] = t; }
}
kernel void k(global int *g, local int *l) {
    struct S a = {g}, b = {l}, c;
    char buffer[sizeof a];
    for (int i = 0; i < sizeof a; i++) buffer[i] = ((char *)&a)[i];
    for (int i = 0; i < sizeof a; i++) ((char *)&c)[i] = buffer[i];
    *c.p = 1;
//     ^ global
}
kernel void m(global int *g, local int *l) {
    struct S a = {g}, b = {l};
    swap(&a, &b, sizeof a);
    *a.p = 1;
//     ^ global, local
}
""",
    "zeroes are null": """\
struct S { int *p; };
union U { int *p; ulong bits; };
kernel void k(global int *g) {
    struct S a = {g};
    for (int i = 0; i < sizeof a; i++) ((char *)&a)[i] = 0;
    *a.p = 1;
//     ^ global or null
    union U u;
    u.bits = 0;
    *u.p = 1;
//     ^ null
}
""",
    "zero in an integer is null, and something else when it is added to": """\
kernel void k(global int *g, ulong n) {
    ulong a = 0, b = (ulong)0, c = 0, d = 0;
    int *p = (int *)a;
    p == g;
//  ^ null
    p = (int *)(b + 4);
    p == g;
//  ^ null
    p = (int *)(b + n);
    p == g;
//  ^ unknown
    c += n;
    p = (int *)c;
    p == g;
//  ^ unknown
    p = (int *)++d;
    p == g;
//  ^ unknown
    if (n) a = (ulong)g;
    p = (int *)(a + n);
    p == g;
//  ^ global or unknown
    p = (int *)a;
    *p = 1;
//   ^ global or null
}
""",
    "pieces that are too small for a pointer, and no bytes": """\
struct S { int *p; };
kernel void k(global int *g, local int *l) {
    struct S a = {g}, b = {l};
    for (int i = 0; i < 4; i++) ((ushort *)&b)[i] = ((ushort *)&a)[i];
    *b.p = 1;
//     ^ local or unknown
}
""",
    "halves of pointers": """\
struct S { int *p; int *q; };
void copy(void *to, const void *from, int n) {
    uint *d = to;
    const uint *s = from;
    for (int i = 0; i < n; i++) d[i] = s[i];
}
kernel void k(global int *g, local int *l) {
    struct S a = {g, l}, b, c;
    for (int i = 0; i < 4; i++) ((uint *)&b)[i] = ((uint *)&a)[i];
    *b.p = *b.q;
//     ^ global
    copy(&c, &b, 4);
    *c.q = 1;
//     ^ local
    uint2 v = as_uint2((ulong)g);
    *(int *)as_ulong(v) = 1;
    int *p = (int *)as_ulong(v);
    *p = 1;
//   ^ global
}
""",
    "parts of pointers in unions": """\
union U { int *p; uint2 v; uint h[2]; ushort q[4]; struct { int lo, hi; } s; int i; float f; double d; };
void copy(union U *to, union U *from) { to->v = from->v; }
kernel void k(global int *g, local int *l, int n) {
    union U u, a, b, c, d, e, f, h;
    u.p = g;
    uint2 v = u.v;
    a.v = v;
    *a.p = 1;
//     ^ global
    b.h[0] = u.h[0];
    b.h[1] = u.h[1];
    *b.p = 1;
//     ^ global
    for (int i = 0; i < 4; i++) c.q[i] = u.q[i];
    *c.p = 1;
//     ^ global
    d.s = u.s;
    *d.p = 1;
//     ^ global
    copy(&e, &u);
    *e.p = 1;
//     ^ global
    h.d = u.d;
    *h.p = 1;
//     ^ global
    f.p = l;
    f.i = n;
    f.f = 1.0f;
    *f.p = 1;
//     ^ local
}
""",
    "numbers between unions, which are not followed": """\
struct D { double d; };
union U { double d; int *p; double a[2]; struct D s; float2 v; };
double same(double d) { return d; }
double read(const double *from) { return *from; }
void put(double *to, double d) { *to = d; }
void put_struct(struct D *to, double d) { to->d = d; }
void put_half(float *to, float f) { *to = f; }
kernel void k(global int *g, int n, double given, local double *shared) {
    union U u, a, b, c, e, f, h, i, j, m, o = {given}, w = {u.a[1]}, x;
    u.p = g;
    double d = u.d;
    a.d = d;
    *a.p = 1;
//     ^ unknown
    b.d = same(u.d);
    *b.p = 1;
//     ^ unknown
    float2 v = u.v;
    c.v = v;
    *c.p = 1;
//     ^ unknown
    struct D in_struct = {u.d};
    e.d = in_struct.d;
    *e.p = 1;
//     ^ unknown
    shared[0] = u.d;
    f.d = shared[0];
    *f.p = 1;
//     ^ unknown
    h.d = n ? d : read(&u.d);
    *h.p = 1;
//     ^ unknown
    put(&i.d, u.d);
    *i.p = 1;
//     ^ unknown
    put(j.a, u.d);
    *j.p = 1;
//     ^ unknown
    put_struct(&m.s, u.d);
    *m.p = 1;
//     ^ unknown
    *w.p = 1;
//     ^ global or unknown
    put_half((float *)&x.v, u.v.x);
    *x.p = 1;
//     ^ unknown
    o.d = n * 2.0;
    *o.p = 1;
//     ^ nothing
}
""",
    "a struct of numbers in place of a union": """\
struct D { double d; };
struct H { int n; double d; };
union U { double d; int *p; };
kernel void k(global int *g) {
    union U u, a, b;
    u.p = g;
    ((struct D *)&a)->d = u.d;
    *a.p = 1;
//     ^ unknown
    ((struct H *)&b)->d = u.d;
    *b.p = 1;
//     ^ unknown
}
""",
    "numbers in a union with unnamed members": """\
struct S { short s; };
union U { short s; int *p; struct { short low, high; }; };
kernel void k(global int *g, int n) {
    union U u = {(short)n}, a = {u.low}, b;
    u.p = g;
    struct S kept = {u.s};
    union U c = {kept.s};
    *a.p = 1;
//     ^ global or null or unknown
    *c.p = 1;
//     ^ null or unknown
    union U *at = &b;
    int whole = kept.s;
    void (^put)(void) = ^{ at->s = whole; };
    put();
    *b.p = 1;
//     ^ unknown
}
""",
    "computed numbers that become pointers": """\
struct W { ulong at; };
ulong from_memory(global int *g) { return g[0]; }
ulong converted(global short *g) { ulong r = g[0]; return r; }
ulong of_hardware(void) { return get_global_id(0); }
double same(double d) { return d; }
struct W wrapped(ulong d) { struct W w; w.at = d; return w; }
kernel void k(global int *g, int n) {
    int *p = (int *)from_memory(g);
    //   ^ unknown
    p = (int *)converted((global short *)g);
//  ^ unknown
    p = (int *)of_hardware();
//  ^ unknown
    p = (int *)(ulong)same(n);
//  ^ unknown
    p = (int *)wrapped(n).at;
//  ^ unknown
    uint halves[2];
    ((float *)halves)[0] = n;
    p = (int *)*(ulong *)halves;
//  ^ unknown
    struct W w;
    *(double *)&w = n;
    p = (int *)w.at;
//  ^ unknown
}
""",
    "a struct of numbers in place of a struct of pointers, and one that it begins with": """\
struct W { ulong at; };
struct F { float low, high; };
struct S { int *p; };
struct Derived { struct F base; int *p; };
void set(struct F *f) { f->low = 1; }
kernel void k(global int *g) {
    struct S a, b;
    struct Derived d = {{0, 0}, g};
    ((struct W *)&a)->at = (ulong)g;
    *a.p = 1;
//     ^ global
    ((struct F *)&b)->low = 1;
    *b.p = 1;
//     ^ unknown
    set((struct F *)&d);
    *d.p = 1;
//     ^ global
}
""",
    "integers in memory": """\
struct I { ulong at; long n; };
global ulong saved;
void set(ulong *out, int *p) { *out = (ulong)p; }
kernel void other(global int *g) { saved = (ulong)g; }
kernel void k(global int *g, local int *l, int n, global ulong *raw) {
    struct I i = {(ulong)g, n};
    int *p = (int *)i.at;
    //   ^ global
    p = (int *)i.n;
//  ^ unknown
    ulong a[4], u;
    a[0] = (ulong)l;
    p = (int *)(a[n] + 8);
//  ^ local
    p = (int *)raw[2];
//  ^ unknown
    p = (int *)saved;
//  ^ global or null
    set(&u, l);
    p = (int *)u;
//  ^ local
    p = (int *)as_ulong((long)(ulong)l);
//  ^ local
    p = (int *)max((ulong)l, (ulong)n);
//  ^ local or unknown
}
""",
    "a struct through a pointer to bytes": """\
struct S { int *p; int *q; };
void put(char *c, int *v) { ((struct S *)c)->q = v; }
kernel void k(global int *g, local int *l) {
    struct S s = {g, 0};
    put((char *)&s, l);
    *s.p = 1;
//     ^ global
    *s.q = 1;
//     ^ local or null
}
""",
    "a compound literal that is a pointer": """\
kernel void k(global int *g, local int *l) {
    int *p = (int *){g};
    //   ^ global
    int **at = &(int *){l};
    *p = **at;
//   ^ global
    p = *at;
//  ^ local
}
""",
}


@pytest.mark.parametrize("name", SOURCES)
def test_plain_data(name: str) -> None:
    assert wrong_marks(SOURCES[name]) == []


def test_nothing_is_followed_through_integers_where_no_pointer_is_made_of_one() -> None:
    """Tracking has a cost at every integer that is loaded from memory."""
    text = "kernel void k(global ulong *g, int *p) {\n    ulong n = g[0];\n    g[1] = n + (ulong)p;\n}\n"
    unit = unit_of(text.encode())
    solution(unit, FLOW)
    assert not unit.database.read(CARRYING, SOLUTION)
    edited(unit, text.replace("g[1] = n", "int *q = (int *)n; g[1] = *q").encode())
    solution(unit, FLOW)
    assert unit.database.read(CARRYING, SOLUTION)
    edited(unit, text.encode())
    solution(unit, FLOW)
    assert not unit.database.read(CARRYING, SOLUTION)


def test_whether_it_is_needed_does_not_hang_on_whether_it_is_done() -> None:
    text = (
        "kernel void k(local int *l) {\n    ulong2 v = (ulong2)(ulong)l;global int*x = global int *)v.x;\n}\n"
    )
    unit = unit_of(text.encode())
    solution(unit, FLOW)
    assert unit.database.read(CARRYING, SOLUTION) in (True, False)
