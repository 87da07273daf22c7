"""Measures runs over many files that include the same headers, with clang started once for each file.

    python -m tests.benchmarks.runs [--clang PATH] [--kernels 8 100] [--lines 10000] [--fix]
    python -m tests.benchmarks.runs [--clang PATH] --files FILE… [-- OPTION…]

Without `--files`, kernels over one generated header of that many lines are measured. The options are passed to openclsp and
to clang. Printed are the CPU time of one process and of two with what these start, their elapsed time (only meaningful on an
idle machine), and the largest memory of a process; for clang the sums over its processes.

The last line says how much longer two independent processes take than one. On many rented machines, the two cores share
what they compute with. If two processes take 1.3 times as long as one, no division of work gets below 0.65.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.generated import kernel

KERNEL = """#include "common.h"
kernel void k{n}(global float *in, global float *out)
{{
  local float tile[16];
  int i = get_global_id(0);
  store_{n}(out, tile, i);
  out[i] += leaf_{n}(in, i);
}}
"""


class Cost(NamedTuple):
    """The total cost of several processes: CPU and elapsed seconds, and the peak memory of the largest one."""

    cpu: float
    elapsed: float
    megabytes: float


def cost_of(commands: Sequence[Sequence[str]]) -> Cost:
    """Returns the cost of commands that run one after another, including their child processes.

    Their exit status is ignored.
    """
    cpu = megabytes = 0.0
    began = time.perf_counter()
    for command in commands:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, _, used = os.wait4(process.pid, 0)
        cpu += used.ru_utime + used.ru_stime
        megabytes = max(megabytes, used.ru_maxrss / 1024)
    return Cost(cpu, time.perf_counter() - began, megabytes)


def slowdown_of_two_processes() -> float:
    """Returns the elapsed time of two processes that compute at the same time, divided by that of one."""
    command = [sys.executable, "-c", "{number % 65_536: str(number) for number in range(8_000_000)}"]

    def elapsed(count: int) -> float:
        began = time.perf_counter()
        processes = [subprocess.Popen(command) for _ in range(count)]
        for process in processes:
            process.wait()
        return time.perf_counter() - began

    return min(elapsed(2) for _ in range(3)) / min(elapsed(1) for _ in range(3))


def write_kernels(folder: Path, number: int, lines: int) -> list[Path]:
    """Writes the header and this number of kernels."""
    (folder / "common.h").write_text(f"#pragma once\n{kernel(lines)}")
    files = [folder / f"kernel{n:04}.cl" for n in range(number)]
    for n, file in enumerate(files):
        file.write_text(KERNEL.format(n=n))
    return files


def print_row(
    title: str, files: Sequence[Path], options: Sequence[str], clang: str | None, mode: str = "--no-fixes"
) -> None:
    """Measures the files and prints a row of the table."""
    paths = [str(file) for file in files]
    one, two = (
        cost_of([[sys.executable, "-m", "openclsp", "check", "--jobs", jobs, mode, *options, *paths]])
        for jobs in ("1", "2")
    )
    peer = " | "
    if clang is not None:
        flags = clang, "-x", "cl", "-target", "spir64", "-fsyntax-only", "-w"
        cost = cost_of(
            [[*flags, *(each.replace("--std", "-cl-std") for each in options), path] for path in paths]
        )
        peer = f"{cost.cpu:.1f} | {cost.megabytes:.0f}"
    print(
        f"| {title} | {one.cpu:.1f} | {two.cpu:.1f} | {two.elapsed / one.elapsed:.2f} | {one.megabytes:.0f} | {peer} |",
        flush=True,
    )


def main() -> int:
    """Runs the measurements and prints them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clang")
    parser.add_argument("--kernels", type=int, nargs="+", default=[8, 100])
    parser.add_argument("--lines", type=int, default=10_000)
    parser.add_argument("--fix", action="store_true", help="fix the kernels, which have no faults")
    parser.add_argument("--files", type=Path, nargs="+")
    parser.add_argument("options", nargs="*")
    given = parser.parse_args()
    print("| files | CPU s, 1 job | 2 jobs | elapsed, 2 jobs : 1 | MB | clang CPU s | clang MB |")
    print("|---|---|---|---|---|---|---|")
    if given.files:
        print_row(f"{len(given.files)} files", given.files, given.options, given.clang)
    for number in () if given.files else given.kernels:
        with tempfile.TemporaryDirectory() as folder:
            files = write_kernels(Path(folder), number, given.lines)
            title = f"{number} kernels over a header of {given.lines:,} lines"
            print_row(title, files, ["--std=CL2.0"], given.clang, "--fix" if given.fix else "--no-fixes")
    print(f"\ntwo independent processes take {slowdown_of_two_processes():.2f} times as long as one")
    return 0


if __name__ == "__main__":
    sys.exit(main())
