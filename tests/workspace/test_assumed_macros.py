"""Macros that are taken as defined, because a program is no OpenCL C without them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.diagnostics.unsupported_languages import detect_unsupported_language
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, DocumentStore
from openclsp.rules.finding import Severity
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document
from openclsp.workspace.assumed_macros import MAXIMUM_ASSUMED
from openclsp.workspace.evidence_search import EvidenceSearch
from openclsp.workspace.unit_preparation import plan_unit
from openclsp.workspace.units import PlannedUnit

KERNEL = "kernel void k(global vec *g) { g[0] = 0; }\n"
CPP = "#include <vector>\ntypedef lib::float3 vec;\n"
CL = "typedef float3 vec;\n"


def plan(
    text: str, headers: Mapping[str, str] | None = None, search: EvidenceSearch | None = None
) -> PlannedUnit:
    document = Document.of("/w/k.cl", text.encode())
    opened = {
        f"/w/{name}": Document.of(f"/w/{name}", each.encode()) for name, each in (headers or {}).items()
    }
    return plan_unit("/w/k.cl", document=document, opened=opened, search=search)


def assumed(
    text: str, headers: Mapping[str, str] | None = None, search: EvidenceSearch | None = None
) -> list[str]:
    return [name for name, _ in plan(text, headers, search).unit_config.configuration.defines]


def is_checked(text: str) -> bool:
    planned = plan(text)
    document = Document.of("/w/k.cl", text.encode())
    loader = planned.make_include_loader(DocumentStore(LOCAL_FILE_SYSTEM))
    unit = TranslationUnit(planned.unit_config, document, loader)
    return detect_unsupported_language(unit) is None


@pytest.mark.parametrize(
    "condition",
    ["#ifdef GPU", "#if defined(GPU)", "#if GPU", "#if defined GPU || defined(OTHER)", "#if GPU == 1"],
)
def test_the_macro_that_selects_the_branch_without_cpp(condition: str) -> None:
    text = f"{condition}\n{CL}#else\n{CPP}#endif\n{KERNEL}"
    assert assumed(text) == ["GPU"]
    assert is_checked(text)


@pytest.mark.parametrize("condition", ["#ifndef GPU", "#if !defined(GPU)", "#if !GPU"])
def test_a_branch_for_an_undefined_macro(condition: str) -> None:
    assert assumed(f"{condition}\n{CPP}#else\n{CL}#endif\n{KERNEL}") == ["GPU"]
    assert assumed(
        f"{condition}\nnamespace a {{\n#endif\nkernel void k() {{}}\n{condition}\n}}\n#endif\n"
    ) == ["GPU"]


def test_a_header_with_two_branches() -> None:
    header = f"#ifndef H\n#define H\n#ifdef GPU\n{CL}#else\n{CPP}#endif\n#endif\n"
    planned = plan('#include "h.h"\n' + KERNEL, {"h.h": header})
    assert planned.unit_config.configuration.defines == (("GPU", "1"),)
    assert planned.unit_config.choices == (
        "`GPU` is taken as defined, because line 6 of h.h is not OpenCL C without it (`#include <vector>`)",
    )


def test_a_header_with_cpp_that_one_branch_includes() -> None:
    text = f'#ifdef GPU\n{CL}#else\n#include "host.h"\n#endif\n{KERNEL}'
    assert assumed(text, {"host.h": "#pragma once\n" + CPP}) == ["GPU"]


@pytest.mark.parametrize("header", ["CL/opencl.hpp", "vector", "stdint.h", "lib/matrix.hpp", "OpenCL/cl.h"])
def test_a_branch_that_includes_a_header_of_the_host(header: str) -> None:
    host = f"# include <{header}>\n#define vec cl_float3\n"
    assert assumed(f"#ifdef GPU\n#define vec float3\n#else\n{host}#endif\n{KERNEL}") == ["GPU"]
    assert assumed(f"#ifndef GPU\n{host}#endif\nkernel void k() {{}}\n") == ["GPU"]
    assert assumed(f"#ifdef HOST\n{host}#endif\nkernel void k() {{}}\n") == []
    assert assumed(f"{host}#ifndef GPU\n#endif\nkernel void k() {{}}\n") == []


@pytest.mark.parametrize("include", ["<device.h>", "<lib/device.h>", '"stdint.h"', "<opencl-c.h>"])
def test_a_branch_that_includes_another_header(include: str) -> None:
    assert assumed(f"#ifdef GPU\ntypedef float3 vec;\n#else\n#include {include}\n#endif\n{KERNEL}") == []


_LIBRARY = (
    "#pragma once\n#ifdef NO_STL\n#else\n#include <vector>\n#endif\n"
    "#ifndef NO_CLASS\nclass A {};\n#endif\nnamespace a {}\n"
)
"""A header of C++ with conditionals that do not make it OpenCL C"""


def test_conditionals_in_a_header_of_cpp_do_not_matter() -> None:
    of_both = '#ifdef GPU\ntypedef float3 vec;\n#else\n#include "host.h"\n{}#endif\n'
    for rest in ("", "typedef lib::float3 vec;\n"):
        headers = {"host.h": _LIBRARY, "types.h": of_both.format(rest)}
        assert assumed(f'#include "types.h"\n{KERNEL}', headers) == ["GPU"]


def test_a_conditional_around_an_include_is_the_second_choice() -> None:
    headers = {"types.h": f"#ifdef GPU\n{CL}#else\n{CPP}#endif\n"}
    assert assumed(f'#ifndef OTHER\n#include "types.h"\n#endif\n{KERNEL}', headers) == ["GPU"]


def test_several_macros() -> None:
    blocks = [f"#ifdef GPU{number}\n#else\ntypedef lib::t t{number};\n#endif\n" for number in range(5)]
    assert assumed("".join(blocks[:MAXIMUM_ASSUMED]) + "kernel void k() {}\n") == [
        "GPU0",
        "GPU1",
        "GPU2",
        "GPU3",
    ]
    assert assumed("".join(blocks) + "kernel void k() {}\n") == []


@pytest.mark.parametrize(
    "text",
    [
        # an include guard
        f"#ifndef H\n#define H\n{CPP}#endif\nkernel void k() {{}}\n",
        # both branches are C++
        f"#ifdef GPU\nnamespace a {{}}\n#else\n{CPP}#endif\n{KERNEL}",
        # so is the rest
        f"#ifdef GPU\n{CL}#else\n{CPP}#endif\n{KERNEL}namespace a {{}}\n",
        # without the branch, there is no OpenCL C
        "#ifndef NO_CPP\nnamespace a { int x; }\n#endif\n",
        # macros of other compilers
        f"#ifdef __CUDACC__\n{CL}#else\n{CPP}#endif\n{KERNEL}",
        f"#ifdef USE_CUDA\n{CL}#else\n{CPP}#endif\n{KERNEL}",
        f"#ifdef _WIN32\n{CL}#else\n{CPP}#endif\n{KERNEL}",
        f"#ifdef __cplusplus\n{CL}#else\n{CPP}#endif\n{KERNEL}",
    ],
)
def test_a_program_in_another_language_stays_one(text: str) -> None:
    assert assumed(text) == []
    assert not is_checked(text)


@pytest.mark.parametrize(
    "text",
    [
        f"#ifdef HOST\n{CPP}#else\n{CL}#endif\n{KERNEL}",
        f"#ifdef __OPENCL_VERSION__\n{CL}#else\n{CPP}#endif\n{KERNEL}",
        f"#ifdef GPU\n{CL}#else\ntypedef float4 vec; // lib::float4\n#endif\n{KERNEL}",
        f"#ifndef __CUDACC__\n{CL}#else\n{CPP}#endif\n{KERNEL}",
    ],
)
def test_opencl_c_needs_no_macro(text: str) -> None:
    assert assumed(text) == []
    assert is_checked(text)


def test_the_language_version_is_that_of_the_selected_branch() -> None:
    text = f"#ifdef GPU\n{CL}#else\n{CPP}#endif\nkernel void k(global atomic_int *g) {{}}\n"
    planned = plan(text)
    assert planned.unit_config.configuration.dialect.version == 200
    assert planned.unit_config.configuration.defines == (("GPU", "1"),)


@pytest.mark.parametrize(
    "text",
    [
        # a program that Clang accepts: the compiler supplies these headers
        "#ifndef NO_STD\n#include <stddef.h>\n#else\n#define N 2\n#endif\nkernel void k() {}\n",
        f"#ifdef GPU\n{CL}#else\n#include <stdbool.h>\ntypedef float4 vec;\n#endif\n{KERNEL}",
        # an include in a comment; the header is missing elsewhere
        f"#ifndef GPU\n/*\n#include <stdint.h>\n*/\n#define N 1\n#endif\n#include <stdint.h>\n{CL}{KERNEL}",
        f"#ifndef GPU\n#define N 1 // #include <stdint.h>\n#endif\n#include <stdint.h>\n{CL}{KERNEL}",
    ],
)
def test_opencl_c_with_headers_needs_no_macro(text: str) -> None:
    assert assumed(text) == []


@pytest.mark.parametrize(
    "text",
    [
        # with the macro, the condition is still false
        f"#if GPU == 2\n{CL}#else\n#include <vector>\n#endif\n{KERNEL}",
        f"#if GPU > 4\n{CL}#else\n#include <vector>\n#endif\n{KERNEL}",
        f"#ifdef GPU\n{CL}#include <vector>\n#else\n#include <vector>\n#endif\n{KERNEL}",
        # the value decides, and is unknown
        f"#if GPU == 1\n{CL}#elif GPU == 2\n#define vec int\n#else\n{CPP}#endif\n{KERNEL}",
        f"#if GPU\n{CL}#else\n{CPP}#endif\nconstant int n = GPU;\n{KERNEL}",
        # several macros select different code
        f"#ifdef A\n{CL}#elif defined(B)\ntypedef int vec;\n#else\n{CPP}#endif\n{KERNEL}",
        # the other branch is no program
        f"#ifndef GPU\n{CPP}#else\n#error unsupported\n#endif\n{KERNEL}",
    ],
)
def test_a_macro_that_helps_only_if_more_is_known_is_not_assumed(text: str) -> None:
    assert assumed(text) == []


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("", "1"),
        ("// GPU\n#define A /* the GPU */ 1 // GPU\n", "1"),
        ("#if defined GPU && !defined(GPU) || !GPU\n#elif (GPU) && 1 // on GPU\n#endif\n", "1"),
        ("#if GPU == 1 || GPU > 0 || (GPU!=0)\n#endif\n", "1"),
        ("#if 0\n#undef GPU\n#define GPU\n#error no GPU\n#endif\n", "1"),
        ("constant int GPUS = 1; // and\n", "1"),
        ("constant int n = GPU;\n", "GPU"),
        ("constant int n = 2 /* a */ * GPU;\n", "GPU"),
        ('constant char s[] = "//"; constant int n = GPU;\n', "GPU"),
        ("#define N GPU\n", "GPU"),
        ("#if GPU < 16\n#error at least 16\n#endif\n", "GPU"),
        ("#if 16 <= GPU || (GPU) % 2\n#endif\n", "GPU"),
        ("#if GPU == 10 || F(GPU)\n#endif\n", "GPU"),
        ("#pragma unroll GPU\n", "GPU"),
        ("#if 1 && \\\n GPU\n#endif\n", "GPU"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_value_is_unknown_if_the_program_uses_it(code: str, value: str, newline: str) -> None:
    text = f"#ifdef GPU\n{CL}#else\n{CPP}#endif\n{code}{KERNEL}".replace("\n", newline)
    assert plan(text).unit_config.configuration.defines == (("GPU", value),)
    header = code.replace("\n", newline)
    text = f'#ifdef GPU\n#include "h.h"\n{CL}#else\n{CPP}#endif\n{KERNEL}'
    assert plan(text, {"h.h": header}).unit_config.configuration.defines == (("GPU", value),)


@pytest.mark.parametrize(
    "text",
    [
        "#ifdef FN\nint f(int x) { return FN(x); }\n#else\nnamespace a {}\n#endif\nkernel void k() {}\n",
        "#ifdef T\ntypedef T t;\n#else\nusing t = float;\n#endif\nkernel void k(global t *p) { p[0].x = 0; }\n",
        "#ifndef H\n#include <vector>\n#else\n#include H\n#endif\nkernel void k() { f(); }\n",
    ],
)
def test_an_unknown_value_may_be_anything(text: str) -> None:
    planned = plan(text)
    assert planned.unit_config.configuration.defines
    document = Document.of("/w/k.cl", text.encode())
    loader = planned.make_include_loader(DocumentStore(LOCAL_FILE_SYSTEM))
    unit = TranslationUnit(planned.unit_config, document, loader)
    assert [each.message for each in compute_diagnostics(unit) if each.severity is Severity.ERROR] == []


@pytest.mark.parametrize("in_header", [False, True])
def test_an_edit_that_brings_or_removes_cpp(in_header: bool) -> None:
    search = EvidenceSearch()

    def judge(branch: str) -> list[str]:
        code = f"#ifdef GPU\n{CL}#else\n{branch}#endif\n"
        text = f'#include "h.h"\n{KERNEL}' if in_header else code + KERNEL
        return assumed(text, {"h.h": code}, search)

    assert [judge(branch) for branch in (CL, CPP, CL, CPP)] == [[], ["GPU"], [], ["GPU"]]


_LINES = (
    "#ifdef GPU", "#ifndef GPU", "#if defined(GPU) || B", "#else", "#endif", "#define GPU", "#undef GPU",
    "typedef lib::float3 vec;", "namespace a {", "}", "typedef float3 vec;", "kernel void k(global int *g) {", "# include <vector>",
    '#include "h.h"', "/*", "*/", "// lib::x", "    int x = 1;", "global atomic_int *a;", "void f(const T &t);", "",
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(st.tuples(*(st.lists(st.sampled_from(_LINES), max_size=9),) * 2), min_size=2, max_size=5))
def test_a_text_that_changes_is_judged_as_if_new(versions: list[tuple[list[str], list[str]]]) -> None:
    search = EvidenceSearch()
    for lines, header in versions:
        text, headers = "\n".join(lines), {"h.h": "\n".join(header)}
        kept, new = plan(text, headers, search), plan(text, headers)
        assert kept.unit_config == new.unit_config
        assert kept.unit_config.choices == new.unit_config.choices


@settings(deadline=None)
@given(st.permutations(_LINES), st.integers(0, len(_LINES) - 1), st.sampled_from(_LINES))
def test_a_line_that_is_typed_character_by_character(lines: list[str], at: int, line: str) -> None:
    search = EvidenceSearch()
    for end in range(len(line) + 1):
        text = "\n".join([*lines[:at], line[:end], *lines[at:]])
        assert assumed(text, None, search) == assumed(text)
