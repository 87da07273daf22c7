"""Prints how long a running server takes from opening a generated kernel to its diagnostics, and for hovers.

    python tests/benchmarks/open_and_hover.py [--lines 1000] [--repetitions 10]

To be reached for 1,000 lines: diagnostics within 300 ms, a hover within 5 ms. Beside each wall time stands the CPU time
that the server took, which another program on the machine cannot disturb (Linux only).
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import time
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from client import Server
from generated import kernel

URI = "file:///generated.cl"


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
    server.initialize({"languageVersion": "CL2.0"})
    # Running means: the first kernel was seen, and what had to be imported is.
    _open(server, kernel(100))

    opened = [_open(server, text) for _ in range(options.repetitions)]
    hovers = _hovers(server, text)
    edits = [_edit(server, text, version) for version in range(2, 2 + options.repetitions)]
    print(f"{text.count(chr(10))} lines, milliseconds (in brackets: CPU of the server)")
    _print("open to diagnostics", opened)
    _print("hover", hovers)
    _print("one character to diagnostics", edits)
    server.stop()


def _open(server: Server, text: str) -> tuple[float, float]:
    server.close(URI)
    time.sleep(0.1)
    found, times = server.timed(lambda: server.open(URI, text))
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
        answer, times = server.timed(asked)
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
        server.diagnostics(URI, version)

    return server.timed(typed)[1]


def _print(what: str, measured: list[tuple[float, float]]) -> None:
    walls = sorted(wall for wall, _ in measured)
    cpu = statistics.median(cpu for _, cpu in measured)
    late = walls[min(len(walls) - 1, round(0.95 * (len(walls) - 1)))]
    print(f"{what:30} p50 {statistics.median(walls):7.1f} [{cpu:.1f}]   p95 {late:7.1f}   n {len(walls)}")


if __name__ == "__main__":
    main()
