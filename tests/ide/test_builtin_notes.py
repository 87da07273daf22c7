"""Hovers over names of built-in functions: overload, description and spaces."""

from __future__ import annotations

import pytest
from openclsp.ide.hover.hover import compute_hover
from openclsp.ide.hover.hover_rendering import render_markdown

from ..rules.analysis import NAME, analyse


def _shown(program: str, at: str, dialect: str = "CL1.2") -> str:
    found = compute_hover(analyse(program, dialect), NAME, program.index(at))
    return "" if found is None else render_markdown(found, lambda step: f"line {step.line}")


_KERNEL = """kernel void k(global float *g, local float *l, constant float *c) {
    g[0] = fract(g[1], l);
    async_work_group_copy(l, g, 4, 0);
    vload4(0, c);
    barrier(CLK_LOCAL_MEM_FENCE);
    to_global(g);
    read_pipe(g, l);
}
"""


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("fract", "float fract(float, local float *)"),
        ("fract", "x - floor(x)"),
        ("fract", "argument 2 points into global, local or private"),
        ("async", "event_t async_work_group_copy(local float *, global const float *, size_t, event_t)"),
        ("async", "pointers into (local, global) and (global, local)"),
        ("vload4", "argument 2 points into global, local, private or constant"),
        ("barrier", "reach the barrier"),
        ("to_global", "since OpenCL C 2.0"),
        ("read_pipe", "Reads a packet from the pipe"),
    ],
)
def test_the_overload_the_description_and_the_spaces(at: str, expected: str) -> None:
    assert expected in _shown(_KERNEL, at)


def test_generic_in_place_of_what_it_holds() -> None:
    assert "argument 2 points into generic (global, local or private)" in _shown(_KERNEL, "fract", "CL2.0")


def test_nothing_is_said_of_a_function_of_the_program() -> None:
    own = "int ctz(int x) { return x; }\nvoid f(int barrier) { ctz(barrier); }"
    assert "zero bits" not in _shown(own, "ctz(barrier)")
    assert "waits" not in _shown(own, "barrier)")
