"""Compares openclsp with clang on a sample of the generated programs."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from openclsp.language.dialect import REFERENCE_DIALECTS, Dialect

from ..language.clang import needs_clang
from .clang import errors_of_texts
from .differing import DifferingLine, differing_lines
from .ours import diagnostics_of_text
from .programs.every import programs
from .programs.program import Program
from .programs.random_programs import random_programs

STEP = 101
"""A prime, so that a matrix of 25 programs gives another of its corners at each turn."""


def _differing(tried: Sequence[Program], dialect: Dialect) -> list[tuple[str, DifferingLine]]:
    """The differences without an agreed reason."""
    texts = [program.text for program in tried]
    return [
        (program.name, found)
        for program, theirs in zip(tried, errors_of_texts(texts, dialect), strict=True)
        for found in differing_lines(program.text, theirs, diagnostics_of_text(program.text, dialect))
        if found.reason is None
    ]


@needs_clang
@pytest.mark.parametrize("dialect", REFERENCE_DIALECTS, ids=lambda dialect: dialect.name)
def test_the_same_lines_are_errors(dialect: Dialect) -> None:
    assert not _differing(list(programs())[REFERENCE_DIALECTS.index(dialect) :: STEP], dialect)


@needs_clang
@pytest.mark.parametrize("dialect", REFERENCE_DIALECTS, ids=lambda dialect: dialect.name)
def test_the_same_lines_are_errors_in_programs_made_by_chance(dialect: Dialect) -> None:
    assert not _differing(list(random_programs(10, seed=0)), dialect)


def test_each_program_has_its_own_name() -> None:
    names = [program.name for program in programs()]
    assert len(names) == len(set(names))
    assert len(names) > 10_000
