"""Messages about a pointer in a space that no overload takes: the accepted spaces, and the origin of the pointer's space."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.feature_results import Diagnostic

from .analysis import analyse, line_and_columns


def _only(text: str, dialect: str = "CL1.2") -> Diagnostic:
    (found,) = [each for each in compute_diagnostics(analyse(text, dialect)) if each.code == "overload-space"]
    return found


@pytest.mark.parametrize(
    ("dialect", "text", "message"),
    [
        (
            "CL1.2",
            "void f(float4 v, constant float *c) { vstore4(v, 0, c); }",
            "`c` is `constant float *`: argument 3 of `vstore4` must point into global, local or private, not constant",
        ),
        (
            "CL2.0",
            "void f(float x, constant float *c) { fract(x, c); }",
            (
                "`c` is `constant float *`: argument 2 of `fract` must point into generic (global, local or private), "
                "not constant"
            ),
        ),
        (
            "CL1.2",
            "void f(void) { int n; atomic_add(&n, 1); }",
            "`&n` is `private int *`: argument 1 of `atomic_add` must point into global or local, not private",
        ),
        (
            "CL2.0",
            "void f(int *p) { atomic_inc(p + 1); }",
            "`p` is `generic int *`: argument 1 of `atomic_inc` must point into global or local, not generic",
        ),
        (
            "CL1.2",
            "void f(global float *g, global float *h) { async_work_group_copy(g, h, 1, 0); }",
            (
                "`async_work_group_copy` does not take (`global float *`, `global float *`): its overloads take "
                "pointers into (local, global) and (global, local)"
            ),
        ),
        (
            "CL3.0-generic",
            "void f(atomic_int *a) { atomic_store(a, 1); }",
            (
                "`a` is `private atomic_int *`: argument 1 of `atomic_store` must point into global or local, not private "
                "(a pointee without a qualifier is private in OpenCL C 3.0 without the generic address space)"
            ),
        ),
        (
            "CL1.2",
            (
                "void __attribute__((overloadable)) own(global int *p); "
                "void __attribute__((overloadable)) own(local int *p); void f(constant int *c) { own(c); }"
            ),
            "`c` is `constant int *`: argument 1 of `own` must point into global or local, not constant",
        ),
    ],
)
def test_the_spaces_and_the_type_are_named(dialect: str, text: str, message: str) -> None:
    assert _only(text, dialect).message == message


def test_it_stands_on_the_argument_and_points_at_the_declaration() -> None:
    text = "void f(float4 v,\n       constant float *c) {\n    vstore4(v, 0, c + 1);\n}"
    found = _only(text)
    assert line_and_columns(text, found.location) == (2, (18, 23))
    (related,) = found.related
    assert related.message == "`c` points into constant"
    assert line_and_columns(text, related.location)[0] == 1


def test_a_member_points_at_what_holds_it() -> None:
    text = "struct S { float m[4]; };\nvoid f(constant struct S *s, float4 v) { vstore4(v, 0, s->m); }"
    (related,) = _only(text).related
    assert related.message == "`s` points into constant"


def test_another_type_is_no_matter_of_spaces() -> None:
    text = "void f(void) { float x; atomic_add(&x, 1); }"
    assert [each.code for each in compute_diagnostics(analyse(text, "CL1.2"))] == ["no-matching-overload"]
