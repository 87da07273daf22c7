"""Pointers that a kernel asks for their address space, and what ends the answer's validity."""

from __future__ import annotations

import pytest

from .marks import wrong_marks

CALLS = "kernel void k(global int *g, local int *l) { int x; f(g, 1, g); f(l, 1, g); f(&x, 1, g); }\n"
SOURCES = {
    "behind a pointer, until the object is changed itself": """\
struct S { int *a; };
void f(int *p, int n, global int *g) {
    struct S s = {p}, *q = &s;
    if (to_local(q->a)) {
        *q->a = 1;
//          ^ local
        s.a = g;
        *q->a = 1;
//          ^ global, local, private
    }
}
""",
    "a member that a loop changes through a pointer": """\
struct S { int *a; };
void f(int *p, int n, global int *g) {
    struct S s = {p}, *q = &s;
    if (to_local(s.a)) {
        while (n--) {
            *s.a = 1;
//             ^ global, local, private
            q->a = g;
        }
    }
}
""",
    "in a loop that stores numbers": """\
struct S { int *a; };
void f(int *p, int n, global int *g) {
    struct S s = {p}, *q = &s;
    local int *l = to_local(q->a);
    while (n--) {
        if (!l) continue;
        *q->a = 1;
//          ^ local
    }
}
""",
    "in a loop that changes pointers as plain data": """\
struct S { int *a; };
void f(int *p, int n, global int *g) {
    struct S s = {p};
    if (to_local(s.a)) {
        while (n--) {
            *s.a = 1;
//             ^ global, local, private or unknown
            short *words = (short *)&s;
            words[0] = 1;
        }
    }
}
""",
    "two branches on one question behind a pointer": """\
struct S { int *a; };
void f(int *p, int n, global int *g) {
    struct S s = {p}, *q = &s;
    int own, *r;
    if (to_local(q->a)) r = g; else r = &own;
    if (to_local(q->a)) {
        *r = 1;
//       ^ global
    }
}
""",
    "a cast to void and back changes nothing": """\
struct S { int *a; };
void f(int *p, int n, global int *g) {
    struct S s = {p}, *q = &s;
    if (to_local(q->a)) {
        *(int *)(void *)q->a = 1;
        *q->a = 1;
//          ^ local
    }
}
""",
    "a store through a null pointer leaves nothing": """\
struct S { int *a; };
void f(int *p, int n, global int *g) {
    struct S *s = 0;
    if ((s->a = p)) {
        *s->a = 1;
//          ^ nothing
    }
}
""",
}


@pytest.mark.parametrize("name", SOURCES)
def test_asked_pointers(name: str) -> None:
    assert wrong_marks(SOURCES[name] + CALLS) == []
