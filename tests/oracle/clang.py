"""Runs clang on many programs at once and returns its errors."""

from __future__ import annotations

import functools
import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from openclsp.language.dialect import Dialect

from ..language.clang import CLANG, QUIETLY, clang_command

SIX = tuple(map(Dialect.of, ("CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0", "CL3.0-generic-globals")))
"""The dialects in which a probe is tried, in the order of its letters."""

MOST_FILES = 50
"""The most files that one process of clang compiles. A start takes 50 ms, and a short file 2 ms."""

_DIAGNOSTIC = re.compile(
    r"(?P<path>[^\n]+?):(?P<line>\d+):(?P<column>\d+): (?:fatal )?error: (?P<message>.*)"
)

_FATAL = re.compile(r"^(?P<path>[^\n]+?):\d+:\d+: fatal error: ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Error:
    """An error; `line` and `column` are counted from 1, the column in bytes."""

    line: int
    column: int
    message: str


@functools.cache
def version() -> str | None:
    """Returns the first line of `clang --version`; None if that clang is not installed."""
    if CLANG is None:
        return None
    shown = subprocess.run([CLANG, "--version"], capture_output=True, text=True, check=True)
    return shown.stdout.partition("\n")[0]


def reason_to_skip(folder: Path | None = None) -> str:
    """The reason why a comparison, of the kernels in a folder if there is one, cannot run; empty if it can."""
    if version() is None:
        return "clang-22 is not installed"
    return f"{folder} is no folder" if folder is not None and not folder.is_dir() else ""


def accepts(file: Path, dialect: Dialect, options: Sequence[str] = ()) -> bool:
    """Whether clang reports no error at all, neither in the file nor in its includes."""
    command = [*clang_command(dialect), *QUIETLY, "-w", "-fsyntax-only", *options, str(file)]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


def errors_of_files(
    files: Sequence[Path], dialect: Dialect, options: Sequence[str] = ()
) -> list[list[Error]]:
    """Returns clang's errors in each file itself, in the order of its report.

    One process compiles several files. A fatal error hides the errors of the files behind it, which another process
    therefore compiles. Raises RuntimeError if clang crashes.
    """
    found: dict[str, list[Error]] = {}
    names = rest = list(map(str, files))
    while rest:
        together = rest[:MOST_FILES]
        command = [*clang_command(dialect), *QUIETLY, "-w", "-fsyntax-only", *options, *together]
        finished = subprocess.run(command, check=False, capture_output=True, text=True, errors="replace")
        if finished.returncode not in (0, 1):
            raise RuntimeError(f"clang ended with {finished.returncode}: {finished.stderr[-2000:]}")
        found |= reported(finished.stderr)
        fatal = _FATAL.search(finished.stderr)
        done = together.index(fatal["path"]) + 1 if fatal and fatal["path"] in together else MOST_FILES
        rest = rest[done:]
    return [found.get(name, []) for name in names]


def reported(said: str) -> dict[str, list[Error]]:
    """Parses clang's output into errors by file."""
    found: dict[str, list[Error]] = {}
    for line in said.splitlines():
        match = _DIAGNOSTIC.fullmatch(line)
        if match:
            error = Error(int(match["line"]), int(match["column"]), match["message"])
            found.setdefault(match["path"], []).append(error)
    return found


def errors_of_texts(texts: Sequence[str], dialect: Dialect) -> list[list[Error]]:
    """Like `errors_of_files`, for programs that are not in files; one process compiles several of them."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, f"{number}.cl") for number in range(len(texts))]
        for file, text in zip(files, texts, strict=True):
            file.write_text(text)
        return errors_of_files(files, dialect)
