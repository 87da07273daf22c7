"""Every occurrence of a symbol is found from each of them, with its role."""

from __future__ import annotations

import pytest
from openclsp.ide.navigation.definitions import Destination, find_destinations, find_occurrences
from openclsp.ide.navigation.symbols import Role

from .marked_kernel import marked_unit, placed

CASES: dict[str, dict[str, str]] = {
    "a local variable that an inner one hides": {
        "k.cl": """\
kernel void k(global int *g) {
    int x@D = 1;
    { int x = 2; x += 1; g[1] = x; }
    for (int x = 0; x < 4; x++) g[x] = 0;
    x@w = x@r + 1;
    x@w += 2;
    (x@w)++;
    g[x@r] = -x@r;
}
"""
    },
    "a variable of a for statement": {
        "k.cl": "kernel void k(global int *g) { int i; for (int i@D = 0; i@r < 4; i@w++) g[i@r] = 0; i = 1; }\n"
    },
    "a parameter": {
        "k.cl": "int f(int n);\nint n;\nint f(int n@D) { return n@r * 2; }\nkernel void k(void) { n = f(1); }\n"
    },
    "a function and its declaration": {
        "k.cl": "float f@d(float);\nkernel void k(global float *g) { g[0] = f@r(1.0f); }\nfloat f@D(float x) { return x; }\n"
    },
    "a function whose name a local variable hides": {
        "k.cl": "int f@D(void) { return 1; }\nkernel void k(global int *g) { g[0] = f@r(); int f = 1; g[1] = f; }\n"
    },
    "a program-scope variable": {
        "k.cl": "constant int table@D[] = {1, 2};\nkernel void k(global int *g) { g[0] = table@r[1] + sizeof(table@r); }\n"
    },
    "a member, by dot, arrow and designator": {
        "k.cl": """\
typedef struct { int a@D; int b; } pair;
struct other { int a; };
kernel void k(global pair *p, struct other o) {
    pair q = {.a@r = 1, .b = 2};
    p->a@w = q.a@r + o.a;
    q.a@w++;
    int a = q.b;
}
"""
    },
    "a member of an anonymous union": {
        "k.cl": "typedef struct { union { int i@D; float f; }; } u;\nint f(u x) { x.i@w = 1; return x.i@r; }\n"
    },
    "a tag": {
        "k.cl": """\
struct node@d;
struct node@D { global struct node@r *next; };
typedef struct node@r node;
kernel void k(global struct node@r *n, global node *m) { n->next = m; }
"""
    },
    "a local tag": {
        "k.cl": "struct s { int x; };\nvoid f(void) { struct s@D { int y; }; struct s@r a; a.y = 1; }\nvoid g(struct s b) { b.x = 1; }\n"
    },
    "an enumerator": {
        "k.cl": "enum mode { FAST@D, SLOW };\nint f(enum mode m) { switch (m) { case FAST@r: return 1; default: return SLOW; } }\n"
    },
    "a typedef": {
        "k.cl": "typedef float real@D;\nreal@r f(real@r x) { real@r y = (real@r)x; return y * (real@r)(2) + sizeof(real@r); }\n"
    },
    "a label": {
        "k.cl": "void f(int n) { again@D: if (n--) goto again@r; }\nvoid g(int again) { again: goto again; }\n"
    },
    "components of a vector are part of the variable": {
        "k.cl": "void f(global float4 *p) { float4 v@D = p[0]; v@w.x = 1; v@w.s01 = v@r.zw; p->x = v@r.y; }\n"
    },
    "an element of an array is read at": {
        "k.cl": "void f(int n) { int a@D[4]; a@r[0] = n; int *p = &a@r[1]; *p = 2; }\n"
    },
    "a macro without parameters": {
        "k.cl": """\
#ifndef N@r
#define N@D 4
#endif
#define M (N@r + 1)
int f(int N@r[N@r]);
#if defined(N@r) && N@r > 2
int a = N@r; // N
#endif
#undef N@r
int N;
"""
    },
    "a macro with parameters": {
        "k.cl": "#define SQR@D(x) ((x) * (x))\nint f(int x) { return SQR@r(SQR@r(x)); }\nint SQR;\n"
    },
    "a parameter of a macro is none of its uses": {
        "k.cl": "#define x@D 3\n#define SQR(x) ((x) * (x))\nint f(void) { return x@r + SQR(x@r); }\n"
    },
    "a variable that is a macro's argument, used twice": {
        "k.cl": "#define SQR(x) ((x) * (x))\nint f(int n@D) { return SQR(n@r + 1); }\nint g(int n) { return SQR(n); }\n"
    },
    "a variable in a macro's body": {
        "k.cl": "#define NEXT (i@r + 1)\nvoid f(global int *p) { int i@D = 0; p[NEXT] = i@r; }\n"
    },
    "a function in a macro's body": {
        "k.cl": "#define CALL(f, x) (f)(x) + helper@r(x)\nint helper@D(int x) { return x; }\nint k(int f) { return CALL(helper@r, 1); }\n"
    },
    "a member in a macro's body": {
        "k.cl": "typedef struct { int x@D; int y; } p;\n#define X(a) ((a).x@r)\nint f(p x) { return X(x) + x.y; }\n"
    },
    "a name on a continued line of a macro": {
        "k.cl": "int g@D(int);\n".replace("@D", "@d")
        + "#define TWO(a) \\\n    g@r(a) + \\\n    g@r(a)\nint f(int a) { return TWO(a); }\n"
    },
    "a function of a header": {
        "k.cl": '#include "h.h"\nkernel void k(global int *g) { g[0] = add@r(1, TWO); }\n',
        "h.h": "#ifndef H\n#define H\n#define TWO 2\nint add@D(int a, int b) { return a + b; }\nint twice(int a) { return add@r(a, a); }\n#endif\n",
    },
    "a macro of a header": {
        "k.cl": '#include "h.h"\nkernel void k(global int *g) { g[0] = TWO@r; }\n#ifdef TWO@r\n#endif\n',
        "h.h": "#define TWO@D 2\n",
    },
    "a name before a syntax error": {
        "k.cl": "int helper@D(int x) { return x; }\nkernel void k(global int *g) {\n    int n = 1;\n    g[0] = helper@r(n\n}\n"
    },
    "names in conditional branches that are read": {
        "k.cl": "#define A 1\n#if A\nint f@D(void);\n#else\nint f(int);\n#endif\n".replace("f@D", "f@d")
        + "int g(void) { return f@r(); }\n"
    },
}


@pytest.mark.parametrize("name", CASES)
def test_occurrences(name: str) -> None:
    unit, expected = marked_unit(CASES[name])
    assert expected
    for document, offset, _ in expected:
        found = find_occurrences(unit, document, offset)
        assert found is not None, (document, offset)
        assert placed(found[1]) == expected
        own = [each for each in expected if each[0] == document]
        here = find_occurrences(unit, document, offset, only_here=True)
        assert here is not None and placed(here[1]) == own


@pytest.mark.parametrize("name", CASES)
def test_definition(name: str) -> None:
    unit, expected = marked_unit(CASES[name])
    defined = [place for place in expected if place[2] is Role.DEFINITION]
    declared = [place for place in expected if place[2] is Role.DECLARATION]
    for place in expected:
        found = find_destinations(unit, place[0], place[1], Destination.DEFINITION)
        assert found is not None
        wanted = declared if place in defined and declared else defined or declared
        if found.symbol is not None and found.symbol.space.name == "MACRO" and not found.places:
            continue  # a condition before the definition
        assert placed(list(found.places)) == wanted
