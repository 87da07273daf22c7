"""Lists our errors in random programs that clang accepts.

    python -m tests.oracle.accepted_programs [--count N] [--seed N] [--dialect CL2.0]… [--jobs 2]

The programs use the grammar of expressions, declarations and statements densely (`programs/random_grammar.py`). Lines with
an error of clang are blanked until clang accepts the program. Each of our errors is printed with its line, and the exit
status is then 1.
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections import defaultdict
from collections.abc import Sequence

from openclsp.language.dialect import Dialect

from . import clang
from .ours import Diagnostic, diagnostics_of_texts
from .programs.random_grammar import random_grammar

_ROUNDS = 6
"""Blanking one line may cause errors on others; a program that is still rejected after so many rounds is left out."""


def accepted_texts(texts: Sequence[str], dialect: Dialect) -> tuple[list[str], list[tuple[str, str]]]:
    """The programs without the lines that clang rejects, and these lines with clang's message.

    A program of which clang rejects every version is empty.
    """
    left, rejected = list(texts), []
    for _ in range(_ROUNDS):
        found = clang.errors_of_texts(left, dialect)
        if not any(found):
            return left, rejected
        for number, errors in enumerate(found):
            lines = left[number].split("\n")
            for error in errors:
                rejected.append((error.message, lines[error.line - 1]))
                lines[error.line - 1] = ""
            left[number] = "\n".join(lines)
    return [
        "" if errors else text
        for text, errors in zip(left, clang.errors_of_texts(left, dialect), strict=True)
    ], rejected


def main() -> int:
    """Runs as the module's docstring says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=100, help="so many programs are made")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--dialect", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--details", type=int, default=3, help="so many lines are printed of each message")
    parser.add_argument("--rejected", action="store_true", help="also print the lines that clang rejects")
    options = parser.parse_args()
    logging.basicConfig(level=logging.ERROR)
    if reason := clang.reason_to_skip():
        print(f"skipped: {reason}")
        return 0
    wrong, lines = 0, 0
    for name in options.dialect or ("CL1.2", "CL2.0", "CL3.0"):
        dialect = Dialect.of(name)
        made = [program.text for program in random_grammar(options.count, options.seed)]
        texts, rejected = accepted_texts(made, dialect)
        lines += sum(bool(line) for text in texts for line in text.split("\n"))
        causes: dict[str, list[tuple[int, Diagnostic]]] = defaultdict(list)
        for number, found in enumerate(diagnostics_of_texts(texts, dialect, options.jobs)):
            for each in found:
                if each.is_error:
                    causes[f"{each.code}: {each.message}"].append((number, each))
        wrong += sum(map(len, causes.values()))
        for cause, found in sorted(causes.items(), key=lambda item: -len(item[1])):
            print(f"{name}: {len(found)} × {cause}")
            for number, each in found[: options.details]:
                print(
                    f"    {options.seed + number}:{each.line}: {texts[number].split(chr(10))[each.line - 1].strip()}"
                )
        if options.rejected:
            for message, line in rejected:
                print(f"rejected: {message}\n    {line.strip()}")
        print(
            f"{name}: {len(texts)} programs, {len(rejected)} lines rejected by clang, {texts.count('')} programs left out"
        )
    print(f"{lines} lines accepted by clang, {wrong} errors of ours")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
