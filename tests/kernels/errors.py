"""Lists the errors in folders of unconfigured kernels, with clang's errors on the same lines.

    python -m tests.kernels.errors FOLDER… [--clang=-DNAME=VALUE]…

Checks each folder as `openclsp check FOLDER` does and prints a line for it: its files, its errors, and the number of
errors on lines without an error of clang. clang gets the version and the options that openclsp found, and those of
`--clang`. Then the errors are listed; those without an error of clang are marked and must be judged by hand.
docs/false-errors.md has the results.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from openclsp.cli import main
from openclsp.language.dialect import Dialect

from ..language.clang import QUIETLY, clang_command
from ..oracle.clang import reported


@dataclass(frozen=True, slots=True)
class Error:
    """An error of a file, and clang's messages on its line."""

    path: str
    line: int
    code: str
    message: str
    clang: tuple[str, ...]


def errors_of(folder: Path, more: Sequence[str] = ()) -> tuple[int, list[Error]]:
    """Returns the number of files checked in a folder, and the errors in them."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        main(["check", "--no-fixes", "--show-options", "--format", "json", str(folder)])
    answer: dict[str, Any] = json.loads(out.getvalue())
    options = {each["path"]: each for each in answer["options"]}
    found: list[Error] = []
    for file in answer["files"]:
        errors = [each for each in file["diagnostics"] if each["severity"] == "error"]
        if not errors:
            continue
        used = options.get(file["path"], {"options": ()})["options"]
        given = [each["option"] for each in used if each["state"] == "used"]
        dialect = file["dialect"].split(",")[0]
        # The dialect of a host file, whose calls of kernels are checked, is its language.
        kernel = dialect.startswith("CL")
        said = _clang(Path(file["path"]), dialect, [*_separate(given), *more]) if kernel else {}
        for each in errors:
            line = each["range"]["start"]["line"]
            found.append(Error(file["path"], line, each["code"], each["message"], said.get(line, ())))
    return len(answer["files"]), found


def _separate(options: Sequence[str]) -> Iterator[str]:
    for option in options:
        if option.startswith("-include "):
            yield from option.split(" ", 1)
        elif option.startswith(("-D", "-U", "-I")):
            yield option


def _clang(file: Path, dialect: str, options: Sequence[str]) -> dict[int, tuple[str, ...]]:
    command = [*clang_command(Dialect.of(dialect)), *QUIETLY, "-w", "-fsyntax-only", *options, str(file)]
    ran = subprocess.run(command, check=False, capture_output=True, text=True, errors="replace", timeout=300)
    lines: dict[int, tuple[str, ...]] = {}
    for each in reported(ran.stderr).get(str(file), ()):
        lines[each.line] = (*lines.get(each.line, ()), each.message)
    return lines


def _run() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--clang", action="append", default=[], help="an option for clang")
    given = parser.parse_args()
    total = alone = files = 0
    for folder in given.folders:
        count, errors = errors_of(folder, given.clang)
        unsaid = sum(not each.clang for each in errors)
        total, alone, files = total + len(errors), alone + unsaid, files + count
        print(f"{folder.name}: {count} files, {len(errors)} errors, {unsaid} of which clang says nothing")
        for each in errors:
            clang = each.clang[0] if each.clang else "-"
            where = Path(each.path).relative_to(folder)
            print(f"  {where}:{each.line}: {each.code}: {each.message}\n    clang: {clang}")
    print(f"together: {files} files, {total} errors, {alone} of which clang says nothing")
    return 0


if __name__ == "__main__":
    sys.exit(_run())
