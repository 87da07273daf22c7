"""Invalid input: one line on standard error with the cause, no standard output, exit code 2."""

from __future__ import annotations

import json
import os

import pytest

CLEAN_KERNEL = "kernel void k(global int *g) { *g = 1; }\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "command"),
        (("chek", "k.cl"), "'chek'; did you mean 'check'?"),
        (("check",), "PATH"),
        (("check", "none.cl"), "none.cl"),
        (("check", "none.cl", "nowhere"), "none.cl, nowhere"),
        (("check", "--formt", "json", "k.cl"), "--formt"),
        (("check", "--format", "yaml", "k.cl"), "yaml"),
        (("check", "--std"), "--std"),
        (("check", "--std", "CL1.3", "k.cl"), "'CL1.3'"),
        (("check", "--std", "clc++", "k.cl"), "C++ for OpenCL"),
        (("check", "--cl-ext", "+cl_khr_fp46", "k.cl"), "'cl_khr_fp46'; did you mean 'cl_khr_fp64'?"),
        (("check", "-D", "1N=2", "k.cl"), "1N=2"),
        (("check", "--stdin-path", "k.cl", "k.cl"), "--stdin-path"),
        (("explain", "pointer-conversoin"), "did you mean 'pointer-conversion'?"),
        (("explain",), "CODE"),
        (("hover", "k.cl"), "FILE:LINE:COLUMN"),
        (("hover", "k.cl:1"), "FILE:LINE:COLUMN"),
        (("hover", "k.cl:one:1"), "FILE:LINE:COLUMN"),
        (("hover", "none.cl:1:1"), "none.cl"),
        (("hover", ".:1:1"), "folder"),
        (("hover", "k.cl:0:1"), "line 0"),
        (("hover", "k.cl:3:1"), "line 3"),
        (("hover", "k.cl:1:0"), "column 0"),
        (("hover", "k.cl:1:99"), "column 99"),
        (("hover", "k.cl:99999999999999999999:1"), "FILE:LINE:COLUMN"),
        (("hover", "--std", "CL7", "k.cl:1:1"), "'CL7'"),
        (("hover", "x.clcpp:1:1"), "C++ for OpenCL"),
        (("server", "--frobnicate"), "--frobnicate"),
    ],
)
def test_one_line_names_the_input_and_the_reason(openclsp, write, arguments, message):
    write("k.cl", CLEAN_KERNEL)
    write("x.clcpp", CLEAN_KERNEL)
    ran = openclsp(*arguments)
    assert ran.code == 2
    assert ran.out == ""
    (line,) = ran.err.splitlines()
    assert line.startswith("openclsp: ")
    assert message in line


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="everything can be read here")
def test_a_file_that_may_not_be_read(openclsp, write):
    write("k.cl", CLEAN_KERNEL).chmod(0)
    ran = openclsp("check", "k.cl")
    assert ran.code == 2
    assert "k.cl cannot be read" in ran.err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_not_waited_for(openclsp, folder):
    os.mkfifo(folder / "pipe.cl")
    ran = openclsp("check", "pipe.cl")
    assert ran.code == 2
    assert "pipe.cl is not a regular file" in ran.err


def test_a_folder_without_kernels(openclsp, write):
    write("docs/readme.txt", "nothing\n")
    ran = openclsp("check", "--format", "json", "docs")
    assert ran.code == 0
    assert json.loads(ran.out) == {"version": 1, "files": []}
    assert "no kernels" in ran.err


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"\0" * 100,
        bytes(range(256)) * 8,
        b"kernel void k(",
        b"#define",
        b"#define A(",
        b"#include <none.h>\n",
        b'#include "k.cl"\n',
        b"#if 1\n",
        b"A(((((",
        b"{" * 300,
        b"}" * 300,
        b"int " + b"*" * 300 + b"p;",
        b"kernel void k(void) { int x = " + b"(" * 200 + b"1" + b")" * 200 + b"; }\n",
        b"/* never closed",
        b'"never closed\n',
        b"\xef\xbb\xbfkernel void k(void) {}\n",
    ],
    ids=lambda content: content[:12],
)
def test_odd_files_have_an_answer(openclsp, write, content):
    path = write("k.cl", content)
    ran = openclsp("check", "--format", "json", "k.cl")
    assert ran.code in (0, 1)
    assert "internal error" not in ran.err
    assert json.loads(ran.out)["files"][0]["path"] == "k.cl"
    assert openclsp("check", "k.cl").code == ran.code
    assert path.read_bytes() == content


def test_half_a_megabyte(openclsp, write):
    function = "float f{0}(global const float *p) {{ return p[{0}] * 2.0f; }}\n"
    write("k.cl", "".join(function.format(number) for number in range(8_000)))
    ran = openclsp("check", "--format", "json", "k.cl")
    assert ran.code == 0
    assert ran.err == ""
