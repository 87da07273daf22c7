"""The server with one more feature, which crashes on the engine thread: started by a test in place of the real one."""

from __future__ import annotations

import sys
from io import FileIO

from lsprotocol import types
from openclsp.lsp.arriving import Arriving
from openclsp.lsp.incoming import Incoming
from openclsp.lsp.language_server import OpenclServer, request
from openclsp.lsp.outgoing import Outgoing
from openclsp.lsp.server import create_server, run
from openclsp.lsp.session import Analysed
from openclsp.lsp.superseded import Check


def _divide(analysed: Analysed, check: Check) -> list[types.FoldingRange]:
    raise ZeroDivisionError


server = create_server()


@request(server, types.TEXT_DOCUMENT_FOLDING_RANGE)
async def ranges(ls: OpenclServer, params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
    return await ls.answer(params.text_document.uri, _divide)


arriving = Arriving(Incoming(FileIO(sys.stdin.fileno(), closefd=False)))
sys.exit(run(server, arriving, Outgoing(FileIO(sys.stdout.fileno(), "w", closefd=False))))
