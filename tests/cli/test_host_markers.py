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


@pytest.mark.parametrize("marker", ["EndDefaults%", "END@", "END-OF-DEFAULTS", "End.1"])
def test_a_definition_that_the_host_searches_for_is_no_macro(openclsp, write, marker):
    write("k.cl", KERNEL % f"#define {marker}")
    assert "macro-definition]" in openclsp("check", ".").out
    write("host.rs", f'use ocl::Kernel;\nlet code = include_str!("k.cl").split("{marker}").last();\n')
    assert "macro-definition]" not in openclsp("check", ".").out
    assert "macro-definition]" not in openclsp("check", "k.cl").out


@pytest.mark.parametrize("line", ["#define HALF% 2", "#define EndDefaults% 1"])
def test_a_definition_with_more_than_a_marker_is_a_macro(openclsp, write, line):
    write("k.cl", KERNEL % line)
    write("host.rs", 'use ocl::Kernel;\nlet code = include_str!("k.cl").split("EndDefaults%").last();\n')
    assert "macro-definition]" in openclsp("check", ".").out
