"""Handlers for opened, edited and closed documents. `protocol` has applied the edit before they run."""

from __future__ import annotations

from lsprotocol import types

from openclsp.lsp.features.diagnostics import clear_diagnostics, request_refresh, update_diagnostics
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.session.open_documents import OpenDocument
from openclsp.lsp.uris import document_name


def register(server: OpenclServer) -> None:
    """Registers `textDocument/didOpen`, `didChange` and `didClose`."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(ls: OpenclServer, params: types.DidOpenTextDocumentParams) -> None:
        _document_changed(ls, params.text_document.uri)
        document = ls.open_documents.get_by_uri(params.text_document.uri)
        if document is not None:
            ls.start_task(_scan_project(ls, document))

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(ls: OpenclServer, params: types.DidChangeTextDocumentParams) -> None:
        _document_changed(ls, params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(ls: OpenclServer, params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        ls.forget_document(document_name(uri))
        clear_diagnostics(ls, uri)
        update_diagnostics(ls, *ls.dependents(frozenset((document_name(uri),))))


async def _scan_project(ls: OpenclServer, document: OpenDocument) -> None:
    """Scans the document's project in the background, and updates the documents affected by the result."""
    await ls.wait_for_first_answer(document)
    await ls.preload_hover()
    with ls.scan_progress as progress:
        for look, what in ((ls.scan_project, "includes"), (ls.scan_host_code, "host code")):
            progress.report(what)
            found = await look(document)
            if found:
                update_diagnostics(ls, *found)
                request_refresh(ls)


def _document_changed(ls: OpenclServer, uri: str) -> None:
    """Cancels the jobs for older versions of a document; diagnoses it and the documents that include it."""
    document = ls.open_documents.get_by_uri(uri)
    if document is not None:
        ls.analysis_thread.cancel_jobs(document.name)
        ls.debounced_actions.cancel(document.name)
        update_diagnostics(ls, document, *ls.dependents(frozenset((document.name,))))
