"""Measures the cost of a keystroke while a header contains an error, in the kernel and in the header.

    python -m tests.benchmarks.damaged [--folder FOLDER] [--edits 20] [--server "NAME=COMMAND LINE"]

The kernel is hashcat's m00000_a0-pure.cl and the header its inc_types.h, from Debian's package hashcat-data or from the
folder `OpenCL` of a checkout. Each kind of damage gets a server of its own. The output is the median CPU time until the
server is idle again, in milliseconds, and in brackets its ratio to that with the undamaged header.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from ..grammar.corpus import fetched
from . import contenders
from .client import Server
from .contenders import Contender
from .edits import Edited

KERNEL = "m00000_a0-pure.cl"
HEADER = "inc_types.h"
FLAGS = (
    "-cl-std=CL1.2",
    "-I.",
    "-DKERNEL_STATIC",
    "-DVECT_SIZE=1",
    "-DINCLUDE_PATH=.",
    "-DXM2S(x)=#x",
    "-DM2S(x)=XM2S(x)",
)
"""What hashcat passes so that a kernel includes anything."""


def _put(piece: str) -> Callable[[str], str]:
    """Returns an edit that inserts a line before the structure in the middle of the text."""

    def damage(text: str) -> str:
        at = text.index("\ntypedef struct", len(text) // 2) + 1
        return f"{text[:at]}{piece}\n{text[at:]}"

    return damage


def _remove(piece: str) -> Callable[[str], str]:
    """Returns an edit that removes the last occurrence in a piece of text after the middle."""

    def damage(text: str) -> str:
        at = text.index(piece, text.index("\ntypedef struct", len(text) // 2)) + len(piece) - 1
        return text[:at] + text[at + 1 :]

    return damage


DAMAGES: dict[str, Callable[[str], str]] = {
    "nothing": lambda text: text,
    "a closing brace too many": _put("}"),
    "an opening brace too many": _put("{"),
    "an opening brace too few": _remove("{"),
    "a closing brace too few": _remove("\n}"),
    "a closing parenthesis too many": _put(")"),
    "an opening parenthesis too many": _put("("),
    "a comment that nothing closes": _put("/*"),
    "a string that nothing closes": _put('"'),
    "a condition that nothing ends": _put("#if 1"),
    "a condition that hides the rest": _put("#if 0"),
    "a word too many": _put("unknown"),
}


def main() -> int:
    """Runs the measurements and prints them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--edits", type=int, default=20)
    parser.add_argument("--server", type=contenders.named, default=contenders.openclsp())
    parser.add_argument("--damage", action="append", choices=DAMAGES, help="only these")
    options = parser.parse_args()
    folder: Path | None = options.folder
    if folder is None:
        folder = next((each.parent for each in fetched("hashcat-data") if each.name == KERNEL), None)
    if folder is None:
        return 0
    print("| damage to the header | a character in the kernel, ms | a character in the header, ms |")
    print("|---|---|---|", flush=True)
    healthy: Sequence[float] = ()
    for name, damage in DAMAGES.items():
        if options.damage is None or name in options.damage or not healthy:
            found = [
                _measure(options.server, folder, damage, options.edits, each) for each in (KERNEL, HEADER)
            ]
            healthy = healthy or found
            cells = (f"{each:.1f} ({each / usual:.1f})" for each, usual in zip(found, healthy, strict=True))
            print(f"| {name} | {' | '.join(cells)} |", flush=True)
    return 0


def _measure(
    contender: Contender, folder: Path, damage: Callable[[str], str], edits: int, edited: str
) -> float:
    """Returns the median CPU time of typing a character in a function or structure.

    The edited place is the first one before the damage.
    """
    with tempfile.TemporaryDirectory() as name:
        workspace = Path(name).resolve()
        for each in (folder / KERNEL, *folder.glob("inc_*")):
            shutil.copy(each, workspace)
        (workspace / "compile_flags.txt").write_text("".join(f"{flag}\n" for flag in FLAGS))
        header = workspace / HEADER
        header.write_text(damage(header.read_text()))
        server = Server(contender.command, workspace)
        try:
            server.initialize({}, pull=True)
            for path in (workspace / KERNEL, *([header] if edited == HEADER else [])):
                item = {"uri": path.as_uri(), "languageId": "opencl", "version": 1, "text": path.read_text()}
                server.notify("textDocument/didOpen", textDocument=item)
                server.diagnostics(path.as_uri(), 1)
            server.idle()
            return statistics.median(_edits(server, workspace / edited, edits))
        finally:
            server.stop()


def _edits(server: Server, path: Path, edits: int) -> list[float]:
    """Returns the CPU times of characters that are typed into a line of their own."""
    document = Edited.of(path.read_text())
    middle = len(document.lines) // 2
    line = next(at for at in range(middle, len(document.lines)) if document.lines[at].endswith(";")) + 1
    found: list[float] = []
    changes = [document.put_before(line, "\n")]
    changes += [document.replace((line, at), (line, at), "qg = ql; "[at % 9]) for at in range(edits)]
    for change in changes:
        before = server.idle()
        uri = {"uri": path.as_uri(), "version": document.version}
        server.notify("textDocument/didChange", textDocument=uri, contentChanges=[change.change])
        server.diagnostics(path.as_uri(), document.version)
        found.append(server.idle() - before)
    return found[1:]


if __name__ == "__main__":
    sys.exit(main())
