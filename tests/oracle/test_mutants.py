"""Compares openclsp with clang on mutants of the sample kernels."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.language.dialect import REFERENCE_DIALECTS

from ..language.clang import needs_clang
from .bases import Base
from .judged_mutants import Tally, examine
from .made_mutants import Mutant, made_mutants

FOLDERS = (Path(__file__).parent / "kernels", Path(__file__).parents[1] / "kernels" / "clean")
DIALECTS = [dialect.name for dialect in REFERENCE_DIALECTS]


def mutants(dialect: str, count: int, seed: int) -> list[Mutant]:
    """Returns this number of mutants, equally many from the kernels of each folder."""
    found = []
    for folder in FOLDERS:
        bases = [Base(file, ()) for file in sorted(folder.glob("*.cl"))]
        found += made_mutants(folder, bases, count // len(FOLDERS), seed, [dialect], jobs=1)
    return found


def examined(tried: list[Mutant], *, fixes: bool) -> Tally:
    total = Tally()
    for mutant in tried:
        total.add(examine(mutant, fixes))
    return total


@needs_clang
@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_same_lines_are_errors(dialect: str) -> None:
    total = examined(mutants(dialect, 16, seed=7), fixes=False)
    assert total.found, "no mutant has an error about spaces"
    assert total.differences == []
    assert total.crashes == []


@needs_clang
@pytest.mark.parametrize("dialect", ["CL1.2", "CL2.0", "CL3.0-generic"])
def test_clang_agrees_with_every_fix(dialect: str) -> None:
    total = examined(mutants(dialect, 12, seed=3), fixes=True)
    assert total.fixes > 5, "no fix at all"
    assert total.wrong_fixes == []
    assert total.crashes == []
