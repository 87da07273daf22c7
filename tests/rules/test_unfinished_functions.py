"""A function whose `}` is missing: what stands in its body is not at program scope."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics

from .analysis import analyse

UNFINISHED = (
    "n[",
    "n[[",
    "n(",
    "n = ",
    "if (n) { float *q; n = 1;",
    "return",
    "{ int m; } n = (",
    "case",
    ")",
    "[[",
)
"""The last statement of a body, as it looks while it is typed."""


def _codes(text: str) -> set[str]:
    return {each.code for each in compute_diagnostics(analyse(text, "CL1.2"))}


@pytest.mark.parametrize("end", UNFINISHED)
def test_its_variables_are_local(end):
    assert _codes("void f(void) { int n; float *p;\n" + end) == {"syntax-error"}


@pytest.mark.parametrize("end", UNFINISHED)
def test_its_conversions_are_checked(end):
    text = "void f(void) { int n; global int *a; local int *b; a = b;\n" + end
    assert _codes(text) == {"syntax-error", "pointer-conversion"}


@pytest.mark.parametrize("end", UNFINISHED)
def test_declarations_before_it_are_at_program_scope(end):
    assert _codes("float *p; void f(void) { int n;\n" + end) == {"syntax-error", "program-scope-space"}
    assert _codes("float *p; ) void f(void) { int n;\n" + end) == {"syntax-error", "program-scope-space"}
