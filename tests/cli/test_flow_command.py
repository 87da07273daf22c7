"""`flow FILE:LINE:COLUMN`."""

from __future__ import annotations

import json
import xml.etree.ElementTree as xml

KERNEL = """\
void helper(int *p) {
    *p = 1;
}
kernel void run(global int *g, local int *l) {
    helper(g);
    helper(l);
    global int *named = g;
}
"""


def test_every_field_of_the_json(openclsp, write):
    write("k.cl", KERNEL)
    ran = openclsp("flow", "--std", "CL2.0", "--format", "json", "k.cl:2:6")
    assert ran.code == 0

    def step(line: int, first: int, what: str) -> dict[str, object]:
        ends = {"start": {"line": line, "column": first}, "end": {"line": line, "column": first + 1}}
        return {"path": "k.cl", "range": ends, "what": what}

    def caller(space: str, line: int) -> dict[str, object]:
        place = step(line, 12, "")
        known = {"null": False, "unknown": False, "function": "run", "kernel": True}
        return {"spaces": [space], **known, "path": place["path"], "range": place["range"]}

    assert json.loads(ran.out) == {
        "version": 1,
        "name": "p",
        "declared": "generic int *private p",
        "function": "helper",
        "reached": True,
        "more_chains": False,
        "flow": {
            "spaces": ["global", "local"],
            "null": False,
            "unknown": False,
            "witnesses": [
                {
                    "space": "global",
                    "steps": [
                        step(4, 29, "kernel parameter `g`"),
                        step(5, 12, "argument of `helper`"),
                        step(1, 18, "parameter `p`"),
                    ],
                },
                {
                    "space": "local",
                    "steps": [
                        step(4, 43, "kernel parameter `l`"),
                        step(6, 12, "argument of `helper`"),
                        step(1, 18, "parameter `p`"),
                    ],
                },
            ],
            "callers": [caller("global", 5), caller("local", 6)],
        },
    }


def test_svg_is_a_document(openclsp, write):
    write("k.cl", KERNEL)
    ran = openclsp("flow", "--std", "CL2.0", "k.cl:2:6")
    assert ran.code == 0
    root = xml.fromstring(ran.out)
    written = ["".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"kernel run", "helper", "kernel parameter g", "k.cl:4", "argument of helper", "k.cl:6"} <= set(
        written
    )


def test_mermaid(openclsp, write):
    write("k.cl", KERNEL)
    out = openclsp("flow", "--std", "CL2.0", "--format", "mermaid", "k.cl:2:6").out
    assert out.startswith("flowchart LR\n")
    assert '    s0 -->|"argument of helper<br/>k.cl:5"| s1\n' in out


def test_through_a_header(openclsp, write):
    write("h.clh", "void helper(int *p) { *p = 1; }\n")
    write("k.cl", '#include "h.clh"\nkernel void run(global int *g) { helper(g); }\n')
    found = json.loads(openclsp("flow", "--std", "CL2.0", "--format", "json", "h.clh:1:24").out)
    (witness,) = found["flow"]["witnesses"]
    assert [(each["path"], each["what"]) for each in witness["steps"]] == [
        ("k.cl", "kernel parameter `g`"),
        ("k.cl", "argument of `helper`"),
        ("h.clh", "parameter `p`"),
    ]


def test_where_nothing_flows(openclsp, write):
    write("k.cl", KERNEL)
    for place, std, message in (
        (
            "k.cl:7:17",
            "CL2.0",
            "there is no generic pointer at k.cl:7:17 (OpenCL C 2.0, from --std CL2.0 on the command line)",
        ),
        (
            "k.cl:2:6",
            "CL1.2",
            "there is no generic address space in OpenCL C 1.2, from --std CL1.2 on the command line: every pointer has a fixed one",
        ),
        ("k.cl:99:1", "CL2.0", "line 99 is outside k.cl, which has lines 1 to 9"),
    ):
        ran = openclsp("flow", "--std", std, place)
        assert (ran.code, ran.out, ran.err.strip()) == (2, "", f"openclsp: {message}"), place


def test_every_chain(openclsp, write):
    write("k.cl", KERNEL.replace("    helper(l);\n", "    helper(g);\n"))
    lines = {}
    for options in ((), ("--every-chain",)):
        ran = openclsp("flow", "--std", "CL2.0", "--format", "text", *options, "k.cl:2:6")
        lines[options] = [line.strip() for line in ran.out.splitlines() if "argument of" in line]
    assert lines[()] == ["argument of `helper` at k.cl:5:12"]
    assert lines["--every-chain",] == [
        "argument of `helper` at k.cl:5:12",
        "argument of `helper` at k.cl:6:12",
    ]


def test_a_function_that_expands_differently_in_another_program(openclsp, write):
    write("h.cl", "#pragma once\nvoid put(int *p) {\n#ifdef ADD\n    *p += 1;\n#endif\n    *p = 1;\n}\n")
    write("a.cl", '#include "h.cl"\nkernel void other(global int *g) { g[0] = 1; }\n')
    write("b.cl", '#define ADD\n#include "h.cl"\nkernel void run(global int *g) { put(g); }\n')
    # the parameter is the same in both
    assert "  holds {global}\n" in openclsp("flow", "--std", "CL2.0", "--format", "text", "h.cl:2:15").out
    inside = openclsp("flow", "--std", "CL2.0", "--format", "text", "h.cl:6:6").out
    assert "holds an unknown pointer" in inside
    assert "`put` expands differently in `b.cl`" in inside
