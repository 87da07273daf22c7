"""Measures the memory of a long-running server.

    python -m tests.benchmarks.memory [--lines 1000] [--edits 3000] [--documents 200] [--server "NAME=COMMAND LINE"]

One file is edited at random places, with an editor's requests after each edit. Then documents are opened, queried and
closed, twice. The output is the proportional share of memory (PSS) in megabytes.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

from . import contenders
from .client import Server
from .contenders import Contender
from .edits import Edited
from .generated import kernel

_SETTLED = 3.0
"""Seconds after which a server has done what it puts off."""


def main() -> int:
    """Runs the measurements and prints them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lines", type=int, default=1000)
    parser.add_argument("--edits", type=int, default=3000)
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--server", type=contenders.named, default=contenders.openclsp())
    options = parser.parse_args()
    _edit(options.server, options.lines, options.edits)
    _open_and_close(options.server, options.lines, options.documents)
    return 0


def _edit(contender: Contender, lines: int, edits: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        server = Server(contender.command, Path(name))
        try:
            server.initialize({}, pull=True)
            _edit_at_random(server, Path(name) / "kernel.cl", kernel(lines), edits)
        finally:
            server.stop()


def _edit_at_random(server: Server, path: Path, text: str, edits: int) -> None:
    _open(server, path, text)
    document, first = Edited.of(text), text.split("\n")
    bodies = [at for at, line in enumerate(first) if line.startswith("  ") and line.endswith(";")]
    choose, changed = random.Random(1), list[int]()
    time.sleep(_SETTLED)
    print(f"one file of {len(first)} lines, opened: {server.memory():.0f} MB", flush=True)
    for number in range(1, edits + 1):
        # lines become what they were, so that the text does not grow
        at = changed.pop(0) if len(changed) > 20 else choose.choice(bodies)
        new = first[at]
        if document.lines[at] == new:
            changed.append(at)
            new = choose.choice(
                (
                    f"{new[:-1]} + x{number};",
                    f"  int v{number} = {number};{new}",
                    f"/* {new}",
                    f"  g({number});{new}",
                )
            )
        edit = document.replace((at, 0), (at, len(document.lines[at])), new)
        uri = {"uri": path.as_uri(), "version": document.version}
        server.notify("textDocument/didChange", textDocument=uri, contentChanges=[edit.change])
        _ask(server, path, at, everything=number % 5 == 0)
        if number % 500 == 0:
            print(f"after {number} edits: {server.memory():.0f} MB", flush=True)


def _open_and_close(contender: Contender, lines: int, documents: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        server = Server(contender.command, Path(name))
        try:
            server.initialize({}, pull=True)
            for turn in range(2):
                # other names: what clears a closed document's diagnostics tells no version
                paths = [Path(name) / f"kernel{turn}_{number}.cl" for number in range(documents)]
                for number, path in enumerate(paths):
                    _open(server, path, kernel(lines).replace("hub_", f"hub{number}_"))
                    _ask(server, path, lines // 2, everything=True)
                time.sleep(_SETTLED)
                print(f"{documents} documents of {lines} lines, open: {server.memory():.0f} MB", flush=True)
                for path in paths:
                    server.notify("textDocument/didClose", textDocument={"uri": path.as_uri()})
                time.sleep(_SETTLED)
                print(f"closed: {server.memory():.0f} MB", flush=True)
        finally:
            server.stop()


def _open(server: Server, path: Path, text: str) -> None:
    item = {"uri": path.as_uri(), "languageId": "opencl", "version": 1, "text": text}
    server.notify("textDocument/didOpen", textDocument=item)
    server.diagnostics(path.as_uri(), 1)


def _ask(server: Server, path: Path, line: int, *, everything: bool) -> None:
    """Sends the requests of an editor after an edit: about the word at the cursor, and with `everything` about the file."""
    document = {"uri": path.as_uri()}
    server.request("textDocument/hover", textDocument=document, position={"line": line, "character": 6})
    if everything:
        server.request("textDocument/semanticTokens/full", textDocument=document)
        server.request("textDocument/documentSymbol", textDocument=document)


if __name__ == "__main__":
    sys.exit(main())
