"""A fault that makes other code look wrong is one error, and its preferred fix corrects it."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.fixes.fixes import compute_fixes
from openclsp.rules.finding import Severity

from tests.ide.applied_fixes import applied
from tests.ide.units import analyse

RECORDS = "struct P { float x; };\nunion U { int a; float b; };\nenum E { A, B };\n"
KERNEL = "kernel void k(global float *o, int n) "

CORRECTED = {
    "a misspelt struct": (
        f"{RECORDS}{KERNEL}{{ strcut P p; p.x = o[0]; o[1] = p.x; }}\n",
        f"{RECORDS}{KERNEL}{{ struct P p; p.x = o[0]; o[1] = p.x; }}\n",
    ),
    "a misspelt union in a size": (
        f"{RECORDS}{KERNEL}{{ o[0] = sizeof(unoin U); }}\n",
        f"{RECORDS}{KERNEL}{{ o[0] = sizeof(union U); }}\n",
    ),
    "a misspelt struct in a cast": (
        f"{RECORDS}{KERNEL}{{ o[0] = ((global strcut P *)o)->x; }}\n",
        f"{RECORDS}{KERNEL}{{ o[0] = ((global struct P *)o)->x; }}\n",
    ),
    "one underscore": ("kernel void k(_global float *o) { o[0] = 1; }\n", "kernel void k(__global float *o) { o[0] = 1; }\n"),
    "underscores behind": ("kernel void k(__global__ float *o) { o[0] = 1; }\n", "kernel void k(__global float *o) { o[0] = 1; }\n"),
    "a space of the parameter itself": (
        "kernel void k(global float *o, float *local w) { o[0] = w[0]; }\n",
        "kernel void k(global float *o, local float *w) { o[0] = w[0]; }\n",
    ),
    "constant of the parameter itself": (
        "kernel void k(global float *o, const float *constant w) { o[0] = w[0]; }\n",
        "kernel void k(global float *o, constant const float *w) { o[0] = w[0]; }\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "corrected"), CORRECTED.values(), ids=CORRECTED)
def test_the_preferred_fix_corrects_the_only_error(tmp_path: Path, text: str, corrected: str) -> None:
    unit = analyse(tmp_path, text)
    (found,) = [each for each in compute_diagnostics(unit) if each.severity is Severity.ERROR]
    (preferred,) = [each for each in compute_fixes(unit, found) if each.preferred]
    assert applied(unit.document.text.data, preferred).decode() == corrected


@pytest.mark.parametrize("arguments", ["g", "2, g, 3", ""])
def test_a_wrong_number_of_arguments_is_the_only_error_of_a_call(tmp_path: Path, arguments: str) -> None:
    text = f"float get(float *v, int n) {{ return v[n]; }}\n{KERNEL.replace('*o', '*g')}{{ g[0] = get({arguments}); }}\n"
    unit = analyse(tmp_path, text)
    assert [each.code for each in compute_diagnostics(unit) if each.severity is Severity.ERROR] == [
        "argument-count"
    ]


def test_a_pointer_declared_in_global_memory_gets_no_second_space(tmp_path: Path) -> None:
    unit = analyse(tmp_path, f"{KERNEL}{{ float *global p = o + 1; p[0] = 1; }}\n")
    fixes = [fix for each in compute_diagnostics(unit) for fix in compute_fixes(unit, each)]
    texts = [applied(unit.document.text.data, each).decode() for each in fixes if not each.dialect]
    assert any("{ global float *p = o + 1;" in each for each in texts)
    assert not any("global float *global p" in each for each in texts)
