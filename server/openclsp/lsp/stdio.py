"""Standard input and output as a server's channel: one thread reads, the event loop handles, in order.

pygls' own loop hands every line of a header, and then the body, from a pool of threads to the event loop: three changes
of thread for a message, which cost more than most answers.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from typing import BinaryIO

from pygls.io_ import StdoutWriter

from openclsp.lsp.incoming import Incoming
from openclsp.lsp.language_server import OpenclServer

_log = logging.getLogger("openclsp")


def serve_stream(server: OpenclServer, incoming: Incoming, output: BinaryIO) -> None:
    """Handles all messages until the client says `exit`, or is gone."""
    server.protocol.set_writer(StdoutWriter(output))
    try:
        asyncio.run(_handle_all(server, incoming))
    except BrokenPipeError:
        _log.error("the client is gone")
    except (KeyboardInterrupt, SystemExit):
        # how pygls ends at `exit`
        pass
    finally:
        server.shutdown()  # type: ignore[no-untyped-call]


async def _handle_all(server: OpenclServer, incoming: Incoming) -> None:
    loop, ended = asyncio.get_running_loop(), asyncio.Event()

    def read() -> None:
        try:
            while (body := incoming.next()) is not None:
                loop.call_soon_threadsafe(server.protocol.receive, body)
            loop.call_soon_threadsafe(ended.set)
        except RuntimeError:
            # The loop is closed: nobody handles messages any more.
            pass

    # A daemon: it may wait for bytes when the process ends.
    threading.Thread(target=read, name="openclsp input", daemon=True).start()
    await ended.wait()
