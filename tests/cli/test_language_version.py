"""The language version detected from files, in summaries, hovers and JSON."""

from __future__ import annotations

import json

NEWER = """kernel void k(global int *g, local int *l) {
    int *p = g;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    p = l;
}
"""
OLDER = "kernel void k(global int *g) {\n    global int *p = g;\n    barrier(CLK_LOCAL_MEM_FENCE);\n}\n"
SHOWN = "requires OpenCL C 2.0 or later"


def test_one_file_with_its_evidence(openclsp, write):
    write("k.cl", NEWER)
    ran = openclsp("check", "k.cl")
    assert ran.out == (
        f"No errors; 1 file checked as OpenCL C 2.0, because `work_group_barrier` in line 3 {SHOWN}.\n"
    )


def test_the_file_is_named_where_there_are_others(openclsp, write):
    write("new.cl", NEWER)
    write("old.cl", OLDER)
    assert openclsp("check", "new.cl", "old.cl").out.splitlines() == [
        "No errors; 2 files checked:",
        f"  1 file as OpenCL C 2.0, because `work_group_barrier` in line 3 of new.cl {SHOWN}",
        "  1 file as OpenCL C 1.2, the default of OpenCL compilers",
    ]


def test_several_files_with_an_example(openclsp, write):
    write("a.cl", NEWER)
    write("b.cl", "kernel void k(global atomic_int *a) {}\n")
    (line,) = openclsp("check", "a.cl", "b.cl").out.splitlines()
    reason = "inferred from what they use, such as `work_group_barrier` in line 3 of a.cl"
    assert line == f"No errors; 2 files checked as OpenCL C 2.0, {reason}."


def test_evidence_in_a_header(openclsp, write):
    write(
        "wait.h", "#define WAIT() work_group_barrier(CLK_LOCAL_MEM_FENCE)\ninline void wait() { WAIT(); }\n"
    )
    write("k.cl", '#include "wait.h"\nkernel void k(global int *g) { int *p = g; }\n')
    assert f"because `work_group_barrier` in line 2 of wait.h {SHOWN}" in openclsp("check", "k.cl").out


def test_json_and_hover(openclsp, write):
    write("k.cl", NEWER)
    (file,) = json.loads(openclsp("check", "--format", "json", "k.cl").out)["files"]
    assert (file["dialect"], file["diagnostics"]) == ("CL2.0", [])
    out = openclsp("hover", "k.cl:2:10").out
    assert out.startswith("generic int *private p\n")
    assert f"OpenCL C 2.0, because `work_group_barrier` in line 3 {SHOWN}" in out


def test_an_option_goes_before_it(openclsp, write):
    write("k.cl", NEWER)
    ran = openclsp("check", "--std", "CL1.2", "k.cl")
    assert ran.code == 1
    assert "no address space is specified (OpenCL C 1.2)" in ran.out


def test_openclsp_toml_goes_before_it(openclsp, write):
    write("openclsp.toml", 'language-version = "CL3.0"\n')
    write("k.cl", NEWER)
    assert openclsp("check", "k.cl").out.endswith("checked as OpenCL C 3.0, from openclsp.toml.\n")


def test_standard_input(openclsp):
    ran = openclsp("check", "-", stdin=NEWER.encode())
    assert "OpenCL C 2.0, because `work_group_barrier`" in ran.out
