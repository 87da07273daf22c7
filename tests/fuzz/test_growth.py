"""The work of an analysis grows linearly with the text, measured in function calls at two sizes."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from types import FrameType, ModuleType
from typing import Any

import pytest
from openclsp.semantics.items import surplus_braces
from openclsp.semantics.typing import typing_context
from openclsp.source import macro_calls, row_map
from openclsp.source.macro_calls import blank_call_arguments, blank_head_macros

from ..interpreted import interpreted
from ..semantics.units import unit_of
from .growing import NESTED, REPEATED
from .test_total import analysed

SIZE = 120
MOST = 2.6
"""How many times the work of the whole, at twice the size; 2 is linear."""

DEPTHS = (12, 24)
"""Within the bound of nesting, where doubled work at each level would be 4,096 times as much."""

LINEAR = (
    "one-line functions",
    "declarations of one name",
    "faults",
    "unknown words",
    "operands",
    "locals",
    "objects of pointers",
    "members used",
    "initialised records",
    "parameters",
    "ignore comments",
    "ignore codes",
    "#if pairs",
    "macros used",
    "pasted",
    "uses of a macro",
    "unclosed macro calls",
    "raw strings of other delimiters",
    "barriers in loops",
    "case",
)


def calls_of(action: Callable[[], object]) -> int:
    """Counts the calls of Python and built-in functions."""
    count = 0

    def counting(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counting)
    try:
        action()
    finally:
        sys.setprofile(None)
    return count


def steps_of(module: ModuleType, action: Callable[[], object]) -> int:
    """Counts the lines of a module that run, a measure of its loops."""
    count = 0

    def counting(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        if frame.f_code.co_filename != module.__file__:
            return None
        count += event == "line"
        return counting

    sys.settrace(counting)
    try:
        action()
    finally:
        sys.settrace(None)
    return count


def work(data: bytes) -> int:
    """Counts the calls of an analysis and of its diagnostics."""
    return calls_of(lambda: analysed(data))


@interpreted(typing_context)
@pytest.mark.parametrize("name", LINEAR)
def test_work_is_in_proportion_to_the_text(name: str) -> None:
    make = REPEATED[name]
    analysed(make(4))
    small, large, larger = (work(make(size)) for size in (SIZE, 2 * SIZE, 4 * SIZE))
    assert larger - large <= MOST * (large - small) + 2_000


@interpreted(macro_calls)
@pytest.mark.parametrize(
    "name",
    [
        "calls within unknown calls",
        "unclosed _BitInt",
        "unclosed macro arguments",
        "unclosed macro arguments in a body",
    ],
)
def test_macro_calls_are_read_in_proportion_to_the_text(name: str) -> None:
    def steps(size: int) -> int:
        return steps_of(macro_calls, lambda: blank_call_arguments(blank_head_macros(REPEATED[name](size))))

    small, large = steps(SIZE), steps(2 * SIZE)
    assert large <= 2.2 * small + 200


@interpreted(row_map)
def test_a_place_in_an_expansion_is_found_without_reading_all_of_it() -> None:
    def steps(size: int) -> int:
        uses = b" + ".join([b"ONE(x)"] * size)
        text = b"#define ONE(x) (x + 1)\n#define ALL(x) %s\nint sum(int a) { return ALL(a); }\n" % uses
        source_map = unit_of(text).preprocessed.source_map
        ends = [match.end() for match in re.finditer(rb"1", source_map.text)]
        assert len(ends) == size
        return steps_of(row_map, lambda: [source_map.written(end - 1, end) for end in ends])

    small, large = steps(SIZE), steps(2 * SIZE)
    assert large <= 2.2 * small + 200


@interpreted(surplus_braces)
def test_surplus_braces_are_read_in_proportion_to_their_number() -> None:
    def steps(size: int) -> int:
        items = unit_of(NESTED["closing braces in lines"](size)).items
        return steps_of(surplus_braces, lambda: surplus_braces.find_detached_items(items))

    small, large = steps(SIZE), steps(2 * SIZE)
    assert large <= 2.2 * small + 200


@pytest.mark.parametrize("name", NESTED)
def test_nesting_costs_no_power_of_its_depth(name: str) -> None:
    make = NESTED[name]
    analysed(make(2))
    small, large = (work(make(depth)) for depth in DEPTHS)
    assert large <= 6 * small
