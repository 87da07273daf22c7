"""Renaming: the edited text, and the reason of each refusal."""

from __future__ import annotations

import pytest
from openclsp.ide.navigation.rename import (
    RenameableName,
    RenameEdits,
    RenameRefusal,
    compute_rename,
    edited_text,
    prepare_rename,
)
from openclsp.semantics.translation_unit import TranslationUnit

from ...semantics.units import ROOT, Headers, unit_of

RENAMED: dict[str, tuple[dict[str, str], str, dict[str, str]]] = {
    "a local variable": (
        {"k.cl": "int f(int n) { int @x = n; { int x = 1; n = x; } return x; }\n"},
        "yy",
        {"k.cl": "int f(int n) { int yy = n; { int x = 1; n = x; } return yy; }\n"},
    ),
    "a parameter with a longer name": (
        {"k.cl": "int f(int n);\nint f(int n) { return @n + n; }\n"},
        "größe".replace("ö", "o").replace("ß", "ss"),
        {"k.cl": "int f(int n);\nint f(int grosse) { return grosse + grosse; }\n"},
    ),
    "a function of a header": (
        {
            "k.cl": '#include "h.h"\nkernel void k(global int *g) { g[0] = @add(1, 2); }\n',
            "h.h": "int add(int a, int b);\n#define INC(x) add(x, 1)\n",
        },
        "plus",
        {
            "k.cl": '#include "h.h"\nkernel void k(global int *g) { g[0] = plus(1, 2); }\n',
            "h.h": "int plus(int a, int b);\n#define INC(x) plus(x, 1)\n",
        },
    ),
    "a macro, in inactive branches too": (
        {"k.cl": "#ifdef @N\n#undef N\n#endif\n#define N 4\n#if 0\nint b[N];\n#endif\nint a[N];\n"},
        "COUNT",
        {
            "k.cl": "#ifdef COUNT\n#undef COUNT\n#endif\n#define COUNT 4\n#if 0\nint b[COUNT];\n#endif\nint a[COUNT];\n"
        },
    ),
    "a macro that an unknown condition defines in two ways": (
        {
            "k.cl": '#include "gone.h"\n#ifdef SOA\n#define AT(p) p[0].a\n#else\n#define AT(p) p->a\n#endif\nint f(int *p) { return @AT(p); }\n'
        },
        "GET",
        {
            "k.cl": '#include "gone.h"\n#ifdef SOA\n#define GET(p) p[0].a\n#else\n#define GET(p) p->a\n#endif\nint f(int *p) { return GET(p); }\n'
        },
    ),
    "a member": (
        {
            "k.cl": "typedef struct { int a; } s;\nint f(s x, s *y) { s z = {.a = 1}; return x.@a + y->a + z.a; }\n"
        },
        "count",
        {
            "k.cl": "typedef struct { int count; } s;\nint f(s x, s *y) { s z = {.count = 1}; return x.count + y->count + z.count; }\n"
        },
    ),
    "a local variable with the name of a built-in function that is not called": (
        {"k.cl": "float f(float @x) { return x; }\n"},
        "dot",
        {"k.cl": "float f(float dot) { return dot; }\n"},
    ),
    "a macro that another one calls": (
        {
            "k.cl": "#define @STEP(x) ((x) + 1)\n#define APPLY(f, x) f(x)\nint k(int a) { return APPLY(STEP, a); }\n"
        },
        "NEXT",
        {
            "k.cl": "#define NEXT(x) ((x) + 1)\n#define APPLY(f, x) f(x)\nint k(int a) { return APPLY(NEXT, a); }\n"
        },
    ),
    "a variable of a macro that defines functions": (
        {
            "k.cl": "#define F(n) int n(int a) { int @t = a; return t; }\nF(f)\nF(g)\nint h(void) { int t = 1; return t; }\n"
        },
        "u",
        {
            "k.cl": "#define F(n) int n(int a) { int u = a; return u; }\nF(f)\nF(g)\nint h(void) { int t = 1; return t; }\n"
        },
    ),
    "variables that a macro's body names alike": (
        {
            "k.cl": "#define NEXT (i + 1)\nint f(void) { int @i = 0; return NEXT; }\nint g(int i) { return NEXT; }\n"
        },
        "j",
        {
            "k.cl": "#define NEXT (j + 1)\nint f(void) { int j = 0; return NEXT; }\nint g(int j) { return NEXT; }\n"
        },
    ),
    "a label": (
        {"k.cl": "void f(int n) { @out: if (n--) goto out; }\n"},
        "again",
        {"k.cl": "void f(int n) { again: if (n--) goto again; }\n"},
    ),
}

# a macro may be defined again only by the same text
RENAMED["a variable of a macro that two functions define"] = (
    {
        "k.cl": "int f(void) { int @h = 1;\n#define A (h + 1)\nreturn A; }\n"
        "int g(void) { int h = 2;\n  #define A (h + 1)\nreturn A; }\nint i(int h) { return h; }\n"
    },
    "n",
    {
        "k.cl": "int f(void) { int n = 1;\n#define A (n + 1)\nreturn A; }\n"
        "int g(void) { int n = 2;\n  #define A (n + 1)\nreturn A; }\nint i(int h) { return h; }\n"
    },
)

RENAMED["a function and a parameter in branches that are left out"] = (
    {
        "k.cl": "#ifdef HOST\nint f(int n, int m)\n#else\nint f(int @n)\n#endif\n{\n#if 0\n  n += s.n; // n\n"
        "#endif\n  return n;\n}\n#if 0\nint n(int n) { return n; }\n#endif\nint g(int n) { return n; }\n"
    },
    "size",
    {
        "k.cl": "#ifdef HOST\nint f(int size, int m)\n#else\nint f(int size)\n#endif\n{\n#if 0\n  size += s.n; // n\n"
        "#endif\n  return size;\n}\n#if 0\nint n(int n) { return n; }\n#endif\nint g(int n) { return n; }\n"
    },
)
RENAMED["a type in branches that are left out, except where a function declares the name"] = (
    {
        "k.cl": "typedef int @t;\n#if 0\nint f(int t) { return t; }\nt g(t x) { struct t y; x.t = 1; }\n"
        "#define A(n) (t)(n)\n#ifdef t\n#endif\n#endif\nt h(void) {\nlabel:\n#if 0\n goto label;\n#endif\n return 1; }\n"
    },
    "real",
    {
        "k.cl": "typedef int real;\n#if 0\nint f(int t) { return t; }\nreal g(real x) { struct t y; x.t = 1; }\n"
        "#define A(n) (real)(n)\n#ifdef t\n#endif\n#endif\nreal h(void) {\nlabel:\n#if 0\n goto label;\n#endif\n return 1; }\n"
    },
)
RENAMED["a label and a tag in branches that are left out"] = (
    {
        "k.cl": "struct s { int a; };\nvoid f(int n) {\n@s: n++;\n#if 0\n goto s;\n s: { struct s s; s.a = 1; }\n#endif\n goto s; }\n"
    },
    "out",
    {
        "k.cl": "struct s { int a; };\nvoid f(int n) {\nout: n++;\n#if 0\n goto out;\n out: { struct s s; s.a = 1; }\n#endif\n goto out; }\n"
    },
)
RENAMED["a parameter in the arguments of macros that do not use them"] = (
    {
        "k.cl": "#define LOG(x, ...)\n#define FIRST(x, y) (x)\nint f(int @n) { LOG(n, s.n, n + /* n */ n); return FIRST(1,\n n); }\n"
        "int g(int n) { LOG(n); return n; }\nvoid h(int n) { LOG(n); { int n = 2; LOG(n); } }\n"
    },
    "size",
    {
        "k.cl": "#define LOG(x, ...)\n#define FIRST(x, y) (x)\nint f(int size) { LOG(size, s.n, size + /* n */ size); return FIRST(1,\n size); }\n"
        "int g(int n) { LOG(n); return n; }\nvoid h(int n) { LOG(n); { int n = 2; LOG(n); } }\n"
    },
)
RENAMED["an inner variable from the argument of a macro that does not use it"] = (
    {"k.cl": "#define LOG(x)\nvoid h(int n) {\nLOG(n);\n{ int n = 2;\nLOG(@n); }\nLOG(n);\n}\n"},
    "size",
    {"k.cl": "#define LOG(x)\nvoid h(int n) {\nLOG(n);\n{ int size = 2;\nLOG(size); }\nLOG(n);\n}\n"},
)

REFUSED: dict[str, tuple[str, str, str]] = {
    "a built-in function": ("kernel void k(void) { @barrier(0); }\n", "b", "`barrier` is part of OpenCL C"),
    "a keyword": ("@int x;\n", "b", "`int` is part of OpenCL C"),
    "an unknown name": ("int f(void) { return @foo; }\n", "b", "the declaration of `foo` is unknown"),
    "a predefined macro": (
        "#ifdef @__OPENCL_VERSION__\n#endif\n",
        "b",
        "`__OPENCL_VERSION__` is defined by a build option or by the compiler",
    ),
    "a macro that only the host defines": (
        "#ifdef @HOST\n#endif\n",
        "b",
        "`HOST` is not defined in a file: the host may define it",
    ),
    "a name that a macro joins with others": (
        "#define TWO(x) int x = 0, x##_next = 1\nint f(void) { TWO(a); return @a + a_next; }\n",
        "b",
        "a macro forms another name from `a`",
    ),
    "a comment": ("int a; // @a\n", "b", "there is no name here"),
    "a string": ('constant char *a = "@a";\n', "b", "there is no name here"),
    "a new name that is a keyword": ("int @x;\n", "kernel", "`kernel` is part of OpenCL C"),
    "a function named like a built-in one": ("int @x(void);\n", "dot", "`dot` is part of OpenCL C"),
    "a new name that is no identifier": ("int @x;\n", "1a b", "`1a b` is not an identifier"),
    "an empty name": ("int @x;\n", "", "`` is not an identifier"),
    "a name in the same scope": (
        "void f(void) { int @x = 1; int y = 2; }\n",
        "y",
        "`y` is already declared in the same scope",
    ),
    "a name that would be captured": (
        "int f(int @x) { { int y = 2; x += y; } return x; }\n",
        "y",
        "`y` already denotes something else where `x` is used or declared",
    ),
    "a name that would capture": (
        "int y;\nint f(int @x) { return x + y; }\n",
        "y",
        "`y` already denotes something else where `x` is used or declared",
    ),
    "a built-in function that is called in the scope": (
        "float f(float @x) { return dot(x, x); }\n",
        "dot",
        "`dot` already denotes something else where `x` is used or declared",
    ),
    "a member of the same struct": (
        "struct s { int @a; int b; };\n",
        "b",
        "`b` is already declared in the same scope",
    ),
    "a macro's name": ("#define N 4\nint @x = N;\n", "N", "`N` already denotes something else"),
    "a macro whose name another one forms": (
        "#define @SIZE_int 4\n#define SIZE(T) SIZE_##T\nint f(void) { return SIZE(int); }\n",
        "WIDTH",
        "a macro forms another name from `SIZE_int`",
    ),
    "a function that a macro declares": (
        "#define ADD(T) T add_##T(T a) { return a; }\nADD(int)\nint g(void) { return @add_int(1); }\n",
        "b",
        "a macro forms the name `add_int` with `##`, or a build option holds it",
    ),
    "a name on two lines": (
        "int f(int @value) { return val\\\nue; }\n",
        "b",
        "`value` continues on the next line, after a backslash",
    ),
    "a pasted name": (
        "#define F(n) f_##n\nint @f_a(void);\nint g(void) { return F(a)(); }\n",
        "b",
        "a macro forms the name `f_a` with `##`, or a build option holds it",
    ),
}


def cursor(texts: dict[str, str]) -> tuple[TranslationUnit, int]:
    """The unit of the texts, and the byte at the mark in the root."""
    marked = texts["k.cl"]
    headers = {name: text.encode() for name, text in texts.items() if name != "k.cl"}
    return unit_of(marked.replace("@", "").encode(), "CL2.0", Headers(headers)), marked.index("@")


@pytest.mark.parametrize("name", RENAMED)
def test_the_text_after_renaming(name: str) -> None:
    texts, new, expected = RENAMED[name]
    unit, offset = cursor(texts)
    assert isinstance(prepare_rename(unit, ROOT, offset, lambda _: True), RenameableName)
    found = compute_rename(unit, ROOT, offset, new, lambda _: True, lambda *_: ())
    assert isinstance(found, RenameEdits), found
    after = {}
    for each in texts:
        document = unit.document_named(ROOT) if each == "k.cl" else None
        for preprocessed in unit.preprocessed.with_included():
            if preprocessed.document.name == f"/{each}":
                document = preprocessed.document
        assert document is not None
        after[each] = edited_text(document.text, found, f"/{each}").data.decode()
    assert after == expected


@pytest.mark.parametrize("name", REFUSED)
def test_refusal(name: str) -> None:
    text, new, reason = REFUSED[name]
    unit, offset = cursor({"k.cl": text})
    found = compute_rename(unit, ROOT, offset, new, lambda _: True, lambda *_: ())
    assert found == RenameRefusal(reason)


def test_a_declaration_outside_of_the_project_is_not_renamed() -> None:
    unit, offset = cursor({"k.cl": '#include "h.h"\nint g(void) { return @f(); }\n', "h.h": "int f(void);\n"})
    found = prepare_rename(unit, ROOT, offset, lambda name: name == ROOT)
    assert found == RenameRefusal("`f` is declared in `/h.h`, outside of the project")


def test_a_local_variable_of_a_header_that_is_included_twice() -> None:
    header = b"int NAME(int n) {\n    int a = n;\n#ifdef MORE\n    a++;\n#endif\n    return a;\n}\n"
    text = b'#define NAME f\n#include "h.h"\n#undef NAME\n#define NAME g\n#define MORE\n#include "h.h"\n'
    unit = unit_of(text, "CL2.0", Headers({"h.h": header}))
    found = compute_rename(unit, "/h.h", header.index(b"a = n"), "b", lambda _: True, lambda *_: ())
    assert isinstance(found, RenameEdits)
    places = tuple(header.index(each) for each in (b"a = n", b"a++", b"a;\n}"))
    assert found.places == {"/h.h": places}
