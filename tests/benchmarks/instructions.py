"""Counts the instructions of a language server with Valgrind's Callgrind, which other processes don't influence.

On a shared machine, the CPU time of one edit varies by a third from run to run; its number of instructions varies by a
hundredth.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from .client import Server

_THREAD = re.compile(r"^ *Th \d+ +([\d,]+)", re.MULTILINE)
_SLOWER = 50
"""How many times as long a process takes under Callgrind, at most (measured: 30 to 50)."""


class CountedServer(Server):
    """A server that runs under Callgrind. What it returns as CPU times are millions of instructions."""

    slower = _SLOWER

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        counting = ("valgrind", "--quiet", "--tool=callgrind", "--callgrind-out-file=/dev/null")
        # equal hashes of texts, because the order of a set decides how much a search finds first
        super().__init__((*counting, *command), folder, {"PYTHONHASHSEED": "0"})

    def cpu(self) -> float:
        """Returns the instructions of all its threads so far, in millions."""
        asked = ("callgrind_control", "-e", str(self.process.pid))
        told = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
        counts = [int(each.replace(",", "")) for each in _THREAD.findall(told)]
        if not counts:
            raise RuntimeError(f"callgrind_control did not answer: {told!r}")
        return sum(counts) / 1e6
