"""openclsp's verdict on programs, through its command line: what a person would read."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from openclsp.language.dialect import GENERIC_ADDRESS_SPACE, PROGRAM_SCOPE_GLOBAL_VARIABLES, Dialect

_OFF = {"generic": GENERIC_ADDRESS_SPACE, "globals": PROGRAM_SCOPE_GLOBAL_VARIABLES}


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One diagnostic; line and column are counted from 1."""

    line: int
    column: int
    code: str
    severity: str
    message: str


def diagnostics_of_files(
    files: Sequence[Path], dialect: Dialect, options: Sequence[str] = ()
) -> list[list[Diagnostic]]:
    """What `openclsp check` reports on each file.

    Raises RuntimeError where it could not run, or checked in another dialect than the one asked for.
    """
    standard, *off = dialect.name.split("-")
    extensions = ",".join(["+all", *(f"-{_OFF[part]}" for part in off)])
    command = [sys.executable, "-c", "from openclsp.cli import main; main()", "check", "--format", "json"]
    command += ["--no-fixes", "--std", standard, f"--cl-ext={extensions}", *options, *map(str, files)]
    finished = subprocess.run(command, check=False, capture_output=True, text=True)
    if finished.returncode not in (0, 1) or not finished.stdout.startswith("{"):
        raise RuntimeError(f"openclsp ended with {finished.returncode}: {finished.stderr[-3000:]}")
    reports = {report["path"]: report for report in json.loads(finished.stdout)["files"]}
    return [_read(reports[str(file)], dialect.name) for file in files]


def _read(report: dict[str, object], dialect: str) -> list[Diagnostic]:
    if report["dialect"] != dialect:
        raise RuntimeError(f"{report['path']} was checked as {report['dialect']}, not as {dialect}")
    listed = report["diagnostics"]
    assert isinstance(listed, list)
    return [
        Diagnostic(
            item["range"]["start"]["line"],
            item["range"]["start"]["column"],
            item["code"],
            item["severity"],
            item["message"],
        )
        for item in listed
    ]


def diagnostics_of_texts(texts: Sequence[str], dialect: Dialect) -> list[list[Diagnostic]]:
    """The same for programs that stand in no file."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, f"{number}.cl") for number in range(len(texts))]
        for file, text in zip(files, texts, strict=True):
            file.write_text(text)
        return diagnostics_of_files(files, dialect)
