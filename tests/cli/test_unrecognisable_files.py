"""A folder has files that are neither OpenCL C nor C; they are counted, and checked only if they are named."""

from __future__ import annotations

import json

import pytest

CLEAN = "kernel void k(global int *g) { *g = 1; }\n"
SCRIPT = "ls BIAS* > list_bias\nccdproc.trim=yes\nif (n <> 3)\n    bye\nprint (n, >> 'sums')\n"
TERM = "let n : Int <- 1 in {\n  while n <= 3 loop n <- n + 1 pool;\n};\n"


def test_they_are_counted_and_named(openclsp, write):
    write("k.cl", CLEAN)
    write("bias.cl", SCRIPT)
    write("term.cl", TERM)
    ran = openclsp("check", ".")
    assert ran.code == 0
    assert ran.err == ""
    lines = ran.out.splitlines()
    assert (
        "2 files are not recognised as OpenCL C (not checked; name a file to check it): ./bias.cl and ./term.cl."
        in lines
    )
    assert "1 file checked" in lines[-1]
    assert "error" not in ran.out


def test_a_folder_without_any_other_file_is_clean(openclsp, write):
    write("bias.cl", SCRIPT)
    ran = openclsp("check", ".")
    assert ran.code == 0
    assert ran.out.splitlines()[-1].startswith("1 file is not recognised as OpenCL C (not checked; ")
    assert "Nothing was checked" not in ran.out


@pytest.mark.parametrize("arguments", [("bias.cl",), (".", "bias.cl"), ("--language", "opencl", ".")])
def test_the_user_may_say_that_a_file_is_opencl_c(openclsp, write, arguments):
    write("bias.cl", SCRIPT)
    ran = openclsp("check", *arguments)
    assert ran.code == 1
    assert "error[syntax-error]" in ran.out
    assert "not recognised" not in ran.out


def test_json_has_the_reason(openclsp, write):
    write("bias.cl", "\n" + SCRIPT)
    ran = openclsp("check", "--format", "json", ".")
    assert ran.code == 0
    (file,) = json.loads(ran.out)["files"]
    (found,) = file["diagnostics"]
    assert (found["code"], found["severity"]) == ("cpp-for-opencl", "information")
    assert found["message"].startswith("this file is not recognised as OpenCL C")
    assert found["range"]["start"] == {"line": 2, "column": 1}


def test_they_are_not_fixed(openclsp, write):
    path = write("bias.cl", SCRIPT)
    assert openclsp("check", "--fix", ".").code == 0
    assert path.read_text() == SCRIPT


def test_a_file_that_a_kernel_includes_is_checked(openclsp, write):
    write("term.cl", TERM)
    write("k.cl", '#include "term.cl"\n' + CLEAN)
    ran = openclsp("check", ".")
    assert ran.code == 1
    assert "not recognised" not in ran.out


def test_a_file_that_the_host_builds_is_checked(openclsp, write):
    write("term.cl", TERM)
    build = (
        'char *text = read_file("term.cl");\n'
        "program = clCreateProgramWithSource(context, 1, &text, 0, &error);\n"
        'clBuildProgram(program, 1, &device, "-DN=3", 0, 0);\n'
    )
    write("main.c", f"void run(void) {{\n{build}}}\n")
    ran = openclsp("check", ".")
    assert ran.code == 1
    assert "not recognised" not in ran.out
    write("main.c", "void run(void) {}\n")
    assert "not recognised" in openclsp("check", ".").out


def test_a_named_language_has_its_own_line(openclsp, write):
    write("bias.cl", SCRIPT)
    write("main.cl", "(* A term *)\n" + TERM)
    lines = openclsp("check", ".").out.splitlines()
    assert "1 file is C++, CUDA or another language (not checked)." in lines
    assert "Not OpenCL C: ./main.cl." in lines
    assert lines[-1].endswith(": ./bias.cl.")


def test_the_report_does_not_depend_on_processes(openclsp, write):
    for number in range(6):
        write(f"k{number}.cl", CLEAN.replace("k(", f"k{number}("))
        write(f"s{number}.cl", SCRIPT + f"cd night{number}\n")
    outputs = {openclsp("check", "--jobs", jobs, ".").out for jobs in "14"}
    assert len(outputs) == 1
