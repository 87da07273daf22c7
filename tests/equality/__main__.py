"""Looks for edits after which the server answers otherwise than about a document that was opened just now, for as long
as it is let.

    python -m tests.equality [--minutes 60] [--package darktable …] [--largest 4000] [--every 1] [FILE …]

Without FILE or --package it edits the project's sample kernels. A file is edited in a copy of its folder. A failure ends the
run: the smallest series of edits that brings it about is printed.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from .kernels import of_file, real, samples
from .machine import Editing
from .test_equality import SETTINGS


def main() -> int:
    """Runs until the time is over; 1 where the answers differ."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--package", action="append", default=[], help="fetched kernels")
    parser.add_argument("--largest", type=int, default=4000, help="of these, leave out files of more lines")
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--every", type=int, default=1, help="compare after so many steps")
    options = parser.parse_args()
    found = [of_file(path) for path in options.files]
    found += [each for name in options.package for each in real(name, most_lines=options.largest)]

    class EditingThese(Editing):
        kernels = found or samples()
        every = options.every

    end = time.monotonic() + options.minutes * 60
    number = settings(SETTINGS, derandomize=False, max_examples=20, stateful_step_count=40, database=None)
    while time.monotonic() < end:
        run_state_machine_as_test(EditingThese, settings=number)
        print(f"{EditingThese.edits} edits, {EditingThese.compared} times compared", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
