"""Compares openclsp with clang on mutants of the sample kernels that violate a constraint of C."""

from __future__ import annotations

from pathlib import Path

from ..language.clang import needs_clang
from .bases import Base
from .fault_mutants import FaultTally, examine
from .fault_mutations import fault_mutations
from .made_mutants import made_mutants

FOLDER = Path(__file__).parents[1] / "kernels" / "clean"


@needs_clang
def test_the_same_lines_are_errors() -> None:
    bases = [Base(file, ()) for file in sorted(FOLDER.glob("*.cl"))]
    total = FaultTally()
    for mutant in made_mutants(FOLDER, bases, 30, 5, ["CL1.2", "CL2.0"], 1, fault_mutations):
        total.add(examine(mutant))
    assert total.found.total() > 15
    assert total.missed == []
    assert total.false == []
    assert total.crashes == []
