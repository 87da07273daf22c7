"""The ways in which kernels ask what a pointer holds, and keep pointers: each as precise as path by path is possible."""

from __future__ import annotations

import pytest

from .marks import wrong_marks

SOURCES = {
    "a result that is tested": """\
void f(int *p) {
    local int *l = to_local(p);
    if (!l) {
        *p = 0;
//       ^ global, private
        return;
    }
    *p = 1;
//   ^ local
}
kernel void k(global int *g, local int *l) { int x; f(g); f(l); f(&x); }
""",
    "one result after the other": """\
void f(int *p) {
    local int *l = to_local(p);
    global int *g = to_global(p);
    if (l) {
        *p = 1;
//       ^ local
    } else if (g != 0) {
        *p = 2;
//       ^ global
    } else {
        *p = 3;
//       ^ private
    }
    *p = 4;
//   ^ global, local, private
}
kernel void k(global int *g, local int *l) { int x; f(g); f(l); f(&x); }
""",
    "operators between": """\
int f(int *p, int n) {
    local int *l = to_local(p);
    int a = l ? *p : 0;
//               ^ local
    if (n && l) a += *p;
//                    ^ local
    if (!l || n) return a;
    for (int i = 0; i < n; i++) a += *p;
//                                    ^ local
    return *p;
//          ^ local
}
kernel void k(global int *g, local int *l, int n) { f(g, n); f(l, n); }
""",
    "a loop asks each time": """\
void f(int *p, int *q, int n) {
    local int *l;
    while ((l = to_local(p)) != 0) {
        *p = 1;
//       ^ local
        p = q;
        *p = 2;
//       ^ global, local
    }
    *p = 3;
//   ^ global
}
kernel void k(global int *g, local int *l, int n) { f(g, l, n); f(l, g, n); }
""",
    "what is asked about the value of before": """\
void f(int *p, int *q, int n) {
    local int *l = to_local(p);
    if (n) p = q;
    if (l) *p = 1;
//          ^ global, local
    l = to_local(p);
    p++;
    if (l) *p = 2;
//          ^ global, local
}
kernel void k(global int *g, local int *l, int n) { f(g, l, n); f(l, g, n); }
""",
    "copies": """\
void f(int *p) {
    int *const q = p;
    const int *r = (const int *)q;
    bool is = to_local(q) != 0;
    if (is) {
        *p = *r;
//       ^ local
        *q = *r;
//            ^ local
    } else {
        *p = *r;
//            ^ global
    }
    int flag = 0;
    if (to_global(p)) flag = 1;
    if (flag) *p = 1;
//             ^ global
}
kernel void k(global int *g, local int *l) { f(g); f(l); }
""",
    "an address that is taken": """\
void set(int **p, int *q) { *p = q; }
void f(int *p, int *q) {
    int **at = &p;
    if (to_local(p)) {
        *p = 1;
//       ^ local
        set(&p, q);
        *p = 2;
//       ^ global, local
    }
    local int *l = to_local(p);
    if (!l) return;
    *p = 3;
//   ^ local
    *at = q;
    *p = 4;
//   ^ global, local
}
kernel void k(global int *g, local int *l) { f(g, l); f(l, g); }
""",
    "members": """\
typedef struct { int *a; int *b; } S;
void f(int *p, int *q, S *out) {
    S s = {p, q};
    if (to_global(s.a)) *s.a = 1;
//                         ^ global
    local int *l = to_local(s.b);
    if (!l) return;
    *s.b = 2;
//     ^ local
    *q = 2;
//   ^ local
    if (to_local(out->a)) *out->a = 1;
//                              ^ local
}
kernel void k(global int *g, local int *l) {
    S s = {g, g}, t = {l, l};
    f(g, l, &s); f(l, g, &t);
}
""",
    "members in order": """\
typedef struct { int *a; struct { int *b; } in; } S;
kernel void k(global int *g, local int *l, int n) {
    S s, t;
    s.a = g;
    *s.a = 1;
//     ^ global
    t = s;
    s.a = l;
    s.in.b = s.a;
    *s.in.b = 1;
//        ^ local
    *t.a = 1;
//     ^ global
    if (n) s.a = 0;
    *s.a = 1;
//     ^ local or null
    for (int i = 0; i < n; i++) {
        *t.a = 2;
//         ^ global, local
        t.a = l;
        *t.a = 2;
//         ^ local
    }
    s = t;
    *s.a = 3;
//     ^ global, local
}
""",
    "elements with constant indices": """\
kernel void k(global int *g, local int *l, int n) {
    int *a[3] = {g, l};
    *a[0] = 1;
//   ^ not generic
    int *p = a[0];
    //   ^ global
    p = a[1];
//  ^ local
    p = a[2];
//  ^ null
    p = a[n];
//  ^ global, local or null
    a[1] = g;
    p = a[1];
//  ^ global
    a[n] = l;
    p = a[0];
//  ^ global, local
    struct { int *p[2]; } s[2] = {[1].p[1] = g};
    p = s[1].p[1];
//  ^ global
    p = s[0].p[1];
//  ^ null
}
""",
    "setters and getters": """\
typedef struct { int *a; int *b; } S;
void set(S *s, int *p) { s->a = p; }
void set_both(S *s, int *p, int *q) { set(s, p); s->b = q; }
int *get(S *s) { return s->a; }
int *get_again(S *s) { return get(s); }
kernel void k(global int *g, local int *l) {
    S x, y, z;
    set(&x, g);
    set(&y, l);
    *get(&x) = 1;
//         ^ global
    int *p = get_again(&y);
    //   ^ local
    set_both(&z, l, g);
    p = get(&z);
//  ^ local
    *z.b = 1;
//     ^ global
    *x.a = 1;
//     ^ global
}
""",
    "results that are structs": """\
typedef struct { int *a; int *b[2]; } S;
S made(int *p, int *q) { S s = {p, {q}}; return s; }
S same(S s) { return s; }
S swapped(S s) { S t = {s.b[0], {s.a, s.a}}; return t; }
kernel void k(global int *g, local int *l) {
    S x = made(g, l), y = made(l, g);
    *x.a = 1;
//     ^ global
    *y.a = 1;
//     ^ local
    int *p = same(x).a;
    //   ^ global
    p = same(y).a;
//  ^ local
    p = made(l, l).a;
//  ^ local
    p = swapped(y).b[1];
//  ^ local
}
""",
    "memory that is copied or cleared": """\
typedef struct { int *a; int *b; } S;
void copy(S *to, const S *from) { __builtin_memcpy(to, from, sizeof(S)); }
kernel void k(global int *g, local int *l, int n) {
    S s = {g, l}, t, u, v = {g, g};
    __builtin_memcpy(&t, &s, sizeof(t));
    *t.a = 1;
//     ^ global
    *t.b = 1;
//     ^ local
    copy(&u, &t);
    *u.b = 1;
//     ^ local
    int *a[2] = {g, g}, *b[2];
    __builtin_memmove(b, a, sizeof(a));
    int *p = b[1];
    //   ^ global
    __builtin_memset(&v, 0, sizeof(v));
    p = v.a;
//  ^ global or null
    S w = {g, l};
    __builtin_memcpy(&w, &s, n);
    *w.b = 1;
//     ^ local or unknown
}
""",
    "one unchanged condition": """\
kernel void k(global int *g, local int *l, int mode, int n) {
    int *p;
    if (mode == 1) p = g; else p = l;
    if (mode == 1) *p = 1;
//                  ^ global
    if (mode != 1) *p = 2;
//                  ^ local
    int *q = mode > 2 ? g : l;
    p = q;
    if (mode > 2 && n) *p = 3;
//                      ^ global
    mode++;
    if (mode > 2) *q = 4;
//                 ^ global, local
    for (int i = 0; i < n; i++) {
        int *r = get_local_id(0) ? g : l;
        if (get_local_id(0)) *r = 1;
//                            ^ global
        if (i) q = g; else q = l;
        if (i) *q = 1;
//              ^ global
    }
}
""",
}


@pytest.mark.parametrize("name", SOURCES)
def test_idioms(name: str) -> None:
    assert wrong_marks(SOURCES[name]) == []
