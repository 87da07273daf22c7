"""Expansions of macros step by step, and of whole documents."""

from __future__ import annotations

import pytest
from openclsp.ide.expansion.expanded_document import compute_expanded_document
from openclsp.ide.expansion.macro_expansion import compute_expansion_at, render_expansion

from ..rules.analysis import NAME, analyse
from ..semantics.units import ROOT, Headers, edited, unit_of

DEFINITIONS = """\
#define ADD(a, b) ((a) + (b))
#define TWICE(x) ADD(x, x)
#define CAT(a, b) a##b
#define NAME(n) CAT(var_, n)
#define STRING(x) #x
#define SELF OTHER + 1
#define OTHER SELF
#define EMPTY
#define COUNT(...) (sizeof((int[]){__VA_ARGS__}) / 4)
#define LATER(f) f(2)
"""


def steps_at(marked: str) -> list[str] | None:
    """The text after each step of the expansion at the mark."""
    found = compute_expansion_at(
        analyse(marked.replace("@", ""), "CL2.0"), NAME, len(marked[: marked.index("@")].encode())
    )
    return None if found is None else [step.text for step in found.steps]


@pytest.mark.parametrize(
    ("use", "steps"),
    [
        ("@ADD(1, 2)", ["((1) + (2))"]),
        ("@TWICE(3)", ["ADD(3, 3)", "((3) + (3))"]),
        ("@TWICE(y /* of\n two lines */)", ["ADD(y, y)", "((y) + (y))"]),
        ("ADD(@TWICE(1), 2)", ["ADD(1, 1)", "((1) + (1))"]),
        ("@NAME(y)", ["CAT(var_, y)", "var_y"]),
        ("@SELF", ["OTHER + 1", "SELF + 1"]),
        ("@STRING(ADD(1, 2))[0]", ['"ADD(1, 2)"']),
        ("3 @EMPTY", [""]),
        ("@COUNT(1, 2, 3)", ["(sizeof((int[]){1, 2, 3}) / 4)"]),
        ("@LATER(TWICE)", ["TWICE(2)", "ADD(2, 2)", "((2) + (2))"]),
        ("@TWICE(__LINE__)", ["ADD(__LINE__, __LINE__)", "((__LINE__) + (__LINE__))", "((12) + (12))"]),
        ("@TWICE", []),
    ],
)
def test_the_steps_of_an_expansion(use: str, steps: list[str]) -> None:
    assert steps_at(f"{DEFINITIONS}void f(int y, int var_y) {{\n y = {use};\n}}\n") == steps


@pytest.mark.parametrize(
    "marked", ["void @f(void) { }", '#define A 1\nconstant char *s = "@A";', "// @A\n", "@"]
)
def test_there_is_none(marked: str) -> None:
    assert steps_at(marked) is None


def test_the_text_of_the_steps() -> None:
    text = f"{DEFINITIONS}constant int n = TWICE(2);\n"
    found = compute_expansion_at(analyse(text, "CL2.0"), NAME, text.index("TWICE(2)"))
    assert found is not None
    assert (
        render_expansion(found)
        == """\
// kernel.cl, line 11
TWICE(2)

// 1. #define TWICE(x) ADD(x, x)
ADD(2, 2)

// 2. #define ADD(a, b) ((a) + (b))
((2) + (2))
"""
    )
    definition = compute_expansion_at(analyse(text, "CL2.0"), NAME, text.index("TWICE(x)"))
    assert definition is not None
    assert "// `TWICE` is not expanded here" in render_expansion(definition).splitlines()


def test_an_expansion_that_doubles_is_bounded() -> None:
    text = "#define A0 1\n" + "".join(f"#define A{n} A{n - 1} + A{n - 1}\n" for n in range(1, 30))
    steps = steps_at(f"{text}constant int n = @A29;\n")
    assert steps is not None
    assert 20 < len(steps) <= 201


def test_a_whole_document_with_its_includes() -> None:
    header = b"#define SIZE 4\n\ntypedef int number;\n"
    text = (
        b'#include "types.h"\n'
        + b"\n" * 12
        + b"// none\nkernel void k(global number *p) {\n\n  p[SIZE] = 1;\n}\n"
    )
    unit = unit_of(text, headers=Headers({"types.h": header}))
    expected = """\
# 1 "/k.cl"
# 1 "/types.h"


typedef int number;
# 14 "/k.cl"
// none
kernel void k(global number *p) {

  p[4] = 1;
}
"""
    assert compute_expanded_document(unit, ROOT) == expected
    assert compute_expanded_document(unit, "/types.h") == '# 1 "/types.h"\n\n\ntypedef int number;\n'
    assert compute_expanded_document(unit, "/other.h") is None
    edited(unit, text.replace(b"= 1", b"= SIZE"))
    assert compute_expanded_document(unit, ROOT) == expected.replace("= 1", "= 4")
