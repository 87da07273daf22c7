"""`expand FILE:LINE:COLUMN` and `expand FILE`."""

from __future__ import annotations

import json

KERNEL = """\
#define TWO(x) (x, x)
kernel void k(global int *p) { p[0] = TWO(3); }
"""


def test_a_macro(openclsp, write):
    write("k.cl", KERNEL)
    ran = openclsp("expand", "k.cl:2:39")
    assert ran.code == 0
    assert ran.out == "// k.cl, line 2\nTWO(3)\n\n// 1. #define TWO(x) (x, x)\n(3, 3)\n"
    assert json.loads(openclsp("expand", "--format", "json", "k.cl:2:39").out) == {
        "version": 1,
        "name": "TWO",
        "definition": "TWO(x) (x, x)",
        "written": "TWO(3)",
        "path": "k.cl",
        "range": {"start": {"line": 2, "column": 39}, "end": {"line": 2, "column": 42}},
        "steps": [{"definition": "TWO(x) (x, x)", "text": "(3, 3)"}],
    }


def test_a_file(openclsp, write, tmp_path):
    write("k:1:1.cl", KERNEL)
    ran = openclsp("expand", "k:1:1.cl")
    assert ran.code == 0
    first, *others = ran.out.splitlines()
    assert first.endswith('k:1:1.cl"')
    assert others == ["", "kernel void k(global int *p) { p[0] = (3, 3); }"]
    assert json.loads(openclsp("expand", "--format", "json", "k:1:1.cl").out)["text"] == ran.out


def test_there_is_none(openclsp, write):
    write("k.cl", KERNEL)
    ran = openclsp("expand", "k.cl:2:1")
    assert (ran.code, ran.out, ran.err) == (2, "", "openclsp: there is no macro at k.cl:2:1\n")
    assert openclsp("expand", "missing.cl").code == 2
