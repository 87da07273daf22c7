"""Plain C parses as with tree-sitter-c, despite OpenCL's additions and the tolerance of macros."""

from __future__ import annotations

import pytest
import tree_sitter
import tree_sitter_c
from openclsp import _grammar

OPENCL = tree_sitter.Language(_grammar.language())
C = tree_sitter.Language(tree_sitter_c.language())

PLAIN_C = [
    "a b;",
    "a b, *c, d[3];",
    "unsigned long x = 1ul;",
    "int (*f(int a))(float);",
    "struct S { int a, *b; struct { float c; } d; };",
    "union U { int a; char b[4]; } u;",
    "enum E { A, B = 2, C };",
    "typedef struct S S;",
    "typedef int (*callback)(void *, int);",
    "static const int table[] = { 1, 2, [4] = 5 };",
    "struct S s = { .a = 1, .b = { 2, 3 } };",
    "inline static float f(const float *restrict p, int n);",
    "int f(a, b) int a; int b; { return a; }",
    "void f(T a, const T *b, T, T *, int (*c)(int), ...);",
    "void f(void) { a * b; }",
    "void f(void) { a * b = c; }",
    "void f(void) { x = (a) * b; x = (a) - b; x = (a) & b; }",
    "void f(void) { (a)(b); (a)(b, c); x = (a *)(b); x = (int)(b); }",
    "void f(void) { a(b); a(*b); a (b), c(d); }",
    "void f(void) { a(b) c; }",
    "void f(void) { if (a) b(); else if (c) d; else { e++; } }",
    "void f(void) { for (int i = 0, j = 1; i < n; i++, --j) continue; }",
    "void f(void) { do { a--; } while (a > 0); while (1) break; }",
    "void f(void) { switch (a) { case 1: case 2: b(); break; default: return; } }",
    "void f(void) { goto end; end: return; }",
    "int x = a ? b : c ? d : e;",
    "int x = a ^ b ^ ~c;",
    "int x = -a + +b - !c * &d[0] / *e % f;",
    "int x = sizeof(int) * sizeof x + sizeof(struct S *);",
    "int x = s.a.b->c[1].d;",
    "float x = 1.0f + .5 + 1e-3 + 0x1.8p3;",
    'char *s = "a" "b" NAME "\\n";',
    "char c = 'a', d = '\\'';",
    "int *p = &(int){ 1 };",
    "int x = ({ int y = 1; y; });",
    "#define A(x, ...) ((x) + 1)\n#if defined(B) && C > 1\nint a;\n#else\nint b;\n#endif",
    "struct S {\n#ifdef A\n  int a;\n#endif\n  int b;\n};",
    "/* a */ int x; // b",
    "_Alignas(16) int x;",
    "__attribute__((noinline)) int f(void) __attribute__((pure));",
    "[[nodiscard]] int f(void);",
    "#pragma omp parallel\nint x;",
]


# What stands in an editor while somebody types.
HALF_TYPED = [
    "void f(void) {\n  int a\n  int b;\n  g();\n}\nvoid h(void) {}",
    "int a\nvoid h(void) {}",
    "int *a\nfloat b;",
    "void f(void) { a = b\n  c = d; }\nvoid h(void) {}",
    "void f(void) { if (x\n g(1); }\nvoid h(void) {}",
    "void f(void) { int x = ; g(1); }\nvoid h(void) {}",
    "void f(int *p) { p->\n}\nvoid h(void) {}",
    "void f(void) {\nvoid h(void) { a(); }\n",
    "struct S { int a\n  int b; };",
]


@pytest.mark.parametrize("source", HALF_TYPED)
def test_half_typed_c_recovers_as_c_does(source: str) -> None:
    text = source.encode() + b"\n"
    of_c = tree_sitter.Parser(C).parse(text).root_node
    assert of_c.has_error
    assert str(tree_sitter.Parser(OPENCL).parse(text).root_node) == str(of_c)


@pytest.mark.parametrize("source", PLAIN_C)
def test_plain_c_has_the_tree_of_c(source: str) -> None:
    text = source.encode() + b"\n"
    of_c = tree_sitter.Parser(C).parse(text).root_node
    assert not of_c.has_error
    assert str(tree_sitter.Parser(OPENCL).parse(text).root_node) == str(of_c)


def names_for_queries(language: tree_sitter.Language) -> set[str | None]:
    """The named nodes that a tree contains, and the supertypes."""
    kinds = {
        kind
        for kind in range(language.node_kind_count)
        if language.node_kind_is_named(kind) and language.node_kind_is_visible(kind)
    }
    return {language.node_kind_for_id(kind) for kind in kinds | set(language.supertypes)}


def test_a_query_for_c_finds_its_nodes_here() -> None:
    assert names_for_queries(C) - names_for_queries(OPENCL) == set()
