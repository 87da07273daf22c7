"""`check` with text output, as shown in a terminal."""

from __future__ import annotations

import json
import re

import pytest
from openclsp.cli.redundant_diagnostics import RedundancyKey, find_redundant
from openclsp.rules.finding import Severity

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


def test_another_language_version_is_suggested_with_both_ways_to_choose_it(openclsp, write):
    write("k.cl", "int counter = 0;\n")
    title = "Check this workspace as OpenCL C 2.0 (-cl-std=CL2.0 in compile_flags.txt, or --std CL2.0)"
    assert title in openclsp("check", "k.cl").out


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
    # An option of the command line overrides the environment.
    assert re.search("\x1b\\[[0-9;]*3[0-9]m", openclsp("check", "--color", "always", "k.cl").out)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR")
    assert "\x1b[" not in openclsp("check", "--color", "never", "k.cl").out
    assert openclsp("check", "--color", "red", "k.cl").code == 2


def test_cpp_for_opencl(openclsp, write):
    write("k.clcpp", "auto f() -> int;\n")
    ran = openclsp("check", "k.clcpp")
    lines = ran.out.splitlines()
    assert lines[0].startswith("k.clcpp:1:1: information[cpp-for-opencl]: C++ for OpenCL")
    assert lines[-1] == "1 file is C++ for OpenCL (not supported, not checked)."
    assert ran.code == 0


HINT = "kernel void hint(global thing *t) { t[0] = t[1]; }\n"
WARNING = "kernel void warning(global int *g) { global global int *p = g; }\n"


def headers(out: str) -> list[str]:
    """`path severity` of each diagnostic, in the order of the output."""
    return [
        " ".join(match.groups()) for match in re.finditer(r"^(\S+\.cl):\d+:\d+: (\w+)\[", out, re.MULTILINE)
    ]


def test_errors_come_before_all_else_in_a_file(openclsp, write):
    write("k.cl", HINT + WARNING + LOCAL_FROM_GLOBAL)
    ran = openclsp("check", "--no-fixes", "k.cl")
    assert headers(ran.out) == ["k.cl error", "k.cl warning", "k.cl hint"]


def test_errors_of_all_files_come_before_all_else(openclsp, write):
    write("a.cl", HINT)
    write("b.cl", WARNING + LOCAL_FROM_GLOBAL)
    write("c.cl", WARNING + LOCAL_FROM_GLOBAL)
    ran = openclsp("check", "--no-fixes", "c.cl", "a.cl", "b.cl")
    assert headers(ran.out) == ["b.cl error", "c.cl error", "b.cl warning"]


def test_names_that_only_the_host_can_define_are_listed_once_for_several_files(openclsp, write):
    both = "kernel void k(global thing *t, global item *i) { t[0] = i[0]; }\n"
    write("a.cl", HINT)
    write("b.cl", HINT)
    write("c.cl", both)
    write("d.cl", HINT.replace("thing", "item"))
    ran = openclsp("check", "--no-fixes", "a.cl", "b.cl", "c.cl", "d.cl")
    assert headers(ran.out) == []
    assert ran.out.splitlines()[-3:-1] == [
        "4 hint unknown-name",
        "Not defined in 4 files: `thing` and `item`; if the host defines them, pass them with -D.",
    ]
    assert headers(openclsp("check", "--no-fixes", "a.cl").out) == ["a.cl hint"]


def test_findings_of_one_rule_in_one_line_are_one(openclsp, write):
    write(
        "k.cl",
        "void g(int *p, int *q);\nvoid f(const int *a, const int *b) {\n    g(a, b);\n    g(b, a);\n}\n",
    )
    ran = openclsp("check", "--no-fixes", "k.cl")
    assert headers(ran.out) == ["k.cl warning"]
    repeated = "; the same at 1 other place in this file; similar at 1 other place in this line"
    assert ran.out.count(repeated + "; similar at 1 other place in this file") == 1
    assert "4 warnings" in ran.out


def test_one_fault_in_adjacent_lines_is_shown_once():
    keys = [
        RedundancyKey("k.cl", line, "rule", Severity.WARNING, f"`{name}` is wrong", (), cause=cause)
        for line, name, cause in (
            (6, "a", ("k.cl", 1)),
            (7, "b", ("k.cl", 4)),
            (9, "c", ("k.cl", 2)),
            (11, "d", None),
            (12, "e", None),
            (13, "f", None),
            (15, "g", None),
        )
    ]
    assert find_redundant(keys) == [None, None, 0, None, 3, 3, None]


def test_places_in_adjacent_lines_are_counted(openclsp, write):
    write(
        "k.cl",
        "#define SUM1(p) as_ulong((global char *)(p))\n"
        "#define SUM2(p) as_ulong((global short *)(p))\n"
        "\n"
        "#define SUM3(p) as_ulong((global int *)(p))\n"
        "kernel void k(global uint *p, global uchar *c, global float *f, global ushort *s) {\n"
        "    ulong n = SUM1(p);\n    n += SUM3(p);\n    p[0] = 1;\n    n += SUM2(p);\n"
        "    n += as_ulong(p);\n    n += as_ulong(c);\n    n += as_ulong(f);\n\n    n += as_ulong(s);\n"
        "}\n",
    )
    ran = openclsp("check", "--no-fixes", "k.cl", "--std", "CL1.2")
    shown = [line for line in ran.out.splitlines() if "warning[" in line]
    assert [line.split(":")[1] for line in shown] == ["6", "7", "10", "14"]
    assert shown[0].endswith("; similar at 1 other place through macros on adjacent lines")
    assert shown[2].endswith("; similar at 2 other places in adjacent lines")
    assert "7 warnings" in ran.out


def test_errors_in_adjacent_lines_are_all_shown(openclsp, write):
    write("k.cl", "kernel void k(global int *p) {\n    local int *a = p;\n    local int *b = p;\n}\n")
    assert openclsp("check", "--no-fixes", "k.cl").out.count("error[pointer-conversion]") == 2


def test_templates_are_named_in_the_summary_of_several_files(openclsp, write):
    template = "kernel void t(global ${type} *p) { p[0] = ${value}; }\n"
    write("a.cl", template)
    write("b.cl", "kernel void k(void) { }\n")
    ran = openclsp("check", "a.cl", "b.cl")
    assert headers(ran.out) == []
    assert "1 file is a template, for which only some rules are checked: a.cl." in ran.out.splitlines()
    assert "hint[template]" in openclsp("check", "a.cl").out


def test_one_message_is_shown_once_a_file_and_errors_each_time(openclsp, write):
    called = (
        "kernel void inner(global int *p) { local int x[2]; x[0] = p[0]; }\n"
        "kernel void outer(global int *p) {\n    inner(p);\n    inner(p);\n    inner(p);\n}\n"
    )
    write("a.cl", called + LOCAL_FROM_GLOBAL + LOCAL_FROM_GLOBAL.replace(" k(", " l("))
    write("b.cl", called)
    ran = openclsp("check", "--no-fixes", "a.cl", "b.cl")
    assert headers(ran.out) == ["a.cl error", "a.cl error", "a.cl warning"]
    assert ran.out.count("; the same at 2 other places in this file") == 1
    assert "The same fault is at b.cl:3:5." in ran.out.splitlines()


def test_a_copied_line_is_shown_once(openclsp, write):
    kernel = "kernel void k(global const int *q) {\n    %s\n}\n"
    names = ["a.cl", "b.cl", "c.cl", "d.cl", "e.cl"]
    for name in names:
        write(name, kernel % "global int *p = q;")
    write("f.cl", kernel % "global int *p = q + 1;")
    ran = openclsp("check", "--no-fixes", *names, "f.cl")
    assert headers(ran.out) == ["a.cl warning", "f.cl warning"]
    assert "The same fault is at b.cl:2:21, c.cl:2:21, d.cl:2:21 and 1 more." in ran.out.splitlines()
    assert "6 warnings" in ran.out


def test_how_often_each_code_was_found_stands_at_the_end(openclsp, write):
    write("a.cl", HINT + WARNING)
    write("b.cl", LOCAL_FROM_GLOBAL + LOCAL_FROM_GLOBAL.replace(" k(", " l("))
    ran = openclsp("check", "--no-fixes", "a.cl", "b.cl")
    assert ran.out.splitlines()[-5:] == [
        "2 error   pointer-conversion",
        "1 warning duplicate-space",
        "1 hint    unknown-name",
        "Not defined in 1 file: `thing`; if the host defines it, pass it with -D.",
        "2 errors, 1 warning and 1 hint in 2 files; 2 files checked as OpenCL C 1.2, the default of OpenCL compilers.",
    ]


def test_a_file_that_is_not_checked_to_its_end_is_said_not_to_be(openclsp, write):
    doubling = "".join(f"#define A{n + 1} A{n} A{n}\n" for n in range(30))
    write("k.cl", f"#define A0 0 +\n{doubling}constant int x = A30 0;\n")
    write("openclsp.toml", '[severity]\nexpansion-too-large = "information"\n')
    ran = openclsp("check", "k.cl")
    assert "information[expansion-too-large]" in ran.out
    assert "\nk.cl was not checked completely.\n" in ran.out
    assert json.loads(openclsp("check", "--format", "json", "k.cl").out)["files"][0]["complete"] is False


def test_a_file_that_cannot_be_read_does_not_hide_the_others(openclsp, write):
    write("k.cl", "kernel void k(void) {}\n")
    write("large.cl", b" " * (16 * 1024 * 1024 + 1))
    ran = openclsp("check", "k.cl", "large.cl")
    assert ran.code == 2
    assert ran.err == "openclsp: large.cl is larger than 16 MB; it is not checked\n"
    assert ran.out.splitlines() == [
        "1 file not checked: large.cl.",
        "1 file checked as OpenCL C 1.2, the default of OpenCL compilers.",
    ]
    (left_out,) = json.loads(openclsp("check", "--format", "json", "k.cl", "large.cl").out)["notChecked"]
    assert left_out == {"path": "large.cl", "reason": "is larger than 16 MB"}


def test_an_internal_error_is_not_reported_as_no_errors(openclsp, write, monkeypatch: pytest.MonkeyPatch):
    def broken(*_: object, **__: object) -> object:
        raise RuntimeError("broken")

    write("k.cl", "kernel void k(void) {}\n")
    monkeypatch.setattr("openclsp.cli.unit_check.compute_diagnostics", broken)
    ran = openclsp("check", "k.cl")
    assert ran.code == 2
    assert "No errors" not in ran.out
    assert "internal error in the analysis: RuntimeError: broken" in ran.err


def test_missing_headers_of_several_files_are_listed_in_the_summary(openclsp, write):
    for number, header in enumerate(("lib/a.h", "lib/b.h", "c.h")):
        write(f"{number}.cl", f'#include "{header}"\n' + HINT.replace("thing", f"thing{number}"))
    ran = openclsp("check", "--no-fixes", "0.cl", "1.cl", "2.cl")
    assert headers(ran.out) == []
    assert ran.out.splitlines()[-3:-1] == [
        "Not found in 3 files: `lib/a.h`, `lib/b.h` and `c.h`; if the host has them, pass their folders with -I.",
        "3 hints are not shown: a header that is not found may define the names.",
    ]
    assert "include-not-found]" in openclsp("check", "0.cl").out


def test_a_missing_header_with_a_reason_is_shown(openclsp, write):
    write("a/x.h", "")
    write("b/x.h", "")
    write("k.cl", '#include "x.h"\n')
    write("l.cl", '#include "y.h"\n')
    ran = openclsp("check", "--no-fixes", ".")
    assert headers(ran.out) == ["./k.cl hint"]
    assert "Not found in 1 file: `y.h`; if the host has it, pass its folder with -I." in ran.out.splitlines()


def test_headers_outside_of_the_project_are_counted(openclsp, write):
    write("k.cl", '#include "/usr/lib/kernels/types.h"\n')
    ran = openclsp("check", "--no-fixes", ".")
    assert headers(ran.out) == []
    assert (
        "1 diagnostic is not shown: about headers outside of the project, for --readable-folder: ./k.cl."
    ) in ran.out.splitlines()
    assert headers(openclsp("check", "--no-fixes", "k.cl").out) == ["k.cl hint"]


def test_a_folder_with_one_kernel_has_the_hints_in_the_summary(openclsp, write):
    write("k.cl", HINT)
    ran = openclsp("check", "--no-fixes", ".")
    assert headers(ran.out) == []
    assert "Not defined in 1 file: `thing`; if the host defines it, pass it with -D." in ran.out.splitlines()
    assert headers(openclsp("check", "--no-fixes", "k.cl").out) == ["k.cl hint"]


SINGLE = (
    "float first(const float *values) { return values[0]; }\n"
    "kernel void %s(global float *data) { data[0] = first(data); }\n"
)


def test_generic_pointers_that_need_one_address_space_are_counted(openclsp, write):
    write("a.cl", SINGLE % "k")
    write("b.cl", SINGLE.replace("first", "last") % "l" + "kernel void m(queue_t queue) { }\n")
    ran = openclsp("check", "--no-fixes", "--std", "CL2.0", ".")
    assert headers(ran.out) == []
    assert (
        "2 diagnostics are not shown: about pointers that need no generic address space, or about `__generic`: "
        "./a.cl and ./b.cl."
    ) in ran.out.splitlines()
    assert headers(openclsp("check", "--no-fixes", "--std", "CL2.0", "a.cl").out) == ["a.cl hint"]


def test_a_line_with_other_numbers_is_a_copy(openclsp, write):
    for size in (4, 8):
        write(
            f"{size}.cl",
            f"kernel void k(global const int *q) {{\n    global int *p{size} = q +  {size};\n}}\n",
        )
    write("9.cl", "kernel void k(global const int *q) {\n    global int *other = &q[4];\n}\n")
    ran = openclsp("check", "--no-fixes", ".")
    assert headers(ran.out) == ["./4.cl warning", "./9.cl warning"]
    assert "The same fault is at ./8.cl:2:22." in ran.out.splitlines()


def test_a_fault_in_copies_of_a_function_is_shown_once(openclsp, write):
    copy = "void copy(%sint *to, %sint *from) { *to = *from; }\n"
    call = "kernel void k(global const int *q, global int *p) {\n    copy(%s, q);\n}\n"
    write("a.cl", copy % ("global ", "global ") + call % "p")
    write("b.cl", copy % ("global ", "global ") + call % "p + 1")
    write("c.cl", copy.replace("copy", "move") % ("global ", "global ") + call.replace("copy", "move") % "p")
    ran = openclsp("check", "--no-fixes", ".")
    assert headers(ran.out) == ["./a.cl warning", "./c.cl warning"]
    assert "The same fault is at ./b.cl:3:17." in ran.out.splitlines()


def test_what_a_macro_does_in_two_files_is_shown_once_with_both_places(openclsp, write):
    """Repeated findings without names are no list of names."""
    kernel = "void f(const int *p) {\n    int x = FIRST(p);\n    int y = FIRST(p);\n}\n"
    define = "#define FIRST(p) ({ int *first = (p); first[0]; })\n"
    write("a.cl", define + kernel)
    write("b.cl", define + kernel)
    ran = openclsp("check", "--no-fixes", "a.cl", "b.cl")
    assert headers(ran.out) == ["a.cl warning"]
    assert "The same fault is at b.cl:3:13." in ran.out.splitlines()
