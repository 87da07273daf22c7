"""Fixes of a faulty declaration come before fixes of the code that depends on it."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.fixes.fix_all import fix_all
from openclsp.ide.fixes.fix_checker import apply_edits
from openclsp.ide.fixes.fixes import compute_fixes
from openclsp.rules.finding import Severity

from ..rules.analysis import NAME, analyse, applied


def offered(text: str, dialect: str) -> dict[str, str]:
    """The text after each fix of an error, by title."""
    unit = analyse(text, dialect)
    errors = [each for each in compute_diagnostics(unit) if each.severity is Severity.ERROR]
    return {
        fix.title: applied(text, fix) for each in errors for fix in compute_fixes(unit, each) if fix.edits
    }


def all_fixed(text: str, dialect: str) -> str:
    unit = analyse(text, dialect)
    texts = apply_edits(unit, fix_all(unit, document=NAME).edits)
    return texts[NAME].data.decode() if NAME in texts else text


def test_a_space_takes_the_place_of_generic() -> None:
    text = "kernel void k(global float *g) {\n    generic float *p = g;\n    *p = 1;\n}\n"
    assert all_fixed(text, "CL1.2") == text.replace("generic float", "global float")


def test_a_kernel_parameter_too() -> None:
    text = "kernel void k(__generic float *g) {\n    *g = 1;\n}\n"
    assert all_fixed(text, "CL1.2") == text.replace("__generic", "global")


def test_the_word_may_stand_behind_others() -> None:
    text = "kernel void k(global float *g) {\n    const generic float *p = g;\n    float x = *p;\n}\n"
    assert all_fixed(text, "CL1.2") == text.replace("generic", "global")


def test_a_typedef_with_generic_is_settled_where_it_stands() -> None:
    text = "typedef generic float *f;\nkernel void k(global float *g) {\n    f p = g;\n    *p = 1;\n}\n"
    for after in offered(text, "CL1.2").values():
        assert "global generic" not in after


@pytest.mark.parametrize("dialect", ["CL1.2", "CL2.0", "CL3.0"])
@pytest.mark.parametrize(
    "use",
    ["global local int *q = l;", "global local int *q; q = l;", "global local int *q = 0; l = q;", "f(l);"],
)
def test_a_healthy_declaration_stays_beside_one_with_two_spaces(use: str, dialect: str) -> None:
    text = f"void f(global local int *a);\nkernel void k(local int *l) {{\n    {use}\n}}\n"
    for title, after in offered(text, dialect).items():
        assert "kernel void k(local int *l)" in after, title
    assert "kernel void k(local int *l)" in all_fixed(text, dialect)
