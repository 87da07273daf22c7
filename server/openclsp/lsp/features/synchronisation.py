"""Handlers for opened, edited and closed documents, from the parameters to the publication of diagnostics.

The handlers are synchronous functions, which pygls runs before it handles the next message. Each later
request therefore sees the edited documents. Only the analysis can run later, as a task or on the analysis
thread.
"""

from __future__ import annotations

import time

from lsprotocol import types

from openclsp.lsp.features.diagnostics import (
    clear_diagnostics,
    request_refresh,
    update_diagnostics,
    update_program_flows,
)
from openclsp.lsp.features.host_calls import forget_calls, schedule_call_check, schedule_call_checks
from openclsp.lsp.features.host_code_scan import scan_host_code
from openclsp.lsp.features.navigation import resolve_names_ahead
from openclsp.lsp.features.workspace_symbols import index_names
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.session.analysis_thread import CLOSED_FILES
from openclsp.lsp.session.debounce import DEBOUNCE_SECONDS
from openclsp.lsp.session.open_documents import OpenDocument


def register(server: OpenclServer) -> None:
    """Registers `textDocument/didOpen`, `didChange` and `didClose`."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(ls: OpenclServer, params: types.DidOpenTextDocumentParams) -> None:
        # From now on, the text of the document is the client's text, not the file's.
        document = ls.open_documents.open(params.text_document, ls.client_features.encoding)
        _diagnose_new_version(ls, document)
        ls.start_task(scan_project_of(ls, _first_program(ls, document) or document))

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
        # From now on, the text of the document is that of the file again.
        document = ls.open_documents.close(params.text_document.uri)
        if document is not None:
            for program in ls.hosts.close(document.name):
                ls.forget_document(program.name)
            ls.forget_document(document.name)
            forget_calls(ls, document)
            # The diagnostics are cleared under the URI with which the document was opened, because they were
            # published under it.
            clear_diagnostics(ls, document.uri)
            update_diagnostics(ls, *ls.dependents(frozenset((document.name,))))


def _diagnose_new_version(ls: OpenclServer, document: OpenDocument) -> None:
    """Cancels the jobs for older versions of a document; diagnoses it and the documents that include it.

    A host file is diagnosed through the programs in its strings.
    """
    now = time.monotonic()
    ls.is_typing = now - ls.last_change_time < DEBOUNCE_SECONDS
    ls.last_change_time = now
    ls.analysis_thread.cancel_jobs(CLOSED_FILES)
    settings = ls.snapshot.settings_of(ls.snapshot.folder_of(document.name))
    hosts = ls.hosts.update(document, enabled=settings.host_code is not False)
    schedule_call_check(ls, document)
    if document.edited:
        # Open host files may name kernels that the document defines, or the document may name kernels of open
        # files.
        schedule_call_checks(ls, document)
    for program in hosts.removed:
        ls.forget_document(program.name)
    for program in hosts.changed:
        _diagnose_program(ls, program)
    if hosts.removed and not ls.hosts.programs_of(document.name):
        clear_diagnostics(ls, document.uri)
    if document.is_python or ls.hosts.programs_of(document.name):
        if not hosts.changed and not ls.client_features.pulls_diagnostics:
            # The edit moved the programs or changed nothing in them, so their diagnostics get new positions.
            ls.publish_diagnostics(document, b"")
        return
    ls.analysis_thread.cancel_jobs(document.name)
    ls.debounced_actions.cancel(document.name)
    update_diagnostics(ls, document, *ls.dependents(frozenset((document.name,))))


def _diagnose_program(ls: OpenclServer, program: OpenDocument) -> None:
    ls.analysis_thread.cancel_jobs(program.name)
    ls.debounced_actions.cancel(program.name)
    update_diagnostics(ls, program)


def _first_program(ls: OpenclServer, document: OpenDocument) -> OpenDocument | None:
    programs = ls.hosts.programs_of(document.name)
    return ls.open_documents.get_by_name(programs[0].document.name) if programs else None


async def scan_project_of(ls: OpenclServer, document: OpenDocument) -> None:
    """Scans the document's project in the background, and updates the documents affected by the result."""
    await ls.wait_for_first_answer(document)
    await ls.preload_hover()
    with ls.scan_progress as progress:
        progress.report("includes")
        affected = await ls.scan_project(document)
        if affected:
            update_diagnostics(ls, *affected)
            request_refresh(ls)
        progress.report("host code")
        await scan_host_code(ls, document)
        schedule_call_checks(ls)
        progress.report("names")
        await index_names(ls, document.name)
        progress.report("programs")
        await update_program_flows(ls, document)
    await ls.preload_cursor_requests()
    await resolve_names_ahead(ls, document.name)
