"""Compares definitions, references, highlights and renames with clangd's, on the names of real kernels.

    python -m tests.ide.navigation.compare_with_clangd CLANGD [--std CL2.0] [-D…] [-I…] FILE…

Names are drawn at random, the same ones for the same file. For each, clangd is asked for the definition, the
highlights, the references and the edits of a rename, and openclsp for the same. References and edits are compared
in the file itself, because clangd finds others only in files that it has indexed. A difference is printed with its
line; the summary counts them. Names that clangd resolves to its own header of built-in functions have no
definition here.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

from openclsp.ide.navigation.definitions import Destination, find_destinations, find_occurrences
from openclsp.ide.navigation.rename import RenameRefusal, compute_rename
from openclsp.language.builtin_functions import is_builtin_function_name
from openclsp.language.dialect import Dialect
from openclsp.language.keywords import keywords

from ...oracle.ours import analysed_file

NAME = re.compile(r"(?<!\w)(?<!\d\.)[A-Za-z_]\w*")
_IGNORED = re.compile(r"#[ \t]*\w+|//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"", re.DOTALL)

NEW_NAME = "renamed_at_random"

Range = tuple[int, int]
"""Line and column from 0; files are read as ASCII."""


class Clangd:
    """A clangd process."""

    def __init__(self, program: str, flags: list[str]) -> None:
        self._process = subprocess.Popen(
            [program, "--log=error", "--background-index=false"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._number = 0
        options = {"fallbackFlags": flags}
        self.request(
            "initialize",
            {"processId": None, "rootUri": None, "capabilities": {}, "initializationOptions": options},
        )
        self.notify("initialized", {})

    def notify(self, method: str, params: object) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, params: object) -> Any:
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        while True:
            message = self._receive()
            if message.get("id") == self._number and "method" not in message:
                return message.get("result")

    def close(self) -> None:
        self.request("shutdown", None)
        self.notify("exit", None)
        self._process.wait(30)

    def _send(self, message: object) -> None:
        data = json.dumps(message).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self._process.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        length = 0
        while line := self._process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        found: dict[str, Any] = json.loads(self._process.stdout.read(length))
        return found


def drawn_names(text: str, count: int, seed: str) -> list[int]:
    """The offsets of some identifiers outside of comments and strings."""
    blank = _IGNORED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    reserved = keywords(Dialect.of("CL2.0"))
    found = [match.start() for match in NAME.finditer(blank) if match[0] not in reserved]
    return sorted(random.Random(seed).sample(found, min(count, len(found))))


def position(text: str, offset: int) -> Range:
    return text.count("\n", 0, offset), offset - (text.rfind("\n", 0, offset) + 1)


def _is_implicit(name: str, theirs: set[tuple[str, Range]], file: str, at: Range) -> bool:
    """Whether clang declares the function by itself, at its first use."""
    return is_builtin_function_name(name) and (not theirs or theirs == {(file, at)})


def _compare_places(
    kind: str, name: str, where: str, theirs: set[Range], ours: set[Range], totals: Counter[str]
) -> None:
    for title, places in ((f"missed {kind}", theirs - ours), (f"more {kind}s", ours - theirs)):
        if places:
            totals[title] += 1
            shown = [f"{line + 1}:{column + 1}" for line, column in sorted(places)[:4]]
            print(f"{where}: {name}: {title}: {', '.join(shown)}")


def compare(file: Path, clangd: Clangd, arguments: argparse.Namespace, totals: Counter[str]) -> None:
    data = file.read_bytes()
    if not data.isascii() or b"\r" in data:
        return
    text = data.decode()
    options = [f"-D{each}" for each in arguments.define] + [f"-I{each}" for each in arguments.include]
    unit = analysed_file(file, Dialect.of(arguments.std), options)
    uri = file.as_uri()
    item = {"uri": uri, "languageId": "opencl", "version": 1, "text": text}
    clangd.notify("textDocument/didOpen", {"textDocument": item})
    texts = {str(file): text}

    def of_location(document: str, offset: int) -> tuple[str, Range]:
        if document not in texts:
            texts[document] = Path(document).read_bytes().decode("latin-1")
        return document, position(texts[document], offset)

    for offset in drawn_names(text, arguments.names, file.name):
        line, column = position(text, offset)
        at = {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}}
        theirs = {
            (
                unquote(urlparse(each["uri"]).path),
                (each["range"]["start"]["line"], each["range"]["start"]["character"]),
            )
            for each in clangd.request("textDocument/definition", at) or ()
        }
        name = NAME.match(text, offset)
        assert name is not None
        where = f"{file.name}:{line + 1}:{column + 1}"
        totals["names"] += 1
        if any("/clang/" in path for path, _ in theirs) or _is_implicit(
            name[0], theirs, str(file), (line, column)
        ):
            totals["built-in"] += 1
            continue
        found = find_destinations(unit, str(file), offset, Destination.DEFINITION)
        ours = {
            of_location(each.location.document, each.location.start)
            for each in (() if found is None else found.places)
        }
        if theirs and not {document for document, _ in theirs} & unit.preprocessed.documents():
            # clangd takes functions of the same name in other files that it has seen for one function
            totals["definition in another program"] += 1
        elif ours != theirs:
            kind = "missed definition" if theirs - ours else "more definitions"
            totals[kind] += 1
            print(f"{where}: {name[0]}: {kind}: {sorted(ours)} {sorted(theirs)}")
        marked = {
            ((each["range"]["start"]["line"], each["range"]["start"]["character"]), each.get("kind", 1))
            for each in clangd.request("textDocument/documentHighlight", at) or ()
        }
        occurrences = find_occurrences(unit, str(file), offset, only_here=True)
        own = {
            (
                position(text, each.location.start),
                3 if each.role.value == "write" else 1 if each.role.declares else 2,
            )
            for each in (() if occurrences is None else occurrences[1])
        }
        places = {place for place, _ in own}
        _compare_places("highlight", name[0], where, {place for place, _ in marked}, places, totals)
        kinds = dict(own)
        other = [
            (place, kind, kinds[place])
            for place, kind in sorted(marked)
            # clangd marks as text (1) what is neither read as a whole nor written
            if kind != 1 and kinds.get(place, kind) != kind
        ]
        if other:
            totals["other kind"] += 1
            print(f"{where}: {name[0]}: other kinds (clangd, ours): {other[:4]}")
        every = find_occurrences(unit, str(file), offset)
        own_places = {
            position(text, each.location.start)
            for each in (() if every is None else every[1])
            if each.location.document == str(file)
        }
        their_places = {
            (each["range"]["start"]["line"], each["range"]["start"]["character"])
            for each in clangd.request(
                "textDocument/references", {**at, "context": {"includeDeclaration": True}}
            )
            or ()
            if each["uri"] == uri
        }
        _compare_places("reference", name[0], where, their_places, own_places, totals)
        edits = clangd.request("textDocument/rename", {**at, "newName": NEW_NAME})
        found_edits = compute_rename(unit, str(file), offset, NEW_NAME, lambda _: True, lambda *_: ())
        if edits is None:
            totals["renamed by openclsp alone"] += not isinstance(found_edits, RenameRefusal)
            continue
        if isinstance(found_edits, RenameRefusal):
            # clangd renames the uses of what only the language declares
            kind = "built-in rename" if "is part of OpenCL C" in found_edits.reason else "refused rename"
            totals[kind] += 1
            print(f"{where}: {name[0]}: {kind}: {found_edits.reason}")
            continue
        changed = edits.get("changes") or {}
        their_edits = {
            (each["range"]["start"]["line"], each["range"]["start"]["character"])
            for each in changed.get(uri, ())
        }
        own_edits = {position(text, start) for start in found_edits.places.get(str(file), ())}
        _compare_places("edit", name[0], where, their_edits, own_edits, totals)
    clangd.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


def flags(arguments: argparse.Namespace) -> list[str]:
    """The options with which clangd analyses the same program."""
    found = ["-xcl", f"-cl-std={arguments.std}", "-Xclang", "-finclude-default-header", "--target=spir64"]
    found += [f"-D{each}" for each in arguments.define] + [f"-I{each}" for each in arguments.include]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("clangd")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--std", default="CL2.0")
    parser.add_argument("--names", type=int, default=25, help="names of each file")
    parser.add_argument("-D", dest="define", action="append", default=[])
    parser.add_argument("-I", dest="include", action="append", default=[])
    arguments = parser.parse_args()
    clangd = Clangd(arguments.clangd, flags(arguments))
    totals = Counter[str]()
    for file in arguments.files:
        compare(file.resolve(), clangd, arguments, totals)
    clangd.close()
    print(dict(totals))
    return 1 if any(count and kind.startswith(("missed", "refused")) for kind, count in totals.items()) else 0


if __name__ == "__main__":
    sys.exit(main())
