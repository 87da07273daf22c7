"""Signature help at a `|` in a kernel."""

from __future__ import annotations

import pytest
from openclsp.ide.signature_help.signature_help import (
    MAXIMUM_SIGNATURES,
    SignatureList,
    compute_signature_help,
)

from ..rules.analysis import NAME, analyse


def _help(program: str, dialect: str = "CL2.0", kept: str = "") -> SignatureList | None:
    before, cursor, after = program.partition("|")
    assert cursor, "the program marks no cursor"
    return compute_signature_help(analyse(before + after, dialect), NAME, len(before.encode()), kept)


def _active(program: str, dialect: str = "CL2.0", kept: str = "") -> tuple[str, str] | None:
    """The active signature and the text of its active parameter; empty if there is none for the argument."""
    found = _help(program, dialect, kept)
    if found is None:
        return None
    signature = found.signatures[found.active]
    number = found.parameter_of(signature)
    if number == len(signature.parameters):
        return signature.label, ""
    parameter = signature.parameters[number]
    return signature.label, signature.label[parameter.start : parameter.end]


_PROGRAM = """\
#define INDEX(row, col) ((row) * W + (col))
#define LOG(format, ...) printf(format, __VA_ARGS__)
#define SINE native_sin
#define ADD SUM
#define SUM add
int add(global int *p, int n);
float __attribute__((overloadable)) pick(float x);
float __attribute__((overloadable)) pick(global float *p, int n);
float __attribute__((overloadable)) pick(local float *p, int n);
kernel void k(global float *in, local float *tile, global int *out, int n, float4 v, float2 w, double d) {
    %s
    int later;
}
"""

_ADD = "int add(global int *p, int n)"
_SPREAD = "(float4)(float x, float y, float z, float w)"


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("add(|", (_ADD, "global int *p")),
        ("add(|)", (_ADD, "global int *p")),
        ("add(out, |", (_ADD, "int n")),
        ("add(out,\n  |", (_ADD, "int n")),
        ("add(out, n, |", (_ADD, "")),
        ("add (/* the output */ |", (_ADD, "global int *p")),
        ("add /* a */ /**/ /*/ b /* c **/ (|", (_ADD, "global int *p")),
        ("add(out, ( n + |", (_ADD, "int n")),
        ("add(out, in[|", (_ADD, "int n")),
        ("add(in[(n, 1)], |", (_ADD, "int n")),
        ("add(out, add(|", (_ADD, "global int *p")),
        ("add(out, add(out, 1), |", (_ADD, "")),
        ("add(out, \",\" ',' |", (_ADD, "int n")),
        ("n = n * add(|", (_ADD, "global int *p")),
        ("return add(|", (_ADD, "global int *p")),
        ("while (n) add(|", (_ADD, "global int *p")),
        ("for (int i = add(|", (_ADD, "global int *p")),
        ("if (add(out, |) {}", (_ADD, "int n")),
        ("ADD(out, |", (_ADD, "int n")),
        ("foo(1); add(|", (_ADD, "global int *p")),
        ("broken(1 add(|", (_ADD, "global int *p")),
        ("INDEX(|", ("INDEX(row, col)", "row")),
        ("INDEX(add(out, 1), |", ("INDEX(row, col)", "col")),
        ("add(out, INDEX(1, |", ("INDEX(row, col)", "col")),
        ("INDEX(1, add(out, |", (_ADD, "int n")),
        ('LOG("%d", n, |', ("LOG(format, ...)", "...")),
        (
            "int (^block)(int, float) = ^(int a, float b) { return a; };\n  block(1, |",
            ("int block(int, float)", "float"),
        ),
        ("(float4)(|", ("(float4)(float value)", "float value")),
        ("(float4)(1, |", (_SPREAD, "float y")),
        ("(float4)(w, |", (_SPREAD, "float z")),
        ("(float4)((float2)(1, 2), |", (_SPREAD, "float z")),
        ("(float4)((float2)(1, |", ("(float2)(float x, float y)", "float y")),
        ("add(out, (int4)(|", ("(int4)(int value)", "int value")),
    ],
)
def test_the_call_around_the_cursor(typed: str, expected: tuple[str, str]) -> None:
    assert _active(_PROGRAM % typed) == expected


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("pick(|", "float pick(float x)"),
        ("pick(in, |", "float pick(global float *p, int n)"),
        ("pick(tile, |", "float pick(local float *p, int n)"),
        ("pick(tile|", "float pick(local float *p, int n)"),
        ("pick(tile + n, |)", "float pick(local float *p, int n)"),
        ("pick(|, n)", "float pick(global float *p, int n)"),
        ("pick(nothing, |", "float pick(global float *p, int n)"),
        ("sin(d|", "double sin(double x)"),
        ("sin(v|", "float4 sin(float4 x)"),
        ("SINE(|", "float native_sin(float x)"),
        ("clamp(|", "float clamp(float x, float minval, float maxval)"),
        ("clamp(v, |", "float4 clamp(float4 x, float minval, float maxval)"),
        ("vload4(0, in|", "float4 vload4(size_t offset, generic const float *p)"),
        ("vstore4(v, 0, |", "void vstore4(float4 data, size_t offset, generic float *p)"),
        ("atomic_add(out, |", "int atomic_add(global volatile int *p, int val)"),
        (
            "async_work_group_copy(tile, |",
            "event_t async_work_group_copy(local float *dst, global const float *src, size_t num_gentypes, event_t event)",
        ),
        (
            "async_work_group_copy(in, |",
            "event_t async_work_group_copy(global float *dst, local const float *src, size_t num_gentypes, event_t event)",
        ),
        ("enqueue_kernel(|", "int enqueue_kernel(queue, flags, ndrange, block, ...)"),
        ("select(v, v, |", "float4 select(float4 a, float4 b, int4 c)"),
    ],
)
def test_the_overload_that_fits_the_arguments(typed: str, expected: str) -> None:
    found = _active(_PROGRAM % typed)
    assert found is not None
    assert found[0] == expected


def test_spaces_choose_without_the_generic_address_space() -> None:
    for name, space in (("in", "global"), ("tile", "local")):
        found = _active(_PROGRAM % f"vload4(0, {name}|", "CL1.2")
        assert found is not None
        assert found[0] == f"float4 vload4(size_t offset, {space} const float *p)"


@pytest.mark.parametrize(
    "typed",
    [
        "|",
        "// add(|",
        "/* add(| */",
        'printf("|")',
        'printf("%d|',
        "if (|",
        "nothing(|",
        "int x(|",
        "add(out, 1)|",
        "add(out, 1); |",
        "sizeof(|",
        "(n)(|",
        "n[|",
        "int a[] = { add(out, 1), |",
        "\n#if 0\n add(|\n#endif",
        "\n#if defined(|\n#endif",
    ],
)
def test_nothing_outside_of_calls(typed: str) -> None:
    assert _help(_PROGRAM % typed) is None


def test_declarations_are_no_calls() -> None:
    assert _help("void f(|") is None
    assert _help("kernel void f(global int *p, |") is None
    assert _help("global int *f(|") is None


def test_a_call_in_a_macro_definition() -> None:
    assert _active("int add(int a, int b);\n#define F(x) add(x, |\n") == ("int add(int a, int b)", "int b")
    assert _active("int add(int a, int b);\n#define F(x) \\\n  add(x, \\\n  |\n") == (
        "int add(int a, int b)",
        "int b",
    )


def test_a_function_defined_below_the_cursor() -> None:
    assert _active("void f(void) {\n  g(1, |\n}\nvoid g(int a, int b) {}\n") == (
        "void g(int a, int b)",
        "int b",
    )


def test_the_recursive_call_of_a_function() -> None:
    assert _active("int f(int a, int b) {\n  return f(a, |\n}\n") == ("int f(int a, int b)", "int b")


def test_documentation_of_functions_macros_and_builtins() -> None:
    program = """\
/** Adds numbers.
 * @param a the first
 * @param b the second
 * @return the sum */
int add(int a, int b);
/// An index.
/// @param r the row
#define INDEX(r) r
void f(void) { %s }
"""
    found = _help(program % "add(|")
    assert found is not None
    assert found.signatures[0].documentation == "Adds numbers.\n\nReturns: the sum"
    assert [each.documentation for each in found.signatures[0].parameters] == ["the first", "the second"]
    found = _help(program % "INDEX(|")
    assert found is not None
    assert found.signatures[0].documentation == "An index."
    assert found.signatures[0].parameters[0].documentation == "the row"
    found = _help(program % "get_global_id(|")
    assert found is not None
    assert "global index of this work-item" in found.signatures[0].documentation
    assert "the dimension" in found.signatures[0].parameters[0].documentation


def test_the_chosen_overload_stays_while_it_fits() -> None:
    chosen = "double4 sin(double4 x)"
    assert _active("void f(float x) { sin(| }", "CL3.0", chosen) == (chosen, "double4 x")
    assert _active("void f(float x) { sin(x| }", "CL3.0", chosen) == ("float sin(float x)", "float x")
    chosen = "float pick(float x)"
    found = _active(_PROGRAM % "pick(in, |", kept=chosen)
    assert found is not None
    assert found[0] != chosen


def test_the_number_of_signatures_is_bounded() -> None:
    found = _help("void f(ulong16 x) { select(x, | }")
    assert found is not None
    assert len(found.signatures) <= MAXIMUM_SIGNATURES
    assert found.signatures[found.active].label.startswith("ulong16 select(ulong16 a")
