"""Handlers for opened, edited and closed documents, from the parameters to the publication of diagnostics.

They are synchronous functions, which pygls runs before it handles the next message: each later request sees
the documents with the edit applied. Only the analysis may run later, as a task or on the analysis thread.
"""

from __future__ import annotations

import time

from lsprotocol import types

from openclsp.lsp.features.diagnostics import (
    clear_diagnostics,
    join_programs,
    request_refresh,
    update_diagnostics,
)
from openclsp.lsp.features.workspace_symbols import index_names
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.session.analysis_thread import CLOSED_FILES
from openclsp.lsp.session.open_documents import OpenDocument


def register(server: OpenclServer) -> None:
    """Registers `textDocument/didOpen`, `didChange` and `didClose`."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(ls: OpenclServer, params: types.DidOpenTextDocumentParams) -> None:
        # From now on the document's text is the client's, not the file's.
        document = ls.open_documents.open(params.text_document, ls.client_features.encoding)
        _diagnose_new_version(ls, document)
        ls.start_task(scan_project_of(ls, document))

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(ls: OpenclServer, params: types.DidChangeTextDocumentParams) -> None:
        document = ls.open_documents.apply_changes(
            params.text_document, params.content_changes, ls.client_features.encoding
        )
        # None: the document is not open.
        if document is not None:
            _diagnose_new_version(ls, document)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(ls: OpenclServer, params: types.DidCloseTextDocumentParams) -> None:
        # From now on the document's text is that of the file again.
        document = ls.open_documents.close(params.text_document.uri)
        if document is not None:
            ls.forget_document(document.name)
            # The diagnostics were published under the spelling of the URI with which it was opened.
            clear_diagnostics(ls, document.uri)
            update_diagnostics(ls, *ls.dependents(frozenset((document.name,))))


def _diagnose_new_version(ls: OpenclServer, document: OpenDocument) -> None:
    """Cancels the jobs for older versions of a document; diagnoses it and the documents that include it."""
    ls.last_change_time = time.monotonic()
    for name in (document.name, CLOSED_FILES):
        ls.analysis_thread.cancel_jobs(name)
    ls.debounced_actions.cancel(document.name)
    update_diagnostics(ls, document, *ls.dependents(frozenset((document.name,))))


async def scan_project_of(ls: OpenclServer, document: OpenDocument) -> None:
    """Scans the document's project in the background, and updates the documents affected by the result."""
    await ls.wait_for_first_answer(document)
    await ls.preload_hover()
    with ls.scan_progress as progress:
        for scan, step in ((ls.scan_project, "includes"), (ls.scan_host_code, "host code")):
            progress.report(step)
            affected = await scan(document)
            if affected:
                update_diagnostics(ls, *affected)
                request_refresh(ls)
        progress.report("names")
        await index_names(ls, document.name)
        progress.report("programs")
        await join_programs(ls, document)
