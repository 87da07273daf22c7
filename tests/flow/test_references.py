"""The reference analyses agree: observed runs are within the exact answer, and that is within inclusion."""

from __future__ import annotations

import pytest
from openclsp.language.dialect import Dialect

from ..language.clang import needs_clang
from ..oracle import clang
from .exact import exact_spaces
from .inclusion import spaces_by_inclusion
from .printing import printed
from .random_programs import PROFILES, random_program
from .running import needs_compiler, spaces_seen

COUNT = 15


@needs_clang
@pytest.mark.parametrize("dialect", ["CL2.0", "CL3.0"])
@pytest.mark.parametrize("profile", PROFILES)
def test_programs_are_opencl_c(profile: str, dialect: str) -> None:
    texts = [printed(random_program(seed, profile)).text for seed in range(COUNT)]
    assert [error for errors in clang.errors_of_texts(texts, Dialect.of(dialect)) for error in errors] == []


@needs_compiler
@pytest.mark.parametrize("profile", PROFILES)
def test_inclusion_allows_what_runs_see(profile: str) -> None:
    programs = [random_program(seed, profile) for seed in range(COUNT)]
    seen = spaces_seen(programs, [printed(each).count for each in programs], runs=200)
    missing = [
        (program.name, use, spaces - allowed.get(use, frozenset()))
        for program, runs in zip(programs, seen, strict=True)
        for allowed in [spaces_by_inclusion(program)]
        for use, spaces in runs.items()
        if not spaces <= allowed.get(use, frozenset())
    ]
    assert missing == []
    assert sum(len(runs) for runs in seen) > 20 * COUNT


@needs_compiler
@pytest.mark.parametrize("profile", ["variables", "asking"])
def test_exact_sets_lie_between(profile: str) -> None:
    programs = [random_program(seed, profile) for seed in range(COUNT)]
    everything = spaces_seen(programs, [printed(each).count for each in programs], runs=1000)
    equal = 0
    for program, seen in zip(programs, everything, strict=True):
        exact, allowed = exact_spaces(program), spaces_by_inclusion(program)
        for use, spaces in exact.items():
            assert seen.get(use, frozenset()) <= spaces <= allowed[use], (program.name, use)
            equal += seen.get(use) == spaces
        assert set(seen) <= set(exact), program.name
    assert equal > 20 * COUNT
