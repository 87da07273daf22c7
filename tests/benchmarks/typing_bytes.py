"""Measures the bytes that the server sends for each typed character.

    python -m tests.benchmarks.typing_bytes [--lines 5000] [--keys 60] [--pauses 30 150 600] [--server "NAME=COMMAND LINE"]

Types the keys of a word into a body of a generated file, with these pauses between the keys (milliseconds), like an editor that
pulls: each key cancels the open requests and asks for diagnostics (with the id of the last report), the change of the semantic
tokens, and the inlay hints of 60 lines. Printed are median, 95th percentile and maximum of the bytes that arrive between two
keys, their mean by method, and how many reports of diagnostics were full, unchanged and cancelled. Every file is typed in twice:
without faults (OpenCL C 2.0), and with hundreds of them (OpenCL C 1.2).
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import contenders
from .client import Server
from .contenders import Contender
from .edits import Edited
from .generated import kernel

_LAST = 1.0
"""Seconds after the last key in which its answers are waited for."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lines", type=int, default=5000)
    parser.add_argument("--keys", type=int, default=60)
    parser.add_argument("--pauses", type=int, nargs="+", default=[30, 150, 600])
    parser.add_argument("--server", action="append", default=[])
    options = parser.parse_args(arguments)
    servers = [contenders.openclsp(), *map(contenders.named, options.server)]
    text = kernel(options.lines)
    for server in servers:
        for standard in ("CL2.0", "CL1.2"):
            for pause in options.pauses:
                title = f"{server.name}, {standard}, {pause} ms a key"
                print(f"{title}: {_measured(server, text, standard, pause / 1e3, options.keys)}", flush=True)
    return 0


def _measured(contender: Contender, text: str, standard: str, pause: float, keys: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "typed.cl"
        path.write_text(text, encoding="utf-8")
        (path.parent / "compile_flags.txt").write_text(f"-cl-std={standard}\n", encoding="utf-8")
        server = Server(contender.command, path.parent)
        try:
            server.initialize({}, True)
            item = {"uri": path.as_uri(), "languageId": "opencl", "version": 1, "text": text}
            server.notify("textDocument/didOpen", textDocument=item)
            typist = _Typist(server, path.as_uri())
            typist.ask()
            typist.read_for(_LAST)
            server.idle()
            typist.read_for(_LAST)
            return typist.type(Edited.of(text), keys, pause)
        finally:
            server.stop()


@dataclass(slots=True)
class _Typist:
    server: Server
    uri: str
    identifier: int = 10_000
    open_requests: dict[int, str] = field(default_factory=dict)
    results: dict[str, str] = field(default_factory=dict)
    """The result ids of the last diagnostics and tokens, by method."""
    reports: Counter[str] = field(default_factory=Counter)
    received: Counter[str] = field(default_factory=Counter)
    """Bytes by method."""
    line: int = 0

    def type(self, document: Edited, keys: int, pause: float) -> str:
        """Types the keys; returns what was received."""
        self.line = document.statement()
        self._send_edit(document.put_before(self.line, "\n").change, document.version)
        self.read_for(_LAST)
        self.received.clear()
        self.reports.clear()
        sizes: list[int] = []
        for edit in document.characters(self.line, keys):
            before = self.received.total()
            self._send_edit(edit.change, document.version)
            self.read_for(pause)
            sizes.append(self.received.total() - before)
        self.read_for(_LAST)
        by_method = ", ".join(f"{name} {count / keys:.0f}" for name, count in self.received.most_common())
        reports = ", ".join(f"{count} {kind}" for kind, count in self.reports.most_common())
        late = statistics.quantiles(sizes, n=20)[18]
        return (
            f"median {statistics.median(sizes):.0f} bytes, 95th percentile {late:.0f}, maximum {max(sizes)}; "
            f"mean by method: {by_method}; reports: {reports}"
        )

    def ask(self) -> None:
        """Cancels the open requests and sends them again."""
        for identifier, method in self.open_requests.items():
            if not method.endswith("(cancelled)"):
                self.server.notify("$/cancelRequest", id=identifier)
                self.open_requests[identifier] = f"{method} (cancelled)"
        document = {"uri": self.uri}
        first, last = max(self.line - 30, 0), self.line + 30
        lines = {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}}
        self._ask("textDocument/diagnostic", "previousResultId", textDocument=document)
        if "textDocument/semanticTokens/full/delta" in self.results:
            self._ask("textDocument/semanticTokens/full/delta", "previousResultId", textDocument=document)
        else:
            self._ask("textDocument/semanticTokens/full", "", textDocument=document)
        self._ask("textDocument/inlayHint", "", textDocument=document, range=lines)

    def read_for(self, seconds: float) -> None:
        """Reads what arrives in this time."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            message = self.server.next_within(left)
            if message is None:
                return
            self._read(message.body)

    def _read(self, body: dict[str, Any]) -> None:
        size = len(json.dumps(body, separators=(",", ":")))
        if body.get("method") == "workspace/diagnostic/refresh":
            self.ask()
        method = body.get("method") or self.open_requests.pop(body["id"], "?")
        if method.startswith("textDocument/diagnostic"):
            self.reports[str((body.get("result") or {}).get("kind", "cancelled"))] += 1
        self.received[method.removeprefix("textDocument/")] += size
        result = body.get("result")
        if isinstance(result, dict) and "resultId" in result:
            method = method.replace("semanticTokens/full/delta", "semanticTokens/full")
            self.results[method.replace("semanticTokens/full", "semanticTokens/full/delta")] = result[
                "resultId"
            ]

    def _send_edit(self, change: dict[str, Any], version: int) -> None:
        document = {"uri": self.uri, "version": version}
        self.server.notify("textDocument/didChange", textDocument=document, contentChanges=[change])
        self.ask()

    def _ask(self, method: str, id_name: str, **params: Any) -> None:
        if id_name and method in self.results:
            params[id_name] = self.results[method]
        self.identifier += 1
        self.open_requests[self.identifier] = method
        self.server.send({"id": self.identifier, "method": method, "params": params})


if __name__ == "__main__":
    sys.exit(main())
