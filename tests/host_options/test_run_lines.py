"""Options in the RUN lines of a kernel file."""

from __future__ import annotations

import pytest
from openclsp.host_options.run_line_builds import find_run_builds
from openclsp.host_options.run_lines import RunLine, find_run_lines, update_run_lines
from openclsp.source.text import Text

PATH = "/p/test/k.cl"


def options(text: str) -> list[list[str]]:
    """Returns the options of each build; the clause of clspv's features is left out."""
    return [
        [each.display_text for each in build.found_options]
        for build in find_run_builds(find_run_lines(text.encode()), PATH)
    ]


@pytest.mark.parametrize(
    "line, expected",
    [
        ("%clang_cc1 %s -cl-std=CL2.0 -verify", ["-cl-std=CL2.0"]),
        ("%clang_cc1 %s -std=cl2.0", ["-cl-std=cl2.0"]),
        ("%clang_cc1 %s -std=c99 -DA", ["-DA"]),
        ("clspv --cl-std CL2.0 %s", ["-cl-std=CL2.0"]),
        ("clang-22 -x cl %s -cl-std=CL1.1 -o %t", ["-cl-std=CL1.1"]),
        ("/usr/bin/clang -cc1 -xcl %s -DN=1", ["-DN=1"]),
        ("%clang_cc1 -triple spir %s", ["-target=spir"]),
        ("%clang --target=spirv32 -c %s", ["-target=spirv32"]),
        ("clspv -arch=spirv64 %s", ["-target=spirv64"]),
        ("%clang -m32 -fblocks -cl-single-precision-constant %s", ["-m32", "-fblocks", "-cl-single-precision-constant"]),
        ("clspv --cl-fast-relaxed-math %s", ["-cl-fast-relaxed-math"]),
        ("%clang_cc1 -D A=1 -DB -U C -UD %s", ["-DA=1", "-DB", "-UC", "-UD"]),
        ("%clang_cc1 %s -DF='a b' \"-DS=\\\"x\\\"\"", ["-DF=a b", '-DS="x"']),
        ("%clang_cc1 %s -D 'F(x)=x + 1'", ["-DF(x)=x + 1"]),
        ("%clang_cc1 -I%S/inc -I %p/../lib -isystem %S %s", ["-I/p/test/inc", "-I/p/test/../lib", "-isystem /p/test"]),
        ("%clang_cc1 -include %S/a.h %s", ["-include /p/test/a.h"]),
        ("%clang_cc1 -cl-ext=-all,+cl_khr_fp64 -cl-ext=+cl_khr_fp16 %s", ["-cl-ext=-all,+cl_khr_fp64", "-cl-ext=+cl_khr_fp16"]),
        ("%clang_cc1 %s -DP=%t -DQ=100%%", ["-DP=…", "-DQ=100%"]),
        ("%clang_cc1 < %s -DA 2>&1 | FileCheck %s -DB", ["-DA"]),
        ("%clang_cc1 -DA %s > %t.ll", ["-DA"]),
        ("not --crash env X=1 %clang_cc1 -DA %s", ["-DA"]),
        ("cd %S && clspv -DA %s; spirv-val %t", ["-DA"]),
        ("ocloc compile -file %s -device dg2 -options \"-igc_opts 'X=1' -cl-std=CL3.0 -DA\"", ["-cl-std=CL3.0", "-DA"]),
        ("ocloc -file %s -32 -options -DA -internal_options -cl-ext=-all", ["-m32", "-DA"]),
        ("oclc %s -cl-options '-cl-std=CL3.0 -DA'", ["-cl-std=CL3.0", "-DA"]),
        ("%if pvc %{ ocloc -file %s -options -DA | FileCheck %s %}", ["-DA"]),
        ("%clang_cc1 -DA %if x %{-DB%} -DC %s", ["-DA", "-DC"]),
        ("clspv %s -fp64=0 -fp16=1 -DA", ["-cl-ext=-cl_khr_fp64", "-DA"]),
    ],
)  # fmt: skip
def test_a_command(line: str, expected: list[str]) -> None:
    found = options(f"// RUN: {line}\n")
    # clang's optional atomics for double are off with double itself
    assert [[each.split(",-__opencl_c_ext")[0] for each in build] for build in found] == [expected]


@pytest.mark.parametrize(
    "line",
    [
        "%clang_cc1 -x c++ -DA %s",
        "%clang_cc1 -x ir -DA %s",
        "%clang_cc1 -DA %S/other.cl",
        "%clang_cc1 -emit-pch -include %s -DA /dev/null",
        "clspv-opt -DA %s",
        "clang-format -DA %s",
        "FileCheck %s -DA",
        "ocloc -file %s -spirv_input -options -DA",
        "%clang_cc1 -include-pch %t -x cl -DA %s",
        "%clang_cc1 %s",
        "%clang_cc1 %s 'unclosed",
        "",
    ],
)
def test_no_build_with_options(line: str) -> None:
    assert options(f"// RUN: {line}\n") == []


def test_only_run_lines_count() -> None:
    assert options("// XRUN: clspv -DA %s\n// TO-RUN: clspv -DB %s\n// RUNX: clspv -DC %s\n") == []


def test_lines_in_a_block_comment_and_continued_lines() -> None:
    text = """/* RUN: clspv %s \\
 * RUN:   -DA \\
   RUN:   -DB */
kernel void k(void) {} // RUN: clspv %s -DC
"""
    builds = find_run_builds(find_run_lines(text.encode()), PATH)
    assert [[(each.text, each.place.line) for each in build.found_options] for build in builds] == [
        [("-DA", 2), ("-DB", 3)],
        [("-DC", 4)],
    ]
    assert [(build.receiver, build.place) for build in builds] == [("clspv", (PATH, 1)), ("clspv", (PATH, 4))]


def test_a_quoted_word_may_continue_in_the_next_line() -> None:
    text = '// RUN: ocloc -file %s -options "-DA \\\n// RUN: -DB" -device dg2\n'
    assert options(text) == [["-DA", "-DB"]]


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_numbers(ending: str) -> None:
    text = ending.join(["", "", "// RUN: a", "", "// RUN: b"])
    assert find_run_lines(text.encode()) == (RunLine("a", 3), RunLine("b", 5))


def test_builds_that_must_fail_come_last() -> None:
    assert options("// RUN: not clspv %s -DA\n// RUN: clspv %s -DB\n") == [["-DB"], ["-DA"]]


def test_a_build_as_cpp_for_opencl_counts_only_alone() -> None:
    cpp = "// RUN: clspv %s -cl-std=CLC++\n"
    assert options(cpp + "// RUN: clspv %s -cl-std=CL2.0\n") == [["-cl-std=CL2.0"]]
    (build,) = find_run_builds(find_run_lines(cpp.encode()), PATH)
    assert build.parsed_options.cpp_for_opencl
    (build,) = find_run_builds(find_run_lines(b"// RUN: %clang -x clcpp %s\n"), PATH)
    assert build.parsed_options.cpp_for_opencl


def test_clspv_has_only_the_features_of_opencl_3_that_it_names() -> None:
    ((features, version),) = options(
        "// RUN: clspv -cl-std=CL3.0 -images=0 -enable-feature-macros=__opencl_c_pipes,__opencl_c_subgroups %s\n"
    )
    assert version == "-cl-std=CL3.0"
    off = features.removeprefix("-cl-ext=").split(",")
    assert {"-__opencl_c_images", "-__opencl_c_generic_address_space", "-__opencl_c_device_enqueue"} < set(
        off
    )
    assert not {"-__opencl_c_pipes", "-__opencl_c_subgroups", "-__opencl_c_fp64"} & set(off)
    assert options("// RUN: clspv -cl-std=CL2.0 %s\n") == [["-cl-std=CL2.0"]]


@pytest.mark.parametrize(
    "before, after",
    [
        ("int a;\n", "int ab;\n"),
        ("int a;\n", "// RUN: x\nint a;\n"),
        ("// RN: x\nint a;\n", "// RUN: x\nint a;\n"),
        ("// RU\nN: x\n", "// RUN: x\n"),
        ("// RUN: x\n", "// RUN: x y\n"),
        ("// RUN: x\n", "\n// RUN: x\n"),
        ("// RUN: x\n", "// RN: x\n"),
        ("// RUN: x\n", ""),
        ("", "// RUN: x"),
    ],
)
def test_an_edit(before: str, after: str) -> None:
    old, new = Text.of(before.encode()), Text.of(after.encode())
    assert update_run_lines(find_run_lines(old.data), old, new) == find_run_lines(new.data)
