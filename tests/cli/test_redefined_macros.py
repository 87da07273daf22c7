"""Redefined macros: the earlier definition is shown; nothing is reported where the host sets the value."""

from __future__ import annotations

import json

import pytest

HOST = """#include <CL/cl.h>
void build(cl_program program, int n) {
    char options[99];
    const char *source = read_file("k.cl");
    sprintf(options, "-DWIDTH=%d -DHEIGHT=4", n);
    clBuildProgram(program, 0, NULL, options, NULL, NULL);
}
"""


def redefined(openclsp, *arguments: str):
    document = json.loads(openclsp("check", "--format", "json", *arguments, "k.cl").out)
    return [
        (each["range"]["start"]["line"], each["message"],
         [(related["path"], related["range"]["start"]["line"]) for related in each["related"]])
        for file in document["files"]
        for each in file["diagnostics"]
        if each["code"] == "macro-redefined"
    ]  # fmt: skip


def test_the_earlier_definition_is_shown(openclsp, write) -> None:
    write("a.h", "\n#define DEPTH 1\n")
    write("k.cl", '#include "a.h"\n#define SIZE(a) (a)\n\n#define SIZE(a) a\n#define DEPTH 2\n')
    assert redefined(openclsp) == [
        (4, "'SIZE' macro redefined: it was `SIZE(a) (a)`", [("k.cl", 2)]),
        (5, "'DEPTH' macro redefined: it was `DEPTH 1`", [("a.h", 2)]),
    ]


def test_a_value_that_the_host_computes_is_not_known(openclsp, write) -> None:
    write("host.c", HOST)
    write("k.cl", "#define WIDTH 8\n#define HEIGHT 8\n")
    assert redefined(openclsp) == [(2, "'HEIGHT' macro redefined: it was `HEIGHT 4`", [])]


def test_a_value_of_the_command_line(openclsp, write) -> None:
    write("k.cl", "#define WIDTH 8\n")
    assert redefined(openclsp, "-D", "WIDTH=4") == [(1, "'WIDTH' macro redefined: it was `WIDTH 4`", [])]


OVERRIDDEN = "not shown: about macros whose default a conditional group overrides"


def test_a_default_that_a_conditional_group_overrides(openclsp, write) -> None:
    write(
        "k.cl", "#define STEP 1\n#define FAST\n#ifdef FAST\n#define STEP 8\n#endif\nkernel void k(void) { }\n"
    )
    write("l.cl", "kernel void l(void) { }\n")
    shown = openclsp("check", "--no-fixes", ".").out
    assert f"1 diagnostic is {OVERRIDDEN}: ./k.cl." in shown.splitlines()


@pytest.mark.parametrize(
    "text",
    [
        "#define STEP 1\n#define STEP 8\n",
        "#define STEP 1\nconstant int first = STEP;\n#define FAST\n#ifdef FAST\n#define STEP 8\n#endif\n",
        "#define FAST\n#ifdef FAST\n#define STEP 1\n#define STEP 8\n#endif\n",
        "#define FAST\n#ifdef FAST\n#define STEP 1\n#endif\n#ifdef FAST\n#define STEP 8\n#endif\n",
        "#define FAST\n#define STEP 1\n#ifdef FAST\n#endif\n#define STEP 8\n",
    ],
)
def test_other_redefinitions_are_shown(openclsp, write, text: str) -> None:
    write("k.cl", text + "kernel void k(void) { }\n")
    write("l.cl", "kernel void l(void) { }\n")
    assert "warning[macro-redefined]" in openclsp("check", "--no-fixes", ".").out


@pytest.mark.parametrize(
    ("first", "second", "is_reported"),
    [
        ("(get_local_id(0))", "get_local_id(0)", False),
        ("((16))", "16", False),
        ("0x10", "0X10", False),
        ("1.5", "(0x1.8p0)", False),
        ("1.50f", "1.5F", False),
        ("1.5f", "1.5", True),
        ("16", "16u", True),
        ("16", "0x10", True),
        ("010", "10", True),
        ("(a) + (b)", "a + b", True),
        ("(a + b)", "a + b", True),
        ("(-1)", "-1", True),
        ("(a)", "(b)", True),
        ("f(x)", "f (x)", False),
        ("f(x)(y)", "(f(x))(y)", True),
        ("", "()", True),
        ("09", "9", True),
        ("0x1.8p1", "0x3p0", False),
        ("0xp1", "0x0p1", True),
        ("0x1p99999", "0x1p99998", True),
        pytest.param("1" * 5000, "2" * 5000, True, id="5000 digits"),
    ],
)
def test_two_definitions_of_one_value(openclsp, write, first: str, second: str, is_reported: bool) -> None:
    write("k.cl", f"#define N {first}\n#define N {second}\n")
    assert bool(redefined(openclsp)) is is_reported


def test_macros_of_the_language_with_the_same_value(openclsp, write) -> None:
    write(
        "k.cl",
        "#define M_PI 3.14159265358979323846\n#define NULL 0\n#define M_SQRT1_2 7.0710678118654752440E-1\n",
    )
    assert redefined(openclsp) == []
    write("k.cl", "#define M_PI 3.14159f\n")
    assert len(redefined(openclsp)) == 1
