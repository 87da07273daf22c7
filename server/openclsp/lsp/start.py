"""Start-up of the server process.

It answers `initialize`, analyses the document that the client opens first, and only then imports the server.
"""

from __future__ import annotations

import sys
from io import FileIO

from openclsp.lsp.early_answer import answer_early
from openclsp.lsp.garbage import look_not_yet, look_seldom
from openclsp.lsp.incoming import Incoming
from openclsp.lsp.outgoing import Outgoing


def serve() -> int:
    """Serves one client over standard input and output until it sends `exit` or is gone.

    Returns the exit status.
    """
    look_not_yet()
    incoming = Incoming(FileIO(sys.stdin.fileno(), closefd=False))
    outgoing = Outgoing(FileIO(sys.stdout.fileno(), "w", closefd=False))
    try:
        first = incoming.next()
        answered = answer_early(first, outgoing)
    except BrokenPipeError:
        return 1
    except KeyboardInterrupt:
        return 130
    # Each import is delayed until after the answer for which the client waits and that does not need it.
    from openclsp.lsp.arriving import Arriving

    arriving = Arriving(incoming)
    looked = None
    if first is not None and answered is not None:
        from openclsp.lsp.first_look import first_look

        try:
            looked = first_look(first, arriving, outgoing)
        except BrokenPipeError:
            return 1
        except KeyboardInterrupt:
            return 130
    from openclsp.lsp.deferred_types import import_deferred

    import_deferred()
    from openclsp.lsp.server import create_server, run

    server = create_server(looked)
    look_seldom()
    return run(server, arriving, outgoing, first, answered)
