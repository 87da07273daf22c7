"""`hover FILE:LINE:COLUMN`."""

from __future__ import annotations

import json

import pytest

KERNEL = """\
kernel void k(global int *g) {
    int *p = g;
}
"""


def test_every_field_of_the_json(openclsp, write):
    write("k.cl", KERNEL)
    ran = openclsp("hover", "--format", "json", "k.cl:2:10")
    assert ran.code == 0
    assert json.loads(ran.out) == {
        "version": 1,
        "type": "private int *private p",
        "spaces": ["private", "private"],
        "why": [
            {
                "space": "private",
                "level": 0,
                "reason": "variables in functions are private unless qualified",
                "path": "k.cl",
                "range": {"start": {"line": 2, "column": 9}, "end": {"line": 2, "column": 10}},
            },
            {
                "space": "private",
                "level": 1,
                "reason": "an unqualified pointee is private where there is no generic address space",
                "path": "k.cl",
                "range": {"start": {"line": 2, "column": 5}, "end": {"line": 2, "column": 8}},
            },
        ],
        "flow": None,
        "documentation": [],
        "notes": [],
        "dialect": "CL1.2",
    }


def test_the_dialect_decides(openclsp, write):
    write("k.cl", KERNEL)
    found = json.loads(openclsp("hover", "--std", "CL2.0", "--format", "json", "k.cl:2:10").out)
    assert found["spaces"] == ["private", "generic"]
    assert found["type"] == "generic int *private p"
    assert found["dialect"] == "CL2.0"


def test_text(openclsp, write):
    write("k.cl", KERNEL)
    ran = openclsp("hover", "k.cl:1:27")
    assert ran.code == 0
    first, *_, last = ran.out.splitlines()
    assert first == "global int *private g"
    assert "  global   its pointee        written at k.cl:1:15" in ran.out.splitlines()
    assert last == "OpenCL C 1.2, the default of OpenCL compilers"


@pytest.mark.parametrize("name", ["a b.cl", "12:3.cl", "C:\\k.cl:4.cl", "größe %20.cl"])
def test_paths_with_colons_and_blanks(openclsp, write, name):
    write(name, KERNEL)
    found = json.loads(openclsp("hover", "--format", "json", f"{name}:1:27").out)
    assert found["type"] == "global int *private g"
    assert {why["path"] for why in found["why"]} <= {name}


def test_nothing_stands_there(openclsp, write):
    write("k.cl", f"{KERNEL}\n")
    ran = openclsp("hover", "--format", "json", "k.cl:4:1")
    assert ran.code == 0
    assert json.loads(ran.out) == {
        "version": 1,
        "type": None,
        "spaces": [],
        "why": [],
        "flow": None,
        "documentation": [],
        "notes": [],
        "dialect": "CL1.2",
    }
    assert openclsp("hover", "k.cl:4:1").out == "Nothing at k.cl:4:1 has a type.\n"


def test_a_reason_in_a_header(openclsp, write):
    write("sub/types.clh", "typedef global float *Samples;\n")
    write("sub/k.cl", '#include "types.clh"\nkernel void k(Samples s) {}\n')
    found = json.loads(openclsp("hover", "--format", "json", "sub/k.cl:2:23").out)
    pointee = found["why"][1]
    assert pointee["space"] == "global"
    assert pointee["path"] == "sub/types.clh"
    assert pointee["range"]["start"] == {"line": 1, "column": 9}


def test_a_level_that_is_written_nowhere_has_no_place(openclsp, write):
    write("k.cl", 'kernel void k(global int *g) { g[0] = "abc"[1]; }\n')
    found = json.loads(openclsp("hover", "--format", "json", "k.cl:1:41").out)
    assert found["spaces"][-1] == "constant"
    assert {(why["path"], why["range"]) for why in found["why"] if why["space"] == "constant"} == {
        (None, None)
    }


def test_what_a_pointer_without_a_qualifier_would_hold(openclsp, write):
    write("k.cl", KERNEL)
    lines = openclsp("hover", "k.cl:2:10").out.splitlines()
    assert lines[-5:-1] == [
        "  no address space is specified: if it were generic, it would hold {global}",
        "    global",
        "      kernel parameter `g` at k.cl:1:27",
        "      `p` at k.cl:2:9",
    ]
    write("private.cl", "kernel void k(void) { int x; int *p = &x; *p = 1; }\n")
    assert "would hold" not in openclsp("hover", "private.cl:1:35").out
