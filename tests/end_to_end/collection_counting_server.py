"""The server with one more feature, which tells how often it looked for garbage, and that waits longer for a pause: started by a
test in place of the real one."""

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

# so that a busy machine is not taken for a person who pauses
debounce.DEBOUNCE_SECONDS = 2.0

searches = 0


def _count(phase: str, _: dict[str, int]) -> None:
    global searches
    searches += phase == "start"


server = create_server()


@server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
def ranges(ls: OpenclServer, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    return [types.FoldingRange(0, searches)]


enable_rare_collection()
gc.callbacks.append(_count)
arriving = MessageQueue(MessageReader(FileIO(sys.stdin.fileno(), closefd=False)))
sys.exit(run_server(server, arriving, MessageWriter(FileIO(sys.stdout.fileno(), "w", closefd=False))))
