"""Compares openclsp with clang on real kernels: error lines, and hovers over pointer names.

    python -m tests.oracle.kernels FOLDER [--dialect NAME] [--no-hovers] [--option=-DNAME …] [--index FILE]

Every `.cl` file below the folder is checked in the dialect (default: OpenCL C 1.2) with its own folder as an include
folder. An error of openclsp on a line without an error of clang is a *false error*; an error of clang that openclsp
does not report is *missed*, as is expected if a kernel needs macros of its host or built-in functions. There are no
false errors after a fatal error at an include, and no hovers are compared on lines with an error of clang. A file with
`#line` is skipped, because clang reports the lines that the directive sets.

An index gives files their own options: a JSON line for each, with `dir` and `path` below FOLDER, `sha256`, `defines`
and `include_dirs` (below `dir`). Then only its files are checked; missing ones, and those in another version, are
counted.
"""

from __future__ import annotations

import argparse
import logging
import re
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from openclsp.ide.hover.hover import compute_hover
from openclsp.language.dialect import REFERENCE_DIALECTS, Dialect

from . import clang
from .bases import bases_of_index
from .crashes import Collecting
from .ours import analysed_file, diagnostics_of
from .pointers import pointer_names

_LINE_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*line\b", re.MULTILINE)
_log = logging.getLogger(__name__)


@dataclass
class Outcome:
    """The result for one file; each entry is a line for the report."""

    file: Path
    crashes: list[str] = field(default_factory=list)
    false: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    right: int = 0
    errors: int = 0
    clang_errors: int = 0
    hovers: int = 0
    wrong: list[str] = field(default_factory=list)


def examine(file: Path, dialect: Dialect, options: Sequence[str], hovers: bool) -> Outcome:
    """Checks one file with both, and compares every hover."""
    outcome = Outcome(file)
    logging.getLogger().handlers = [Collecting(outcome.crashes)]
    both = [*options, "-I", str(file.parent)]
    theirs = {error.line: error.message for error in clang.errors_of_files([file], dialect, both)[0]}
    outcome.clang_errors = len(theirs)
    try:
        unit = analysed_file(file, dialect, both)
        mine = {item.line: f"[{item.code}] {item.message}" for item in diagnostics_of(unit) if item.is_error}
    except Exception:  # noqa: BLE001 - one file that crashes is an outcome
        _log.exception("%s", file)
        return outcome
    outcome.errors = len(mine)
    outcome.right = len(theirs.keys() & mine.keys())
    gave_up = max((line for line, message in theirs.items() if message.endswith("file not found")), default=0)
    if not gave_up:
        outcome.false = [f"{file}:{line}: {mine[line]}" for line in sorted(mine.keys() - theirs.keys())]
    outcome.missed = [f"{file}:{line}: {theirs[line]}" for line in sorted(theirs.keys() - mine.keys())]
    for pointer in pointer_names(file, dialect, both) if hovers else ():
        if pointer.line in theirs:
            continue
        outcome.hovers += 1
        offset = unit.document.text.line_start(pointer.line - 1) + pointer.column - 1
        place = f"{file}:{pointer.line}:{pointer.column}: `{pointer.name}`"
        try:
            answer = compute_hover(unit, unit.document.name, offset)
        except Exception:  # noqa: BLE001 - one hover that crashes is an outcome
            _log.exception("%s", place)
            continue
        if answer is None or answer.spaces != pointer.spaces:
            shown = "nothing" if answer is None else f"{answer.type} {answer.spaces}"
            outcome.wrong.append(f"{place}: clang says {pointer.type}, the hover {shown}")
    return outcome


def indexed(folder: Path, index: Path) -> dict[Path, tuple[str, ...]]:
    """Returns the files of an index that exist in the recorded version, each with the options for both."""
    found = {base.file: base.options for base in bases_of_index(folder, index).values()}
    missing = len(index.read_text(encoding="utf-8").splitlines()) - len(found)
    print(f"{len(found)} files of the index are there, {missing} are missing or of another version")
    return found


def main() -> int:
    """Runs as the module's docstring describes; returns 1 after a crash, a false error or a wrong hover."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--dialect", default="CL1.2", choices=[dialect.name for dialect in REFERENCE_DIALECTS]
    )
    parser.add_argument("--no-hovers", action="store_true")
    parser.add_argument("--option", action="append", default=[], help="an option for both, as -DNAME=1")
    parser.add_argument("--index", type=Path, help="the files to check, each with its options")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--missed", action="store_true", help="print what openclsp misses too")
    options = parser.parse_args()
    folder = options.folder.resolve()
    if reason := clang.reason_to_skip(folder):
        print(f"skipped: {reason}")
        return 0
    found = (
        indexed(folder, options.index)
        if options.index
        else {file: () for file in sorted(folder.rglob("*.cl"))}
    )
    files = [file for file in found if not _LINE_DIRECTIVE.search(file.read_bytes())]
    dialect = Dialect.of(options.dialect)
    with ProcessPoolExecutor(options.jobs) as pool:
        arguments = (
            [dialect] * len(files),
            [[*options.option, *found[file]] for file in files],
            [not options.no_hovers] * len(files),
        )
        outcomes = list(pool.map(examine, files, *arguments))
    for outcome in outcomes:
        for line in (
            *outcome.crashes,
            *outcome.false,
            *outcome.wrong,
            *(outcome.missed if options.missed else ()),
        ):
            print(line)
    crashes, false, missed, wrong = (
        sum(len(kind) for kind in kinds)
        for kinds in zip(
            *((each.crashes, each.false, each.missed, each.wrong) for each in outcomes), strict=True
        )
    )
    print(
        f"{len(files)} files in {dialect.name}: {crashes} crashes; {sum(each.errors for each in outcomes)} lines with "
        f"errors, {false} of them false, {missed} of clang's {sum(each.clang_errors for each in outcomes)} missed; "
        f"{sum(each.hovers for each in outcomes)} hovers on pointers, {wrong} wrong"
    )
    return 1 if crashes or false or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
