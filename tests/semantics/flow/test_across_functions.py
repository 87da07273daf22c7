"""Flow through arguments and results: from every caller that a kernel reaches, separately for each call."""

from __future__ import annotations

import pytest

from .marks import wrong_marks

SOURCES = {
    "a parameter holds what all callers pass": """\
int use(int *p) {
//           ^ global, local
    return *p;
//          ^ global, local
}
kernel void a(global int *g) { use(g); }
kernel void b(local int *l) { use(l); }
""",
    "a call returns what its own arguments gave": """\
int *same(int *p) { return p; }
int *twice(int *p) { return same(same(p)); }
kernel void k(global int *g, local int *l) {
    int *p = same(g), *q = twice(l);
    //   ^ global
    *q = 1;
//   ^ local
}
""",
    "what lies on the way filters": """\
int *only_local(int *p) { return (int *)(local int *)p; }
int *perhaps(int *p) { return to_global(p); }
kernel void k(global int *g, local int *l, int n) {
    int *p = only_local(n ? g : l);
    //   ^ local
    p = perhaps(n ? g : l);
//  ^ global or null
    p = perhaps(g);
//  ^ global
    p = perhaps(l);
//  ^ null
}
""",
    "recursion comes to an end": """\
int *pick(int *a, int *b, int n) {
    if (n) return pick(b, a, n - 1);
//                     ^ global, local
    return a;
//         ^ global, local
}
int *other(int *a, int n);
int *one(int *a, int n) { return n ? other(a, n - 1) : a; }
int *other(int *a, int n) { return one(a, n); }
kernel void k(global int *g, local int *l, int n) {
    int *p = pick(g, l, n);
    //   ^ global, local
    p = pick(g, g, n);
//  ^ global
    p = one(l, n);
//  ^ local
}
""",
    "only kernels begin": """\
int use(int *p) {
//           ^ global
    return *p;
}
int unused(local int *l, int *q) {
//                            ^ unknown, unreached
    int *m = l;
    //   ^ local, unreached
    return use(l) + *q;
}
int inner(int *p) { return *p; }
//                          ^ unknown, unreached
int outer(int *p) { return inner(p); }
kernel void k(global int *g) { use(g); }
""",
    "functions that are not known": """\
int *from_elsewhere(int *p);
kernel void k(global int *g, local int *l) {
    int *p = from_elsewhere(g);
    //   ^ unknown
    int *q = l;
    from_elsewhere((int *)&q);
    *q = 1;
//   ^ local or unknown
    p = not_declared(g);
//  ^ unknown
}
""",
    "overloads": """\
int *__attribute__((overloadable)) f(int *p, int n) { return p; }
//                                        ^ global
int *__attribute__((overloadable)) f(int *p, float x) { return p; }
//                                        ^ local
kernel void k(global int *g, local int *l) {
    int *p = f(g, 1);
    //   ^ global
    p = f(l, 1.0f);
//  ^ local
}
""",
    "a kernel that another calls": """\
int use(int *p) { return *p; }
//           ^ global
kernel void inner(global int *g) { use(g); }
kernel void outer(global int *g) { inner(g); }
""",
    "nothing, where only null comes": """\
int use(int *p) { return *p; }
//           ^ null
kernel void k(int n) { use(0); }
""",
    "what the program goes on to say": """\
int use(int *p);
kernel void k(global int *g) { use(g); }
int use(int *p) { return *p; }
//                        ^ global
""",
}


@pytest.mark.parametrize("name", SOURCES)
def test_flow_through_arguments_and_results(name: str) -> None:
    assert wrong_marks(SOURCES[name]) == []
