"""The contents of a variable at a place: after assignments, branches and loops."""

from __future__ import annotations

import pytest

from .marks import wrong_marks

SOURCES = {
    "an assignment replaces what was held": """\
kernel void k(global int *g, local int *l) {
    int *p;
    //   ^ nothing
    p = g;
//  ^ global
    p = l;
//  ^ local
    p[0] = *p;
//  ^ local
}
""",
    "every kind of object": """\
constant int c = 1;
global int at_program_scope;
kernel void k(global int *g, local int *l) {
    int x, a[2];
    local int tile[4];
    static global int s;
    int *p = &x;
    //   ^ private
    p = a;
//  ^ private
    p = &a[1];
//  ^ private
    p = tile + 1;
//  ^ local
    p = &s;
//  ^ global
    p = &at_program_scope;
//  ^ global
    p = (int[]){1, 2};
//  ^ private
    p = 0;
//  ^ null
    const int *q = &g[2];
    //         ^ global
}
""",
    "a merge holds both": """\
kernel void k(global int *g, local int *l, int n) {
    int *p = g;
    if (n) p = l;
    *p = 1;
//   ^ global, local
    int *q = n ? p : 0;
    //   ^ local or null
    if (n) { q = g; } else { q = l; }
    *q = 1;
//   ^ global, local
    if (n) return;
    else q = g;
    *q = 1;
//   ^ global
}
""",
    "a loop is gone around": """\
kernel void k(global int *g, local int *l, int n) {
    int *p = g, *q = g, *r = g;
    for (int i = 0; i < n; i++) {
        *r = 1;
//       ^ global, private
        r = q;
        q = p;
//          ^ global, private
        int x;
        p = &x;
    }
    while (n--) { q = l; break; }
    *q = 1;
//   ^ global, local, private
    do { p = l; if (n) continue; p = g; } while (n);
    *p = 1;
//   ^ global, local
    for (;;) { p = g; if (n) break; p = l; }
    *p = 1;
//   ^ global
}
""",
    "switch, with what falls through": """\
kernel void k(global int *g, local int *l, int n) {
    int x;
    int *p = &x;
    switch (n) {
    case 0: p = g;
    case 1: *p = 1;
//           ^ global, private
            break;
    case 2: p = l; break;
    }
    *p = 1;
//   ^ global, local, private
    switch (n) { default: p = g; break; case 1: p = l; }
    *p = 1;
//   ^ global, local
}
""",
    "switch without a block": """\
kernel void k(global int *g, local int *l, int n) {
    int *p = g;
    switch (n) case 1: p = l;
    *p = 1;
//   ^ global, local
    switch (n) for (;;) { default: p = g; break; }
    *p = 1;
//   ^ global
    switch (n) { if (n > 1) case 1: p = l; *p = 1; }
//                                          ^ local
    *p = 1;
//   ^ global, local
    switch (n) { default: do case 1: p = l; while (n--); }
    *p = 1;
//   ^ local
}
""",
    "goto, forward and back": """\
kernel void k(global int *g, local int *l, int n) {
    int *p = g;
again:
    *p = 1;
//   ^ global, local
    p = l;
    if (n--) goto again;
    goto end;
    p = 0;
end:
    *p = 1;
//   ^ local
}
""",
    "inner scopes hide": """\
kernel void k(global int *g, local int *l) {
    int *p = g;
    { int *p = l; *p = 1; }
//                 ^ local
    *p = 1;
//   ^ global
}
""",
    "operators": """\
kernel void k(global int *g, local int *l, int n) {
    int *p = g, *q;
    p += 2;
//  ^ global
    p++;
//  ^ global
    q = 1 + p;
//  ^ global
    q = (n++, l);
//  ^ local
    q = p = l;
//  ^ local
    n && (p = g);
    *p = 1;
//   ^ global, local
    q = ({ int *t = g; t; });
//  ^ global
    ulong u = (ulong)l;
    q = (int *)(u + 4);
//  ^ local
    q = (int *)n;
//  ^ unknown
}
""",
    "casts let through what they name": """\
kernel void k(global int *g, local int *l, int n) {
    int *p = n ? g : l;
    global int *h = (global int *)p;
    int *q = h;
    //   ^ global
    q = (int *)(local int *)p;
//  ^ local
    q = (int *)(private int *)p;
//  ^ nothing
    q = to_global(p);
//  ^ global or null
    q = to_private(p);
//  ^ null
    char *c = (char *)p;
    //    ^ global, local
}
""",
    "tests tell": """\
kernel void k(global int *g, local int *l, int n) {
    int *p = n ? g : l;
    if (to_local(p)) *p = 1;
//                    ^ local
    else *p = 1;
//        ^ global
    if (to_global(p) != NULL && n) *p = 1;
//                                  ^ global
    else *p = 1;
//        ^ local
    if (!to_global(p)) return;
    *p = 1;
//   ^ global
    int *q = n ? l : 0;
    if (q) *q = 1;
//          ^ local
    else *q = 1;
//        ^ null
    if (q == 0) return;
    *q = 1;
//   ^ local
    local int *t;
    q = n ? g : l;
    if ((t = to_local(q))) *q = 1;
//                          ^ local
    while (to_global(q)) { *q = 1; q = l; }
//                          ^ global
    *q = 1;
//   ^ local
}
""",
    "cases within a loop": """\
kernel void k(global int *g, local int *l, int n) {
    int *p = l;
    switch (n & 3) {
    case 0: do { p = g;
    case 3: *p = 1;
//           ^ global, local
    case 2: *p = 2;
//           ^ global, local
    } while (--n > 0);
    }
    *p = 1;
//   ^ global, local
}
""",
    "a case within what a break left": """\
kernel void k(global int *g, local int *l, int n) {
    int *p = l;
    switch (n) {
    case 0: { p = g; break;
    case 1: *p = 1;
//           ^ local
    }
    }
}
""",
    "a default within braces": """\
kernel void k(global int *g, local int *l, int n) {
    int *p = l;
    switch (n) {
    case 0: { p = g; break; default: p = g; }
    }
    *p = 1;
//   ^ global
}
""",
    "a jump into a loop": """\
kernel void k(global int *g, local int *l, int n) {
    int *p = g;
    goto middle;
    for (; n; n--) {
        p = l;
middle:
        *p = 1;
//       ^ global, local
    }
    *p = 1;
//   ^ global, local
}
""",
    "a jump out of two loops": """\
kernel void k(global int *g, local int *l, int n) {
    int *p = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            p = i & j ? (int *)g : (int *)l;
            if (j == 3) goto out;
            p = 0;
        }
    p = g;
out:
    *p = 1;
//   ^ global, local
}
""",
    "conditions of loops": """\
kernel void k(global int *g, local int *l, int n) {
    int *p = l;
    while (n-- && to_local(p)) { *p = 1; if (n & 1) p = g; }
//                                ^ local
    *p = 1;
//   ^ global, local
    for (int *q = g; q && n; q = n & 1 ? q + 1 : 0) *q = 1;
//                                                   ^ global
    do { p = n ? p : (int *)g; } while (!to_global(p));
    *p = 1;
//   ^ global
}
""",
}


@pytest.mark.parametrize("name", SOURCES)
def test_what_a_variable_holds(name: str) -> None:
    assert wrong_marks(SOURCES[name]) == []


def test_a_named_pointer_is_not_asked_about() -> None:
    source = """\
kernel void k(global int *g) {
    global int *p = g;
    //          ^ not generic
    int *q = p;
    //       ^ not generic
}
"""
    assert wrong_marks(source) == []


def test_where_there_is_no_generic_space_there_is_no_flow() -> None:
    source = """\
kernel void k(global int *g) {
    int x;
    int *p = &x;
    //   ^ not generic
}
"""
    assert wrong_marks(source, "CL1.2") == []
