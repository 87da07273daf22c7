"""Single programs, each written for one construct: one file per topic."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from .program import Program

_FILES = Path(__file__).parent / "single"


def single() -> Iterator[Program]:
    """Yields one program for each block of a file; empty lines separate blocks, numbered from 1 after the file's name.

    If several lines of a program can be errors, each construct is on a line of its own.
    """
    for file in sorted(_FILES.glob("*.txt")):
        blocks = (block.strip("\n") for block in file.read_text().split("\n\n"))
        for number, block in enumerate(filter(None, blocks), 1):
            yield Program(f"{file.stem}-{number:02}", block + "\n")
