"""Prints the size of the diagnostics report of each file, as a client that pulls gets it.

    python -m tests.benchmarks.report_sizes FILE.cl…

Each file is opened alone, in its own folder. Printed are the lines, the number of diagnostics, and the bytes of the report, with those
of the related places.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import contenders
from .client import Server


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    for path in parser.parse_args(arguments).files:
        text = path.read_text(encoding="utf-8", errors="replace")
        items = _report(path.resolve(), text)
        related = sum(_size(each.get("relatedInformation", [])) for each in items)
        lines = text.count("\n")
        print(
            f"{path}: {lines} lines, {len(items)} diagnostics, {_size(items)} bytes, {related} of related places"
        )
    return 0


def _report(path: Path, text: str) -> list[dict[str, Any]]:
    server = Server(contenders.openclsp().command, path.parent)
    try:
        server.initialize({}, True)
        item = {"uri": path.as_uri(), "languageId": "opencl", "version": 1, "text": text}
        server.notify("textDocument/didOpen", textDocument=item)
        answer = server.request("textDocument/diagnostic", textDocument={"uri": path.as_uri()})
        items: list[dict[str, Any]] = answer.body["result"]["items"]
        return items
    finally:
        server.stop()


def _size(value: object) -> int:
    return len(json.dumps(value, separators=(",", ":")))


if __name__ == "__main__":
    sys.exit(main())
