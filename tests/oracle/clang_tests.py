"""Compares openclsp with clang on clang's own tests in `clang/test`, or part of them.

    python -m tests.oracle.clang_tests FOLDER [--select REGEX] [--all] [--missed]

Every line `RUN: %clang_cc1 …` of every `.cl` file below FOLDER is a run: clang compiles the file with the options of
that line, except those that produce output, and openclsp checks it with the same options. Runs in C++ for OpenCL, and
those whose macros or headers are missing, are skipped. Lines are compared, as in `mutants.py`.

clang's tests declare the built-in functions that they need, because clang knows none without its header; openclsp
always knows them.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from openclsp.project.file_system import DocumentStore
from openclsp.project.option_parser import parse_build_options
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document
from openclsp.workspace.unit_preparation import plan_unit

from ..language.clang import CLANG, QUIETLY, include_folder
from . import clang
from .about_spaces import is_about_spaces
from .deviations import explained_in_clang_test
from .judged_mutants import statements_by_line
from .ours import diagnostics_of

_RUN = re.compile(r"RUN:\s*(.*)")
_DROPPED = re.compile(
    r"-verify.*|-emit-.*|-fsyntax-only|-S|-E|-dM|-ast-dump.*|-disable-llvm-passes|-Werror|-fno-caret.*|-ferror-limit"
    r"|-ftime-report.*|-pedantic|-Wpedantic-core-features|-disable-O0-optnone"
)
_DROPPED_WITH_VALUE = ("-o", "-ferror-limit", "-include-pch", "-ast-dump-filter")
_NO_OPENCL_C = re.compile(r"clc\+\+|CLC\+\+|-xc|cuda|hip|c\+\+")


@dataclass(frozen=True, slots=True)
class Run:
    """A file with the options of one of its `RUN` lines."""

    file: Path
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """A line on which only one side reports an error.

    `about`: clang's error is about address spaces, or the error is ours.
    """

    run: Run
    line: int
    by_clang: bool
    about: bool
    message: str
    source: str
    reason: str | None


def runs_of(file: Path) -> Iterator[Run]:
    """The runs of a test that compile OpenCL C."""
    text = file.read_text(encoding="utf-8", errors="replace")
    joined = re.sub(r"\\\n\s*//\s*RUN:", " ", text)
    seen = set()
    for match in _RUN.finditer(joined):
        for command in re.split(r"&&|\||;", match[1]):
            words = _words(command)
            if words[:1] == ["not"]:
                words = words[1:]
            if words[:1] != ["%clang_cc1"] or "-E" in words or "%s" not in words:
                continue
            options = tuple(_kept(words[1:], file))
            if _NO_OPENCL_C.search(" ".join(options)) or options in seen:
                continue
            seen.add(options)
            yield Run(file, options)


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return []


def _kept(words: Sequence[str], file: Path) -> Iterator[str]:
    """The options that change what the source means, or the target."""
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word in _DROPPED_WITH_VALUE:
            skip = True
        elif word in ("%s", "2>&1", "<", "-x", "cl") or _DROPPED.fullmatch(word):
            continue
        elif word.startswith((">", "%")):
            return
        else:
            yield word.replace("%S", str(file.parent))


def clang_lines(run: Run) -> dict[int, list[str]] | None:
    """Returns clang's errors by line; None if it could not start, because of an unknown option or a missing header."""
    command = [
        str(CLANG),
        "-cc1",
        "-internal-isystem",
        include_folder(),
        "-nostdsysteminc",
        *run.options,
        "-x",
        "cl",
        *QUIETLY,
        "-w",
        "-fsyntax-only",
        str(run.file),
    ]
    finished = subprocess.run(command, check=False, capture_output=True, text=True, errors="replace")
    if finished.returncode not in (0, 1):
        return None
    found: dict[int, list[str]] = defaultdict(list)
    for error in clang.reported(finished.stderr).get(str(run.file), []):
        found[error.line].append(error.message)
    if finished.returncode == 1 and not found:
        return None
    if any(message.endswith("file not found") for said in found.values() for message in said):
        return None
    return dict(found)


def our_lines(run: Run) -> dict[int, list[str]]:
    """Returns our errors by line, with their codes."""
    # an OpenCL target of clang supports every extension unless told otherwise
    written = ["-cl-ext=+all", *run.options]
    planned = plan_unit(
        str(run.file), command_line=parse_build_options(written, str(run.file.parent)).options
    )
    document = Document.of(str(run.file), run.file.read_bytes())
    unit = TranslationUnit(planned.unit_config, document, planned.make_include_loader(DocumentStore()))
    found: dict[int, list[str]] = defaultdict(list)
    for item in diagnostics_of(unit):
        if item.is_error:
            found[item.line].append(f"[{item.code}] {item.message}")
    return dict(found)


def compare(run: Run) -> tuple[list[Difference], Counter[str]] | None:
    """Returns the differences of one run and the counts of lines; None if clang rejects the run."""
    theirs = clang_lines(run)
    if theirs is None:
        return None
    mine = our_lines(run)
    text = run.file.read_bytes()
    lines, statements = text.decode(errors="replace").splitlines(), statements_by_line(text)
    counts: Counter[str] = Counter(runs=1)
    found: list[Difference] = []

    def said(line: int, by: dict[int, list[str]]) -> bool:
        return line in by or any(statements.get(line, set()) & statements.get(other, set()) for other in by)

    def keep(line: int, by_clang: bool, about: bool, message: str) -> None:
        source = lines[line - 1].strip() if line <= len(lines) else ""
        reason = explained_in_clang_test(run.file.name, source, message, by_clang)
        found.append(Difference(run, line, by_clang, about, message, source, reason))

    for line, messages in theirs.items():
        about = next((message for message in messages if is_about_spaces(message)), None)
        kind = "about" if about else "other"
        counts[f"{kind} {'found' if said(line, mine) else 'missed'}"] += 1
        if not said(line, mine):
            keep(line, True, about is not None, about or messages[0])
    for line, messages in mine.items():
        if said(line, theirs):
            counts["right"] += 1
        else:
            counts["false"] += 1
            keep(line, False, True, messages[0])
    return found, counts


def main() -> int:
    """Runs as the module's docstring describes; returns 1 if something differs without a reason."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--select", default="", help="only files whose path this regular expression finds")
    parser.add_argument("--all", action="store_true", help="also what differs for an agreed reason")
    parser.add_argument(
        "--missed", action="store_true", help="also errors of clang that are about other things"
    )
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    if reason := clang.reason_to_skip():
        print(f"skipped: {reason}")
        return 0
    folder = options.folder.resolve()
    files = [each for each in sorted(folder.rglob("*.cl")) if re.search(options.select, str(each))]
    runs = [run for file in files for run in runs_of(file)]
    with ProcessPoolExecutor(options.jobs) as pool:
        answers = list(pool.map(compare, runs, chunksize=4))
    total: Counter[str] = Counter()
    shown: dict[tuple[Path, int, str], list[Difference]] = defaultdict(list)
    unexplained = 0
    for answer in answers:
        if answer is None:
            total["left out"] += 1
            continue
        total.update(answer[1])
        for each in answer[0]:
            if not each.about and not options.missed:
                continue
            unexplained += each.reason is None
            if each.reason is None or options.all:
                shown[each.run.file, each.line, each.message].append(each)
    for (file, line, message), found in shown.items():
        first = found[0]
        side = "clang" if first.by_clang else "openclsp"
        print(f"{file.relative_to(folder)}:{line}: {first.source[:160]}\n    {side}: {message}")
        print(f"    {len(found)} runs, as: {' '.join(first.run.options)}")
        if first.reason:
            print(f"    because {first.reason}")
    print(f"{len(files)} files: " + ", ".join(f"{count} {name}" for name, count in sorted(total.items())))
    print(f"{unexplained} lines differ without a reason")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
