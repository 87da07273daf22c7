"""Diagnostics about portability in files that only one compiler can compile."""

from __future__ import annotations

import json

import pytest
from openclsp.cli.one_compiler import is_for_one_compiler

POINTER = "kernel void k(global int *g, global ulong *out) { out[0] = as_ulong(g); }\n"
OTHER = "kernel void other(global int *p) { p[0] = 1; }\n"


@pytest.mark.parametrize(
    ("text", "one"),
    [
        ("void f(void) { __builtin_IB_lsc_store(0); }", True),
        ("#include <opencl-c.h>\n", True),
        ("#define __global __attribute__((address_space(1)))\n", True),
        ("#ifdef __clang__\n#define __global __attribute__((address_space(1)))\n#endif\n", False),
        ("#define global_size 4\n", False),
        ("#pragma OPENCL EXTENSION cl_intel_channels : enable\n", True),
        ("#pragma OPENCL EXTENSION cl_altera_channels: enable;\n", True),
        ("#pragma OPENCL EXTENSION cl_intel_channels : disable\n", False),
        ("#pragma OPENCL EXTENSION cl_intel_subgroups : enable\n", False),
        ('#ifndef GUARD_H\n#define GUARD_H\nvoid f(void) { __asm__("nop"); }\n#endif\n', True),
        ("void f(void) { sampler_t s = CLK_AVC_ME_INITIALIZE_INTEL; }", True),
        ("#ifdef AMD\nint a;\n#endif\nint g(int x) { return __spirv_GroupAll(x); }", True),
        (
            "#ifdef __clang__\nint g(int x) { return __builtin_clz(x); }\n#else\nint g(int x);\n#endif\n",
            False,
        ),
        ("#if 1\n#if 2\n#endif\nint g(int x) { return __builtin_clz(x); }\n#endif\n", False),
        ('// __builtin_clz(x)\n/* __asm__ */ constant char s[] = "__spirv_GroupAll";', False),
        ("int my__builtin_x; kernel void k(void) { }", False),
        ("#endif\n#endif\n", False),
        ("", False),
    ],
)
def test_what_only_one_compiler_has(text: str, one: bool) -> None:
    assert is_for_one_compiler(text.encode()) is one


def test_portability_is_moot_in_a_run_over_several_files(openclsp, write) -> None:
    write("a.cl", "int __builtin_IB_read(int x);\n" + POINTER)
    write("b.cl", OTHER)
    ran = openclsp("check", "--no-fixes", "a.cl", "b.cl")
    assert "warning[" not in ran.out
    notice = "1 diagnostic is not shown: about other compilers, but the file uses what only one compiler has: a.cl."
    assert notice in ran.out.splitlines()
    found = json.loads(openclsp("check", "--no-fixes", "--format", "json", "a.cl", "b.cl").out)
    assert [each["code"] for each in found["files"][0]["diagnostics"]] == ["reinterpretation"]
    assert "warning[reinterpretation]" in openclsp("check", "--no-fixes", "a.cl").out


def test_tokens_after_a_pragma_of_the_only_compiler_are_moot(openclsp, write) -> None:
    write("a.cl", "#pragma OPENCL EXTENSION cl_altera_channels : enable;\n" + OTHER)
    write("b.cl", "#pragma OPENCL EXTENSION cl_khr_fp64 : enable;\n" + OTHER.replace("other", "more"))
    out = openclsp("check", "--no-fixes", "a.cl", "b.cl").out
    assert out.count("warning[extra-tokens]") == 1
    message = "extra tokens at end of #pragma OPENCL EXTENSION: clang ignores such a pragma"
    assert f"b.cl:1:46: warning[extra-tokens]: {message}\n" in out


def test_errors_and_other_rules_are_never_moot(openclsp, write) -> None:
    write(
        "a.cl",
        "int __builtin_IB_read(int x);\nkernel void k(global const int *g, local int *l) {\n"
        "    global int *p = g;\n    global int *q = l;\n    uint n = as_uint(g);\n}\n",
    )
    write("b.cl", OTHER)
    out = openclsp("check", "--no-fixes", "a.cl", "b.cl").out
    assert "warning[discarded-qualifiers]" in out
    assert "error[pointer-conversion]" in out
    assert "error[reinterpretation]" in out


def test_portability_is_shown_where_other_compilers_are_meant(openclsp, write) -> None:
    write("a.cl", "#ifdef __clang__\nint __builtin_IB_read(int x);\n#endif\n" + POINTER)
    write("b.cl", OTHER)
    assert "warning[reinterpretation]" in openclsp("check", "--no-fixes", "a.cl", "b.cl").out
