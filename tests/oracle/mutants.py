"""Compares openclsp with clang on mutants of real kernels, each with one changed address space.

    python -m tests.oracle.mutants FOLDER [--index FILE] [--mutants FILE] [--dialect NAME]… [--fixes]
    python -m tests.oracle.mutants FOLDER [--index FILE] --count N [--seed N] [--dialect NAME]…

A list of mutants has a JSON line for each: `repo`, `path`, `sha256` of the base, `edit` (start, end, replacement),
`op`, and `expect`: by version, clang's errors about address spaces (`diags`) and its `other` errors. FOLDER contains
the bases; the index (see `bases.py`) gives the folder and the options of each. Without a list, `--count` mutants are
made of the `.cl` files below FOLDER (or in the index) in which clang finds no error, each in a random dialect among the
requested ones (default: all eight).

Lines are compared. Each line on which clang has an error about address spaces should have one of ours: *recall*; each
line on which we have one should have one of clang's: *precision*. An error on another line of the same statement
counts. Errors of clang that may concern an address space (a call that matches no overload) are compared too, and
counted separately. With `--fixes`, every offered fix is applied and compiled by clang: there must be fewer errors, and
no new one.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from openclsp.language.dialect import REFERENCE_DIALECTS

from . import clang
from .bases import Base, bases_of_index
from .judged_mutants import Difference, Tally, examine
from .made_mutants import Mutant, made_mutants, recorded_mutants


def report(tally: Tally, details: int) -> Iterator[str]:
    """Yields every difference by its cause, then recall and precision."""
    groups: dict[str, list[Difference]] = defaultdict(list)
    for difference in tally.differences:
        words = difference.message.partition("'")[0].partition("`")[0]
        groups[f"{difference.what}: {words}"].append(difference)
    for cause, found in sorted(groups.items(), key=lambda item: -len(item[1])):
        yield f"\n== {len(found)} times {cause}"
        for each in found[:details]:
            yield f"   {each.mutant} {each.dialect} ({each.kind}) {each.file}:{each.line}: {each.source[:200]}"
            yield f"      {each.message}"
    yield from tally.crashes
    yield from tally.wrong_fixes
    by_kind = Counter(each.what for each in tally.differences)
    expected = tally.found + tally.missed
    told = tally.found + tally.false
    yield (
        f"{tally.runs} runs: {expected} lines with an error about spaces, {tally.found} found "
        f"({tally.elsewhere} of them on a neighbouring line), {tally.missed} missed, {tally.false} false: "
        f"recall {tally.found / max(expected, 1):.4f}, precision {tally.found / max(told, 1):.4f}; "
        f"{tally.perhaps_found} of {tally.perhaps_found + tally.perhaps_missed} lines that may be about spaces; "
        f"{len(tally.crashes)} crashes; {tally.left_out} left out"
    )
    yield "differences: " + (", ".join(f"{n} {what}" for what, n in by_kind.items()) or "none")
    if tally.fixes:
        yield f"{tally.fixes} fixes applied, {len(tally.wrong_fixes)} of them wrong to clang"


def main() -> int:
    """Runs as the module's docstring describes; returns 1 if something differs or crashed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--index", type=Path, help="where the bases are, with the options of each")
    parser.add_argument("--mutants", type=Path, help="a list of mutants with what clang said of them")
    parser.add_argument("--sample", type=int, default=0, help="so many of the list, chosen by chance")
    parser.add_argument("--count", type=int, default=500, help="so many mutants are made")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--dialect", action="append", choices=[dialect.name for dialect in REFERENCE_DIALECTS]
    )
    parser.add_argument("--option", action="append", default=[], help="an option for both, as -DNAME=1")
    parser.add_argument("--fixes", action="store_true", help="apply every fix and ask clang about it")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--details", type=int, default=5, help="examples to print for each cause")
    options = parser.parse_args()
    folder = options.folder.resolve()
    if reason := clang.reason_to_skip(folder):
        print(f"skipped: {reason}")
        return 0
    if options.mutants:
        tried, listed = recorded_mutants(folder, options.index, options.mutants)
        print(f"the bases of {len(tried)} of {listed} mutants are there")
        if options.dialect:
            tried = [
                Mutant(each.name, each.base, each.mutation, tuple(options.dialect), each.recorded)
                for each in tried
            ]
        if options.sample and options.sample < len(tried):
            tried = random.Random(options.seed).sample(tried, options.sample)
    else:
        bases = (
            list(bases_of_index(folder, options.index).values())
            if options.index
            else [Base(file, tuple(options.option)) for file in sorted(folder.rglob("*.cl"))]
        )
        dialects = options.dialect or [dialect.name for dialect in REFERENCE_DIALECTS]
        tried = made_mutants(folder, bases, options.count, options.seed, dialects, options.jobs)
        files = len({each.base.file for each in tried})
        print(f"{len(tried)} mutants of {files} files, of {len(bases)} there are")
    total = Tally()
    with ProcessPoolExecutor(options.jobs) as pool:
        for tally in pool.map(examine, tried, [options.fixes] * len(tried), chunksize=4):
            total.add(tally)
    for line in report(total, options.details):
        print(line)
    return 1 if total.differences or total.crashes or total.wrong_fixes else 0


if __name__ == "__main__":
    sys.exit(main())
