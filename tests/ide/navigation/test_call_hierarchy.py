"""The functions that call a function, and those that it calls, through macros and headers."""

from __future__ import annotations

from openclsp.ide.navigation.call_hierarchy import find_callees, find_callers, function_at
from openclsp.workspace.include_graph import IncludeGraph
from openclsp.workspace.name_index import NameIndex, ProjectNames

from ...semantics.units import ROOT, Headers, unit_of

HEADER = b"float area(float x);\n#define AREA(x) area(x)\n"
KERNEL = b"""\
#include "h.h"
float area(float x) { return x * sqrt(x); }
float both(float x) { return area(x) + AREA(x); }
kernel void k(global float *p) { p[0] = both(p[1]); p[1] = both(p[2]) + area(1); }
"""


def calls(text: bytes, name: str, *, callers: bool) -> list[tuple[str, bool, list[str]]]:
    unit = unit_of(text, headers=Headers({"h.h": HEADER}))
    names = ProjectNames(IncludeGraph(), NameIndex(), {})
    found = find_callers(unit, name, tuple, lambda: names) if callers else find_callees(unit, name)
    return [
        (
            each.function.name,
            each.function.is_kernel,
            [text[call.start : call.end].decode() for call in each.calls],
        )
        for each in found
    ]


def test_callers() -> None:
    assert calls(KERNEL, "area", callers=True) == [
        ("both", False, ["area", "AREA"]),
        ("k", True, ["area"]),
    ]
    assert calls(KERNEL, "k", callers=True) == []


def test_callees() -> None:
    assert calls(KERNEL, "k", callers=False) == [
        ("both", False, ["both", "both"]),
        ("area", False, ["area"]),
    ]
    assert calls(KERNEL, "area", callers=False) == []


def test_only_functions_of_the_program_have_a_hierarchy() -> None:
    unit = unit_of(KERNEL, headers=Headers({"h.h": HEADER}))
    found = function_at(unit, ROOT, KERNEL.index(b"area(x) +"))
    assert found is not None and found.name == "area"
    assert KERNEL[found.whole.start : found.whole.end] == b"float area(float x) { return x * sqrt(x); }"
    assert function_at(unit, ROOT, KERNEL.index(b"sqrt")) is None
    assert function_at(unit, ROOT, KERNEL.index(b"p[0]")) is None
    assert function_at(unit, ROOT, KERNEL.index(b"AREA")) is None
