"""Lists files whose check exceeds a time limit, with clang's time for the same file.

    python -m tests.benchmarks.files FOLDER… [--seconds 3] [--megabytes 500] [--clang PATH]

Each OpenCL file is checked by a process of its own, `openclsp check FILE`. The output is its CPU time and peak memory,
including start-up and the project scan, and those of `clang -fsyntax-only`. The exit status is 1 if a file exceeds a
limit. `--all` prints every file.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ENDINGS = (".cl", ".ocl", ".opencl")


class Cost(NamedTuple):
    """The cost of a process."""

    seconds: float
    megabytes: float


def cost_of(command: list[str]) -> Cost:
    """Returns the CPU time and memory of a command, whatever its exit status."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, used = os.wait4(process.pid, 0)
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def main() -> int:
    """Runs the measurements and prints them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--megabytes", type=float, default=500)
    parser.add_argument("--clang")
    parser.add_argument("--all", action="store_true", help="print every file")
    options = parser.parse_args()
    files = [
        file
        for folder in options.folders
        for file in ([folder] if folder.is_file() else sorted(folder.rglob("*")))
        if file.suffix in ENDINGS and file.is_file()
    ]
    over = 0
    print("| file | CPU s | MB | clang CPU s | clang MB |\n|---|---|---|---|---|")
    for file in files:
        own = cost_of([sys.executable, "-m", "openclsp", "check", str(file)])
        too_much = own.seconds > options.seconds or own.megabytes > options.megabytes
        over += too_much
        if too_much or options.all:
            peer = ""
            if options.clang:
                clang = cost_of([options.clang, "-x", "cl", "-fsyntax-only", "-w", str(file)])
                peer = f"{clang.seconds:.2f} | {clang.megabytes:.0f}"
            print(f"| {file} | {own.seconds:.2f} | {own.megabytes:.0f} | {peer or ' | '} |", flush=True)
    print(f"\n{over} of {len(files)} files over {options.seconds:g} s or {options.megabytes:g} MB")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
