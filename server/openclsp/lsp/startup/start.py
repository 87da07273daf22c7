"""Start-up of the server process.

The process answers `initialize`, analyses the document that the client opens first, and only then imports the
server.
"""

from __future__ import annotations

import sys
from io import FileIO

from openclsp.lsp.session.garbage_collection import disable_collection, enable_rare_collection
from openclsp.lsp.startup.early_initialize import answer_initialize_early
from openclsp.lsp.transport.message_reader import MessageReader
from openclsp.lsp.transport.message_writer import MessageWriter


def serve() -> int:
    """Serves one client over standard input and output until it sends `exit` or is gone.

    Returns the exit status.
    """
    disable_collection()
    reader = MessageReader(FileIO(sys.stdin.fileno(), closefd=False))
    writer = MessageWriter(FileIO(sys.stdout.fileno(), "w", closefd=False))
    try:
        first = reader.read_message()
        answered_id = answer_initialize_early(first, writer)
    except BrokenPipeError:
        return 1
    except KeyboardInterrupt:
        return 130
    if answered_id is not None:
        from openclsp.lsp.startup.client_process import exit_with_client

        exit_with_client(first)
    # Each import is delayed until after the answer that the client waits for, unless this answer needs the
    # module.
    from openclsp.lsp.startup.message_queue import MessageQueue

    messages = MessageQueue(reader)
    prestart = None
    if first is not None and answered_id is not None:
        from openclsp.lsp.startup.prestart import analyse_first_document

        try:
            prestart = analyse_first_document(first, messages, writer)
        except BrokenPipeError:
            return 1
        except KeyboardInterrupt:
            return 130
    from openclsp.lsp.startup.deferred_types import import_deferred

    import_deferred()
    from openclsp.lsp.startup.server import create_server, run_server

    server = create_server(prestart)
    enable_rare_collection()
    return run_server(server, messages, writer, first, answered_id)
