"""The flow analysis of generated programs: it misses no observed space and adds no avoidable one.

Many more: `python -m tests.flow.compare --count 1000`.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from .compare import made
from .judging import Fault, expected, faults
from .program import copies_several_shapes
from .random_programs import PROFILES
from .running import COMPILER, needs_compiler
from .shapes import SHAPES

UNSOUND = frozenset(("missed", "no-null", "silent", "reached"))
TOO_MUCH = frozenset(("larger", "null", "unknown"))


def of_kinds(found: Iterable[Fault], kinds: frozenset[str]) -> list[str]:
    return [str(each) for each in found if each.kind in kinds]


@needs_compiler
@pytest.mark.parametrize("profile", PROFILES)
def test_random_programs(profile: str) -> None:
    """The answers contain exactly what the runs observe.

    If one helper copies objects of several shapes, it may copy any over any: pointers to integers may then point to
    pointers, and what is written through them is unknown.
    """
    known = expected([made(profile, seed) for seed in range(8)], runs=150)
    found = [fault for each in known for fault in faults(each)]
    assert of_kinds(found, UNSOUND) == []
    assert of_kinds((each for each in found if not copies_several_shapes(each.program)), TOO_MUCH) == []


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes(shape: str) -> None:
    """The answers are those known from the generation; runs confirm them if there is a compiler."""
    known = expected([made(shape, seed) for seed in range(6)], runs=100 if COMPILER else 0)
    found = [fault for each in known for fault in faults(each)]
    assert of_kinds(found, UNSOUND | TOO_MUCH | {"witness"}) == []
