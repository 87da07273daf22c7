"""A missing comma between two parameters is one error; both parameters are declared as they are written."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.rules.finding import Severity
from openclsp.source.document import Document
from openclsp.source.missing_commas import find_missing_commas

from tests.ide.units import analyse

BODY = " { for (int i = 0; i < n; i++) { a[i] += b[i]; atomic_inc(c); } }\n"


def errors_in(folder: Path, text: str) -> list[str]:
    found = compute_diagnostics(analyse(folder, text))
    return [f"{each.code}: {each.message}" for each in found if each.severity is Severity.ERROR]


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
        "global int *a, /* b */ global int *b // the counter\n, global int *c\n    /* n */ unsigned int n",
    ],
)
def test_a_missing_comma_is_one_error(tmp_path: Path, parameters: str) -> None:
    (found,) = errors_in(tmp_path, f"kernel void f({parameters}){BODY}")
    assert found.startswith("syntax-error: `,` is missing after `")


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
    unit = analyse(tmp_path, whole)
    for text in texts:
        unit.update(Document.of(unit.document.name, text.encode()))
        assert compute_diagnostics(unit) == compute_diagnostics(analyse(tmp_path, text))
