"""Runs the tests on the compiled package, and those that cannot run there with plain Python.

    python3 tests/run.py [--environments FOLDER] [--only plain|compiled] [PYTEST ARGUMENT …]

Needs only Python 3.10 or newer and a C compiler. It creates two virtual environments, one with the package installed in
place as plain Python and one with the compiled package, and installs the test dependencies into both. The compiled package
runs all tests but those that replace or count parts of a module that it compiles; these run with plain Python. The exit
status is 1 if a test failed. Unknown arguments are passed to pytest: `-k hover`, `-n 1`, files.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import venv
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

KINDS = ("plain", "compiled")
WORKERS = 1 + (os.cpu_count() or 1)
"""More than there are cores, because tests wait for servers and compilers."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Creates the environments and runs the tests in them; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--environments", type=Path, default=ROOT / ".venv-tests", metavar="FOLDER")
    parser.add_argument("--only", choices=KINDS)
    options, others = parser.parse_known_args(arguments)
    kinds = [kind for kind in KINDS if options.only in (None, kind)]
    # The package is compiled while the tests of plain Python run: translating it to C keeps only one core busy. The
    # packages are built one after the other, because they are built in the same folder.
    with ThreadPoolExecutor(max_workers=1) as pool:
        installed = [pool.submit(_install, kind, options.environments / kind) for kind in kinds]
        return max(_test(kind, each.result(), others) for kind, each in zip(kinds, installed, strict=True))


def tests_for_plain_python() -> Sequence[str]:
    """Returns the files with tests that are skipped where the module that they replace or count is compiled."""
    paths = sorted((ROOT / "tests").rglob("test_*.py"))
    return [str(path) for path in paths if "interpreted import" in path.read_text(encoding="utf-8")]


def _install(kind: str, environment: Path) -> Path:
    """Creates the environment with the package and returns its interpreter."""
    compiled = kind == "compiled"
    python = _python_of(environment)
    _pip(python, "-r", str(ROOT / "requirements" / "test.txt"))
    where = [str(ROOT)] if compiled else ["-e", str(ROOT)]
    # A failure to compile is a failure here; elsewhere the package falls back to plain Python.
    _pip(
        python,
        *("--no-deps", "--no-build-isolation", "--force-reinstall"),
        *where,
        compiles="1" if compiled else "0",
    )
    return python


def _test(kind: str, python: Path, arguments: Sequence[str]) -> int:
    """Runs the tests of a kind of package and returns the exit status of pytest."""
    named = any((ROOT / each.partition("::")[0]).exists() for each in arguments)
    tests = () if named else (str(ROOT / "tests"),) if kind == "compiled" else tests_for_plain_python()
    print(f"== pytest, {kind}", flush=True)
    command = [
        str(python),
        "-m",
        "pytest",
        "-n",
        str(WORKERS),
        "--dist",
        "loadgroup",
        "-q",
        "-rs",
        "--durations=25",
        *tests,
        *arguments,
    ]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def _python_of(environment: Path) -> Path:
    """Returns the environment's interpreter; creates the environment if necessary."""
    python = environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        venv.create(environment, with_pip=True)
    return python


def _pip(python: Path, *arguments: str, compiles: str = "") -> None:
    command = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *arguments]
    subprocess.run(command, check=True, env={**os.environ, "OPENCLSP_COMPILE": compiles})


if __name__ == "__main__":
    sys.exit(main())
