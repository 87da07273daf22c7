"""Runs programs on the CPU and records the address spaces of the pointers at each use."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from .host_printing import Host
from .program import Program

COMPILER = shutil.which("clang-22") or shutil.which("clang")
"""A clang that makes programs for this machine, with blocks."""
needs_compiler = pytest.mark.skipif(
    COMPILER is None, reason="clang, which compiles the programs, is not installed"
)

_BITS = {1: "global", 2: "local", 4: "private", 8: "null", 16: "stray"}


def spaces_seen(
    programs: Sequence[Program], counts: Sequence[int], runs: int, seed: int = 1
) -> list[dict[int, frozenset[str]]]:
    """For each program, returns what the pointer at each use held in any of `runs` runs.

    The values are names of spaces, and `null`; `stray` would be a fault of the printer. Each of `counts` is greater
    than the numbers of that program's uses. Raises RuntimeError if the compiler rejects the C, or if a run fails.
    """
    runtime = Path(__file__).with_name("host_runtime.h").read_text()
    parts = [runtime, *(Host(program, number).text() for number, program in enumerate(programs))]
    calls = (
        f"  runs({number}, P{number}_run, {count}, {seed}ul, {runs});\n"
        for number, count in enumerate(counts)
    )
    parts.append(f"int main(void) {{\n{''.join(calls)}}}\n")
    with tempfile.TemporaryDirectory() as folder:
        source, binary = Path(folder, "programs.c"), Path(folder, "programs")
        source.write_text("".join(parts))
        assert COMPILER is not None
        command = [COMPILER, "-O0", "-std=gnu11", "-fblocks", "-w", str(source), "-o", str(binary)]
        _checked(command)
        lines = _checked([str(binary)]).splitlines()
    return [
        {use: _spaces(int(mark)) for use, mark in enumerate(line.split()[1:]) if mark != "0"}
        for line in lines
    ]


def _checked(command: Sequence[str]) -> str:
    finished = subprocess.run(command, check=False, capture_output=True, text=True, timeout=600)
    if finished.returncode:
        raise RuntimeError(f"{command[0]} ended with {finished.returncode}: {finished.stderr[:3000]}")
    return finished.stdout


def _spaces(mark: int) -> frozenset[str]:
    return frozenset(name for bit, name in _BITS.items() if mark & bit)
