"""The server with an additional request that counts its garbage collections, and with a longer debounce delay.

A test starts it in place of the real server.
"""

from __future__ import annotations

import gc
import sys
from io import FileIO

from lsprotocol import types
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.session import debounce
from openclsp.lsp.session.garbage_collection import enable_rare_collection
from openclsp.lsp.startup.message_queue import MessageQueue
from openclsp.lsp.startup.server import create_server, run_server
from openclsp.lsp.transport.message_reader import MessageReader
from openclsp.lsp.transport.message_writer import MessageWriter

# Longer than the delays of a busy machine, which would otherwise count as a pause in typing.
debounce.DEBOUNCE_SECONDS = 2.0

searches = 0


def _count(phase: str, _: dict[str, int]) -> None:
    global searches
    searches += phase == "start"


server = create_server()


@server.feature(types.TEXT_DOCUMENT_DOCUMENT_COLOR)
def colours(ls: OpenclServer, params: types.DocumentColorParams) -> list[types.ColorInformation]:
    """Answers a request that the server does not support with the number of collections, as the last line of a range."""
    found = types.Range(types.Position(0, 0), types.Position(searches, 0))
    return [types.ColorInformation(found, types.Color(0.0, 0.0, 0.0, 1.0))]


enable_rare_collection()
gc.callbacks.append(_count)
arriving = MessageQueue(MessageReader(FileIO(sys.stdin.fileno(), closefd=False)))
sys.exit(run_server(server, arriving, MessageWriter(FileIO(sys.stdout.fileno(), "w", closefd=False))))
