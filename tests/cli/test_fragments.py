"""Headers and fragments are checked through a kernel that includes them; raw strings are checked as their content."""

from __future__ import annotations

import json
from typing import Any

import pytest
from openclsp.cli import unit_check
from openclsp.semantics.translation_unit import TranslationUnit

HEADER = "void f(SPACE int *p) {\n    local int *q = p;\n}\n"


def errors(ran: Any) -> list[tuple[str, int]]:
    """(path, line) of every error."""
    return [
        (file["path"], each["range"]["start"]["line"])
        for file in json.loads(ran.out)["files"]
        for each in file["diagnostics"]
        if each["severity"] == "error"
    ]


def test_a_header_is_checked_as_a_kernel_includes_it(openclsp: Any, write: Any) -> None:
    write("lib/f.h", HEADER)
    assert errors(openclsp("check", "--format", "json", "lib/f.h")) == []
    write(
        "k.cl",
        '#define SPACE global\n#include "lib/f.h"\nkernel void k(global int *p) { local int *q = p; }\n',
    )
    assert errors(openclsp("check", "--format", "json", "lib/f.h")) == [("lib/f.h", 2)]
    assert "as included by k.cl" in openclsp("check", "lib/f.h").out
    hover = openclsp("hover", "lib/f.h:1:19")
    assert "global" in hover.out and "as included by k.cl" in hover.out


def test_a_kernel_that_does_not_reach_it_is_passed_over(openclsp: Any, write: Any) -> None:
    write("f.h", HEADER)
    write("a.cl", '#define SPACE local\n#if 0\n#include "f.h"\n#endif\nkernel void k() {}\n')
    write("b.cl", '#define SPACE global\n#include "f.h"\nkernel void k() {}\n')
    ran = openclsp("check", "f.h")
    assert "as included by b.cl" in ran.out and ran.code == 1


def test_in_a_folder_each_is_checked_once(openclsp: Any, write: Any) -> None:
    write("f.clh", HEADER)
    write("part.cl", "int g(SPACE int *p) { local int *q = p; return *q; }\n")
    write("alone.clh", "int h(global int *p) { local int *q = p; return *q; }\n")
    write("k.cl", '#define SPACE global\n#include "f.clh"\n#include "part.cl"\nkernel void k() {}\n')
    ran = openclsp("check", "--format", "json", ".")
    assert errors(ran) == [("./alone.clh", 1), ("./f.clh", 2), ("./part.cl", 1)]
    text = openclsp("check", "--no-fixes", ".").out
    assert "3 errors in 3 files; 4 files checked:" in text
    assert "2 files as part of the files that include them" in text


def test_an_include_within_a_function(openclsp: Any, write: Any) -> None:
    write("body.inc", "local int *q = p;\n")
    write("k.cl", 'kernel void k(global int *p) {\n#include "body.inc"\n}\n')
    assert errors(openclsp("check", "--format", "json", "body.inc")) == [("body.inc", 1)]
    assert errors(openclsp("check", "--format", "json", ".")) == [("./body.inc", 1)]


def test_one_file_twice_under_different_macros(openclsp: Any, write: Any) -> None:
    write("f.h", "void NAME(SPACE int *p) {\n    local int *q = p;\n}\n")
    write(
        "k.cl",
        '#define NAME f_local\n#define SPACE local\n#include "f.h"\n#undef NAME\n#undef SPACE\n'
        '#define NAME f_global\n#define SPACE global\n#include "f.h"\n'
        "kernel void k(global int *g, local int *l) { f_local(l); f_global(g); f_local(g); }\n",
    )
    assert errors(openclsp("check", "--format", "json", "k.cl")) == [("f.h", 2), ("k.cl", 9)]
    assert errors(openclsp("check", "--format", "json", "f.h")) == [("f.h", 2)]


def test_an_include_that_a_macro_makes(openclsp: Any, write: Any) -> None:
    write("lib/inc_types.h", "typedef global int *pointer;\nvoid f(pointer p) { local int *q = p; }\n")
    write("compile_flags.txt", "-DXSTR(x)=#x\n-DM2S(x)=XSTR(x)\n-DINCLUDE_PATH=lib\n")
    write("k.cl", "#include M2S(INCLUDE_PATH/inc_types.h)\nkernel void k(pointer p) { local int *q = p; }\n")
    assert errors(openclsp("check", "--format", "json", "k.cl")) == [("k.cl", 2), ("lib/inc_types.h", 2)]
    assert errors(openclsp("check", "--format", "json", "lib/inc_types.h")) == [("lib/inc_types.h", 2)]


def test_a_fragment_that_nobody_includes_is_looked_at_alone(openclsp: Any, write: Any) -> None:
    write("part.clh", "kernel void k(global TYPE *p) {\n    local TYPE *q = p;\n    f(p);\n}\n")
    assert errors(openclsp("check", "--format", "json", "part.clh")) == [("part.clh", 2)]


def test_a_raw_string_and_a_template(openclsp: Any, write: Any) -> None:
    kernel = "kernel void k(global int *p) {\n    local int *q = p;\n}\n"
    write("raw.opencl", f'// for #include\nR"(\n{kernel})"\n// the end\n')
    write("template.cl", f"% if wide:\n#define N 4\n% endif\n{kernel.replace('int', '${T}')}")
    assert errors(openclsp("check", "--format", "json", ".")) == [("./raw.opencl", 4), ("./template.cl", 5)]


def test_endings_that_the_project_adds(openclsp: Any, write: Any) -> None:
    write("openclsp.toml", 'file-endings = [".knl"]\n')
    write("lib/k.KNL", "kernel void k(global int *p) { local int *q = p; }\n")
    assert errors(openclsp("check", "--format", "json", ".")) == [("./lib/k.KNL", 1)]
    assert errors(openclsp("check", "--format", "json", "lib")) == [("lib/k.KNL", 1)]


def raw(text: str) -> str:
    return f'R"(\n{text})"\n'


def test_raw_strings_are_looked_at_as_the_host_joins_them(openclsp: Any, write: Any) -> None:
    write("kernels/common.opencl", raw("#define SPACE global\n"))
    write("kernels/scale.opencl", raw("kernel void scale(SPACE int *p) {\n    local int *q = p;\n}\n"))
    assert errors(openclsp("check", "--format", "json", "kernels/scale.opencl")) == []
    write(
        "src/scale.cpp",
        '#include "scale.hpp"\nconst char *source =\n#include "../kernels/common.opencl"\n'
        '// the next part\n#include "../kernels/scale.opencl"\n;\n',
    )
    assert errors(openclsp("check", "--format", "json", "kernels/scale.opencl")) == [
        ("kernels/scale.opencl", 3)
    ]
    assert "as joined in scale.cpp" in openclsp("check", "kernels/scale.opencl").out
    assert errors(openclsp("check", "--format", "json", ".")) == [("./kernels/scale.opencl", 3)]


def test_parts_with_code_between_them_are_not_joined(openclsp: Any, write: Any) -> None:
    write("common.opencl", raw("#define SPACE global\n"))
    write("scale.opencl", raw("kernel void scale(SPACE int *p) {\n    local int *q = p;\n}\n"))
    write("a.cpp", 'f(\n#include "common.opencl"\n);\ng(\n#include "scale.opencl"\n);\n')
    assert errors(openclsp("check", "--format", "json", "scale.opencl")) == []


def test_a_part_may_use_what_is_not_there(openclsp: Any, write: Any) -> None:
    """A name similar to one of the language is not a misspelling if other text may precede the fragment."""
    write("part.opencl", raw("kernel void k(global flaot *p) { }\n"))
    write("part.clh", "void f(global flaot *p);\n")
    write("k.cl", "kernel void k(global flaot *p) { }\n")
    assert errors(openclsp("check", "--format", "json", ".")) == [("./k.cl", 1)]


INCLUDER = """#include "helper.h"
#include "part.cl"
float unrelated(global float *p) { local float *q = p; return *q; }
kernel void k(global float *g, local float *l) { part(g, l); other(g); }
"""
HELPER = "float helper(global float *p) { return *p; }\n"


@pytest.mark.parametrize(
    ("part", "without_bodies"),
    [
        ("float part(global float *p, local float *q) { return helper(p); }\n", [True]),
        # its fixes do not depend on the bodies of other functions
        ("float part(global float *p, local float *q) { return helper(missing); }\n", [True]),
        ("float part(global float *p, local float *q) { return helper(q); }\n", [True, False]),
        ("float other(float *p) { return *p; }\n", [True]),
        ("void part(global float *p, local float *q) { *q = 1; barrier(CLK_GLOBAL_MEM_FENCE); }\n", [False]),
    ],
)
def test_a_fragment_is_checked_without_the_other_bodies_of_its_includer(
    openclsp, write, monkeypatch: pytest.MonkeyPatch, part: str, without_bodies: list[bool]
) -> None:
    created: list[bool] = []

    class Watched(TranslationUnit):
        def __init__(self, *arguments: object, declared: bool = False, tracks_numbers: bool = True) -> None:
            created.append(declared)
            super().__init__(*arguments, declared=declared, tracks_numbers=tracks_numbers)  # type: ignore[arg-type]

    write("all.cl", INCLUDER)
    write("helper.h", HELPER)
    write("part.cl", part)
    monkeypatch.setattr(unit_check, "TranslationUnit", Watched)
    short = openclsp("check", "--format", "json", "--std", "CL1.2", "part.cl")
    assert created == without_bodies
    monkeypatch.setattr(unit_check.UnitCheck, "_can_omit_other_bodies", lambda check: False)
    assert openclsp("check", "--format", "json", "--std", "CL1.2", "part.cl").out == short.out


def test_a_kernel_that_needs_its_includers_types_is_checked_there(openclsp, write) -> None:
    write("all.cl", '#include "types.h"\n#include "part.cl"\nkernel void other(void) { }\n')
    write("types.h", "typedef float real;\n")
    write("part.cl", "kernel void part(global real *p) { local real *q = p; }\n")
    ran = openclsp("check", "part.cl")
    assert "cannot initialise `local float *q`" in ran.out
    assert ran.out.splitlines()[-1].endswith("; as included by all.cl.")


def test_a_name_may_be_that_of_a_file_which_the_host_joins(openclsp: Any, write: Any) -> None:
    declared = (
        "global int total;\nconstant float weights[4] = { 1.f };\n"
        "enum { fast = 1, slow };\nconstant struct { int x; } table[] = { { 1 } };\n"
    )
    use = (
        "kernel void k(global float *p) {\n    total = weights[1] + fast + table[0].x;\n    missing = 1;\n}\n"
    )
    write("a.clh", declared)
    write("b.cl", use)
    assert errors(openclsp("check", "--format", "json", "b.cl")) == [("b.cl", 3)]
    later = "constant int other[2] = { 1 };\nint twice(int n) { return 2 * n; }\n"
    write("later.cl", use.replace("missing = 1", "p[0] = other[1] + twice(2)") + later)
    ran = openclsp("check", "later.cl")
    assert ran.out.count("is used before its declaration") == 2, ran.out
    write("c.clh", "constant int other[2];\nint twice(int n);\n")
    assert errors(openclsp("check", "--format", "json", "later.cl")) == []


def test_a_name_may_be_declared_by_a_macro_call_in_another_file(openclsp: Any, write: Any) -> None:
    write(
        "templates.h",
        "#define DEFINE(NAME, EXPRESSION) int my_ ## NAME(int a, int b) { return EXPRESSION; }\n",
    )
    write("high.cl", '#include "templates.h"\nDEFINE(mul_high, (a >> 16) * (b >> 16))\n')
    write("both.cl", '#include "templates.h"\nDEFINE(mad_high, my_mul_high(a, b) + my_mud_high(a, b))\n')
    ran = openclsp("check", "both.cl")
    assert "`my_mud_high` is not declared" in ran.out
    assert "`my_mul_high` is not declared" not in ran.out


PREFIX = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
HALF = "half twice(half *x);\nvoid wrong(global half *p) { local half *q = p; }\n"


@pytest.mark.parametrize(
    ("include", "certain"),
    [
        # the host may define the name
        ('#ifdef USE_HALF\n#include "half.cl"\n#endif\n', False),
        ('#include "some.h"\n#ifdef USE_HALF\n#include "all.h"\n#endif\n', False),
        # more documents are included than the preprocessor reads
        ('#include "empty.h"\n' * 2001 + '#include "half.cl"\n', False),
        ('#if 0\n#include "half.cl"\n#endif\n', True),
        ('#ifdef USE_DOUBLE\nvoid f(void) { }\n#endif\n#if 0\n#include "half.cl"\n#endif\n', True),
    ],
)
def test_text_before_a_fragment_that_may_be_included_is_unknown(
    openclsp: Any, write: Any, include: str, certain: bool
) -> None:
    write("empty.h", "")
    write("some.h", "\n")
    write("all.h", '#include "half.cl"\n')
    write("half.cl", HALF)
    write("k.cl", PREFIX + include + "kernel void k(global half *p) { *p = 1; }\n")
    found = errors(openclsp("check", "--format", "json", "half.cl"))
    assert found == ([("half.cl", 1)] if certain else []) + [("half.cl", 2)]


def test_a_fragment_that_may_be_included_can_have_its_includers_version(openclsp: Any, write: Any) -> None:
    write("part.cl", "float *pointer;\nconstant float *other = 1.0;\n")
    write("k.cl", '#ifdef PART\n#include "part.cl"\n#endif\nkernel void k(read_write image2d_t i) { }\n')
    assert errors(openclsp("check", "--format", "json", "part.cl")) == [("part.cl", 2)]
