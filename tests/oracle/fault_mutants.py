"""Compares openclsp with clang on mutants of real kernels, each with one violated constraint of C.

    python -m tests.oracle.fault_mutants FOLDER [--count N] [--seed N] [--dialect NAME]… [--details N]

Mutants are made of every `.cl` file below FOLDER in which clang finds no error: a misspelt name, a dropped or added
argument, a removed `return`, a changed vector width, a misplaced `break`, … (`fault_mutations.py`).

Lines are compared. Each line on which clang has an error should have one of ours: *recall*; each line on which we have
one should have one of clang's: *precision*. An error on another line of the same statement counts.
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from openclsp.language.dialect import Dialect

from . import clang
from .bases import Base
from .crashes import Collecting
from .fault_mutations import fault_mutations
from .judged_mutants import lines_of_clang, statements_by_line
from .made_mutants import Mutant, made_mutants
from .ours import analysed_text, diagnostics_of

DIALECTS = ("CL1.2", "CL2.0", "CL3.0")


@dataclass
class FaultTally:
    """The lines of one mutant, or of all, with the messages of errors that only one side reports."""

    runs: int = 0
    found: Counter[str] = field(default_factory=Counter)
    missed: list[tuple[str, str]] = field(default_factory=list)
    false: list[tuple[str, str]] = field(default_factory=list)
    crashes: list[str] = field(default_factory=list)

    def add(self, other: FaultTally) -> None:
        self.runs += other.runs
        self.found += other.found
        self.missed += other.missed
        self.false += other.false
        self.crashes += other.crashes

    @property
    def recall(self) -> float:
        return self.found.total() / max(self.found.total() + len(self.missed), 1)

    @property
    def precision(self) -> float:
        return self.found.total() / max(self.found.total() + len(self.false), 1)


def examine(mutant: Mutant) -> FaultTally:
    """Compares one mutant with clang."""
    tally = FaultTally(runs=1)
    logging.getLogger().handlers = [Collecting(tally.crashes)]
    text = mutant.mutation.applied(mutant.base.file.read_bytes())
    dialect, kind = Dialect.of(mutant.dialects[0]), mutant.mutation.kind
    unit = analysed_text(mutant.base.file, text, dialect, mutant.base.both)
    mine = {
        item.line: f"[{item.code}] {item.message}" for item in reversed(diagnostics_of(unit)) if item.is_error
    }
    theirs = {line: said[0] for line, said in lines_of_clang(text, mutant.base, dialect).items()}
    statements, lines = statements_by_line(text), text.splitlines()

    def is_reported(line: int, by: dict[int, str]) -> bool:
        return any(
            abs(line - other) <= 1 or statements.get(line, set()) & statements.get(other, set())
            for other in by
        )

    def describe(line: int, message: str) -> str:
        source = lines[line - 1].decode(errors="replace").strip()[:160] if line <= len(lines) else ""
        return f"{mutant.name} {dialect.name} {mutant.base.file}:{line}: {source}\n      {message}"

    for line, message in theirs.items():
        if is_reported(line, mine):
            tally.found[kind] += 1
        else:
            tally.missed.append((kind, describe(line, message)))
    for line, message in mine.items():
        if not is_reported(line, theirs):
            tally.false.append((kind, describe(line, message)))
    return tally


def main() -> int:
    """Runs as the module's docstring describes; returns 1 if something crashed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=3000, help="so many mutants are made")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--dialect", action="append", choices=DIALECTS)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--details", type=int, default=20, help="so many examples of each difference")
    options = parser.parse_args()
    folder = options.folder.resolve()
    if reason := clang.reason_to_skip(folder):
        print(f"skipped: {reason}")
        return 0
    bases = [Base(file, ()) for file in sorted(folder.rglob("*.cl"))]
    tried = made_mutants(
        folder,
        bases,
        options.count,
        options.seed,
        options.dialect or DIALECTS,
        options.jobs,
        fault_mutations,
    )
    total = FaultTally()
    with ProcessPoolExecutor(options.jobs) as pool:
        for tally in pool.map(examine, tried, chunksize=4):
            total.add(tally)
    for what, differences in (("missed", total.missed), ("false", total.false)):
        kinds = Counter(kind for kind, _ in differences)
        print(f"{what}: " + (", ".join(f"{number} {kind}" for kind, number in kinds.most_common()) or "none"))
        for kind, text in differences[: options.details]:
            print(f"   {kind}: {text}")
    for each in total.crashes:
        print(each)
    print("found: " + ", ".join(f"{number} {kind}" for kind, number in total.found.most_common()))
    print(
        f"{total.runs} mutants of {len({each.base.file for each in tried})} files: "
        f"{total.found.total()} lines found, {len(total.missed)} missed, {len(total.false)} false: "
        f"recall {total.recall:.4f}, precision {total.precision:.4f}; {len(total.crashes)} crashes"
    )
    return 1 if total.crashes else 0


if __name__ == "__main__":
    sys.exit(main())
