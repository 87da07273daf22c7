"""Prints the table of `ide/completion/common_names.py`: how often kernels use the names of the language.

    python -m tests.benchmarks.common_names FOLDER…

counts the predefined names in the kernels of the folders by the token before them. Each folder has the same
weight, so that a large project does not decide alone.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from openclsp.ide.completion.predefined_names import predefined_names_of
from openclsp.ide.completion.token_context import POSITIONS, position_after
from openclsp.language.dialect import Dialect
from openclsp.language.predefined import predefined_macros

from .completion_ranking import identifiers_in, kernels_in

MINIMUM = 4
"""The count per million identifiers from which a name is listed."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the table for the folders given on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    folders = parser.parse_args(arguments).folders
    predefined = {each.name for names in predefined_names_of(Dialect.of("CL3.0")).values() for each in names}
    predefined |= {head.partition("(")[0] for head in predefined_macros(Dialect.of("CL3.0"))}
    shares: dict[str, Counter[str]] = defaultdict(Counter)
    for folder in folders:
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        total = 0
        for path in kernels_in(folder):
            data = path.read_bytes()
            for start, name in identifiers_in(data):
                total += 1
                if name in predefined:
                    counts[name][position_after(data, start)] += 1
        for name, positions in counts.items():
            for position, count in positions.items():
                shares[name][position] += 1e6 * count / total / len(folders)
    for name, positions in sorted(shares.items(), key=lambda pair: -sum(pair[1].values())):
        if sum(positions.values()) >= MINIMUM:
            print(name, *(round(positions[each]) for each in POSITIONS))


if __name__ == "__main__":
    main()
