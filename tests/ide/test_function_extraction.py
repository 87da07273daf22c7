"""Functions extracted from a selection, with the address spaces of their parameters."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.refactorings.function_extraction import ExtractionRefusal, compute_extraction
from openclsp.rules.finding import Severity
from openclsp.semantics.translation_unit import TranslationUnit

from ..semantics.units import ROOT, Headers, unit_of


def selected(marked: str, dialect: str) -> tuple[TranslationUnit, int, int]:
    """The unit of a text without its marks `«` and `»`, and the bytes between them."""
    data = marked.encode()
    start, end = data.index("«".encode()), data.index("»".encode()) - len("«".encode())
    plain = marked.replace("«", "").replace("»", "").encode()
    return unit_of(plain, dialect), start, end


def extracted(marked: str, dialect: str = "CL2.0") -> str:
    """The text after the extraction of what the marks enclose."""
    unit, start, end = selected(marked, dialect)
    found = compute_extraction(unit, ROOT, start, end)
    assert not isinstance(found, ExtractionRefusal), found.reason
    text = unit.document.text.data
    for edit in reversed(found.fix.edits):
        text = text[: edit.location.start] + edit.text.encode() + text[edit.location.end :]
    after = unit_of(text, dialect)
    assert not [each for each in compute_diagnostics(after) if each.severity is Severity.ERROR]
    return text.decode()


def test_one_value_is_returned() -> None:
    assert (
        extracted(
            """\
// Sums a row.
kernel void k(global const float *restrict a, local float *tile, int n)
{
  int i = get_global_id(0);
  float sum = 0;
  «for (int j = 0; j < n; j++) { // each
    sum += a[i + j] * tile[j];
  }»
  tile[i] = sum;
}
"""
        )
        == """\
float extracted(global const float *restrict a, local float *tile, int n, int i, float sum)
{
  for (int j = 0; j < n; j++) { // each
    sum += a[i + j] * tile[j];
  }
  return sum;
}

// Sums a row.
kernel void k(global const float *restrict a, local float *tile, int n)
{
  int i = get_global_id(0);
  float sum = 0;
  sum = extracted(a, tile, n, i, sum);
  tile[i] = sum;
}
"""
    )


@pytest.mark.parametrize(
    ("marked", "signature", "call"),
    [
        # an expression
        ("void f(global int *a, int n) { a[0] = «a[1] * n»; }", "int extracted(global int *a, int n)", "a[0] = extracted(a, n);"),
        ("void f(global int *a, int n) { int *p = 0; global int *q = «a + n»; }", "global int *extracted(global int *a, int n)", "q = extracted(a, n);"),
        # several results are written through pointers into private memory
        ("void f(int n) { int a = 1, b = 2; «a += n; b = a;» n = a + b; }", "void extracted(int n, private int *a, private int *b)", "extracted(n, &a, &b);"),
        # arrays and objects in local memory keep their address space
        ("kernel void f(int n) { local int t[4]; local int s; float m[2][3]; «t[0] = s + n; s = 1; m[0][1] = n;» n = s + m[0][0]; }",
         "void extracted(int n, local int *t, local int *s, private float (*m)[3])", "extracted(n, t, &s, m);"),
        # what the selection declares for the code after it
        ("void f(global int *a, int n) { «const int x = a[n];» a[0] = x; }", "int extracted(global int *a, int n)", "const int x = extracted(a, n);"),
        ("void f(global int *a, int n) { «int x = a[n]; int y = 2;» a[0] = x + y; }", "void extracted(global int *a, int n, private int *x, private int *y)", "int x; int y; extracted(a, n, &x, &y);"),
        # a variable that is first assigned in the selection is no parameter
        ("void f(global int *a, int n) { int x; «x = n * 2;» a[0] = x; }", "int extracted(int n)", "x = extracted(n);"),
        # a value that the next pass of a loop needs
        ("void f(global int *a, int n) { int x = 0; for (int i = 0; i < n; i++) { «x += i; a[i] = x;» } }", "int extracted(global int *a, int x, int i)", "x = extracted(a, x, i);"),
        # a variable whose address is taken, and a struct
        ("typedef struct { int n; } S; void g(S *s); void f(int n) { S s; s.n = n; «g(&s); s.n++;» }", "void extracted(private S *s)", "extracted(&s);"),
        # names and types that macros spell
        ("#define GLOBAL __global\n#define T int\n#define TWICE(x) ((x) + (x))\nvoid f(GLOBAL T *a, T n) { «a[0] = TWICE(n);» }", "void extracted(GLOBAL T *a, T n)", "extracted(a, n);"),
        ("static int f(int n) { return «n + 1»; }", "static int extracted(int n)", "return extracted(n);"),
        ("void f(global int *a) { «barrier(CLK_LOCAL_MEM_FENCE);» }", "void extracted(void)", "extracted();"),
    ],
)  # fmt: skip
def test_signature_and_call(marked: str, signature: str, call: str) -> None:
    found = " ".join(extracted(marked).split())
    assert f"{signature} {{" in found
    assert call in found


def test_uses_become_dereferences() -> None:
    found = extracted(
        "typedef struct { int n; } S; void f(int n) { S s; int a = 0; «s.n = n; a++; a = a * 2;» n = s.n + a; }"
    )
    assert "s->n = n; (*a)++; *a = (*a) * 2;" in found


@pytest.mark.parametrize(
    ("marked", "reason"),
    [
        ("void f(int n) { «if (n) return;» n = 1; }", "contains `return`"),
        ("void f(int n) { while (n) { «if (n) break;» n--; } }", "`break` whose statement is outside"),
        ("void f(int n) { while (n) { «if (n) continue;» n--; } }", "`continue` whose statement is outside"),
        ("void f(int n) { switch (n) { «case 1: n = 2;» } }", "`case` whose `switch` is outside"),
        ("void f(int n) { «again: n--; goto again;» }", "a label or `goto`"),
        ("#define P(x) ((x) * 2)\nvoid f(int n) { n = P(«n + 1»); }", "a part of a macro call"),
        ("#define INCREMENT n++\nvoid f(int n, int m) { «INCREMENT; m++;» n += m; }", "a macro uses `n`"),
        ("#define LOOP for (;;) {\nvoid f(int n) { «LOOP n++;» } }", ""),
        ("void f(int n) { «n = 1;\n#if 1\nn = 2;\n#endif\n» }", "preprocessor directive"),
        ("kernel void f(int n) { «local int t[4]; t[0] = n;» }", "`t` is in `local` memory"),
        ("void f(int n) { «int t[2] = {n};» n = t[0]; }", "the array `t`"),
        ("void f(int n) { typedef int T; «T x = n; n = x;» }", "`T` is declared in the function"),
        ("void f(int n) { int t[2]; «n = sizeof(t);» }", "needs the array `t` itself"),
        ("void f(int n) { «n» = 1; }", "assigned to"),
        ("void f(int n) { n = 1« + n»; }", "select whole statements"),
        ("void f(int n) { if (n) { «n = 1; } n = 2;» }", "select whole statements"),
        ("int «x»;", "in a function"),
        ("void f(int n) { «n = 1 +;» }", "syntax error"),
    ],
)  # fmt: skip
def test_refusals(marked: str, reason: str) -> None:
    unit, start, end = selected(marked, "CL2.0")
    found = compute_extraction(unit, ROOT, start, end)
    assert isinstance(found, ExtractionRefusal)
    assert reason in found.reason


def test_the_name_is_new() -> None:
    assert "extracted_2(" in extracted("void extracted(void);\nvoid f(int n) { «n = 1;» }")


def test_a_selection_in_a_header() -> None:
    headers = Headers({"f.h": b"int f(global int *p) { return p[0] + 1; }\n"})
    unit = unit_of(b'#include "f.h"\nkernel void k(global int *a) { a[0] = f(a); }\n', headers=headers)
    found = compute_extraction(unit, "/f.h", 30, 38)
    assert not isinstance(found, ExtractionRefusal), found.reason
    assert {each.location.document for each in found.fix.edits} == {"/f.h"}
