"""Conditions that depend on the host: only the code that they hide or split is uncertain."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.rules.finding import Severity
from openclsp.source.hidden_names import is_balanced

from .units import Headers, edited, errors_in, unit_of


def test_a_function_whose_name_a_guess_leaves_out_is_uncertain() -> None:
    torn = b"""kernel void
#if defined(USE_MAX)
merge_max
#elif defined(USE_MIN)
merge_min
#endif
(const int n, global ushort *out) { out[0] = n; }
kernel void whole(global ushort *in) { local ushort *p = in; }
"""
    assert errors_in(torn) == [(8, "pointer-conversion")]


@pytest.mark.parametrize(
    "stop", ["0   /* must not compile */", "SIZE has to be defined", "#", "!", "@ no size"]
)
def test_an_error_directive_without_a_host_name_makes_code_uncertain(stop: str) -> None:
    text = "#ifndef SIZE\n" + stop + "\n#endif\nkernel void k(global int *p) { p[0] = SIZE; }\n"
    text += "kernel void whole(global float *s) { local float *p = s; }\n"
    assert errors_in(text.encode()) == [(5, "pointer-conversion")]
    known = errors_in(
        b"#define SIZE 2\n#ifdef SIZE\n" + stop.encode() + text[text.index("\n#endif") :].encode()
    )
    assert stop == "#" or len(known) > 1


def test_an_unbalanced_brace_makes_code_uncertain_up_to_the_next_function() -> None:
    torn = b"""kernel void k(global float *s, int n) {
#if WITH_SCALE
    for (int i = 0; i < n; i++) {
#endif
        s[0] = 1;
    }
    for (int i = 0; i < n; i++)
        s[i] = 2;
    float v = 3;
}
kernel void whole(global float *s) { local float *p = s; }
local float local_at_program_scope;
"""
    assert errors_in(torn) == [(11, "pointer-conversion"), (12, "program-scope-space")]


def test_the_same_error_is_reported_without_a_guessed_condition() -> None:
    torn = b"kernel void k(int n) {\n#if USE\n{\n#endif\n}\n}\n"
    assert errors_in(torn) == []
    assert errors_in(b"#define USE 0\n" + torn) == [(7, "syntax-error")]


def test_a_guess_between_whole_items_makes_nothing_uncertain() -> None:
    text = b"""#ifdef USE_DOUBLE
typedef double real;
#else
typedef float real;
#endif
kernel void k(global real *g) { local real *l = g; }
int f( { }
"""
    assert [code for _, code in errors_in(text)] == ["pointer-conversion", "syntax-error"]


@pytest.mark.parametrize("condition", ["A / B == 2", "A % (B) == 0", "SIZE(3) > 2", "A B", "8 % N"])
def test_a_condition_on_undefined_names_is_no_error(condition: str) -> None:
    assert errors_in(f"#if {condition}\n#endif\n".encode()) == []


@pytest.mark.parametrize("condition", ["1 / 0", "3 % (2 - 2)", "1 2", "(1"])
def test_a_condition_without_undefined_names_is_evaluated(condition: str) -> None:
    assert errors_in(f"#if {condition}\n#endif\n".encode()) == [(1, "condition")]


def test_a_header_name_may_be_a_host_macro() -> None:
    text = b"""#include M2S(INCLUDE_PATH/inc_vendor.h)
kernel void k(global u32 *g) { g[0] = from_there(g); local uint *l = g; }
"""
    unit = unit_of(text)
    assert [each.code for each in compute_diagnostics(unit)] == [
        "include-not-found",
        "unknown-name",
        "pointer-conversion",
    ]
    assert errors_in(b"#define HEADER 3\n#include HEADER\n") == [(2, "directive")]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        (b"{ f(a[1]); }", True),
        (b"f(", False),
        (b"} else {", False),
        (b"// {\n", True),
        (b"#define BEGIN {\n", True),
        (b'"{"', True),
        (b"(]", False),
    ],
)
def test_brackets_are_counted_as_tokens(text: bytes, whole: bool) -> None:
    assert is_balanced(text) is whole


def test_an_error_directive_behind_a_default_of_the_text_is_a_hint() -> None:
    default = b"#ifndef USE_A\n#define USE_A 0\n#endif\n#if !USE_A\n#error choose\n#endif\n"
    assert [(each.code, each.severity) for each in compute_diagnostics(unit_of(default))] == [
        ("error-directive", Severity.HINT)
    ]
    assert errors_in(b"#define USE_A 0\n#if !USE_A\n#error choose\n#endif\n") == [(3, "error-directive")]


def test_a_fragment_of_a_function_declares_nothing_at_program_scope() -> None:
    fragment = b"""u32 found[4];
found[0] = 3;
for (int i = 0; i < COUNT; i++)
{
    int value = check(found[i]);
    local int *l = &value;
}
{ float f = 1; }
"""
    unit = unit_of(fragment, "CL1.2")
    codes = [each.code for each in compute_diagnostics(unit) if each.severity is Severity.ERROR]
    assert codes == ["pointer-conversion"]
    declared = fragment + b"float value = found[0];\nfloat distance = 0;\nreturn value;\n"
    assert [line for line, _ in errors_in(declared, "CL1.2")] == [6]
    # a surplus brace has ended the function
    assert (4, "program-scope-space") in errors_in(b"void f(void)\n{\n}}\nfloat value;\nreturn;\n", "CL1.2")


def test_an_unknown_type_may_have_a_space_at_program_scope() -> None:
    assert [
        each.code for each in compute_diagnostics(unit_of(b"table_t table = {1};\nfloat f;\n", "CL1.2"))
    ] == [
        "unknown-name",
        "program-scope-space",
    ]


def test_a_macro_that_names_a_header_may_depend_on_the_host() -> None:
    text = b"#define COMPARE M2S(PATH/comp.cl)\n#include COMPARE\n"
    assert [each.code for each in compute_diagnostics(unit_of(text))] == ["include-not-found"]


MISSING = b'#include "missing.h"\n'
CONDITIONS = (
    b"#if KIND == KIND_A",
    b"#if KIND < KIND_A",
    b"#if WIDTH",
    b"#if WIDTH + 1 == 3",
    b"#if !WIDTH",
    b"#ifdef WIDTH",
    b"#ifndef WIDTH",
    b"#if defined(WIDTH) || defined WIDE",
    b"#if FITS(WIDTH)",
    b"#if 0\n#elif KIND == KIND_A",
    b"#define ASKED defined(WIDTH)\n#if ASKED",
    b"#define ASKED (WIDTH > 3)\n#if ASKED",
)
BRANCHES = (
    b"typedef global int *P;\n#else\ntypedef local int *P;\n",
    b"#define P global int *\n#else\n#define P local int *\n",
    b"#define P OUT\n#define OUT global int *\n#else\n#define P local int *\n",
    b"typedef global int *P;\n",
    b"",
)
"""Each gives `P` one space where it is read, and perhaps another one where it is not."""


@pytest.mark.parametrize("branches", BRANCHES)
@pytest.mark.parametrize("condition", CONDITIONS)
def test_code_that_depends_on_a_missing_header_is_unknown(condition: bytes, branches: bytes) -> None:
    text = MISSING + condition + b"\n" + branches + b"#endif\n"
    rows = text.count(b"\n")
    text += b"""void take(P p);
kernel void k(global int *g, local int *l, P p) {
    l = p; g = p; P q = l; q = g; take(l); take(g);
    l = g;
}
"""
    assert errors_in(text) == [(rows + 4, "pointer-conversion")]


@pytest.mark.parametrize("condition", CONDITIONS)
def test_code_within_an_item_that_depends_on_a_missing_header_is_unknown(condition: bytes) -> None:
    text = (
        MISSING
        + b"struct s {\n"
        + condition
        + b"\n    local int *p;\n#else\n    global int *p;\n#endif\n};\nvoid take(\n"
        + condition
        + b"\n    local int *p\n#else\n    global int *p\n#endif\n    , int n) { global int *g = p; local int *l = p; }\n"
        + b"kernel void k(global int *g, local int *l, global struct s *s) {\n"
        + condition
        + b"\n    local int *q = l;\n#else\n    global int *q = g;\n#endif\n"
        + b"    l = q; g = q; l = s->p; g = s->p; take(l, 1); take(g, 1);\n"
    )
    rows = text.count(b"\n")
    text += b"    g = l;\n}\n"
    assert errors_in(text) == [(rows + 1, "pointer-conversion")]


def test_an_uncertain_branch_is_checked_against_its_own_declarations() -> None:
    text = (
        MISSING + b"#if KIND == KIND_A\ntypedef global int *P;\nvoid f(P p) { local int *l = p; }\n#endif\n"
    )
    assert errors_in(text) == [(4, "pointer-conversion")]


def test_a_local_variable_of_an_uncertain_branch_is_known_in_it_only() -> None:
    text = b"""kernel void k(global float *a, local float *b) {
#ifdef HALF
  global float *p = a;
#else
  local float *p = b;
  {
#if WIDTH > 2
    global float *q = a;
    b = q;
#endif
    b = q;
  }
  a = p;
#endif
  a = p;
  b = p;
}
kernel void parameter(
#ifdef HALF
  global float *c
#else
  local float *c
#endif
) { global float *g = c; }
"""
    every = [(13, "pointer-conversion"), (15, "pointer-conversion")]
    assert errors_in(text) == [*every, (24, "pointer-conversion")]
    assert errors_in(MISSING + text) == [(14, "pointer-conversion")]
    wide = MISSING + text.replace(b"WIDTH > 2", b"WIDTH < 2")
    assert errors_in(wide) == [(10, "pointer-conversion"), (14, "pointer-conversion")]


def test_uncertain_branches_are_not_compared_with_each_other() -> None:
    branch = b"#if KIND == KIND_%c\ntypedef %s int *P;\nfloat f(P p) { return *p; }\n#define S %s\n#endif\n"
    spaces = ((ord("A"), b"global"), (ord("B"), b"local"), (ord("C"), b"private"))
    text = b"".join(branch % (name, space, space) for name, space in spaces)
    kernel = b"kernel void k(global int *g, local int *l) { f(g); f(l); S int *p = g; }\n"
    assert errors_in(MISSING + text + kernel) == []
    assert errors_in(text + kernel) == []


@pytest.mark.parametrize(
    "text",
    [
        b"#ifndef KERNEL_H\n#define KERNEL_H\ntypedef global int *P;\n#endif\n",
        b"#if !defined(KERNEL_H)\n#define KERNEL_H 1\ntypedef global int *P;\n#endif\n",
        b"#ifdef cl_khr_fp64\n#endif\n#if __OPENCL_C_VERSION__ >= 100\ntypedef global int *P;\n#endif\n",
        b"#define WIDTH 4\n#if WIDTH == 4\ntypedef global int *P;\n#endif\n",
    ],
)
def test_code_independent_of_a_missing_header_is_known(text: bytes) -> None:
    rows = text.count(b"\n") + 1
    assert errors_in(MISSING + text + b"void f(P p) { local int *l = p; }\n") == [
        (rows + 1, "pointer-conversion")
    ]


PLATFORM = b"""#if defined EMULATOR
#define IS_NATIVE
#elif defined __METAL_MACOS__
#define IS_METAL
#else
#define IS_OPENCL
#endif
"""


@pytest.mark.parametrize("test", [b"#ifdef %s", b"#if defined %s", b"#if defined(%s) && 1"])
def test_a_macro_that_no_read_branch_defines_is_not_defined(test: bytes) -> None:
    """A missing header may select another branch, but only one of the branches."""
    branches = b"".join(
        test % name + b"\n" + code + b"\n#endif\n"
        for name, code in (
            (b"IS_NATIVE", b"#include <string.h>\nstatic int kept(void);"),
            (b"IS_METAL", b"using namespace metal;"),
            (b"IS_OPENCL", b"void f(global int *g) { local int *l = g; }"),
        )
    )
    for missing in (b"", MISSING):
        unit = unit_of(missing + PLATFORM + branches)
        assert [item.name for item in unit.items] == ["f"]
        assert errors_in(missing + PLATFORM + branches)[-1:] == [
            ((missing + PLATFORM + branches).count(b"\n") - 1, "pointer-conversion")
        ]


def test_a_macro_that_no_read_branch_defines_may_be_defined_later() -> None:
    text = (
        PLATFORM
        + b"#ifndef IS_METAL\n#define IS_METAL local\n#endif\nvoid f(global int *g) { IS_METAL int *l = g; }\n"
    )
    rows = text.count(b"\n")
    assert errors_in(MISSING + text) == []
    assert errors_in(text) == [(rows, "pointer-conversion")]


@pytest.mark.parametrize("between", [b"", b"typedef int first;\n", b"#define UNUSED 1\n"])
def test_a_header_is_as_uncertain_at_each_of_its_inclusions(between: bytes) -> None:
    torn = b"void f(void) { int a\n#ifdef GUARD\n = 1;\n#endif\n }\n"
    root = b'#include "torn.h"\n' + between + b'#include "torn.h"\n#include "torn.h"\n'
    unit = unit_of(root, "CL1.2", Headers({"torn.h": torn}), subject="/torn.h")
    assert [each.code for each in compute_diagnostics(unit)] == []


@pytest.mark.parametrize("otherwise", [b"", b"#else\n", b"#else\n#define OTHER 1\n"])
@pytest.mark.parametrize(
    ("name", "value", "default", "use"),
    [
        (b"AS", b"__global", b"", b"kernel void f(AS int *g) { global int *l = g; }\n"),
        (
            b"F",
            b"x\nint f(int a, int b) { return a; }",
            b"\nint f(int a) { return a; }",
            b"void g(void) { f(1, 2); }\n",
        ),
        (b"Q", b"__constant", b"", b"Q int table[2] = {1, 2};\n"),
        (b"T", b"int4", b"", b"void f(void) { T v; }\n"),
        (b"N", b"some(3)", b"0", b"void f(void) { int2 v = (int2)(N, 1, 2); }\n"),
    ],
)
def test_a_default_after_a_branch_that_is_not_read_is_not_certain(
    name: bytes, value: bytes, default: bytes, use: bytes, otherwise: bytes
) -> None:
    text = b"#ifdef A\n#define %s %s\n%s#endif\n" % (name, value, otherwise)
    text += b"#ifndef %s\n#define %s %s\n#endif\n" % (name, name, default) + use
    assert errors_in(MISSING + text) == []


def test_code_for_a_macro_of_a_conditional_without_a_selected_branch_is_read() -> None:
    text = b"#ifdef A\n#define SP global\n#elif defined B\n#define SP local\n#endif\n"
    text += b"#ifdef SP\nvoid f(global int *g) { local int *l = g; }\n#endif\n"
    assert errors_in(MISSING + text) == [(8, "pointer-conversion")]


@pytest.mark.parametrize(
    "header", [b"#ifdef X\nint a;\n#endif\n", b"#if defined X\nint a;\n#else\nint b;\n#endif\n"]
)
def test_a_header_is_read_again_if_an_edit_decides_whether_a_macro_is_defined(header: bytes) -> None:
    with_else = MISSING + b'#ifdef A\n#define X 1 + n\n#else\n#endif\n#include "h.h"\n'
    without = with_else.replace(b"#else\n", b"")
    headers = Headers({"h.h": header})
    unit = unit_of(with_else, headers=headers)
    for text in (without, with_else, without):
        edited(unit, text)
        assert [each.name for each in unit.items] == [
            each.name for each in unit_of(text, headers=headers).items
        ]
