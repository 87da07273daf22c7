"""Single programs, each written for what it may show: a file of them for each subject."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from .program import Program

_FILES = Path(__file__).parent / "single"


def single() -> Iterator[Program]:
    """One program for each block of a file that an empty line ends, numbered from 1 behind the name of its file.

    Where several lines of a program can be errors, each has its own line.
    """
    for file in sorted(_FILES.glob("*.txt")):
        blocks = (block.strip("\n") for block in file.read_text().split("\n\n"))
        for number, block in enumerate(filter(None, blocks), 1):
            yield Program(f"{file.stem}-{number:02}", block + "\n")
