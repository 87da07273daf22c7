"""Compares the types of random expressions with clang's.

    python -m tests.oracle.expression_types [--count N] [--seed N] [--dialect CL2.0]…

Each of the N programs declares variables with `__typeof__` of an expression. The type that a hover shows for a variable is
compared by clang itself, with `__builtin_types_compatible_p`. Differences are printed, and the exit status is then 1.
Expressions whose type is unknown are counted.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

from openclsp.ide.hover.hover import compute_hover
from openclsp.language.dialect import Dialect

from ..rules.analysis import NAME, analyse
from . import clang
from .accepted_programs import accepted_texts
from .programs.random_grammar import random_types

_DECLARED = re.compile(r"\) (typed_\d+);$")
_ENUMERATION = re.compile(r"\b(enum|e_t|enum_t)\b|(\.|->)e\b")
"""Whether an enumeration's values are converted to int or uint is up to the compiler (C99 6.7.2.2p4)."""


def our_types(text: str, dialect: Dialect) -> dict[int, str]:
    """The types of the variables `typed_…` by line from 0; empty if a type is not known."""
    unit = analyse(text, dialect.name)
    found, start = {}, 0
    for number, line in enumerate(text.split("\n")):
        match = _DECLARED.search(line)
        if match is not None and _ENUMERATION.search(line) is None:
            answer = compute_hover(unit, NAME, start + len(line[: match.start(1)].encode()))
            spelled = answer.type.replace(match[1], "").strip() if answer is not None else ""
            found[number] = "" if "unknown" in spelled or "?" in spelled else spelled
        start += len(line.encode()) + 1
    return found


@dataclass(slots=True)
class TypeComparison:
    """The number of types that were compared, of those that are not known, and the differences."""

    count: int = 0
    unknown: int = 0
    differing: list[str] = field(default_factory=list)


def differing_types(texts: Sequence[str], dialect: Dialect) -> TypeComparison:
    """Compares the types of the variables `typed_…` in programs, less the lines that clang rejects."""
    outcome, asserted = TypeComparison(), []
    for text in accepted_texts(texts, dialect)[0]:
        lines = text.split("\n")
        for number, spelled in our_types(text, dialect).items():
            if not spelled:
                outcome.unknown += 1
                continue
            outcome.count += 1
            variable = lines[number].rpartition(" ")[2].rstrip(";")
            test = f"__builtin_types_compatible_p(__typeof__({variable}), {spelled})"
            lines[number] += f' _Static_assert({test}, "");'
        asserted.append("\n".join(lines))
    for text, errors in zip(asserted, clang.errors_of_texts(asserted, dialect), strict=True):
        for error in errors:
            line = text.split("\n")[error.line - 1].strip()
            outcome.differing.append(f"{dialect.name}: {error.message}\n    {line}")
    return outcome


def main() -> int:
    """Runs as the module's docstring says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=20, help="so many programs are made")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--dialect", action="append", default=[])
    options = parser.parse_args()
    if reason := clang.reason_to_skip():
        print(f"skipped: {reason}")
        return 0
    outcomes = [
        differing_types([each.text for each in random_types(options.count, options.seed)], Dialect.of(name))
        for name in options.dialect or ("CL1.2", "CL3.0")
    ]
    for outcome in outcomes:
        print(*outcome.differing, sep="\n", end="\n" if outcome.differing else "")
    differing = sum(len(outcome.differing) for outcome in outcomes)
    print(
        f"{sum(each.count for each in outcomes)} types compared, {differing} differ,"
        f" {sum(each.unknown for each in outcomes)} not known"
    )
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
