"""Counts the instructions of a language server with Valgrind's Callgrind, which other processes do not influence.

On a shared machine, the CPU time of the same check varies by a third from run to run, and its number of instructions by less
than a thousandth.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from .client import Server

_THREAD = re.compile(r"^events-\d+: (\d+)$", re.MULTILINE)
_SLOWER = 50
"""How many times as long a process takes under Callgrind, at most (measured: 30 to 50)."""


class CountedServer(Server):
    """A server that runs under Callgrind. Its CPU times are numbers of instructions, in millions.

    Instructions are counted until the answer arrives. Work that the server defers to a typing pause is not counted,
    because the process is so slow that a pause would begin within an edit.
    """

    slower = _SLOWER

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        counting = ("valgrind", "--quiet", "--tool=callgrind", "--callgrind-out-file=/dev/null")
        # With other hashes, sets have another order, and a search in a set may take more steps.
        super().__init__((*counting, *command), folder, {"PYTHONHASHSEED": "0"})

    def cpu(self) -> float:
        """Returns the instructions of all its threads so far, in millions."""
        asked = ("vgdb", f"--pid={self.process.pid}", "status internal")
        told = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
        counts = [int(each) for each in _THREAD.findall(told)]
        if not counts:
            raise RuntimeError(f"Callgrind did not answer: {told!r}")
        return sum(counts) / 1e6

    def cpu_after_answer(self) -> float:
        """Returns `cpu()` at once."""
        return self.cpu()
