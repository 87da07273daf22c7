"""Every occurrence of a symbol is found from each of them, with its role."""

from __future__ import annotations

import pytest
from openclsp.ide.navigation.definitions import Destination, find_destinations, find_occurrences
from openclsp.ide.navigation.symbols import Role
from openclsp.language.dialect import Dialect
from openclsp.project.option_layers import ConfigurationOrigins
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.build_configuration import BuildConfiguration
from openclsp.source.document import Document
from openclsp.source.lexer import words
from openclsp.workspace.units import UnitConfig

from ...semantics.units import ROOT, Headers, edited, unit_of
from .marked_kernel import Places, marked_unit, placed

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
        "k.cl": "#define NEXT (i@r + 1)\nvoid f(global int *p) { int i@D = 0; p[NEXT@r] = i@r; }\n"
    },
    "a function in a macro's body": {
        "k.cl": "#define CALL(f, x) (f)(x) + helper@r(x)\nint helper@D(int x) { return x; }\nint k(int f) { return CALL@r(helper@r, 1); }\n"
    },
    "a member in a macro's body": {
        "k.cl": "typedef struct { int x@D; int y; } p;\n#define X(a) ((a).x@r)\nint f(p x) { return X@r(x) + x.y; }\n"
    },
    "a name on a continued line of a macro": {
        "k.cl": "int g@D(int);\n".replace("@D", "@d")
        + "#define TWO(a) \\\n    g@r(a) + \\\n    g@r(a)\nint f(int a) { return TWO@r(a); }\n"
    },
    "a parameter that a macro declares": {
        "k.cl": "#define PARAMETERS global int *p@D\nvoid f(PARAMETERS@r) { p@r[0] = p@r[1]; }\n"
    },
    "a macro that another one calls": {
        "k.cl": "#define STEP@D(x) ((x) + 1)\n#define APPLY(f, x) f(x)\n"
        "int k(int a) { return APPLY(STEP@r, a) + APPLY(\n    STEP@r, a) + STEP@r(a); }\nint STEP;\n"
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


def test_a_macro_that_an_unknown_condition_defines_in_two_ways_has_two_definitions() -> None:
    text = b'#include "gone.h"\n#ifdef SOA\n#define AT(p) p[0]\n#else\n#define AT(p) *p\n#endif\nint f(int *p) { return AT(p); }\n'
    found = find_destinations(unit_of(text), ROOT, text.index(b"AT(p);"), Destination.DEFINITION)
    assert found is not None
    assert [each.location.start for each in found.places] == [text.index(b"AT"), text.index(b"AT(p) *")]


def test_the_definition_of_a_name_that_a_macro_forms_is_the_macro_call() -> None:
    text = b"#define ADD(T) T add_##T(T a) { return a; }\nADD(int)\nint g(void) { return add_int(1); }\n"
    unit = unit_of(text)
    found = find_destinations(unit, ROOT, text.index(b"add_int"), Destination.DEFINITION)
    assert found is not None
    assert placed(list(found.places)) == [(ROOT, text.index(b"ADD(int)"), Role.DEFINITION)]


def symbol_names(unit: TranslationUnit, places: Places) -> set[str]:
    """The name that the marked declarations declare."""
    found = set()
    for document, offset, role in places:
        read = unit.document_named(document)
        assert read is not None
        if role.declares:
            found.add(words(read.text.data[offset:])[0].decode())
    return found


@pytest.mark.parametrize("name", CASES)
def test_occurrences(name: str) -> None:
    unit, expected = marked_unit(CASES[name])
    assert expected
    for document, offset, _ in expected:
        found = find_occurrences(unit, document, offset)
        assert found is not None, (document, offset)
        if found[0].name not in symbol_names(unit, expected):
            # the invocation of a macro whose body has the name
            continue
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
        assert found is not None and found.symbol is not None
        if found.symbol.name not in symbol_names(unit, expected):
            continue
        wanted = declared if place in defined and declared else defined or declared
        if found.symbol is not None and found.symbol.space.name == "MACRO" and not found.places:
            continue  # a condition before the definition
        assert placed(list(found.places)) == wanted


NOTHING = (
    "#if@def N\n#endif\n",
    "int a; // @a\n",
    "int a; /* @a */\n",
    "/*\n@a */ int a;\n",
    'constant char *a = "@a";\n',
    "int a;\n#if 0\nint b = @a;\n#endif\n",
    "int f(void) { return @b; }\n",
    "float f(float x) { return @sqrt(x); }\n",
    "kernel @void k(void) {}\n",
    "float f(float4 v) { return v.@xy.x; }\n",
    "@",
    "int a;\n@\n",
)


@pytest.mark.parametrize("text", NOTHING)
def test_a_position_without_a_symbol(text: str) -> None:
    unit = unit_of(text.replace("@", "").encode())
    offset = text.index("@")
    assert find_occurrences(unit, ROOT, offset) is None
    for wanted in Destination:
        assert find_destinations(unit, ROOT, offset, wanted) is None
    assert find_occurrences(unit, ROOT, 1_000_000) is None
    assert find_occurrences(unit, "/other.cl", 0) is None


def test_type_definitions() -> None:
    text = """\
typedef struct { float x; } cell;
struct node { int n; };
enum mode { FAST };
kernel void k(global cell *c, struct node n, enum mode m, int i) {
    c[0].x = n.n + m + FAST + i;
    struct { int a; } local_type;
    local_type.a = 1;
}
"""
    unit = unit_of(text.encode())

    def type_of(before: str) -> str:
        found = find_destinations(unit, ROOT, text.index(before) + len(before), Destination.TYPE_DEFINITION)
        assert found is not None
        return "|".join(text[each.location.start : each.location.end] for each in found.places)

    assert type_of("    ") == "cell"
    assert type_of("c[0].x = ") == "node"
    assert type_of("n.n + ") == "mode"
    assert type_of("n.n + m + ") == "mode"
    assert type_of("FAST + ") == ""
    assert type_of("local_type;\n    ") == "struct"


def test_an_edit_moves_the_places() -> None:
    unit = unit_of(b"int f(int n) { return n; }\nint g(void) { return f(1); }\n")
    assert find_occurrences(unit, ROOT, 4) is not None
    text = b"// more\nint f(int n) { return n; }\nint g(void) { return f(f(1)); }\n"
    edited(unit, text)
    found = find_occurrences(unit, ROOT, text.index(b"f("))
    assert found is not None
    assert [each.location.start for each in found[1]] == [12, 56, 58]


def test_an_include_directive_leads_to_its_file() -> None:
    unit = unit_of(b'#include "h.h" // h\nint a;\n', headers=Headers({"h.h": b"int b;\n"}))
    for offset in (0, 5, 12):
        found = find_destinations(unit, ROOT, offset, Destination.DEFINITION)
        assert found is not None
        assert [each.location.document for each in found.places] == ["/h.h"]


def test_a_macro_of_a_build_option_in_an_include_directive_leads_to_the_file() -> None:
    text = b"#include STRING(FOLDER/h.h)\nint a;\n"
    defines = (("STRING(x)", "TEXT(x)"), ("TEXT(x)", "#x"), ("FOLDER", "."))
    target = UnitConfig(ROOT, BuildConfiguration(Dialect.of("CL2.0"), defines), ConfigurationOrigins("test"))
    unit = TranslationUnit(target, Document.of(ROOT, text), Headers({"./h.h": b"int b;\n"}))
    for name in (b"STRING", b"FOLDER", b"h.h"):
        found = find_destinations(unit, ROOT, text.index(name), Destination.DEFINITION)
        assert found is not None
        assert [each.location.document for each in found.places] == ["/./h.h"]
