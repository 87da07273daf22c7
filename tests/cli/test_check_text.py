"""`check` for reading: what stands in the terminal, as a person sees it."""

from __future__ import annotations

import re

import pytest

LOCAL_FROM_GLOBAL = """\
kernel void k(global int *g) {
    int n = 0;
    local int *l = g;
}
"""


def test_an_error_with_its_lines_marks_and_fix(openclsp, write):
    write("k.cl", LOCAL_FROM_GLOBAL)
    ran = openclsp("check", "k.cl")
    lines = ran.out.splitlines()
    assert re.fullmatch(r"k\.cl:3:20: error\[pointer-conversion\]: .*global.*local.*", lines[0])
    picture = "\n".join(line.split(" `")[0].split(" the target")[0] for line in lines[1:])
    assert picture.startswith(
        """\
  |
1 | kernel void k(global int *g) {
  |               ------
.
3 |     local int *l = g;
  |                    ^
  |     -----
  |
  fix: """
    )
    assert "3 -     local int *l = g;\n3 +     global int *l = g;\n" in ran.out
    assert lines[-1] == "1 error; 1 file checked as OpenCL C 1.2, the default of OpenCL compilers."
    assert ran.err == ""
    assert ran.code == 1


def test_no_errors(openclsp, write):
    write("k.cl", "kernel void k(void) {}\n")
    ran = openclsp("check", "--std", "CL3.0", "k.cl")
    assert ran.out == "No errors; 1 file checked as OpenCL C 3.0, from --std CL3.0 on the command line.\n"
    assert ran.code == 0


def test_the_summary_counts_and_tells_each_dialect(openclsp, write):
    write("new/compile_flags.txt", "-cl-std=CL2.0\n")
    write("new/a.cl", "kernel void k(global int *g) { global global int *p = g; }\n")
    write("old/b.cl", LOCAL_FROM_GLOBAL)
    write("old/c.cl", "kernel void k(void) {}\n")
    ran = openclsp("check", "new", "old")
    assert ran.out.splitlines()[-3:] == [
        "1 error and 1 warning in 2 files; 3 files checked:",
        "  1 file as OpenCL C 2.0, from -cl-std=CL2.0 in compile_flags.txt",
        "  2 files as OpenCL C 1.2, the default of OpenCL compilers",
    ]


def test_no_fixes(openclsp, write):
    write("k.cl", LOCAL_FROM_GLOBAL)
    assert "fix:" not in openclsp("check", "--no-fixes", "k.cl").out


def test_another_language_version_is_told_with_both_ways_to_choose_it(openclsp, write):
    write("k.cl", "int counter = 0;\n")
    told = "Check this workspace as OpenCL C 2.0 (-cl-std=CL2.0 in compile_flags.txt, or --std CL2.0)"
    assert told in openclsp("check", "k.cl").out


def marks_below(out: str, line: str) -> str:
    """The row of marks below that line of source."""
    lines = out.splitlines()
    (at,) = [number for number, shown in enumerate(lines) if shown.endswith(f"| {line}")]
    return lines[at + 1]


def test_tabs_and_wide_characters(openclsp, write):
    write("k.cl", "kernel void k(global int *g) {\n\t/* 漢字 */\tlocal int *l = g;\n}\n")
    out = openclsp("check", "k.cl").out
    # the first tab ends at the fourth cell, the second at the sixteenth; a wide character takes two cells
    shown = "    /* 漢字 */  local int *l = g;"
    cells = 16 + len("local int *l = ")
    assert marks_below(out, shown) == f"  | {' ' * cells}^"


def test_a_long_line_is_cut_around_the_mark(openclsp, write):
    before, after = (" ".join(f"int {name}{number} = {number};" for number in range(2000)) for name in "vw")
    write("k.cl", f"kernel void k(global int *g) {{ {before} local int *l = g; {after} }}\n")
    out = openclsp("check", "--no-fixes", "k.cl").out
    assert all(len(line) <= 150 for line in out.splitlines() if "|" in line)
    (shown,) = [line for line in out.splitlines() if "local int *l = g;" in line]
    assert shown.startswith("1 | …")
    assert shown.endswith("…")
    (row,) = [line for line in out.splitlines() if line.endswith("^")]
    assert shown[row.index("^")] == "g"
    assert shown[row.index("^") - 2] == "="


def test_an_excerpt_in_a_header(openclsp, write):
    write("inc/take.clh", "void take(local int *l);\n")
    write("k.cl", '#include "inc/take.clh"\nkernel void k(global int *g) { take(g); }\n')
    out = openclsp("check", "k.cl").out
    assert "\n ::: inc/take.clh:1:11\n1 | void take(local int *l);\n  |           -----" in out


def test_nothing_in_a_file_moves_the_cursor(openclsp, write):
    write(
        "k.cl",
        "kernel void k(global int *g) { /* \x1b[2J\x07\r\n \u202e\u2066 \x9b1m */ local int *l = g; }\n",
    )
    out = openclsp("check", "k.cl").out
    assert not {"\x1b", "\x07", "\r", "\u202e", "\u2066", "\x9b"} & set(out)


def test_colours_only_where_they_are_wanted(openclsp, write, monkeypatch: pytest.MonkeyPatch):
    write("k.cl", LOCAL_FROM_GLOBAL)
    assert "\x1b[" not in openclsp("check", "k.cl").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    coloured = openclsp("check", "k.cl").out
    assert "\x1b[" in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    uncoloured = openclsp("check", "k.cl").out
    assert not re.search("\x1b\\[[0-9;]*3[0-9]m", uncoloured)
    monkeypatch.delenv("FORCE_COLOR")
    assert "\x1b[" not in openclsp("check", "k.cl").out


def test_cpp_for_opencl(openclsp, write):
    write("k.clcpp", "auto f() -> int;\n")
    ran = openclsp("check", "k.clcpp")
    lines = ran.out.splitlines()
    assert lines[0].startswith("k.clcpp:1:1: information[cpp-for-opencl]: C++ for OpenCL")
    assert lines[-1] == "1 file is C++ for OpenCL, which is not supported, and not checked."
    assert ran.code == 0
