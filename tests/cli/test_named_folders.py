"""A folder that is named on the command line is the project of its files if nothing marks another one.

A project that was downloaded as an archive contains no `.git`.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from openclsp.cli.depfile import option_files_of


@pytest.fixture
def project(folder: Path, write) -> Path:
    """A project without a root marker: a kernel, its header, and the host code that builds it."""
    (folder / ".git").rmdir()
    write("kernels/scale.cl", '#include "config.h"\nkernel void scale(global REAL *p) { *p = FACTOR; }\n')
    write("include/config.h", "typedef float REAL;\n")
    host = """\
cl_program program = load(context, "scale.cl");
clBuildProgram(program, 1, &device, "-cl-std=CL2.0 -DFACTOR=2", NULL, NULL);
cl_kernel kernel = clCreateKernel(program, "scale", &error);
clSetKernelArg(kernel, 0, sizeof(float), &value);
"""
    write("host/main.c", f"void build(void) {{\n{host}}}\n")
    return folder


def reported(ran) -> list[tuple[str, str]]:
    files = json.loads(ran.out)["files"]
    return [(file["path"], each["code"]) for file in files for each in file["diagnostics"]]


def test_headers_options_and_calls_are_those_of_the_folder(openclsp, project) -> None:
    assert reported(openclsp("check", "--format", "json", ".")) == [("./host/main.c", "host-argument-kind")]
    assert "OpenCL C 2.0" in openclsp("check", "kernels", ".").out


def test_a_build_that_names_no_kernel_is_for_all_kernels_of_the_folder(openclsp, project, write) -> None:
    write("kernels/add.cl", "kernel void add(global Element *p) { *p = (Element)(1) + OFFSET; }\n")
    build = "clBuildProgram(program, 1, &device, options, NULL, NULL);"
    write("host/main.c", f'void build(void) {{ char *options = "-DElement=float -DOFFSET=1"; {build} }}\n')
    assert "No errors" in openclsp("check", ".").out


def test_a_named_file_has_its_own_folder(openclsp, project) -> None:
    found = reported(openclsp("check", "--format", "json", "kernels/scale.cl"))
    assert found[0] == ("kernels/scale.cl", "include-not-found")


def test_a_marker_below_the_folder_separates_a_project(openclsp, project, write) -> None:
    write("kernels/compile_flags.txt", "-DFACTOR=1\n")
    codes = [code for path, code in reported(openclsp("check", "--format", "json", ".")) if "kernels" in path]
    assert codes[0] == "include-not-found"


def test_fixes_know_the_headers_of_the_folder(openclsp, project, write) -> None:
    path = write(
        "kernels/copy.cl", '#include "config.h"\nconstant REAL c;\nkernel void copy(REAL *p) { *p = c; }\n'
    )
    openclsp("check", "--fix", "kernels/copy.cl")
    assert "kernel void copy(REAL *p)" in path.read_text()
    openclsp("check", "--fix", ".")
    assert "kernel void copy(global REAL *p)" in path.read_text()


def test_ignore_comments_are_inserted_in_all_files_of_the_folder(openclsp, project, write) -> None:
    header = write("include/config.h", "typedef float REAL;\nvoid f(local int *p) { global int *q = p; }\n")
    openclsp("check", "--add-ignores", "kernels", ".")
    assert "openclsp: ignore" in header.read_text()


def test_options_files_are_those_of_the_folder(project, write) -> None:
    options = write(".clangd", "CompileFlags:\n  Add: -DFACTOR=1\n")
    kernel = str(project / "kernels" / "scale.cl")
    assert list(option_files_of(kernel, str(project))) == [str(options)]
