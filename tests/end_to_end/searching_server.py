"""The server with one more feature, which tells how often it looked for garbage, and that waits longer for a pause: started by a
test in place of the real one."""

from __future__ import annotations

import gc
import sys
from io import FileIO

from lsprotocol import types
from openclsp.lsp import pauses
from openclsp.lsp.arriving import Arriving
from openclsp.lsp.garbage import look_seldom
from openclsp.lsp.incoming import Incoming
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.outgoing import Outgoing
from openclsp.lsp.server import create_server, run

# so that a busy machine is not taken for a person who pauses
pauses.PAUSE = 2.0

searches = 0


def _count(phase: str, _: dict[str, int]) -> None:
    global searches
    searches += phase == "start"


server = create_server()


@server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
def ranges(ls: OpenclServer, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    return [types.FoldingRange(0, searches)]


look_seldom()
gc.callbacks.append(_count)
arriving = Arriving(Incoming(FileIO(sys.stdin.fileno(), closefd=False)))
sys.exit(run(server, arriving, Outgoing(FileIO(sys.stdout.fileno(), "w", closefd=False))))
