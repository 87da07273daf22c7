"""Renames names drawn at random in whole projects through the server, and compares the programs before and after.

    python -m tests.end_to_end.rename_in_projects [--count 100] [--seed SEED] [--server COMMAND] FOLDER…

The folders are copies that may be written. For each name the server is asked as an editor asks it; its edits are
written to disk, and the programs that have one of the names are analysed before and after: the tokens must be the same but
for the name, and so must the diagnostics. Refusals are printed with the server's reason, except for names that
the program does not declare and for those of OpenCL C, which are counted.
"""

from __future__ import annotations

import argparse
import os
import random
import shlex
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.project.file_system import DocumentStore
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document
from openclsp.source.lexer import words
from openclsp.workspace.unit_preparation import plan_unit

from ..benchmarks.client import Server
from ..ide.navigation.compare_with_clangd import NEW_NAME as NEW
from ..ide.navigation.compare_with_clangd import drawn_names, position

_PROGRAMS = (".cl", ".ocl")
_MAXIMUM_COMPARED = 12
"""The maximum number of programs that are analysed for one name."""

_KINDS = {
    "built in": "is part of OpenCL C",
    "not declared": "is unknown",
    "declared in other programs": "this program does not declare",
    "defined by the host": "the host may define it",
    "defined by an option": "is defined by a build option",
    "refused": "refused",
}
"""The kinds of refusals, with a part of their reasons."""

Program = tuple[list[bytes], list[tuple[str, str]]]
"""The words of the expanded texts, and the codes and messages of the diagnostics."""


def analysed(file: Path) -> Program:
    """The program of a file with the options of its project."""
    planned = plan_unit(str(file))
    document = Document.of(str(file), file.read_bytes())
    unit = TranslationUnit(planned.unit_config, document, planned.make_include_loader(DocumentStore()))
    found = sorted((each.code, each.message) for each in compute_diagnostics(unit))
    every = [word for each in unit.preprocessed.with_included() for word in words(each.text)]
    unit.close()
    return every, found


def difference(before: Program, after: Program, old_name: str) -> str:
    """What differs between two states of a program but for the name; empty if nothing does."""
    old, new = old_name.encode(), NEW.encode()
    if len(before[0]) != len(after[0]):
        return "the number of words differs"
    for one, other in zip(before[0], after[0], strict=True):
        is_string = one.startswith(b'"') and one.replace(old, new) == other
        if one != other and (one, other) != (old, new) and not is_string:
            return f"{one!r} became {other!r}"
    one_way, other_way = (
        sorted((code, message.replace(old_name, NEW)) for code, message in each[1])
        for each in (before, after)
    )
    if one_way != other_way:
        new_ones = [each for each in other_way if each not in one_way] or one_way
        return f"the diagnostics differ: {new_ones[0]}"
    return ""


def edited_files(answer: dict[str, Any], old: str) -> dict[Path, bytes]:
    """The new texts of the files that a workspace edit changes."""
    found: dict[Path, bytes] = {}
    for uri, edits in answer["changes"].items():
        path = Path(unquote(urlparse(uri).path))
        lines = path.read_bytes().decode().splitlines(keepends=True)
        for edit in sorted(edits, key=lambda each: _start(each["range"]), reverse=True):
            (row, begin), end = _start(edit["range"]), edit["range"]["end"]
            assert end["line"] == row and lines[row][begin : end["character"]] == old, (str(path), row, begin)
            lines[row] = lines[row][:begin] + edit["newText"] + lines[row][end["character"] :]
        found[path] = "".join(lines).encode()
    return found


def _start(span: dict[str, dict[str, int]]) -> tuple[int, int]:
    return span["start"]["line"], span["start"]["character"]


def outcome(server: Server, file: Path, text: str, offset: int, programs: Iterable[Path]) -> str:
    """What is wrong after the server's rename of the name at an offset; empty if nothing is."""
    line, column = position(text, offset)
    place = {"textDocument": {"uri": file.as_uri()}, "position": {"line": line, "character": column}}
    try:
        answer = server.request("textDocument/rename", **place, newName=NEW).body["result"]
    except RuntimeError as error:
        return f"refused: {error}"
    if not answer:
        return "no answer"
    old = words(text[offset : offset + 400].encode())[0].decode()
    texts = edited_files(answer, old)
    if file not in texts:
        return "the file itself is not edited"
    having = [each for each in programs if each != file and old.encode() in each.read_bytes()]
    compared = [file, *[each for each in having if each in texts], *having][:_MAXIMUM_COMPARED]
    before = {each: analysed(each) for each in dict.fromkeys(compared)}
    originals = {each: each.read_bytes() for each in texts}
    try:
        for each, data in texts.items():
            each.write_bytes(data)
        for each, program in before.items():
            found = difference(program, analysed(each), old)
            if found:
                return f"{each.name}: {found}"
    finally:
        for each, data in originals.items():
            each.write_bytes(data)
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", default="projects")
    parser.add_argument("--server", default=f"{sys.executable} -m openclsp server")
    arguments = parser.parse_args()
    totals = Counter[str]()
    for folder in arguments.folders:
        folder = folder.resolve()
        every = sorted(
            Path(root, name)
            for root, _, names in os.walk(folder)
            for name in names
            if name.endswith(_PROGRAMS)
        )
        files = random.Random(arguments.seed).sample(every, min(len(every), max(1, arguments.count // 4)))
        server = Server(shlex.split(arguments.server), folder)
        server.initialize({}, pull=False)
        for file in files:
            data = file.read_bytes()
            if (
                not data.isascii()
                or b"\r" in data
                or totals.total() >= arguments.count * len(arguments.folders)
            ):
                continue
            text = data.decode()
            item = {"uri": file.as_uri(), "languageId": "opencl", "version": 1, "text": text}
            server.notify("textDocument/didOpen", textDocument=item)
            for offset in drawn_names(
                text, max(1, arguments.count // len(files)), f"{arguments.seed} {file.name}"
            ):
                found = outcome(server, file, text, offset, every)
                kind = "renamed"
                if found:
                    kind = next((name for name, part in _KINDS.items() if part in found), "wrong")
                totals[kind] += 1
                if kind in ("wrong", "refused"):
                    name = words(text[offset : offset + 80].encode())[0].decode()
                    print(f"{file}:{offset}: {name}: {kind}: {found}", flush=True)
            server.notify("textDocument/didClose", textDocument={"uri": file.as_uri()})
        server.stop()
    print(dict(totals))
    return 1 if totals["wrong"] or totals["refused"] else 0


if __name__ == "__main__":
    sys.exit(main())
