"""A missing comma between parameters, or `;` after a record, is one error; what is around it counts as it is written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.fixes.fixes import compute_fixes
from openclsp.rules.finding import Severity
from openclsp.source.document import Document
from openclsp.source.missing_separators import find_missing_commas, find_missing_semicolons

from tests.ide.applied_fixes import applied
from tests.ide.units import analyse

BODY = " { for (int i = 0; i < n; i++) { a[i] += b[i]; atomic_inc(c); } }\n"


def errors_in(folder: Path, text: str) -> list[str]:
    found = compute_diagnostics(analyse(folder, text))
    return [f"{each.code}: {each.message}" for each in found if each.severity is Severity.ERROR]


def assert_edits_give_the_results_of_first_analyses(folder: Path, first: str, texts: Sequence[str]) -> None:
    unit = analyse(folder, first)
    for text in texts:
        unit.update(Document.of(unit.document.name, text.encode()))
        assert compute_diagnostics(unit) == compute_diagnostics(analyse(folder, text))


@pytest.mark.parametrize(
    "parameters",
    [
        "global int *a global int *b, global int *c, int n",
        "global int *a\n    __global const int *b, global int *c, int n",
        "global int *a, global int *b global volatile int *c, int n",
        "global int *a, global int *b, global int *c const int n",
        "global int *a, global int *b, global int *c int n",
        "int n global int *a, global int *b, global int *c",
        "global int *const restrict a global int *restrict b\n, global int * const c, int n",
        "const uint n volatile global int *a, global int *b, global int *c",
        "global int *a, const int N\n    global int *b, global int *c, int n",
        "float4 WIDE __global int *a, global int *b, global int *c, int n",
        "global int *a, /* b */ global int *b // the counter\n, global int *c\n    /* n */ unsigned int n",
    ],
)
def test_a_missing_comma_is_one_error(tmp_path: Path, parameters: str) -> None:
    (found,) = errors_in(tmp_path, f"kernel void f({parameters}){BODY}")
    assert found.startswith("syntax-error: `,` is missing after `")


@pytest.mark.parametrize(
    ("text", "place", "token", "preferred"),
    [
        ("kernel void f(global int *a# global int *b) { a[0] = b[0]; }\n", "a", ",", True),
        ("struct s { int x; }#\nkernel void f(global struct s *p) { p->x = 1; }\n", "}", ";", True),
        ("constant int a[] = { 1, 2 }#\nconstant int b = 3;\n", "}", ";", True),
        ("void f(int n) { int i = n#\n  n = i; }\n", "n", ";", False),
        ("void f(int n) { if (n) { return# } n = 2; }\n", "return", ";", False),
    ],
)
def test_a_fix_inserts_what_is_missing(
    tmp_path: Path, text: str, place: str, token: str, preferred: bool
) -> None:
    unit = analyse(tmp_path, text.replace("#", ""))
    (found,) = [each for each in compute_diagnostics(unit) if each.severity is Severity.ERROR]
    assert found.message == f"`{token}` is missing after `{place}`"
    (fix,) = compute_fixes(unit, found)
    assert (fix.title, fix.preferred) == (f"Insert `{token}`", preferred)
    assert applied(unit.document.text.data, fix).decode() == text.replace("#", token)


@pytest.mark.parametrize(
    "text",
    [
        "#define THREE 3\nvoid f(int n) { n = THREE\n n = 2; }\n",
        "void f(int n) { n = n + ; }\n",
        "void f(int n) { if (n) { n = 2; }\n",
    ],
    ids=["a macro ends the statement", "an operand is missing", "a brace is missing"],
)
def test_no_fix_inserts_what_the_analysis_cannot_place(tmp_path: Path, text: str) -> None:
    unit = analyse(tmp_path, text)
    (found,) = [each for each in compute_diagnostics(unit) if each.severity is Severity.ERROR]
    assert found.code == "syntax-error"
    assert compute_fixes(unit, found) == ()


def test_several_missing_commas_are_several_errors(tmp_path: Path) -> None:
    text = f"kernel void f(global int *a global int *b global int *c int n){BODY}"
    assert [each[-3:] for each in errors_in(tmp_path, text)] == ["`a`", "`b`", "`c`"]


def test_images_and_structures(tmp_path: Path) -> None:
    text = """\
struct s { int x; };
void f(struct s a struct s b read_only image2d_t i) { a.x = b.x + get_image_width(i); }
"""
    assert [each[-3:] for each in errors_in(tmp_path, text)] == ["`a`", "`b`"]


def test_a_prototype(tmp_path: Path) -> None:
    (found,) = errors_in(tmp_path, "int f(global int *a local int *b);\n")
    assert found == "syntax-error: `,` is missing after `a`"


@pytest.mark.parametrize(
    "text",
    [
        "void f(global int *restrict a, const int n) { n x }",
        "void f(global int *ALIGNED const a) { n x }",
        "void f(global int *ALIGNED __private a) { n x }",
        "void f(unsigned LONG int n) { n x }",
        "void f(unsigned GLOBAL global int *n) { n x }",
        "void f(int LONG int *n) { n x }",
        "void f(int LONG global *n) { n x }",
        "void f(const GLOBAL int *n) { n x }",
        "DEFINE(int a int b) { n x }",
        "void f(int n) { g(int a int b); }",
        "void f(int n)",
        "int a int b;",
        "int a[f(int a int b)];",
    ],
)
def test_other_texts_have_no_missing_comma(text: str) -> None:
    assert find_missing_commas(text.encode()) == ()


def test_edits_give_the_result_of_a_first_analysis(tmp_path: Path) -> None:
    whole = (
        f"kernel void f(global int *a, global int *b, global int *c, int n){BODY}kernel void g(int n) {{}}\n"
    )
    broken = whole.replace("*a, ", "*a ")
    texts = [whole, broken, whole.replace("*a, ", "*a\n"), broken.replace("b[i]", "d[i]"), broken, whole]
    assert_edits_give_the_results_of_first_analyses(tmp_path, whole, texts)


RECORDS = {
    "a kernel": ("struct a { float x; }", "kernel void k(global struct a *p) { p->x = 1; }"),
    "a function": ("struct a { float x; } // of the host", "void k(global struct a *p) { p->x = 1; }"),
    "a type": ("struct a { float x; }", "typedef struct b { struct a x; } b;\nvoid k(global b *p) { p->x.x = 1; }"),
    "a type after a type": ("typedef struct a { float x; }", "typedef struct { struct a x; } b;\nb f(void);"),
    "a variable": ("union a { float x; int y; }", "constant int n = 3;\nvoid k(global union a *p) { p->y = n; }"),
    "an enumeration": ("enum a { A, B }", "static int k(enum a p) { return p == B; }"),
    "a record": ("struct a { struct { int x; } y; }", "struct b { struct a x; };\nint k(struct b p) { return p.x.y.x; }"),
}  # fmt: skip


@pytest.mark.parametrize(("record", "following"), RECORDS.values(), ids=RECORDS)
def test_a_missing_semicolon_after_a_record_is_one_error(tmp_path: Path, record: str, following: str) -> None:
    (found,) = errors_in(tmp_path, f"{record}\n{following}\n")
    assert found == "syntax-error: `;` is missing after `}`"
    assert errors_in(tmp_path, f"{record.partition(' //')[0]};\n{following}\n") == []


def test_nothing_is_missing_after_a_missing_semicolon(tmp_path: Path) -> None:
    text = "ALIGN typedef struct a { int x; }\nint f(void);\n"
    assert errors_in(tmp_path, text) == ["syntax-error: `;` is missing after `}`"]


def test_two_records_lack_a_semicolon(tmp_path: Path) -> None:
    text = "struct a { int x; }\nstruct b { int x; }\n\nkernel void k(global struct b *p) { p->x = 1; }\n"
    assert errors_in(tmp_path, text) == ["syntax-error: `;` is missing after `}`"] * 2


def test_a_record_and_the_function_behind_it_lack_separators(tmp_path: Path) -> None:
    text = "struct a { int x; }\nkernel void k(global struct a *p global int *q) { p->x = *q; }\n"
    assert [each[-3:] for each in errors_in(tmp_path, text)] == ["`}`", "`p`"]


@pytest.mark.parametrize(
    "text",
    [
        "struct a { int x; };\nint b;",
        "struct a { int x; }\nb;",
        "struct a { int x; }\nconstant b = { 1 };",
        "struct a { int x; }\nmake(int n) { n x }",
        "struct a { int x; } int b;",
        "struct a { int x; }\ntypedef b;",
        "struct a { int x; }/* no white space */\nint b;",
        "int a[] = { 1 }\nint b;",
        "void f(struct a b) { }\nint b;",
        "void f(void) { struct a { int x; }\nint b; }",
        'constant char s[] = "struct a { }\\n"\nint b;',
        "/* struct a { } */ { }\nint b;",
    ],
)
def test_other_texts_have_no_missing_semicolon(text: str) -> None:
    assert find_missing_semicolons(text.encode()) == ()


def test_edits_around_a_missing_semicolon_give_the_result_of_a_first_analysis(tmp_path: Path) -> None:
    whole = "struct a { int x; };\nkernel void k(global struct a *p) { p->x = 1; }\nint f(struct a p);\n"
    broken = whole.replace("};\n", "}\n")
    texts = [broken, broken.replace("kernel", "// kernel"), broken, broken.replace("x; }", "x, y; }"), whole]
    texts += [
        broken.replace("->x", "->z"),
        broken.replace("}\nk", "}\n\nk"),
        broken.replace("}\nk", "}k"),
        broken,
    ]
    assert_edits_give_the_results_of_first_analyses(tmp_path, whole, texts)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "struct a { int x; }\nfloatx f(int n) { return n; }\n",
            "struct a { int x; }\nfloat5 f(int n) { return n; }\n",
        ),
        (
            "typedef struct a { int x; int y FOO }\n",
            "typedef struct a { int x; int y FOO }\nint f(void);\n",
        ),
        ("{ n = 1;\n}\n", "struct { n = 1;\n}\nint a(void);\n"),
        ("void f(global int *a const uintx n) { }\n", "void f(global int *a const uint5 n) { }\n"),
        ("void f(void) { float4 t[4] ALIGNEd(16); }\n", "void f(void) { float4 t[4] ALIGNED(16); }\n"),
        ("void f(image4x_u img int n) { }\n", "void f(image4x_t img int n) { }\n"),
    ],
)
def test_an_edit_can_change_what_is_repaired(tmp_path: Path, before: str, after: str) -> None:
    assert_edits_give_the_results_of_first_analyses(tmp_path, before, (after, before, after))
