"""What is written about a file with thousands of faults does not grow with their number."""

from __future__ import annotations

import json
from typing import Any

HEAD = "kernel void k(global int *g, local int *l) {\n"


def test_no_more_is_written_for_more_faults(openclsp: Any, write: Any) -> None:
    write("few.cl", HEAD + "l = g;\n" * 1_100 + "}\n")
    write("many.cl", HEAD + "l = g;\n" * 6_000 + "}\n")
    few = openclsp("check", "--no-fixes", "few.cl").out
    many = openclsp("check", "--no-fixes", "many.cl").out
    assert len(many) < 1.05 * len(few)
    assert "warning[too-many-diagnostics]: not shown: 5,000 more errors in this file" in many
    assert "many.cl has more diagnostics than are shown." in many
    (file,) = json.loads(openclsp("check", "--no-fixes", "--format", "json", "many.cl").out)["files"]
    assert file["complete"] is False
    assert len(file["diagnostics"]) == 1_001
