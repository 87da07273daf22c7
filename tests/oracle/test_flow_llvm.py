"""LLVM's inferred spaces for amdgcn are in the flow analysis; more: `python -m tests.oracle.flow_llvm`."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..flow.printing import printed
from ..flow.random_programs import random_program
from ..language.clang import needs_clang
from .flow_llvm import OPT, compared

KERNEL = """\
int read(int *p) {
    return *p;
}
int either(int *p) {
    return *p;
}
kernel void k(global int *g, local int *l, int n) {
    g[0] = read(l) + either(l) + either(g);
    int *q = g + n;
    *q = n;
}
"""
needs_opt = pytest.mark.skipif(OPT is None, reason="opt-22, which infers address spaces, is not installed")


@needs_clang
@needs_opt
def test_a_line_of_one_space(tmp_path: Path) -> None:
    """Line 5 accesses two spaces, but LLVM already knows the value of the other read; our answer shows its chain."""
    file = tmp_path / "kernel.cl"
    file.write_text(KERNEL)
    lines = compared(file, "CL2.0", ())
    assert lines is not None
    assert [(each.line, each.space, each.verdict) for each in lines] == [
        (2, "local", "equal"),
        (5, "global", "more"),
        (10, "global", "equal"),
    ]
    assert "line 8" in str(lines[1])


@needs_clang
@needs_opt
@pytest.mark.parametrize("profile", ["variables", "asking", "memory"])
def test_generated_programs(profile: str, tmp_path: Path) -> None:
    found = []
    for seed in range(4):
        file = tmp_path / f"{seed}.cl"
        file.write_text(printed(random_program(seed, profile)).text)
        found += compared(file, "CL2.0", ()) or []
    assert [str(each) for each in found if each.verdict == "missed"] == []
    assert found
