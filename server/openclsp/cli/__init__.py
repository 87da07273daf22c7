"""The command line: the analyses of the language server for terminals and for other programs."""

from __future__ import annotations

import sys
from collections.abc import Sequence

SERVER_ARGUMENTS = ("server",), ("server", "--stdio")
"""The arguments with which editors start the server.

For these, the imports of the other commands are skipped, because the editor waits for the first answer.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit code. `arguments` default to the arguments of this process."""
    if tuple(sys.argv[1:] if arguments is None else arguments) in SERVER_ARGUMENTS:
        from openclsp.lsp.startup.start import serve

        return serve()
    from openclsp.cli.commands import run

    return run(arguments)
