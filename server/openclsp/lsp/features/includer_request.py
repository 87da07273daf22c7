"""The request `openclsp/includers` for the kernels that include a header, and the command that chooses one.

Editors treat headers as C or C++. A client asks whether a kernel includes such a file before it sends the
file to the server, so that the server gets headers of kernels and no host code.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pygls.exceptions import JsonRpcInvalidParams

from openclsp.lsp.features.diagnostics import update_all_diagnostics
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.analysis_thread import DroppedJob
from openclsp.lsp.session.open_documents import OpenDocument
from openclsp.lsp.uris import document_name, document_uri, is_file_name
from openclsp.source.text import Text

INCLUDERS_REQUEST = "openclsp/includers"
INCLUDER_COMMAND = "openclsp.includer"


def register(server: OpenclServer) -> None:
    """Registers the request and the command.

    The request's parameters are `{textDocument: {uri}}`, for a document that need not be open. The answer is
    `{uri, includers, chosen}`: `includers` are the URIs of the programs that include the document, the best
    first; `chosen` is the program that was chosen by command, or null.

    The command's arguments are the URI of a header and the URI of a kernel that includes it. If the latter is
    null or missing, the server chooses again.
    """

    @register_request(server, INCLUDERS_REQUEST)
    async def includers(ls: OpenclServer, params: Any) -> dict[str, Any]:
        uri = str(params.textDocument.uri)
        chosen = ls.snapshot.chosen_includers.get(document_name(uri))
        return {
            "uri": uri,
            "includers": [document_uri(each) for each in await _find_includers(ls, uri)],
            "chosen": None if chosen is None else document_uri(chosen),
        }

    @server.command(INCLUDER_COMMAND)
    async def use(ls: OpenclServer, *arguments: Any) -> None:
        header, kernel = (*arguments, None, None)[:2]
        if len(arguments) > 2 or not isinstance(header, str) or not isinstance(kernel, str | None):
            raise JsonRpcInvalidParams("expected the URI of a header, and that of a kernel that includes it")
        chosen = dict(ls.snapshot.chosen_includers)
        chosen.pop(document_name(header), None)
        if kernel:
            if document_name(kernel) not in await _find_includers(ls, header):
                raise JsonRpcInvalidParams(f"{kernel} does not include {header}")
            chosen[document_name(header)] = document_name(kernel)
        ls.snapshot = replace(ls.snapshot, chosen_includers=chosen)
        update_all_diagnostics(ls)


async def _find_includers(ls: OpenclServer, uri: str) -> tuple[str, ...]:
    """Returns the names of the programs that include a document, which need not be open."""
    name = document_name(uri)
    if not is_file_name(name):
        return ()
    document = ls.open_documents.get_by_name(name) or OpenDocument(uri, name, "", 0, Text.of(b""), 0)
    found = await ls.run_on_session(
        lambda session, snapshot, check: session.find_includers(document, snapshot, check)
    )
    return () if isinstance(found, DroppedJob) else found
