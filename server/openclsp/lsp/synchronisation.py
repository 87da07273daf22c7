"""Handlers for opened, edited and closed documents. `protocol` has applied the edit before they run."""

from __future__ import annotations

from lsprotocol import types

from openclsp.lsp.diagnostics import clear, refresh, renew
from openclsp.lsp.documents import OpenDocument
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.uris import name_of


def register(server: OpenclServer) -> None:
    """Registers `textDocument/didOpen`, `didChange` and `didClose`."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(ls: OpenclServer, params: types.DidOpenTextDocumentParams) -> None:
        _changed(ls, params.text_document.uri)
        document = ls.documents.get(params.text_document.uri)
        if document is not None:
            ls.start(_look_over(ls, document))

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(ls: OpenclServer, params: types.DidChangeTextDocumentParams) -> None:
        _changed(ls, params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(ls: OpenclServer, params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        ls.forget(name_of(uri))
        clear(ls, uri)
        renew(ls, *ls.dependents(frozenset((name_of(uri),))))


async def _look_over(ls: OpenclServer, document: OpenDocument) -> None:
    """Scans the document's project in the background, and updates the documents affected by the result."""
    await ls.answered(document)
    await ls.get_ready()
    with ls.looking_over as progress:
        for look, what in ((ls.look_over, "includes"), (ls.look_at_hosts, "host code")):
            progress.report(what)
            found = await look(document)
            if found:
                renew(ls, *found)
                refresh(ls)


def _changed(ls: OpenclServer, uri: str) -> None:
    """Cancels the jobs for older versions of a document; diagnoses it and the documents that include it."""
    document = ls.documents.get(uri)
    if document is not None:
        ls.engine.supersede(document.name)
        ls.pauses.over(document.name)
        renew(ls, document, *ls.dependents(frozenset((document.name,))))
