"""Compares the expanded text of every .cl file under a folder with `clang -E`, by token and line.

    python tests/source/compare_with_clang.py FOLDER [-I DIR]… [-D NAME[=VALUE]]… [--std CL2.0] [--list N]

Exits with 1 where a file differs. Says so and exits with 0 where no clang is installed.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from openclsp.source import document_preprocessing
from openclsp.source.document import Document, DocumentName
from openclsp.source.include_cache import IncludeCache
from openclsp.source.lexer import Token, lex_line, token_start
from openclsp.source.options import PreprocessorOptions, Refusal
from openclsp.source.preprocessed import Preprocessed

CLANG = shutil.which("clang-22") or shutil.which("clang")

Placed = tuple[str, int, bytes]
"""File, line from 1, spelling"""

_MARKER = re.compile(rb'# (\d+) "((?:[^"\\]|\\.)*)"')


class Folders:
    """Finds includes as `-I` does."""

    def __init__(self, folders: list[str]) -> None:
        self.folders = folders
        self.documents: dict[str, Document] = {}

    def load(self, name: str, angled: bool, includer: DocumentName) -> Document | Refusal:
        """Returns the document that an include means."""
        own = [] if angled else [str(Path(includer).parent)]
        for folder in own + self.folders:
            path = name if name.startswith("/") else f"{folder}/{name}"
            if path not in self.documents:
                if not Path(path).is_file():
                    continue
                self.documents[path] = Document.of(path, Path(path).read_bytes())
            return self.documents[path]
        return Refusal("file not found")


@cache
def _resources() -> str:
    assert CLANG is not None
    run = subprocess.run([CLANG, "-print-resource-dir"], capture_output=True, text=True, check=True)
    return run.stdout.strip()


def clang_command(standard: str, options: list[str]) -> list[str]:
    """The preprocessing half of clang's own front end, for spir64."""
    assert CLANG is not None
    return [
        CLANG, "-cc1", "-E", "-triple", "spir64-unknown-unknown", "-x", "cl", f"-cl-std={standard}", "-cl-ext=+all",
        "-finclude-default-header", "-fdeclare-opencl-builtins", "-ferror-limit", "0", "-w",
        "-internal-isystem", f"{_resources()}/include", *options,
    ]  # fmt: skip


def predefined(command: list[str]) -> dict[str, str]:
    """Returns every macro that clang defines before the first line."""
    run = subprocess.run([*command, "-dM", "-"], input=b"", capture_output=True, check=False)
    macros: dict[str, str] = {}
    for line in run.stdout.decode().splitlines():
        match = re.match(r"#define (\w+(?:\([^)]*\))?) ?(.*)", line)
        if match:
            macros[match[1]] = match[2]
    return macros


def clang_tokens(command: list[str], path: str, faulty: bool = False) -> list[Placed] | None:
    """Returns the tokens of clang's output that come from `path` or a file that it includes.

    None if clang reports a fault, unless `faulty` output is wanted too.
    """
    run = subprocess.run([*command, path], capture_output=True, check=False, timeout=600)
    if run.returncode and not faulty:
        return None
    placed: list[Placed] = []
    file, line = "", 0
    data = run.stdout
    started = False
    at = 0
    while at < len(data):
        stop = data.find(b"\n", at)
        stop = len(data) if stop < 0 else stop
        marker = _MARKER.match(data, at, stop)
        if marker:
            file, line = marker[2].decode("utf-8", "surrogateescape"), int(marker[1])
            started = started or file == path
            at = stop + 1
            continue
        if (
            started
            and "opencl-c" not in file
            and not file.startswith("<")
            and not data.startswith(b"#pragma", at)
        ):
            tokens, end = lex_line(data, at)
            placed.extend((file, line, token[1]) for token in tokens)
            for _ in range(data.count(b"\n", at, end) - 1):
                line += 1
            stop = end - 1
        line += 1
        at = stop + 1
    return placed


def our_tokens(unit: Preprocessed) -> Iterator[Placed]:
    """Yields the tokens of the expanded text, with includes in their places."""
    pending = list(reversed(unit.includes))
    text, lines = unit.text, unit.source_map.lines
    name = unit.document.name
    at = 0
    while at < len(text):
        tokens, end = lex_line(text, at)
        for token in tokens:
            offset = token_start(token)
            while pending and pending[-1].offset <= offset:
                yield from our_tokens(pending.pop().preprocessed)
            yield from _placed(unit, name, token, lines.find(offset))
        at = end
    while pending:
        yield from our_tokens(pending.pop().preprocessed)


def _placed(unit: Preprocessed, name: str, token: Token, row: int) -> Iterator[Placed]:
    offset = token_start(token)
    mapped = unit.source_map.rows[row]
    foreign = mapped is not None and any(segment.document for segment in mapped.segments)
    written = unit.source_map.written(offset, offset + 1) if foreign else None
    if written is None or written.document == name:
        yield name, _printed_row(unit, row) + 1, token[1]
        return
    line = Path(written.document).read_bytes()[: written.start].count(b"\n")
    yield written.document, line + 1, token[1]


def _printed_row(unit: Preprocessed, row: int) -> int:
    """Returns the line on which clang prints a row's tokens.

    Tokens after a call or a splice stay on the line on which that began, unless nothing was printed there.
    """
    rows, text = unit.source_map.rows, unit.document.text
    while row:
        mapped = rows[row]
        if mapped is not None and mapped.home:
            above, _ = lex_line(unit.text, unit.source_map.lines.start(row - mapped.home))
            if not above:
                break
            row -= mapped.home
        elif text.line(row - 1).rstrip().endswith(b"\\"):
            tokens, _ = lex_line(text.data, text.line_start(row - 1))
            if not tokens or token_start(tokens[0]) >= text.line_start(row):
                break
            row -= 1
        else:
            break
    return row


def difference(ours: list[Placed], theirs: list[Placed]) -> str | None:
    """Describes the first difference."""
    for mine, other in zip(ours, theirs, strict=False):
        if mine != other:
            return f"we have {mine}, clang {other}"
    if len(ours) != len(theirs):
        longer = ours if len(ours) > len(theirs) else theirs
        return f"{len(ours)} tokens, clang {len(theirs)}; next {longer[min(len(ours), len(theirs))]}"
    return None


def main() -> int:
    """Runs as the module's docstring describes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-I", dest="folders", action="append", default=[])
    parser.add_argument("-D", dest="defines", action="append", default=[])
    parser.add_argument("--std", default="CL2.0")
    parser.add_argument("--list", type=int, default=20)
    parser.add_argument("--sample", type=int, default=1, help="take every so many-th file")
    arguments = parser.parse_args()
    if CLANG is None:
        print("no clang is installed: nothing compared")
        return 0
    folder: Path = arguments.folder
    files = sorted(folder.rglob("*.cl"))[:: arguments.sample] if folder.is_dir() else [folder]
    options = [f"-I{name}" for name in arguments.folders] + [f"-D{name}" for name in arguments.defines]
    command = clang_command(arguments.std, options)
    ours = PreprocessorOptions(predefined(command))
    loader, cache = Folders(arguments.folders), IncludeCache()
    equal = shown = tokens = 0
    spent = 0.0
    for path in files:
        document = Document.of(str(path), path.read_bytes())
        begin = time.process_time()
        unit = document_preprocessing.full(document, ours, loader, cache)
        spent += time.process_time() - begin
        mine = list(our_tokens(unit))
        fault = difference(mine, clang_tokens(command, str(path), faulty=True) or [])
        tokens += len(mine)
        equal += fault is None
        if fault is not None and shown < arguments.list:
            shown += 1
            print(f"{path}: {fault}")
    print(
        f"{equal} of {len(files)} files equal, {tokens} tokens, {spent * 1000 / max(len(files), 1):.1f} ms a file"
    )
    return 0 if equal == len(files) else 1


if __name__ == "__main__":
    sys.exit(main())
