"""Measures the CPU time of an edit with the request that follows it at once: completion, signature help, hover.

    python -m tests.benchmarks.after_edit [--lines 5000] [--keys 60] [--server "NAME=COMMAND LINE"]…

In a generated file, an argument of a call in the middle is typed key by key, and deleted again. Printed are, for each
request, the median and the 95th percentile of the CPU time of the server's process from the edit to the answer, and for
comparison those of an edit alone, with its diagnostics.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from . import contenders
from .cases import generated
from .client import Server
from .contenders import Contender

TYPED = "k_weights, get_global_id + acc"
"""What is typed, again and again, as the arguments of a call whose bracket the editor has closed"""
REQUESTS = ("", "completion", "signatureHelp", "hover")


def measure(contender: Contender, lines: int, keys: int) -> dict[str, list[float]]:
    """The CPU times in milliseconds by request; the empty name is that of an edit alone."""
    found: dict[str, list[float]] = {name: [] for name in REQUESTS}
    case = generated(lines)
    with tempfile.TemporaryDirectory() as folder:
        path = case.written(Path(folder).resolve())
        server = Server(contender.command, path.parent)
        server.initialize({}, False)
        uri, rows = path.as_uri(), case.text.split("\n")
        row = next(number for number in range(len(rows) // 2, len(rows)) if rows[number].startswith("{")) + 1
        rows.insert(row, "  float typed = hub_load();")
        item = {"uri": uri, "languageId": "opencl", "version": 1, "text": "\n".join(rows)}
        server.notify("textDocument/didOpen", textDocument=item)
        server.diagnostics(uri, 1)
        version, column = 1, len("  float typed = hub_load(")
        for number in range(keys * len(REQUESTS)):
            name = REQUESTS[number // keys]
            at = number % len(TYPED)
            if not at and number:
                # the argument is deleted before it is typed again
                version += 1
                _edit(server, uri, version, row, column, column + len(TYPED), "")
                server.diagnostics(uri, version)
            version += 1
            before = server.idle()
            _edit(server, uri, version, row, column + at, column + at, TYPED[at])
            if name:
                position = {"line": row, "character": column + at + 1}
                server.request(f"textDocument/{name}", textDocument={"uri": uri}, position=position)
                found[name].append(server.cpu() - before)
            else:
                server.diagnostics(uri, version)
                found[name].append(server.cpu() - before)
        server.stop()
    return found


def _edit(server: Server, uri: str, version: int, row: int, start: int, end: int, text: str) -> None:
    change: dict[str, Any] = {
        "range": {"start": {"line": row, "character": start}, "end": {"line": row, "character": end}},
        "text": text,
    }
    server.notify(
        "textDocument/didChange", textDocument={"uri": uri, "version": version}, contentChanges=[change]
    )


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lines", type=int, default=5000)
    parser.add_argument("--keys", type=int, default=60)
    parser.add_argument("--server", action="append", default=[])
    options = parser.parse_args()
    servers = [*map(contenders.named, options.server)] or [contenders.openclsp()]
    for server in servers:
        for name, times in measure(server, options.lines, options.keys).items():
            times.sort()
            median, late = statistics.median(times), times[int(len(times) * 0.95)]
            title = f"an edit and {name}" if name else "an edit alone"
            print(f"{server.name}: {title}: median {median:.1f} ms, 95th percentile {late:.1f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
