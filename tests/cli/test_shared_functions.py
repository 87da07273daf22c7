"""Diagnostics of a helper that several kernels call hold for all of them."""

from __future__ import annotations

import json
from typing import Any

HELPER = "int load(int *p) { return to_local(p) ? 1 : *p; }\n"
FLOW_CODES = {"single-space", "address-function", "several-spaces"}


def flow_codes(ran: Any) -> dict[str, set[str]]:
    """The codes of the findings that depend on the flow, by file."""
    found = {
        file["path"]: {each["code"] for each in file["diagnostics"]} & FLOW_CODES
        for file in json.loads(ran.out)["files"]
    }
    return {path: codes for path, codes in found.items() if codes}


def test_a_helper_of_a_header(openclsp: Any, write: Any) -> None:
    write("load.h", HELPER)
    write("a.cl", '#include "load.h"\nkernel void a(global int *g) { g[0] = load(g); }\n')
    write("b.cl", '#include "load.h"\nkernel void b(local int *l) { l[0] = load(l); }\n')
    for paths in ((".",), ("load.h",), ("a.cl",), ("b.cl", "load.h")):
        assert flow_codes(openclsp("check", "--std", "CL2.0", "--format", "json", *paths)) == {}


def test_a_prototype_in_another_file(openclsp: Any, write: Any) -> None:
    write("a.cl", HELPER + "kernel void a(global int *g) { g[0] = load(g); }\n")
    arguments = ("check", "--std", "CL2.0", "--format", "json", "a.cl")
    assert flow_codes(openclsp(*arguments)) == {"a.cl": {"single-space", "address-function"}}
    write("b.cl", "int load(int *p);\nkernel void b(local int *l) { l[0] = load(l); }\n")
    assert flow_codes(openclsp(*arguments)) == {}
    assert "other files may call `load`" in openclsp("hover", "--std", "CL2.0", "a.cl:1:15").out


def test_a_kernel_file_that_another_includes(openclsp: Any, write: Any) -> None:
    write("a.cl", HELPER + "kernel void a(global int *g) { g[0] = load(g); }\n")
    write("b.cl", '#include "a.cl"\nkernel void b(local int *l) { l[0] = load(l); }\n')
    assert flow_codes(openclsp("check", "--std", "CL2.0", "--format", "json", ".")) == {}
    assert flow_codes(openclsp("check", "--std", "CL2.0", "--format", "json", "a.cl")) == {}


def test_fix_leaves_a_shared_helper_alone(openclsp: Any, write: Any) -> None:
    path = write("load.h", HELPER)
    write("a.cl", '#include "load.h"\nkernel void a(global int *g) { g[0] = load(g); }\n')
    write("b.cl", '#include "load.h"\nkernel void b(local int *l) { l[0] = load(l); }\n')
    openclsp("check", "--std", "CL2.0", "--fix", "a.cl")
    assert path.read_text(encoding="utf-8") == HELPER
