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
    assert not unit.engine.read(CARRYING, SOLUTION)
    edited(unit, text.replace("g[1] = n", "int *q = (int *)n; g[1] = *q").encode())
    solution(unit, FLOW)
    assert unit.engine.read(CARRYING, SOLUTION)
    edited(unit, text.encode())
    solution(unit, FLOW)
    assert not unit.engine.read(CARRYING, SOLUTION)


def test_whether_it_is_needed_does_not_hang_on_whether_it_is_done() -> None:
    text = (
        "kernel void k(local int *l) {\n    ulong2 v = (ulong2)(ulong)l;global int*x = global int *)v.x;\n}\n"
    )
    unit = unit_of(text.encode())
    solution(unit, FLOW)
    assert unit.engine.read(CARRYING, SOLUTION) in (True, False)
