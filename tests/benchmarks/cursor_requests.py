"""Measures the requests at the cursor right after an edit, and references and index of a large project.

    python -m tests.benchmarks.cursor_requests [--lines 5000] [--requests 100] [--kernels 2000 50000]
                                               [--seed 1] [--server "NAME=COMMAND LINE"]

For each request, names are drawn at random in the bodies of a generated file. At each, the statement is edited and the
request is sent at once, then it is sent again when the edit has been analysed. Printed is the CPU time of the server in
milliseconds, median and 95th percentile: of the edit with its diagnostics, of the edit with the request, and of the
request alone.

For each number of kernels, a project of so many kernels with common headers is written, and one kernel is opened. Printed
are the time until the names of the project are indexed, the memory before and after, the time of `definition` meanwhile
(median, 95th percentile), the messages that the server shows, and the times of `references` and `workspace/symbol`
afterwards.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import contenders
from .client import Server
from .contenders import Contender
from .edits import Edited
from .generated import kernel

_HEADERS = 40
_QUERIES = ("", "s", "scaled", "rn19", "helper_1999", "zzz")
"""What is typed into the search for symbols: nothing, a letter, a word, letters in order, a whole name, and nothing that exists."""
_FIRST_PAUSE = 3.0
"""Seconds after which a server has done what it puts off after opening a file."""
_QUIET = 2.0
"""Seconds without work after which a project counts as indexed."""
_IDLE_CPU = 10.0
"""Milliseconds of CPU in half a second below which a server works on nothing."""
_ANSWER_CPU = 5.0
"""The most milliseconds of CPU that are counted for a definition; the rest is that of the index."""
REQUESTS: dict[str, dict[str, Any]] = {
    "definition": {},
    "declaration": {},
    "typeDefinition": {},
    "implementation": {},
    "references": {"context": {"includeDeclaration": True}},
    "documentHighlight": {},
    "prepareRename": {},
    "rename": {"newName": "renamed_here"},
    "prepareCallHierarchy": {},
    "hover": {},
    "signatureHelp": {},
    "completion": {},
    "selectionRange": {},
    "linkedEditingRange": {},
}


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lines", type=int, default=5000)
    parser.add_argument("--requests", type=int, default=100)
    parser.add_argument("--only", nargs="*", default=list(REQUESTS), choices=REQUESTS)
    parser.add_argument("--kernels", type=int, nargs="*", default=[2000])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--server", type=contenders.named, default=contenders.openclsp())
    options = parser.parse_args()
    if options.requests:
        _measure_requests(options.server, options.lines, options.requests, options.only, options.seed)
    for number in options.kernels:
        _measure_project(options.server, number)
    return 0


def _measure_requests(
    contender: Contender, lines: int, count: int, methods: Sequence[str], seed: int
) -> None:
    print("| ms CPU: median (p95) | edit | edit and request | request alone |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        server = Server(contender.command, Path(folder))
        path = Path(folder) / "kernel.cl"
        text = kernel(lines)
        path.write_text(text)
        try:
            server.initialize({}, pull=False)
            _open(server, path, text)
            time.sleep(_FIRST_PAUSE)
            session = _Session(server, path.as_uri(), Edited.of(text), random.Random(seed))
            for method in methods:
                print(session.row(method, count), flush=True)
        finally:
            server.stop()


class _Session:
    """A document that is edited before each request."""

    def __init__(self, server: Server, uri: str, document: Edited, choose: random.Random) -> None:
        self.server, self.uri, self.document, self.choose = server, uri, document, choose
        self.names = [
            place
            for place in document.names()
            if document.lines[place[0]].rstrip().endswith(";") and "for (" not in document.lines[place[0]]
        ]

    def row(self, method: str, count: int) -> str:
        """Measures one request at many names; a line of the table."""
        edits, both, alone = [], [], []
        for _ in range(count):
            line, column = self.choose.choice(self.names)
            edits.append(self._measure(line))
            both.append(self._measure(line, method, column))
            before = self.server.idle(0.02)
            self._ask(method, line, column)
            alone.append(self.server.cpu() - before)
        return f"| {method} | {_figures(edits)} | {_figures(both)} | {_figures(alone)} |"

    def _measure(self, line: int, method: str = "", column: int = 0) -> float:
        """The CPU time of an edit until its diagnostics, or until the answer of a request sent at once."""
        before = self.server.cpu()
        end = len(self.document.lines[line])
        # a statement is added, and taken back by the next edit
        doubled = self.document.lines[line].endswith(";;")
        edit = self.document.replace((line, end - 1 if doubled else end), (line, end), "" if doubled else ";")
        document = {"uri": self.uri, "version": self.document.version}
        self.server.notify("textDocument/didChange", textDocument=document, contentChanges=[edit.change])
        if method:
            self._ask(method, line, column)
        else:
            self.server.diagnostics(self.uri, self.document.version)
        return self.server.cpu() - before

    def _ask(self, method: str, line: int, column: int) -> None:
        position = {"line": line, "character": column}
        place = {"positions": [position]} if method == "selectionRange" else {"position": position}
        document = {"uri": self.uri}
        try:
            self.server.request(f"textDocument/{method}", textDocument=document, **place, **REQUESTS[method])
        except RuntimeError as error:
            # a name of OpenCL C cannot be renamed
            if "Rename" not in method and method != "rename":
                raise RuntimeError(f"{method} at {line}:{column}") from error


def _figures(samples: Sequence[float]) -> str:
    late = sorted(samples)[min(len(samples) - 1, round(0.95 * (len(samples) - 1)))]
    return f"{statistics.median(samples):.1f} ({late:.1f})"


def write_project(folder: Path, kernels: int) -> Path:
    """Writes a project of so many kernels, each of which includes two of the headers; returns one kernel."""
    # without a mark of a project's root, a scan is short
    (folder / "openclsp.toml").write_text("")
    for number in range(_HEADERS):
        (folder / f"common{number}.h").write_text(
            f"#ifndef COMMON{number}\n#define COMMON{number}\n#define FACTOR{number} {number + 2}\n"
            f"typedef struct {{ float x, y; int count; }} item{number}_t;\n"
            f"static float scaled{number}(float value, int times) {{ return value * times * FACTOR{number}; }}\n"
            "#endif\n"
        )
    for number in range(kernels):
        one, other = number % _HEADERS, (number * 7 + 1) % _HEADERS
        place = folder / f"part{number // 200}"
        place.mkdir(exist_ok=True)
        body = "".join(
            f"    float step{each} = in[gid + {each}] * weight_{number} + scaled{one}(in[gid], {each});\n"
            f"    out[gid] += step{each} + scaled{other}(step{each}, FACTOR{one});\n"
            for each in range(12)
        )
        (place / f"kernel{number}.cl").write_text(
            f'#include "../common{one}.h"\n#include "../common{other}.h"\n\n'
            f"__constant float weight_{number} = 0.5f;\n\n"
            f"static float helper_{number}(__global const float *in, int i)\n{{\n    return in[i] * 2.0f;\n}}\n\n"
            f"__kernel void run_{number}(__global float *out, __global const float *in, __global item{one}_t *items)\n"
            f"{{\n    const int gid = get_global_id(0);\n{body}"
            f"    items[gid].count += (int)helper_{number}(in, gid);\n}}\n"
        )
    return folder / "part0" / "kernel0.cl"


def _measure_project(contender: Contender, kernels: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = write_project(Path(folder), kernels)
        text = path.read_text()
        server = Server(contender.command, Path(folder))
        try:
            server.initialize({}, pull=False)
            _open(server, path, text)
            print(f"{kernels:,} kernels, {sum(1 for _ in Path(folder).rglob('*.*')):,} files:", flush=True)
            memory = server.memory()
            # the project is scanned and indexed in slices; the process is idle when it is done
            line = next(at for at, each in enumerate(text.split("\n")) if "scaled0(" in each)
            column = text.split("\n")[line].index("scaled0(")
            begun, cpu = time.perf_counter(), server.cpu()
            waits, definition_cpu = _ask_until_idle(server, path.as_uri(), line, column)
            print(
                f"  scan and index: {(server.cpu() - cpu - definition_cpu) / 1e3:.1f} s CPU, "
                f"{time.perf_counter() - begun - 2:.0f} s wall; "
                f"memory {memory:.0f} MB before, {server.memory():.0f} MB after\n"
                f"  {len(waits)} definitions meanwhile: {_figures(waits)} ms wall, at most {max(waits):.0f}"
            )
            for title in ("first references", *(["references"] * 10)):
                cpu, at = server.cpu(), time.perf_counter()
                answer = server.request(
                    "textDocument/references",
                    textDocument={"uri": path.as_uri()},
                    position={"line": line, "character": column},
                    context={"includeDeclaration": True},
                )
                found = answer.body["result"]
                print(
                    f"  {title}: {len(found):,} in {(answer.at - at) * 1e3:.0f} ms wall, {server.cpu() - cpu:.0f} ms CPU"
                )
            for query in (*_QUERIES, *_QUERIES):
                cpu, at = server.cpu(), time.perf_counter()
                answer = server.request("workspace/symbol", query=query)
                print(
                    f"  symbols of `{query}`: {len(answer.body['result']):,} in {(answer.at - at) * 1e3:.0f} ms wall, "
                    f"{server.cpu() - cpu:.0f} ms CPU"
                )
        finally:
            server.stop()


def _ask_until_idle(server: Server, uri: str, line: int, column: int) -> tuple[list[float], float]:
    """Asks for a definition twice a second until the server works on nothing else, for at most 20 minutes.

    Returns the times until the answers and a low estimate of their CPU time, in milliseconds.
    """
    waits: list[float] = []
    own = quiet = 0.0
    end = time.perf_counter() + 1200.0
    while quiet < _QUIET and time.perf_counter() < end:
        at, cpu = time.perf_counter(), server.cpu()
        answer = server.request(
            "textDocument/definition",
            textDocument={"uri": uri},
            position={"line": line, "character": column},
        )
        waits.append((answer.at - at) * 1e3)
        asked = server.cpu()
        pause = time.perf_counter() + 0.5
        while (left := pause - time.perf_counter()) > 0:
            message = server.next_within(left)
            if message is not None and message.body.get("method") == "window/showMessage":
                print(f"  shown: {message.body['params']['message']}")
        quiet = quiet + 0.5 if server.cpu() - asked < _IDLE_CPU else 0.0
        own += min(asked - cpu, _ANSWER_CPU)
    return waits, own


def _open(server: Server, path: Path, text: str) -> None:
    item = {"uri": path.as_uri(), "languageId": "opencl", "version": 1, "text": text}
    server.notify("textDocument/didOpen", textDocument=item)
    server.diagnostics(path.as_uri(), 1)


if __name__ == "__main__":
    sys.exit(main())
