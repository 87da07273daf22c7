"""The command line: the same answers as in the editor, for a terminal and for other programs."""

from __future__ import annotations

import sys
from collections.abc import Sequence

SERVER = ("server",), ("server", "--stdio")
"""How editors start the server. They wait for its first answer: nothing is imported for the other commands."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; the result is the exit code. `arguments` are those of the process unless given."""
    if tuple(sys.argv[1:] if arguments is None else arguments) in SERVER:
        from openclsp.lsp.start import serve

        return serve()
    from openclsp.cli.program import run

    return run(arguments)
