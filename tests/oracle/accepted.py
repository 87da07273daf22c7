"""Lists our errors in real kernels that clang accepts.

    python -m tests.oracle.accepted FOLDER [--dialect CL2.0]… [--part 1/8] [--jobs 2]

Every `.cl` file below the folder that clang takes without an error, with its own folder and the given one for includes, is
analysed under the same options. Each of our errors in it is printed, and the exit status is then 1. `--part` checks only
every so many-th file.
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from openclsp.language.dialect import Dialect

from . import clang
from .ours import analysed_file, diagnostics_of

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AcceptedFile:
    """The result of one file: whether clang accepts it, and our errors."""

    accepted: bool
    errors: tuple[tuple[str, str], ...] = ()


def check_file(file: Path, folder: Path, dialects: Sequence[str]) -> AcceptedFile:
    """Our errors in a file, under the first of these dialects in which clang accepts it."""
    options = (f"-I{file.parent}", f"-I{folder}")
    for name in dialects:
        dialect = Dialect.of(name)
        if clang.accepts(file, dialect, options):
            try:
                found = diagnostics_of(analysed_file(file, dialect, options))
            except Exception:  # noqa: BLE001 - one file that crashes is an outcome
                _log.exception("%s", file)
                return AcceptedFile(True, (("crash", f"{file}: crashed"),))
            return AcceptedFile(
                True,
                tuple(
                    (each.code, f"{file}:{each.line}: {name}: {each.code}: {each.message}")
                    for each in found
                    if each.is_error
                ),
            )
    return AcceptedFile(False)


def main() -> int:
    """Runs as the module's docstring says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--dialect", action="append", default=[])
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    folder = options.folder.resolve()
    if reason := clang.reason_to_skip(folder):
        print(f"skipped: {reason}")
        return 0
    first, of = map(int, options.part.split("/"))
    files = sorted(folder.rglob("*.cl"))[first - 1 :: of]
    dialects = options.dialect or ["CL1.2", "CL2.0", "CL3.0"]
    with ProcessPoolExecutor(options.jobs) as pool:
        same = [folder] * len(files), [dialects] * len(files)
        outcomes = list(pool.map(check_file, files, *same, chunksize=8))
    errors = [error for outcome in outcomes for error in outcome.errors]
    for _, text in errors:
        print(text)
    counts = Counter(code for code, _ in errors)
    print(
        f"{sum(each.accepted for each in outcomes)} of {len(files)} files accepted by clang: {len(errors)} errors of ours"
        + "".join(f", {number} {code}" for code, number in counts.most_common())
    )
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
