"""Parsing build options as hosts and compile_flags.txt write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openclsp.project.option_parser import BuildOptions, MacroOption, parse_build_options


def options(*arguments: str, folder: str | None = None) -> BuildOptions:
    parsed = parse_build_options(arguments, folder)
    assert parsed.problems == ()
    return parsed.options


def problems(*arguments: str) -> list[str]:
    return [problem.message for problem in parse_build_options(arguments).problems]


@pytest.mark.parametrize(
    ("arguments", "name", "value"),
    [
        (["-DN"], "N", "1"),
        (["-D", "N"], "N", "1"),
        (["-D N=4"], "N", "4"),
        (["-DN="], "N", ""),
        (["-DT=global int *"], "T", "global int *"),
        (["-DEQ=a==b"], "EQ", "a==b"),
        (["-DF(x, y)=x+y"], "F(x, y)", "x+y"),
        (["-Xclang", "-D", "-Xclang", "N=2"], "N", "2"),
        (["-DGRÖSSE=3"], "GRÖSSE", "3"),
        (["-DN=1\n#error"], "N", "1"),
        (["-UN"], "N", None),
        (["-U", "N"], "N", None),
    ],
)
def test_macros(arguments: list[str], name: str, value: str | None) -> None:
    assert options(*arguments).macros == (MacroOption(name, value),)


def test_macros_keep_their_order() -> None:
    assert [macro.value for macro in options("-DA=1", "-UA", "-DA=2").macros] == ["1", None, "2"]


def test_a_relaxed_build_predefines_the_macros_of_clang() -> None:
    names = {macro.name for macro in options("-cl-fast-relaxed-math").macros}
    assert names == {"__FAST_RELAXED_MATH__", "__FAST_MATH__", "__FINITE_MATH_ONLY__"}


def test_folders_start_from_the_folder_given() -> None:
    read = options(
        *("-Iinc", "-I", "../with space", "-I/abs", "-isystem", "sys", "-iquotehere", "-include", "x.h"),
        folder="/p/q",
    )
    assert read.include_folders == ("/p/q/inc", "/p/with space", "/abs")
    assert read.system_folders == ("/p/q/sys",)
    assert read.quote_folders == ("/p/q/here",)
    assert read.forced_includes == ("/p/q/x.h",)


@pytest.mark.parametrize("written", ["-cl-std=CL2.0", "-std=CL2.0", "--std=CL2.0", "--cl-std=CL2.0"])
def test_the_language_version(written: str) -> None:
    read = options(written)
    assert (read.standard, read.standard_written) == ("CL2.0", written)


def test_the_last_language_version_counts() -> None:
    assert options("-cl-std=CL1.1", "-cl-std", "cl3.0").standard == "cl3.0"


def test_standards_of_c_are_not_for_us() -> None:
    read = options("-std=c99", "-std=gnu++17")
    assert (read.standard, read.ignored) == (None, ("-std=c99", "-std=gnu++17"))


def test_cpp_for_opencl_is_recognised() -> None:
    assert options("-cl-std=clc++").cpp_for_opencl
    assert options("-xclcpp").cpp_for_opencl
    assert not options("-x", "cl").cpp_for_opencl
    assert not options("-cl-std=CLC++2021", "-cl-std=CL3.0").cpp_for_opencl


def test_extensions_add_up() -> None:
    assert options("-cl-ext=-all,+cl_khr_fp16", "-cl-ext=cl_khr_fp64").switches == (
        *("-all", "+cl_khr_fp16", "cl_khr_fp64"),
    )


def test_other_options_are_ignored_with_their_values() -> None:
    read = options("-cl-mad-enable", "-Wall", "-o", "-DN", "-target", "unheard-of", "kernel.cl")
    assert read.macros == ()
    assert read.ignored == ("-cl-mad-enable", "-Wall", "-o -DN", "-target unheard-of", "kernel.cl")


@pytest.mark.parametrize(
    "arguments", [["-include", "a.h"], ["-includea.h"], ["--include", "a.h"], ["--include=a.h"]]
)
@pytest.mark.parametrize("wrapped", ["", "-Xclang", "-Xpreprocessor", "-Wp,"])
def test_a_header_before_the_first_line(arguments: list[str], wrapped: str) -> None:
    if wrapped == "-Wp,":
        arguments = [",".join((wrapped.removesuffix(","), *arguments))]
    elif wrapped:
        arguments = [each for argument in arguments for each in (wrapped, argument)]
    assert parse_build_options(arguments, "/p").options.forced_includes == ("/p/a.h",)


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        (["-imacros", "a.h"], "/p/a.h"),
        (["-imacrosa.h"], "/p/a.h"),
        (["--imacros=a.h"], "/p/a.h"),
        (["-include-pch", "a.pch"], "/p/a.pch"),
        (["-Xclang", "-include-pch", "-Xclang", "a.pch"], "/p/a.pch"),
        (["@options.txt"], "/p/options.txt"),
    ],
)
def test_files_whose_definitions_are_unknown(arguments: list[str], path: str) -> None:
    read = parse_build_options(arguments, "/p")
    assert (read.options.unread_includes, read.options.forced_includes) == ((path,), ())
    written = " ".join(each for each in arguments if each != "-Xclang")
    assert [(each.option, each.message) for each in read.problems] == [
        (written, f"{written} is not supported: the names that it defines are unknown")
    ]


def test_invalid_options_are_reported_and_the_others_kept() -> None:
    parsed = parse_build_options(
        ["-D1X", "-U", "", "-cl-std=CL4.0", "-cl-ext=+cl_khr_fp61,+cl_khr_fp16", "-DOK"]
    )
    assert [problem.option for problem in parsed.problems] == [
        "-D1X",
        "-U",
        "-cl-std=CL4.0",
        "-cl-ext=+cl_khr_fp61",
    ]
    assert parsed.options.macros == (MacroOption("OK", "1"),)
    assert parsed.options.switches == ("+cl_khr_fp16",)


def test_messages_name_the_nearest() -> None:
    assert "did you mean 'cl_khr_fp16'?" in problems("-cl-ext=+cl_khr_fp15")[0]
    assert "did you mean 'CL3.0'?" in problems("-cl-std=CL3.1")[0]
    assert problems("-D") == ["-D needs a value, but none follows"]
    assert problems("-D 2+2") == ["-D needs NAME or NAME=VALUE, and '2+2' is neither"]


@given(
    st.lists(
        st.text(max_size=20) | st.sampled_from(["-D", "-I", "-cl-ext=", "-cl-std=", "-x", "-U"]), max_size=8
    )
)
def test_no_list_of_arguments_raises(arguments: list[str]) -> None:
    parse_build_options(arguments, "/folder")


@pytest.mark.parametrize(
    ("written", "bits"),
    [
        (["-m32"], 32),
        (["-m64"], 64),
        (["-m32", "-m64"], 64),
        (["-triple", "spir-unknown-unknown"], 32),
        (["-triple", "spir64-unknown-unknown"], 64),
        (["-target", "spir"], 32),
        (["--target=spirv32-unknown-unknown"], 32),
        (["--target", "i686-pc-linux-gnu"], 32),
        (["-target=spirv64"], 64),
        (["-Xclang", "-triple=nvptx-nvidia-cuda"], 32),
        (["--target=amdgcn-amd-amdhsa"], 64),
        (["--target=armv7a-none-eabi"], 32),
        (["--target=arm64-apple-macos"], 64),
        (["--target=x86_64-linux-gnu"], 64),
        (["--target=pdp11"], None),
        ([], None),
    ],
)
def test_the_size_of_an_address(written: list[str], bits: int | None) -> None:
    assert options(*written).address_bits == bits


def test_blocks() -> None:
    assert options("-fblocks").blocks is True
    assert options("-fblocks", "-fno-blocks").blocks is False
    assert options().blocks is None


def test_constants_of_single_precision() -> None:
    found = options("-cl-single-precision-constant", "-m32")
    assert (found.single_precision, found.ignored) == (True, ())
    assert found.dialect_options == ("-cl-single-precision-constant", "-m32")
    assert options().single_precision is False
