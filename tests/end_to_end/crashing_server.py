"""The server with an additional request that crashes on the analysis thread; a test starts it in place of the real one."""

from __future__ import annotations

import sys
from io import FileIO

from lsprotocol import types
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.analysis_session import DocumentAnalysis
from openclsp.lsp.session.cancellation import CancellationCheck
from openclsp.lsp.startup.message_queue import MessageQueue
from openclsp.lsp.startup.server import create_server, run_server
from openclsp.lsp.transport.message_reader import MessageReader
from openclsp.lsp.transport.message_writer import MessageWriter


def _divide(analysed: DocumentAnalysis, check: CancellationCheck) -> list[types.Moniker]:
    raise ZeroDivisionError


server = create_server()


@register_request(server, types.TEXT_DOCUMENT_MONIKER)
async def ranges(ls: OpenclServer, params: types.MonikerParams) -> list[types.Moniker] | None:
    return await ls.answer_request(params.text_document.uri, _divide)


arriving = MessageQueue(MessageReader(FileIO(sys.stdin.fileno(), closefd=False)))
sys.exit(run_server(server, arriving, MessageWriter(FileIO(sys.stdout.fileno(), "w", closefd=False))))
