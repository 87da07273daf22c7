"""Blocks: the type of a literal, captured variables, and no diagnostics where something is unknown."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.hover.hover import compute_hover

from .analysis import NAME, analyse, line_and_columns

SETUP = "kernel void k(queue_t q, global int *g, local int *l, int n) {\n"


def found(body: str, *, before: str = "") -> list[tuple[int, str]]:
    """Line (0 is the first one of the body) and code of each diagnostic."""
    text = before + SETUP + body + "\n}\n"
    first = (before + SETUP).count("\n")
    return [
        (line_and_columns(text, item.location)[0] - first, item.code)
        for item in compute_diagnostics(analyse(text, "CL2.0"))
    ]


def type_at(body: str, word: str) -> str:
    """The hover's type at the last `word` of the body."""
    text = SETUP + body + "\n}\n"
    shown = compute_hover(analyse(text, "CL2.0"), NAME, text.rindex(word))
    assert shown is not None
    return shown.type


@pytest.mark.parametrize(
    ("literal", "type_"),
    [
        ("^{ }", "void (^)(void)"),
        ("^{ return n; }", "int (^)(void)"),
        ("^(local int *x) { return x; }", "local int *(^)(local int *)"),
        ("^float(int x) { return x; }", "float (^)(int)"),
        ("^{ return ^{ return g; }(); }", "global int *(^)(void)"),
        ("^{ if (n) return 1; return 2; }", "int (^)(void)"),
    ],
)
def test_a_literal_has_the_type_of_what_it_returns(literal: str, type_: str) -> None:
    text = SETUP + f"(void){literal};\n}}\n"
    shown = compute_hover(analyse(text, "CL2.0"), NAME, text.index("^"))
    assert shown is not None
    assert shown.type == type_


def test_a_captured_variable_is_constant_inside_alone() -> None:
    assert type_at("^{ return *g; }();", "g;") == "global int *private const g"
    assert type_at("^{ return *g; }(); *g = 1;", "g =") == "global int *private g"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # at any depth, and through the block that lies between
        ("^{ ^{ n = 1; }(); }();", [(0, "block-capture")]),
        ("^{ int m = n; ^{ m = 1; }(); }();", [(0, "block-capture")]),
        ("^{ int m = n; m = 1; }();", []),
        # a name of its own hides what is around
        ("^(int n) { n = 1; }(2);", []),
        ("^{ int n = 3; n = 1; }();", []),
        # static variables and the program's are not captured
        ("static int s; ^{ s = 1; }();", []),
        ("local int t[2]; ^{ t[0] = 1; }();", [(0, "block-capture")]),
        # what a captured pointer points to is not part of the copy
        ("^{ g[0] = 1; *l = 2; }();", []),
        ("struct { global int *p; int i; } s; s.p = g; ^{ *s.p = 1; s.i = 2; }();", [(0, "block-capture")]),
    ],
)
def test_what_a_block_captures(body: str, expected: list[tuple[int, str]]) -> None:
    assert found(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("enqueue_kernel(q, 0, ndrange_1D(1),\n^{ *g = 1; });", []),
        ("enqueue_kernel(q, 0, ndrange_1D(1),\n^{ *l = 1; });", [(1, "enqueue-capture")]),
        ("void (^b)(void) =\n^{ *l = 1; };\nb();", []),
        (
            "void (^b)(void) =\n^{ *l = 1; };\nenqueue_kernel(q, 0, ndrange_1D(1), b);",
            [(1, "enqueue-capture")],
        ),
        # the inner block is enqueued by the outer one, which captures what it captures
        (
            "enqueue_kernel(q, 0, ndrange_1D(1), ^{\nenqueue_kernel(q, 0, ndrange_1D(1),\n^{ *l = 1; }); });",
            [(2, "enqueue-capture")],
        ),
        # a pointer into the block's own memory, passed on to a later one
        (
            (
                "enqueue_kernel(q, 0, ndrange_1D(1), ^(local void *own) {\nenqueue_kernel(q, 0, ndrange_1D(1),\n"
                "^{ local int *i = own; }); }, 4);"
            ),
            [(2, "enqueue-capture")],
        ),
        ("enqueue_kernel(q, 0, ndrange_1D(1),\n^{ int m = n; private int *p = &m; *p = 1; });", []),
    ],
)
def test_memory_that_is_gone_when_an_enqueued_block_runs(body: str, expected: list[tuple[int, str]]) -> None:
    assert found(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "MACRO_TYPE m; ^{ m = 1; }();",
        "enqueue_kernel(q, 0, UNKNOWN_RANGE, ^(local int *a) { }, 4);",
        "enqueue_kernel(q, 0, ndrange_1D(1), ^(HOST_TYPE a) { }, 4);",
        "UNKNOWN_QUEUE(^{ *l = 1; });",
        "HOST_TYPE (^b)(int) = ^(int x) { return x; };",
        "int r = UNKNOWN(^{ return 1; });",
    ],
)
def test_nothing_is_reported_about_an_unknown_block(body: str) -> None:
    codes = {code for _, code in found(body, before="#include <missing.h>\n")}
    assert codes <= {"include-not-found", "unknown-name"}
