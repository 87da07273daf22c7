"""Diagnostics in kernel files and functions that nothing in the project uses."""

from __future__ import annotations

import json

import pytest

NOTICE = "not shown: in code that nothing in the project uses; name a file to see them"
FAULT = "kernel void {0}(global const int *p) {{ global int *{0}_p = p; *{0}_p = 1; }}\n"
HOST = 'int main(void) { return build("used.cl"); }\n'


def test_the_summary_lists_missing_headers_of_unused_code_too(openclsp, write) -> None:
    write("host.c", HOST)
    write("used.cl", "kernel void used(void) { }\n")
    write("lost.cl", '#include "sizes.clh"\nkernel void lost(void) { }\n')
    shown = openclsp("check", "--no-fixes", ".").out
    assert "Not found in 1 file: `sizes.clh`" in shown and NOTICE not in shown


def test_a_kernel_file_that_the_host_does_not_name(openclsp, write) -> None:
    write("host.c", HOST)
    write("used.cl", FAULT.format("used"))
    write("lost.cl", FAULT.format("lost"))
    shown = openclsp("check", "--no-fixes", ".").out
    assert shown.count("warning[discarded-qualifiers]") == 1 and "./used.cl:1" in shown
    assert f"1 diagnostic is {NOTICE}: ./lost.cl." in shown.splitlines()
    found = json.loads(openclsp("check", "--no-fixes", "--format", "json", ".").out)
    assert sum(len(each["diagnostics"]) for each in found["files"]) == 2
    assert "warning[discarded-qualifiers]" in openclsp("check", "--no-fixes", "lost.cl", "used.cl").out


def test_errors_in_unused_code_are_shown(openclsp, write) -> None:
    write("host.c", HOST)
    write("used.cl", "kernel void used(void) { }\n")
    write("lost.cl", "kernel void lost(global int *p) { local int *q = p; }\n")
    assert "lost.cl:1" in openclsp("check", "--no-fixes", ".").out


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("more.c", 'int more(void) { return build("kernels/lost.cl"); }\n'),
        ("more.c", 'int more(void) { return build(name + ".cl"); }\n'),
        ("more.c", 'int more(void) { return build(name + "st.cl"); }\n'),
        ("more.c", 'int more(void) { sprintf(name, "%s.cl", stem); return build(name); }\n'),
        ("more.c", 'int more(void) { return load("lost"); }\n'),
        ("more.rs", 'fn more(p: &Path) { if p.extension() == Some("cl") { load(p) } }\n'),
        ("more.c", "int more(void) { return compile(lost_src); }\n"),
        ("more.c", "int more(void) { return compile(LOST_CL); }\n"),
        ("more.c", 'int more(void) { return clCreateKernel(program, "lost", 0); }\n'),
        ("build.zig", 'const lost = @embedFile("lost.cl");\n'),
        ("compile.sh", "for each in kernels/*.cl; do compile $each; done\n"),
        ("CMakeLists.txt", "embed_kernels(used.cl lost.cl)\n"),
        ("README.md", "To render fractals, use `lost.cl` instead.\n"),
        ("README.md", "Include the `.cl` files in your program.\n"),
        ("other.cl", '#include "lost.cl"\nkernel void other(void) { }\n// built as other_src\n'),
        ("host.c", "int main(int count, char **names) { return build(names[1]); }\n"),
        ("more.c", 'int main(int n, char **argv) { return build(n > 1 ? argv[1] : "used.cl"); }\n'),
        ("more.py", "parser.add_argument('--kernel', default='used.cl')\n"),
    ],
)
def test_a_file_that_may_be_used(openclsp, write, name: str, text: str) -> None:
    write("host.c", HOST)
    write("used.cl", "kernel void used(void) { }\n")
    write("lost.cl", FAULT.format("lost"))
    if name == "other.cl":
        write("more.c", 'int more(void) { return build("other.cl"); }\n')
    write(name, text)
    assert "warning[discarded-qualifiers]" in openclsp("check", "--no-fixes", ".").out


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("build.zig", 'const module = package.module("opencl");\n'),
        ("build.py", "config.append_value('LIB_OPENCL', ['OpenCL'])\n"),
    ],
)
def test_words_that_compute_no_name(openclsp, write, name: str, text: str) -> None:
    write("host.c", HOST)
    write("used.cl", "kernel void used(void) { }\n")
    write("lost.cl", FAULT.format("lost"))
    write(name, text)
    assert NOTICE in openclsp("check", "--no-fixes", ".").out


def test_lists_of_an_editor_are_no_use(openclsp, write) -> None:
    write("host.c", HOST)
    write("project.vcxproj", '<None Include="lost.cl" />\n')
    write("used.cl", "kernel void used(void) { }\n")
    write("lost.cl", FAULT.format("lost"))
    assert NOTICE in openclsp("check", "--no-fixes", ".").out


def test_a_kernel_that_a_used_file_defines_is_no_evidence(openclsp, write) -> None:
    """An old copy of a file has its kernels."""
    write("host.c", 'int main(void) { build("used.cl"); return clCreateKernel(program, "run", 0); }\n')
    write("used.cl", "kernel void run(void) { }\n")
    write("lost.cl", FAULT.format("run"))
    assert NOTICE in openclsp("check", "--no-fixes", ".").out


def test_a_header_that_only_unused_files_include(openclsp, write) -> None:
    write("host.c", HOST)
    write("used.cl", "kernel void used(void) { }\n")
    write("lost.cl", '#include "part.clh"\nkernel void lost(void) { }\n')
    write("part.clh", "void part(global const int *p) { global int *q = p; *q = 1; }\n")
    assert NOTICE in openclsp("check", "--no-fixes", ".").out
    write("used.cl", '#include "part.clh"\nkernel void used(void) { }\n')
    assert NOTICE not in openclsp("check", "--no-fixes", ".").out


SAMPLER = "float4 {0}(read_only image2d_t i) {{ sampler_t s = CLK_FILTER_NEAREST; return read_imagef(i, s, (int2)(0)); }}\n"
KERNEL = "kernel void run(read_only image2d_t i, global float4 *to) {{ *to = {0}; }}\n"


def test_a_function_that_nothing_calls(openclsp, write) -> None:
    write("k.cl", SAMPLER.format("old_read") + SAMPLER.format("read") + KERNEL.format("read(i)"))
    shown = openclsp("check", "--no-fixes", ".").out
    assert f"1 diagnostic is {NOTICE}: ./k.cl." in shown.splitlines()
    assert shown.count("warning[sampler-scope]") == 1 and "./k.cl:2" in shown


def test_a_comment_is_no_use(openclsp, write) -> None:
    write("k.cl", SAMPLER.format("old_read") + KERNEL.format("0; // old_read(i)"))
    assert NOTICE in openclsp("check", "--no-fixes", ".").out


def test_a_call_of_itself_is_no_use(openclsp, write) -> None:
    recursive = "int sum(int n) { return n ? n + sum(n - 1) : 0; }\n"
    write("k.cl", recursive + "kernel void run(global int *to) { *to = 0; }\n")
    assert NOTICE in openclsp("check", "--no-fixes", ".").out
    write("k.cl", recursive + "kernel void run(global int *to) { *to = sum(3); }\n")
    assert "warning[recursion]" in openclsp("check", "--no-fixes", ".").out


def test_a_function_of_the_host_with_its_name_is_another_one(openclsp, write) -> None:
    write("k.cl", SAMPLER.format("old_read") + KERNEL.format("0"))
    write("host.c", 'int main(void) { old_read(2); return build("k.cl"); }\n')
    assert NOTICE in openclsp("check", "--no-fixes", ".").out
    write("host.c", 'int main(void) { return build("k.cl", "-DREAD=old_read"); }\n')
    assert NOTICE not in openclsp("check", "--no-fixes", ".").out


def test_a_function_in_a_part_of_a_program(openclsp, write) -> None:
    write("part.cl", SAMPLER.format("old_read"))
    write("k.cl", '#include "part.cl"\n' + KERNEL.format("0"))
    assert NOTICE in openclsp("check", "--no-fixes", ".").out


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("k.cl", SAMPLER.format("old_read") + KERNEL.format("old_read(i)")),
        (
            "k.cl",
            SAMPLER.format("old_read") + "int two(int x) { return old_read(x); }\n" + KERNEL.format("two(0)"),
        ),
        ("k.cl", SAMPLER.format("old_read") + "#define READ old_read\n" + KERNEL.format("READ(i)")),
        ("k.cl", SAMPLER.format("old_read") + "#define READ(x) x##_read(i)\n" + KERNEL.format("READ(old)")),
        ("other.cl", "float4 old_read(read_only image2d_t i);\n" + KERNEL.format("old_read(i)")),
        ("host.c", 'char *text = "kernel void f(read_only image2d_t i) { old_read(i); }";\n'),
        ("k.cl", SAMPLER.format("old_read")),
    ],
)
def test_a_function_that_may_be_used(openclsp, write, name: str, text: str) -> None:
    write("k.cl", SAMPLER.format("old_read") + KERNEL.format("0"))
    write(name, text)
    assert "warning[sampler-scope]" in openclsp("check", "--no-fixes", ".").out


def test_a_kernel_that_no_host_names_may_be_used(openclsp, write) -> None:
    write("host.c", HOST)
    write("used.cl", FAULT.format("unnamed"))
    assert "warning[discarded-qualifiers]" in openclsp("check", "--no-fixes", ".").out
