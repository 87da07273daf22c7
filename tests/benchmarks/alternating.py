"""Compares versions of the server edit by edit: each has the same document open, and they get the same edits in turns.

    python -m tests.benchmarks.alternating --server "old=…/bin/python -m openclsp server" [--server …]
                                           [--lines 1000 5000] [--kernels basic.cl] [--edits 40] [--rounds 3]

The first server is the openclsp package that this interpreter imports. Each round starts new processes, in the reverse
order of the round before. Whatever else the machine does slows all servers down alike, so the ratios vary less than
those of `python -m tests.benchmarks`, whose servers run one after another.

Diagnostics are pushed. The output is a Markdown table for each document: the median CPU time of each server until it is
idle again, in milliseconds; for each further server, the first server's median divided by its own, and in brackets the
smallest and the largest of these ratios in a single round.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from . import contenders
from .cases import REAL, Case, generated, real
from .client import Server
from .contenders import Contender
from .edits import Edit, Edited

Round = dict[str, list[list[float]]]
"""The samples of one round, in milliseconds: for each row, one list for each server."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures all servers with each document, and prints a table for each; returns 0."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--server", action="append", required=True)
    parser.add_argument("--lines", type=int, nargs="*", default=[1000, 5000])
    parser.add_argument("--kernels", nargs="*", default=[], choices=REAL)
    parser.add_argument("--edits", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args(arguments)
    servers = [contenders.openclsp(), *map(contenders.named, options.server)]
    for case in [*map(generated, options.lines), *filter(None, map(real, options.kernels))]:
        rounds: list[Round] = []
        for number in range(options.rounds):
            order = range(len(servers)) if number % 2 == 0 else range(len(servers) - 1, -1, -1)
            rounds.append(_round(case, servers, order, options.edits))
        print(f"\n{_table(case, servers, rounds)}", flush=True)
    return 0


def _round(case: Case, servers: Sequence[Contender], order: Sequence[int], edits: int) -> Round:
    """Measures new processes of all servers with one document; in each turn, they are served in this order."""
    found: Round = {}

    def add(what: str | None, number: int, milliseconds: float) -> None:
        if what is not None:
            found.setdefault(what, [[] for _ in servers])[number].append(milliseconds)

    with ExitStack() as stack:
        documents: dict[int, _Document] = {}
        for number in order:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            documents[number] = document = _Document(servers[number].start(folder), case)
            stack.callback(document.server.stop)
        for number in order:
            add("open to diagnostics", number, documents[number].open())
        for _ in range(edits):
            for number in order:
                add("an edit that is ignored", number, documents[number].edit_unopened())
        all_series = [
            documents[number].edited.all_series(edits, each_call=case.beside is None) for number in order
        ]
        for series in zip(*all_series, strict=True):
            for turn in zip(*(each for _, each in series), strict=True):
                for number, edit in zip(order, turn, strict=True):
                    add(series[0][0], number, documents[number].send(edit))
    return found


class _Document:
    """The document of a case in one server."""

    def __init__(self, server: Server, case: Case) -> None:
        self.server = server
        self.edited = Edited.of(case.text)
        self._path = case.written(server.folder)
        self._text = case.text
        server.initialize({}, pull=False)

    def open(self) -> float:
        """Opens the document; returns the CPU time in milliseconds."""
        uri = self._path.as_uri()
        cpu = self.server.idle()
        item = {"uri": uri, "languageId": "opencl", "version": self.edited.version, "text": self._text}
        self.server.notify("textDocument/didOpen", textDocument=item)
        self.server.diagnostics(uri, self.edited.version)
        # the work in the background that follows the first answer has pauses
        return self.server.idle(0.3) - cpu

    def edit_unopened(self) -> float:
        """Sends an edit of a document that is not open, which the server ignores; returns the CPU time in milliseconds.

        It is the cost of reading and dispatching a message.
        """
        cpu = self.server.idle(0.02)
        document = {"uri": f"{self._path.as_uri()}.unopened", "version": 2}
        start = {"line": 0, "character": 0}
        change = {"range": {"start": start, "end": start}, "text": " "}
        self.server.notify("textDocument/didChange", textDocument=document, contentChanges=[change])
        return self.server.idle(0.02) - cpu

    def send(self, edit: Edit) -> float:
        """Sends an edit; returns the CPU time in milliseconds."""
        uri = self._path.as_uri()
        cpu = self.server.idle(0.02)
        document = {"uri": uri, "version": self.edited.version}
        self.server.notify("textDocument/didChange", textDocument=document, contentChanges=[edit.change])
        self.server.diagnostics(uri, self.edited.version)
        return self.server.idle(0.02) - cpu


def _table(case: Case, servers: Sequence[Contender], rounds: Sequence[Round]) -> str:
    names = [each.name for each in servers]
    ratios = [f"{names[0]} / {other}" for other in names[1:]]
    rows = [[case.title, *names, *ratios], ["---"] * (len(names) + len(ratios) + 1)]
    for what in rounds[0]:
        medians = [
            statistics.median(sample for each in rounds for sample in each[what][number])
            for number in range(len(names))
        ]
        row = [what, *(f"{each:.1f}" for each in medians)]
        for other in range(1, len(names)):
            single = [
                statistics.median(each[what][0]) / statistics.median(each[what][other]) for each in rounds
            ]
            row.append(f"{medians[0] / medians[other]:.2f} ({min(single):.2f} to {max(single):.2f})")
        rows.append(row)
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


if __name__ == "__main__":
    sys.exit(main())
