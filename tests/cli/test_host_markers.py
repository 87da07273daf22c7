"""Lines of a kernel file that only its host reads: where it splits the text, or what it cuts out."""

from __future__ import annotations

import pytest

KERNEL = """#ifndef LOADED
#define N 4
%s
#endif
kernel void k(global int *p) {
    p[0] = N;
}
"""


@pytest.mark.parametrize("marker", ["EndDefaults%", "END@", "END-OF-DEFAULTS"])
def test_a_definition_that_the_host_searches_for_is_no_macro(openclsp, write, marker):
    write("k.cl", KERNEL % f"#define {marker}")
    assert "macro-definition]" in openclsp("check", ".").out
    write("host.rs", f'use ocl::Kernel;\nlet code = include_str!("k.cl").split("{marker}").last();\n')
    assert "macro-definition]" not in openclsp("check", ".").out
    assert "macro-definition]" not in openclsp("check", "k.cl").out


@pytest.mark.parametrize(
    ("line", "word"),
    [("#define TILE=16", "TILE=16"), ("#define N-1", "N-1"), ("#define LOADED-NOW", "LOADED-NOW")],
)
def test_a_definition_that_may_be_meant_as_a_macro_is_no_marker(openclsp, write, line, word):
    write("k.cl", KERNEL.replace("N 4", "M 4") % line)
    write("host.py", f'import pyopencl\nprogram.build(["-D", "{word}"])\n')
    assert "macro-definition]" in openclsp("check", ".").out


@pytest.mark.parametrize("name", ["types.h", "detail/types.h", "types.inc"])
def test_the_name_of_a_header_that_the_host_includes_itself_is_no_marker(openclsp, write, name):
    write("k.cl", f'#include "{name}"\nkernel void k(global int *p) {{\n}}\n')
    write("host.c", f'#include "{name}"\n// OpenCL\nint n;\n')
    assert f"Not found in 1 file: `{name}`" in openclsp("check", ".").out


@pytest.mark.parametrize("line", ["#define HALF% 2", "#define EndDefaults% 1"])
def test_a_definition_with_more_than_a_marker_is_a_macro(openclsp, write, line):
    write("k.cl", KERNEL % line)
    write("host.rs", 'use ocl::Kernel;\nlet code = include_str!("k.cl").split("EndDefaults%").last();\n')
    assert "macro-definition]" in openclsp("check", ".").out
