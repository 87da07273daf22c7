"""Prints how long a running server takes from opening a generated kernel to its diagnostics, and for hovers.

    python tests/benchmarks/open_and_hover.py [--lines 1000] [--repetitions 10]

To be reached for 1,000 lines: diagnostics within 300 ms, a hover within 5 ms. Beside each wall time stands the CPU time
that the server took, which another program on the machine cannot disturb (Linux only).
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

sys.path.insert(0, str(Path(__file__).parent))

from generated import kernel

T = TypeVar("T")

URI = "file:///generated.cl"


class Server:
    """A server process and the least that a client needs."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "openclsp", "server"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._identifier = 0

    def notify(self, method: str, **params: Any) -> None:
        """Sends a notification."""
        self._send({"method": method, "params": params})

    def request(self, method: str, **params: Any) -> Any:
        """Sends a request and waits for its answer."""
        self._identifier += 1
        self._send({"id": self._identifier, "method": method, "params": params})
        return next(each for each in self._messages() if each.get("id") == self._identifier)["result"]

    def diagnostics(self, version: int) -> list[Any]:
        """Waits for the diagnostics of that version."""
        for message in self._messages():
            params = message.get("params", {})
            if (
                message.get("method") == "textDocument/publishDiagnostics"
                and params.get("version") == version
            ):
                return list(params["diagnostics"])
        raise EOFError("the server ended")

    def cpu(self) -> float:
        """The CPU time of all its threads so far, in milliseconds."""
        clock = (~self.process.pid << 3) | 2
        try:
            return time.clock_gettime(clock) * 1e3
        except OSError:
            return 0.0

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def _messages(self) -> Iterator[dict[str, Any]]:
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = 0
            while (line := stream.readline()).strip():
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
            if not length:
                return
            yield json.loads(stream.read(length))


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lines", type=int, default=1000)
    parser.add_argument("--repetitions", type=int, default=10)
    options = parser.parse_args()
    text = kernel(options.lines)

    server = Server()
    server.request(
        "initialize",
        processId=None,
        rootUri=None,
        capabilities={"textDocument": {"hover": {"contentFormat": ["markdown"]}}},
        initializationOptions={"languageVersion": "CL2.0"},
    )
    server.notify("initialized")
    # Running means: the first kernel was seen, and what had to be imported is.
    _open(server, kernel(100))

    opened = [_open(server, text) for _ in range(options.repetitions)]
    hovers = _hovers(server, text)
    edits = [_edit(server, text, version) for version in range(2, 2 + options.repetitions)]
    print(f"{text.count(chr(10))} lines, milliseconds (in brackets: CPU of the server)")
    _print("open to diagnostics", opened)
    _print("hover", hovers)
    _print("one character to diagnostics", edits)
    server.request("shutdown")
    server.notify("exit")
    server.process.wait()


def _open(server: Server, text: str) -> tuple[float, float]:
    identifier = {"uri": URI}
    server.notify("textDocument/didClose", textDocument=identifier)
    time.sleep(0.1)
    item = {**identifier, "languageId": "opencl", "version": 1, "text": text}

    def opened() -> list[Any]:
        server.notify("textDocument/didOpen", textDocument=item)
        return server.diagnostics(1)

    found, times = _timed(server, opened)
    assert not [each for each in found if each["severity"] == 1], found
    return times


def _hovers(server: Server, text: str) -> list[tuple[float, float]]:
    """Hovers over names in expressions all over the text."""
    lines = text.split("\n")
    places = [
        (number, match.start())
        for number, line in enumerate(lines)
        if line.startswith("  ")
        for match in re.finditer(r"\b(dst|tile|nd|in|out|pr|v|r)\b(?=[\[.(\s-])", line)
    ]
    measured = []
    for line, character in places[:: max(1, len(places) // 100)]:
        place = {"line": line, "character": character}
        asked = partial(server.request, "textDocument/hover", textDocument={"uri": URI}, position=place)
        answer, times = _timed(server, asked)
        assert answer is not None, lines[line]
        measured.append(times)
    return measured


def _edit(server: Server, text: str, version: int) -> tuple[float, float]:
    """Types one character into a body in the middle."""
    lines = text.split("\n")
    middle = next(number for number in range(len(lines) // 2, len(lines)) if "nd->count += " in lines[number])
    place = {"line": middle, "character": len(lines[middle])}
    change = {"range": {"start": place, "end": place}, "text": ";"}

    def typed() -> None:
        server.notify(
            "textDocument/didChange",
            textDocument={"uri": URI, "version": version},
            contentChanges=[change],
        )
        server.diagnostics(version)

    return _timed(server, typed)[1]


def _timed(server: Server, action: Callable[[], T]) -> tuple[T, tuple[float, float]]:
    """What an action gives, and its wall and CPU time in milliseconds."""
    cpu, wall = server.cpu(), time.perf_counter()
    result = action()
    return result, ((time.perf_counter() - wall) * 1e3, server.cpu() - cpu)


def _print(what: str, measured: list[tuple[float, float]]) -> None:
    walls = sorted(wall for wall, _ in measured)
    cpu = statistics.median(cpu for _, cpu in measured)
    late = walls[min(len(walls) - 1, round(0.95 * (len(walls) - 1)))]
    print(f"{what:30} p50 {statistics.median(walls):7.1f} [{cpu:.1f}]   p95 {late:7.1f}   n {len(walls)}")


if __name__ == "__main__":
    main()
