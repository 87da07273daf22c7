"""Measures the time from the start of a server's process to its first answer, and to the first diagnostics of a kernel.

    python -m tests.benchmarks.starts --server "venv=.venv/bin/openclsp server" --server "frozen=…/openclsp server" [--starts 30]

The servers take turns, each start with a new folder. Printed are medians of wall and CPU time, in milliseconds, and the ratio of the
wall times to that of the first server. The CPU time is that until the diagnostics.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from . import contenders
from .client import Server
from .contenders import Contender

KERNEL = Path(__file__).parents[1] / "kernels" / "faulty" / "blur.cl"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--server", action="append", default=[])
    parser.add_argument("--starts", type=int, default=30)
    options = parser.parse_args(arguments)
    servers = [contenders.named(each) for each in options.server] or [contenders.openclsp()]
    text = KERNEL.read_text(encoding="utf-8")
    samples: dict[str, list[tuple[float, float, float]]] = {each.name: [] for each in servers}
    for _ in range(options.starts):
        for each in servers:
            samples[each.name].append(_start(each, text))
    medians = {
        name: tuple(statistics.median(column) for column in zip(*found, strict=True))
        for name, found in samples.items()
    }
    _, first_wall, _ = medians[servers[0].name]
    for name, (answer, wall, cpu) in medians.items():
        print(
            f"{name}: initialize answered after {answer:.0f} ms, diagnostics after {wall:.0f} ms, {cpu:.0f} ms of CPU, "
            f"{wall / first_wall:.2f} of {servers[0].name}"
        )
    return 0


def _start(contender: Contender, text: str) -> tuple[float, float, float]:
    """Milliseconds until `initialize` is answered and until the diagnostics arrive, and of CPU."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "first.cl"
        path.write_text(text, encoding="utf-8")
        server = Server(contender.command, path.parent)
        try:
            server.initialize({}, False)
            answered = time.perf_counter()
            item = {"uri": path.as_uri(), "languageId": "opencl", "version": 1, "text": text}
            server.notify("textDocument/didOpen", textDocument=item)
            at, _ = server.diagnostics(path.as_uri(), 1)
            return (answered - server.started) * 1e3, (at - server.started) * 1e3, server.cpu()
        finally:
            server.stop()


if __name__ == "__main__":
    sys.exit(main())
