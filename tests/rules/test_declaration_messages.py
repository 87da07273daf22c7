"""Messages of the rules about declarations: text, position and related declaration."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics

from .analysis import analyse, line_and_columns

CASES = [
    (
        "CL1.2",
        "kernel void k(int n) { if (n) { local int x; } }",
        "local",
        "variable `x` in local memory must be declared at the kernel's outermost scope; here it is inside a block",
    ),
    (
        "CL1.2",
        "void f(void) { local int x; }",
        "local",
        "variable `x` in local memory can only be declared in a kernel; pass a pointer to it to other functions",
    ),
    (
        "CL1.2",
        "global int *p;",
        "p",
        (
            "program-scope variable `p` must be in constant memory in OpenCL C 1.2: `global` qualifies its pointee, "
            "not the pointer itself"
        ),
    ),
    (
        "CL1.2",
        "global int x;",
        "global",
        "program-scope variable `x` must be in constant memory in OpenCL C 1.2; here it is global",
    ),
    (
        "CL2.0",
        "local int x;",
        "local",
        "program-scope variable `x` must be in constant or global memory; here it is local",
    ),
    (
        "CL3.0-globals",
        "void f(void) { static int x; }",
        "x",
        (
            "static variable `x` must be in constant memory; OpenCL C 3.0 without program-scope global variables "
            "has no default"
        ),
    ),
    (
        "CL2.0",
        "kernel void k(int *p);",
        "p",
        (
            "kernel parameter `p` must point into global, local or constant memory: there is no default "
            "address space"
        ),
    ),
    (
        "CL2.0",
        "kernel void k(private int *p);",
        "private",
        "kernel parameter `p` must point into global, local or constant memory; here it points into private",
    ),
    (
        "CL2.0",
        "kernel void k(int *global *p);",
        "p",
        (
            "a pointer reached through kernel parameter `p` must point into global, local or constant memory: "
            "there is no default address space"
        ),
    ),
    (
        "CL1.1",
        "static int f(void);",
        "static",
        "OpenCL C 1.1 has no storage class `static`: it was added in OpenCL C 1.2",
    ),
    (
        "CL1.2",
        "struct s { local int *p; }; kernel void k(struct s v);",
        "v",
        (
            "kernel parameter `v` is a struct with the pointer member `local int *p`, "
            "which OpenCL C 1.2 does not allow"
        ),
    ),
    (
        "CL1.2",
        "void f(global local int *p);",
        "local",
        "`local` conflicts with `global`: an object is in one address space",
    ),
    (
        "CL1.2",
        "void f(global int *p); void f(local int *p);",
        "f",
        "`void f(local int *)` conflicts with the previous declaration `void f(global int *)`",
    ),
]


@pytest.mark.parametrize(("dialect", "text", "word", "message"), CASES)
def test_the_message_and_the_word_that_it_points_at(dialect: str, text: str, word: str, message: str) -> None:
    (found,) = compute_diagnostics(analyse(text, dialect))
    assert found.message == message
    _, (start, end) = line_and_columns(text, found.location)
    assert text[start:end] == word


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("typedef local int t; void f(t x);", "parameter-space"),
        ("typedef local int t; t f(void);", "return-space"),
        ("typedef local int t; struct s { t x; };", "member-space"),
        ("typedef local int t; void f(void) { t x; }", "local-scope"),
        ("typedef local int t; void f(global t *x);", "multiple-spaces"),
        ("typedef int *t; kernel void k(t x);", "kernel-argument-space"),
    ],
)
def test_a_space_from_a_typedef_is_related_to_it(text: str, code: str) -> None:
    (found,) = compute_diagnostics(analyse(text, "CL1.2"))
    assert found.code == code
    (related,) = found.related
    assert related.location.end <= text.index("t;") + 1, "the typedef's own text"
