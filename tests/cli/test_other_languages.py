"""Files that are not OpenCL C: they are named and left alone, and what is OpenCL C beside them is checked."""

from __future__ import annotations

import json

import pytest

FAULTY = "kernel void k(global int *g) { local int *l = g; }\n"
CLEAN = "kernel void k(global int *g) { *g = 1; }\n"
HOST = 'int main(void) { const char *s = R"(x)"; return 0; }\nint counter = 0;\n'


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("main.cpp", "is C++, not OpenCL C"),
        ("main.c", "is C, not OpenCL C"),
        ("tool.py", "is Python, not OpenCL C"),
        ("CMakeLists.txt", "is CMake, not OpenCL C"),
        ("notes.txt", "does not have a file ending of OpenCL C"),
        ("Makefile", "does not have a file ending of OpenCL C"),
        ("lone.h", "is a header that no kernel of its project includes"),
        ("lone.inc", "is a header that no kernel of its project includes"),
        ("lone.hpp", "is C++, not OpenCL C"),
    ],
)
@pytest.mark.parametrize("fix", [(), ("--fix",)], ids=["check", "fix"])
def test_a_file_of_another_language_is_named_and_left_alone(openclsp, write, name, said, fix):
    path = write(name, HOST)
    ran = openclsp("check", *fix, name)
    assert ran.code == 2
    assert "No errors" not in ran.out
    assert f"1 file not checked: {name}." in ran.out
    assert ran.out.splitlines()[-1] == "Nothing was checked."
    (line,) = ran.err.splitlines()
    assert line.startswith(f"openclsp: {name} {said}")
    assert path.read_text() == HOST


def test_the_kernels_beside_it_are_checked_and_fixed(openclsp, write):
    write("faulty.cl", FAULTY)
    write("clean.cl", CLEAN)
    host = write("main.cpp", HOST)
    ran = openclsp("check", "faulty.cl", "main.cpp", "clean.cl")
    assert ran.code == 2
    assert "faulty.cl:1:47: error[pointer-conversion]" in ran.out
    assert "1 error in 1 file; 2 files checked" in ran.out
    ran = openclsp("check", "--fix", "faulty.cl", "main.cpp", "clean.cl")
    assert ran.code == 2
    assert "1 fix made in faulty.cl" in ran.out
    assert host.read_text() == HOST


def test_a_clean_kernel_beside_it_does_not_make_the_run_clean(openclsp, write):
    write("clean.cl", CLEAN)
    write("main.cpp", HOST)
    ran = openclsp("check", "clean.cl", "main.cpp")
    assert ran.code == 2
    assert ran.out.splitlines() == [
        "1 file not checked: main.cpp.",
        "1 file checked as OpenCL C 1.2, the default of OpenCL compilers.",
    ]


def test_only_the_first_are_named_in_the_summary(openclsp, write):
    names = [f"{letter}.cpp" for letter in "abcde"]
    for name in names:
        write(name, HOST)
    ran = openclsp("check", *names)
    assert "5 files not checked: a.cpp, b.cpp, c.cpp and 2 more." in ran.out
    assert [line.split()[1] for line in ran.err.splitlines()] == names


def test_json_lists_it_with_the_reason(openclsp, write):
    write("k.cl", CLEAN)
    write("main.cpp", HOST)
    ran = openclsp("check", "--format", "json", "k.cl", "main.cpp")
    assert ran.code == 2
    answer = json.loads(ran.out)
    assert [file["path"] for file in answer["files"]] == ["k.cl"]
    assert answer["notChecked"] == [{"path": "main.cpp", "reason": "is C++, not OpenCL C"}]


@pytest.mark.parametrize("name", ["main.cpp", "notes.txt", "lone.h", "kernel"])
def test_the_person_may_say_that_it_is_opencl_c(openclsp, write, name):
    write(name, FAULTY)
    ran = openclsp("check", "--language", "opencl", name)
    assert ran.code == 1
    assert f"{name}:1:47: error[pointer-conversion]" in ran.out
    assert openclsp("hover", "--language", "opencl", f"{name}:1:47").code == 0
    assert openclsp("check", "--language", "cpp", name).code == 2


def test_so_may_the_projects_file(openclsp, write):
    write("openclsp.toml", 'file-endings = [".knl"]\n')
    write("k.knl", FAULTY)
    write("k.other", FAULTY)
    assert openclsp("check", "k.knl").code == 1
    assert openclsp("check", "k.other").code == 2


@pytest.mark.parametrize("command", ["hover", "flow"])
def test_nothing_is_said_of_a_place_in_it(openclsp, write, command):
    write("main.cpp", FAULTY)
    ran = openclsp(command, "main.cpp:1:47")
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err == "openclsp: main.cpp is C++, not OpenCL C\n"
    assert openclsp(command, "--language", "opencl", "--std", "CL1.2", "main.cpp:1:47").err != ran.err


@pytest.mark.parametrize("name", ["part.h", "part.inc", "part.hpp", "part.txt", "part.cpp"])
def test_what_a_kernel_includes_is_checked_through_it(openclsp, write, name):
    write(name, "void f(global int *g) { SPACE int *l = g; }\n")
    write("k.cl", f'#define SPACE local\n#include "{name}"\n')
    ran = openclsp("check", name)
    assert ran.code == 1
    assert f"{name}:1:" in ran.out
    assert "as included by k.cl" in ran.out
    assert ran.err == ""
    assert openclsp("hover", f"{name}:1:35").code == 0


def test_an_include_that_no_branch_takes_does_not_count(openclsp, write):
    write("part.cpp", FAULTY)
    write("k.cl", '#ifdef __cplusplus\n#include "part.cpp"\n#endif\n')
    assert openclsp("check", "part.cpp").code == 2


def test_standard_input_without_a_name_is_opencl_c(openclsp):
    assert openclsp("check", "-", stdin=FAULTY.encode()).code == 1


def test_standard_input_is_what_its_name_says(openclsp, write):
    ran = openclsp("check", "-", "--stdin-path", "src/main.cpp", stdin=FAULTY.encode())
    assert ran.code == 2
    assert "src/main.cpp is C++, not OpenCL C" in ran.err
    named = ("check", "-", "--stdin-path", "src/main.cpp", "--language", "opencl")
    assert openclsp(*named, stdin=FAULTY.encode()).code == 1
    write("src/k.cl", '#include "part.h"\n')
    assert openclsp("check", "-", "--stdin-path", "src/part.h", stdin=FAULTY.encode()).code == 1


def test_a_kernel_that_is_one_raw_string_is_checked(openclsp, write):
    write("k.opencl", f'R"(\n{FAULTY})"\n')
    ran = openclsp("check", "k.opencl")
    assert ran.code == 1
    assert "k.opencl:2:47: error[pointer-conversion]" in ran.out


def test_other_files_of_a_folder_are_passed_over(openclsp, write):
    write("src/k.cl", CLEAN)
    write("src/main.cpp", HOST)
    write("src/lone.h", HOST)
    ran = openclsp("check", "src")
    assert ran.code == 0
    assert ran.out.startswith("No errors; 1 file checked")
