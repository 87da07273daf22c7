"""Compares openclsp with clang on many small programs in eight dialects, and prints the differences.

    python -m tests.oracle.compare [--select REGEX] [--dialect NAME]… [--sample N] [--jobs N] [--details N]
    python -m tests.oracle.compare --probes FILE [--prefixes D,M,S,IA]

A program is compared line by line: both must report an error, or neither; column and wording do not matter. A probe is
compared as a whole: `E` for at least one error, `O` for none, `U` for either, one letter for each of six dialects.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from openclsp.language.dialect import REFERENCE_DIALECTS, Dialect

from . import clang, ours
from .cache import FILE, Verdicts
from .differing import differing_lines
from .programs.every import programs
from .programs.program import Program
from .programs.random_programs import random_programs

_LONG = 30
"""Of a program of so many lines only the line that differs is printed."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A line of a program on which only one side reports an error, with its message."""

    program: Program
    dialect: str
    line: int
    by_clang: bool
    message: str
    rest: str

    @property
    def cause(self) -> str:
        """The code, or clang's message without its particulars: equal for similar differences."""
        if not self.by_clang:
            return f"openclsp only: {self.message.partition(' ')[0]}"
        return "clang only: " + re.sub(r"'[^']*'", "'…'", self.message)


def differences(
    tried: Sequence[Program], dialect: Dialect, verdicts: Verdicts, jobs: int, all_of_them: bool
) -> tuple[list[Difference], int]:
    """Returns the differences without an agreed reason in one dialect, and the number of those with one."""
    found: list[Difference] = []
    agreed = 0
    reports = ours.diagnostics_of_texts([program.text for program in tried], dialect, jobs)
    for program, report in zip(tried, reports, strict=True):
        theirs = verdicts.errors(program.text, dialect)
        for differing in differing_lines(program.text, theirs, report):
            if differing.reason is not None and not all_of_them:
                agreed += 1
                continue
            mine = [f"[{item.code}] {item.message}" for item in report if item.is_error]
            rest = "; ".join(mine if differing.by_clang else [error.message for error in theirs])
            found.append(
                Difference(program, dialect.name, differing.line, differing.by_clang, differing.message, rest)
            )
    return found, agreed


def report(found: Sequence[Difference], details: int) -> None:
    """Prints the differences by cause, the most frequent first, with up to `details` programs each."""
    causes: dict[str, dict[str, list[Difference]]] = defaultdict(lambda: defaultdict(list))
    for difference in found:
        causes[difference.cause][difference.program.name].append(difference)
    for cause, by_program in sorted(causes.items(), key=lambda item: -len(item[1])):
        print(f"\n== {len(by_program)} programs: {cause}")
        for name, items in list(by_program.items())[:details]:
            first = items[0]
            dialects = " ".join(dict.fromkeys(item.dialect for item in items))
            print(f"-- {name}, line {first.line}, in {dialects}")
            lines = first.program.text.rstrip().splitlines()
            print(
                "\n".join(
                    f"    {line}" for line in (lines if len(lines) < _LONG else [lines[first.line - 1]])
                )
            )
            print(f"   {'clang' if first.by_clang else 'openclsp'}: {first.message}")
            if first.rest:
                print(f"   the other side's errors: {first.rest}")


def compare_programs(options: argparse.Namespace) -> int:
    """Compares the generated programs; returns 1 if something differs."""
    source = random_programs(options.random, options.seed) if options.random else programs()
    tried = [program for program in source if re.search(options.select, program.name)]
    if options.sample and options.sample < len(tried):
        tried = random.Random(options.seed).sample(tried, options.sample)
    dialects = [Dialect.of(name) for name in options.dialect] if options.dialect else list(REFERENCE_DIALECTS)
    verdicts = Verdicts(options.cache)
    verdicts.learn([program.text for program in tried], dialects, options.jobs)
    found: list[Difference] = []
    for dialect in dialects:
        here, agreed = differences(tried, dialect, verdicts, options.jobs, options.all)
        wrong = len({difference.program.name for difference in here})
        print(
            f"{dialect.name}: {len(tried)} programs, {wrong} differ, {agreed} lines differ for an agreed reason"
        )
        found += here
    report(found, options.details)
    return 1 if found else 0


def compare_probes(options: argparse.Namespace) -> int:
    """Compares the probes of a table; returns 1 if a letter does not match."""
    rows = [line.split("\t") for line in options.probes.read_text().splitlines()[1:]]
    prefixes = tuple(options.prefixes.split(",")) if options.prefixes else ("",)
    rows = [row for row in rows if row[0].startswith(prefixes)]
    letters: list[str] = [""] * len(rows)
    said: list[list[str]] = [[] for _ in rows]
    for dialect in clang.SIX:
        for at, items in enumerate(
            ours.diagnostics_of_texts([row[4] for row in rows], dialect, options.jobs)
        ):
            errors = [item for item in items if item.is_error]
            letters[at] += "E" if errors else "O"
            said[at] += [f"{dialect.name} [{item.code}] {item.message}" for item in errors]
    wrong = 0
    for row, got, messages in zip(rows, letters, said, strict=True):
        if any(want not in ("U", have) for want, have in zip(row[1], got, strict=True)):
            wrong += 1
            print(f"{row[0]}: expected {row[1]}, got {got}: {row[4]}")
            print("".join(f"    {message}\n" for message in messages), end="")
    print(f"{len(rows)} probes, {wrong} wrong")
    return 1 if wrong else 0


def main() -> int:
    """Runs as the module's docstring describes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--select", default="", help="only programs whose name this regular expression finds")
    parser.add_argument(
        "--dialect", action="append", choices=[dialect.name for dialect in REFERENCE_DIALECTS]
    )
    parser.add_argument("--sample", type=int, default=0, help="so many programs, chosen by chance")
    parser.add_argument("--random", type=int, default=0, help="so many programs made by chance instead")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--details", type=int, default=5, help="programs to print for each cause")
    parser.add_argument("--all", action="store_true", help="also what differs for an agreed reason")
    parser.add_argument("--cache", type=Path, default=FILE, help="where clang's verdicts are kept")
    parser.add_argument("--probes", type=Path, help="a table of probes with tabs between its columns")
    parser.add_argument(
        "--prefixes", default="", help="only probes whose name starts so, separated by commas"
    )
    options = parser.parse_args()
    if options.probes:
        return compare_probes(options)
    if reason := clang.reason_to_skip():
        print(f"skipped: {reason}")
        return 0
    return compare_programs(options)


if __name__ == "__main__":
    sys.exit(main())
