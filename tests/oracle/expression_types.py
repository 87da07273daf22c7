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
    compared = unknown = differing = 0
    for name in options.dialect or ("CL1.2", "CL3.0"):
        dialect = Dialect.of(name)
        texts, _ = accepted_texts([each.text for each in random_types(options.count, options.seed)], dialect)
        asserted = []
        for text in texts:
            lines, types = text.split("\n"), our_types(text, dialect)
            for number, spelled in types.items():
                if not spelled:
                    unknown += 1
                    continue
                compared += 1
                variable = lines[number].rpartition(" ")[2].rstrip(";")
                lines[number] += f' _Static_assert(__builtin_types_compatible_p(__typeof__({variable}), {spelled}), "");'
            asserted.append("\n".join(lines))
        for text, errors in zip(asserted, clang.errors_of_texts(asserted, dialect), strict=True):
            for error in errors:
                differing += 1
                print(f"{name}: {error.message}\n    {text.split(chr(10))[error.line - 1].strip()}")
    print(f"{compared} types compared, {differing} differ, {unknown} not known")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
