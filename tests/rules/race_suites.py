"""Measures `missing-barrier` on test suites that mark the kernels with data races.

    python -m tests.rules.race_suites [--gpuverify FOLDER]… [--oclgrind FOLDER]…

`--gpuverify` takes the folder `testsuite/OpenCL` of mc-imperial/gpuverify, or the benchmarks of mc-imperial/GPUVerifyBenchmarks:
a kernel begins with `//pass` or `//xfail:…`. `--oclgrind` takes `tests/kernels` of jrprice/Oclgrind: a `.ref` file says what
the run reports. Only kernels that name local memory count. The exit status is 1 if a kernel that is marked clean has a
finding.

A mark does not say why a kernel is faulty. `RACES` lists those in which work-items share local memory without a
barrier, by the kernel's text: one of them writes it, another reads it. Kernels that are clean only if the work-items of a
sub-group run in step (`--warp-sync`) are counted apart: OpenCL C does not promise that.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.rules.book.missing_barrier import CODE

from .analysis import analyse

RACES = frozenset(
    [
        "async_work_group_copy/fail/test1",
        "async_work_group_copy/fail/test2",
        "async_work_group_copy/fail/test3",
        "async_work_group_copy/fail/test4",
        "async_work_group_copy/fail/test13",
        "async_work_group_copy/fail/test14",
        "atomics/atomic_read_race",
        "atomics/displaced",
        "atomics/pointers",
        "benign_race_tests/fail/writeafterread_addition",
        "benign_race_tests/fail/writeafterread_otherval",
        "benign_race_tests/fail/writereadarray_equality",
        "inter_group_and_barrier_flag_tests/fail/bad_read_then_write",
        "inter_group_and_barrier_flag_tests/fail/bad_write_then_read",
        "misc/fail/2d_array_race",
        "misc/fail/miscfail1",
        "misc/fail/miscfail6",
        "misc/fail/miscfail8",
        "sourcelocation_tests/race_from_bodiless_call",
        "sourcelocation_tests/race_from_call",
        "sourcelocation_tests/race_from_call_in_loop",
        "sourcelocation_tests/race_with_loop",
        "sourcelocation_tests/races/fail/read_write",
        "sourcelocation_tests/races/fail/write_read",
        "sourcelocation_tests/races_from_indirect_calls",
        "test_for_benign_read_write_bug",
        "test_line_number_problem",
        "warpsync/broken_shuffle",
        "async_copy/async_copy_local_race",
        "data-race/global_only_fence",
        "data-race/local_read_write_race",
    ]
)
_LOCAL_MEMORY = re.compile(r"\b(__)?local\b")
_CLEAN = re.compile(r"\A\s*//\s*pass\b")
_IN_STEP = re.compile(r"^//.*--warp-sync", re.MULTILINE)
_REPORTED_RACE = "data race at local memory"


@dataclass(frozen=True, slots=True)
class MarkedKernel:
    """A kernel of a suite: its name there, its text, and the mark."""

    name: str
    text: str
    mark: str


def gpuverify_kernels(folder: Path) -> Iterator[MarkedKernel]:
    for file in sorted(folder.rglob("*.cl")):
        text = file.read_text(errors="replace")
        name = file.relative_to(folder).with_suffix("").as_posix().removesuffix("/kernel")
        if name in RACES:
            mark = "racy"
        elif _CLEAN.match(text):
            mark = "clean in step" if _IN_STEP.search(text) else "clean"
        else:
            mark = "other"
        yield MarkedKernel(name, text, mark)


def oclgrind_kernels(folder: Path) -> Iterator[MarkedKernel]:
    for file in sorted(folder.rglob("*.cl")):
        name, reference = file.relative_to(folder).with_suffix("").as_posix(), file.with_suffix(".ref")
        reported = reference.is_file() and _REPORTED_RACE in reference.read_text(errors="replace")
        mark = "racy" if name in RACES else "other" if reported else "clean"
        yield MarkedKernel(name, file.read_text(errors="replace"), mark)


def findings(kernel: MarkedKernel) -> list[str]:
    """The messages of the rule, with their lines."""
    unit = analyse(kernel.text, "CL1.2", ((CODE, "information"),))
    data = kernel.text.encode()
    found = [each for each in compute_diagnostics(unit) if each.code == CODE]
    lines = [data[: each.location.start].count(b"\n") + 1 for each in found]
    return [f"{kernel.name}:{line}: {each.message}" for line, each in zip(lines, found, strict=True)]


def main() -> int:
    """Runs as the module's docstring says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--gpuverify", action="append", type=Path, default=[])
    parser.add_argument("--oclgrind", action="append", type=Path, default=[])
    options = parser.parse_args()
    kernels = [kernel for folder in options.gpuverify for kernel in gpuverify_kernels(folder)]
    kernels += [kernel for folder in options.oclgrind for kernel in oclgrind_kernels(folder)]
    counts: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for kernel in kernels:
        if not _LOCAL_MEMORY.search(kernel.text):
            continue
        reported = findings(kernel)
        counts[kernel.mark] += 1
        found[kernel.mark] += bool(reported)
        for each in reported:
            print(f"{kernel.mark}: {each}")
        if kernel.mark == "racy" and not reported:
            print(f"missed: {kernel.name}")
    for mark, count in sorted(counts.items()):
        print(f"{mark}: {found[mark]} of {count} kernels with a finding")
    return 1 if found["clean"] else 0


if __name__ == "__main__":
    sys.exit(main())
