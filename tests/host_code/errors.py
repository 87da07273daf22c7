"""Lists the errors in the kernels of host strings, with clang's errors on the same lines, and counts the lines.

    python -m tests.host_code.errors FOLDER…

Checks the host files of each folder as `openclsp check FILE…` does, without options, and prints a line for the folder:
its host files with programs, the programs, their lines, the errors, and those on lines on which clang has none. clang
compiles the extracted program with the options that openclsp found; a header that stands for an unknown part is removed.
Errors are listed; those without an error of clang are marked by `-` and must be judged by hand. The last line has the
errors per 1,000 lines. What the host passes to kernels is not counted: `tests.host_code.contract` measures it.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from openclsp.cli import main
from openclsp.host_code.host_language import host_language_of_file
from openclsp.host_code.host_words import MAXIMUM_HOST_BYTES, may_hold_kernel
from openclsp.host_code.program_document import ProgramDocument, program_documents
from openclsp.language.dialect import Dialect
from openclsp.source.document import Document

from ..oracle.clang import errors_of_files

_CONTRACT = "host-"
"""How the codes about calls of the host begin"""
_UNKNOWN_PART = re.compile(rb'#include "unknown-part-of-the-program[^"\n]*"')
_BATCH = 200
"""Files checked in one run"""


def without_unknown_parts(text: bytes) -> bytes:
    """The text of a program in which comments of the same length take the place of headers that do not exist."""
    return _UNKNOWN_PART.sub(lambda match: b"//" + b" " * (len(match[0]) - 2), text)


def host_files(folder: Path) -> Iterator[tuple[Path, tuple[ProgramDocument, ...]]]:
    """Yields the host files of a folder that hold programs."""
    for path in sorted(folder.rglob("*")):
        if host_language_of_file(path.name) is None or not path.is_file() or path.is_symlink():
            continue
        data = path.read_bytes()
        if len(data) <= MAXIMUM_HOST_BYTES and may_hold_kernel(data):
            programs = program_documents(Document.of(str(path.resolve()), data))
            if programs:
                yield path, programs


def _checked(
    paths: Sequence[Path],
) -> tuple[dict[str, list[dict[str, Any]]], dict[str, list[dict[str, Any]]]]:
    """The errors and the options of the programs of these files, by path."""
    errors: dict[str, list[dict[str, Any]]] = defaultdict(list)
    options: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for first in range(0, len(paths), _BATCH):
        out = io.StringIO()
        names = [str(each) for each in paths[first : first + _BATCH]]
        with contextlib.redirect_stdout(out):
            main(["check", "--no-fixes", "--show-options", "--format", "json", *names])
        answer = json.loads(out.getvalue())
        for file in answer["files"]:
            errors[file["path"]] += [
                each
                for each in file["diagnostics"]
                if each["severity"] == "error" and not each["code"].startswith(_CONTRACT)
            ]
        for each in answer["options"]:
            options[each["path"]].append(each)
    return errors, options


def _clang_lines(program: ProgramDocument, used: dict[str, Any]) -> dict[int, str]:
    """clang's first error on each line of the host file that a program's faulty lines begin in, from 1."""
    given = [each["option"] for each in used["options"] if each["state"] == "used"]
    separate = [each for each in given if each.startswith(("-D", "-U", "-I"))]
    text = program.document.text
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "program.cl")
        file.write_bytes(without_unknown_parts(text.data))
        dialect = Dialect.of(used["dialect"].split(",")[0])
        beside = ("-I", str(Path(program.host.name).parent))
        found = errors_of_files([file], dialect, (*separate, *beside))[0]
    lines: dict[int, str] = {}
    for each in found:
        start = text.line_start(each.line - 1)
        end = start + len(text.data[start:].split(b"\n", 1)[0])
        first, last = program.host_range(start, end)
        whole = program.host.text
        for line in range(whole.line_of(first), whole.line_of(max(first, last - 1)) + 1):
            lines.setdefault(line + 1, each.message)
    return lines


def measure(folder: Path) -> Counter[str]:
    """Prints the errors of one folder, and returns the counts."""
    found = dict(host_files(folder))
    errors, options = _checked([*found])
    counts: Counter[str] = Counter(files=len(found))
    listed: list[str] = []
    for path, programs in found.items():
        counts["programs"] += len(programs)
        counts["fragments"] += sum(each.program.is_fragment for each in programs)
        counts["lines"] += sum(each.document.text.data.count(b"\n") for each in programs)
        own = errors[str(path)]
        if not own:
            continue
        counts["errors"] += len(own)
        used = options[str(path)]
        clang: dict[int, str] = {}
        for index, program in enumerate(programs):
            clang = {**_clang_lines(program, used[min(index, len(used) - 1)]), **clang}
        for each in own:
            line = each["range"]["start"]["line"]
            counts["alone"] += line not in clang
            listed.append(
                f"  {path.relative_to(folder)}:{line}: {each['code']}: {each['message']}\n    clang: {clang.get(line, '-')}"
            )
    print(f"{folder.name}: {_shown(counts)}")
    for text in listed:
        print(text, flush=True)
    return counts


def _shown(counts: Counter[str]) -> str:
    return (
        f"{counts['files']} host files, {counts['programs']} programs ({counts['fragments']} fragments), "
        f"{counts['lines']} lines, {counts['errors']} errors, {counts['alone']} of which clang says nothing"
    )


def _run() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    total: Counter[str] = Counter()
    for folder in parser.parse_args().folders:
        total.update(measure(folder))
    thousands = max(total["lines"], 1) / 1_000
    print(f"together: {_shown(total)}")
    print(
        f"errors per 1,000 lines: {total['errors'] / thousands:.3f}, of which clang says nothing: {total['alone'] / thousands:.3f}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(_run())
