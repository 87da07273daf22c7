"""Diagnostics: pulled by clients that support it, otherwise pushed; never both.

After an edit, diagnostics are published immediately, with the address-space flow of an earlier version. They
are published again when typing pauses, if the flow of the current version changes them.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from openclsp.lsp.features.project_file import is_project_file, project_file_diagnostics
from openclsp.lsp.language_server import SYNCHRONOUS_SECONDS, OpenclServer
from openclsp.lsp.positions import range_numbers
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session import debounce
from openclsp.lsp.session.analysis_thread import DroppedJob, JobPriority
from openclsp.lsp.session.cancellation import CancellationCheck
from openclsp.lsp.session.garbage_collection import collect_garbage, freeze_live_objects
from openclsp.lsp.session.join_step import JoinStep
from openclsp.lsp.session.open_documents import OpenDocument
from openclsp.lsp.transport.protocol import SerializedResult
from openclsp.project.file_system import LOCAL_FILE_SYSTEM

if TYPE_CHECKING:
    from openclsp.lsp.session.analysis_session import DocumentAnalysis
    from openclsp.lsp.session.client_diagnostics import ClientDiagnostic

_SERVER_CANCELLED = -32802
_SYNCHRONOUS_ATTEMPTS = 3
"""How often diagnostics are attempted on the event loop before the analysis thread computes them."""
LONG_REPORT_BYTES = 4_000
"""A report with more bytes is delayed until a pause while keys follow each other quickly."""


def register(server: OpenclServer) -> None:
    """Registers `textDocument/diagnostic`.

    For clients that do not pull, the handlers of document changes push diagnostics: see `update_diagnostics`.
    """
    server.on_newly_included = partial(_update_newly_included, server)
    options = types.DiagnosticOptions(
        identifier="openclsp",
        inter_file_dependencies=True,
        workspace_diagnostics=True,
        work_done_progress=True,
    )

    @register_request(server, types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    async def pull(
        ls: OpenclServer, params: types.DocumentDiagnosticParams
    ) -> (
        SerializedResult
        | types.RelatedFullDocumentDiagnosticReport
        | types.RelatedUnchangedDocumentDiagnosticReport
    ):
        document = ls.open_documents.get_by_uri(params.text_document.uri)
        if document is None:
            return types.RelatedFullDocumentDiagnosticReport([])
        # A client that gets pushed diagnostics receives findings of the flow later. If it also pulls, it
        # expects all findings.
        uses_current_flow = not ls.client_features.pulls_diagnostics or document.is_same_version(
            ls.flow_versions.get(document.name)
        )
        items = await _diagnose(ls, document, allow_stale_flow=not uses_current_flow)
        if isinstance(items, DroppedJob):
            raise _superseded()
        shown = ls.hosts.calls.joined(document, items, ls.client_features.encoding)
        if not uses_current_flow:
            if (
                ls.is_typing
                and len(shown) > LONG_REPORT_BYTES
                and _result_id(shown) != params.previous_result_id
            ):
                items = await _diagnose_in_pause(ls, document)
                shown = ls.hosts.calls.joined(document, items, ls.client_features.encoding)
            else:
                ls.debounced_actions.schedule(
                    document.name,
                    partial(_start_refresh, ls, document, items),
                    _debounce_seconds(ls, document),
                )
        result = _result_id(shown)
        if params.previous_result_id == result:
            return types.RelatedUnchangedDocumentDiagnosticReport(result)
        return SerializedResult(b'{"kind":"full","resultId":"%s","items":[%s]}' % (result.encode(), shown))


def _superseded() -> JsonRpcException:
    # After an error with any other code, VS Code shows the file without diagnostics until the next change.
    return JsonRpcException("the document has changed", _SERVER_CANCELLED, {"retriggerRequest": True})


def _result_id(items: bytes) -> str:
    """Returns a hash of the diagnostics, so that equal diagnostics of different versions have the same id."""
    return hashlib.blake2b(items, digest_size=12).hexdigest()


async def _diagnose_in_pause(ls: OpenclServer, document: OpenDocument) -> bytes:
    """Waits for a pause in typing, then returns the diagnostics with the current flow solution.

    Raises JsonRpcException if the document changes meanwhile. The function waits because a client parses each
    report and draws all its diagnostics again. In Visual Studio Code, a report after each key would delay the
    display of the typed characters.
    """
    await asyncio.sleep(_debounce_seconds(ls, document))
    if not document.is_same_version(ls.open_documents.get_by_name(document.name)):
        raise _superseded()
    diagnostics = await _diagnose_with_flow(ls, document)
    if diagnostics is None:
        raise _superseded()
    ls.start_task(_settle(ls, document))
    return diagnostics


def update_diagnostics(ls: OpenclServer, *documents: OpenDocument) -> None:
    """Recomputes and publishes the diagnostics of the documents.

    Does nothing for a client that pulls diagnostics.
    """
    if not ls.client_features.pulls_diagnostics:
        for document in documents:
            if not _publish_synchronously(ls, document):
                ls.start_task(_publish(ls, document))


def _update_newly_included(ls: OpenclServer, documents: tuple[OpenDocument, ...]) -> None:
    update_diagnostics(ls, *documents)
    request_refresh(ls)


def update_all_diagnostics(ls: OpenclServer) -> None:
    """Recomputes the diagnostics of all open documents, after a change of options or files."""
    ls.early_publication = None
    for document in ls.open_documents:
        ls.analysis_thread.cancel_jobs(document.name)
    update_diagnostics(ls, *ls.open_documents)
    request_refresh(ls)
    # Folding ranges depend on the text alone; options and settings only decide whether this server returns
    # them.
    if ls.client_features.refreshes_folding:
        ls.workspace_folding_range_refresh(None)


def request_refresh(ls: OpenclServer) -> None:
    """Asks the client to request diagnostics, tokens, hints and lenses again, if it supports that."""
    if ls.client_features.pulls_diagnostics:
        ls.workspace_diagnostic_refresh(None)
    if ls.client_features.refreshes_tokens:
        ls.workspace_semantic_tokens_refresh(None)
    if ls.client_features.refreshes_hints:
        ls.workspace_inlay_hint_refresh(None)
    if ls.client_features.refreshes_lenses:
        ls.workspace_code_lens_refresh(None)


def clear_diagnostics(ls: OpenclServer, uri: str) -> None:
    """Clears a closed document's diagnostics in the client, including those of the early analysis."""
    ls.early_publication = None
    if not ls.client_features.pulls_diagnostics:
        ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))


def _publish_synchronously(ls: OpenclServer, document: OpenDocument) -> bool:
    """Publishes diagnostics if `SYNCHRONOUS_SECONDS` suffice to compute them; returns whether it did so."""
    try:
        diagnostics = ls.analyse_synchronously(
            document, _diagnostics_job(ls, document, allow_stale_flow=True)
        )
    except Exception as error:  # noqa: BLE001
        diagnostics = _log_crash(ls, document, error)
    if diagnostics is not None:
        _publish_and_schedule(ls, document, diagnostics)
    return diagnostics is not None


async def _publish(ls: OpenclServer, document: OpenDocument) -> None:
    """Publishes diagnostics with the last flow solution, and schedules an update with the current one."""
    for _ in range(_SYNCHRONOUS_ATTEMPTS):
        await ls.pending_answers.let_requests_go_first(ls.is_handling_messages, SYNCHRONOUS_SECONDS)
        if not document.is_same_version(ls.open_documents.get_by_name(document.name)):
            return
        if _publish_synchronously(ls, document):
            return
    diagnostics = await _diagnose(ls, document, allow_stale_flow=True)
    if isinstance(diagnostics, DroppedJob) or not document.is_same_version(
        ls.open_documents.get_by_name(document.name)
    ):
        return
    _publish_and_schedule(ls, document, diagnostics)


def _publish_and_schedule(ls: OpenclServer, document: OpenDocument, diagnostics: bytes) -> None:
    ls.publish_diagnostics(document, diagnostics)
    ls.debounced_actions.schedule(
        document.name,
        lambda: ls.start_task(_publish_with_flow(ls, document, diagnostics)),
        _debounce_seconds(ls, document),
    )


def _debounce_seconds(ls: OpenclServer, document: OpenDocument) -> float:
    """Returns how many seconds are left until typing counts as paused; 0 if the document was not edited.

    Typing counts as paused `DEBOUNCE_SECONDS` after the last edit.
    """
    left = ls.last_change_time + debounce.DEBOUNCE_SECONDS - time.monotonic()
    return max(left, 0.0) if document.edited else 0.0


async def _publish_with_flow(ls: OpenclServer, document: OpenDocument, published: bytes) -> None:
    """Publishes the diagnostics for the current flow solution if they differ from `published`."""
    diagnostics = await _diagnose_with_flow(ls, document)
    if diagnostics is not None and diagnostics != published:
        ls.publish_diagnostics(document, diagnostics)
    await _settle(ls, document)


def _start_refresh(ls: OpenclServer, document: OpenDocument, pulled: bytes) -> None:
    ls.start_task(_refresh_with_flow(ls, document, pulled))


async def _refresh_with_flow(ls: OpenclServer, document: OpenDocument, pulled: bytes) -> None:
    """Asks the client to pull again if the diagnostics for the current flow solution differ from `pulled`."""
    diagnostics = await _diagnose_with_flow(ls, document)
    if diagnostics is not None and diagnostics != pulled:
        ls.workspace_diagnostic_refresh(None)
    await _settle(ls, document)


async def _settle(ls: OpenclServer, document: OpenDocument) -> None:
    """Does the work for a pause in typing: collects garbage, and calls `update_program_flows`."""
    _collect_garbage(document)
    await update_program_flows(ls, document)


async def update_program_flows(ls: OpenclServer, document: OpenDocument) -> None:
    """Computes the flow of the project's programs that share functions with open documents.

    The programs are analysed one at a time, in the background, until the document is edited. If a flow has
    changed, all diagnostics and other answers are computed again, because they may depend on shared
    functions.
    """
    has_changed = is_outdated = False
    while document.is_same_version(ls.open_documents.get_by_name(document.name)):
        step = await ls.run_on_session(
            lambda session, snapshot, check: session.advance_flow(document, snapshot, check)
        )
        if step is JoinStep.NEW_RESULT:
            has_changed = is_outdated = True
        elif isinstance(step, DroppedJob) or (step is JoinStep.NONE_LEFT and not is_outdated):
            break
        elif step is JoinStep.NONE_LEFT:
            # Only solving the document's flow again shows which further programs it needs.
            await _diagnose_with_flow(ls, document)
            is_outdated = False
    if has_changed:
        update_diagnostics(ls, *ls.open_documents)
        request_refresh(ls)


def _collect_garbage(document: OpenDocument) -> None:
    """Collects garbage if the document was edited; otherwise freezes the objects of the first analysis."""
    if document.edited:
        collect_garbage()
    else:
        freeze_live_objects()


async def _diagnose_with_flow(ls: OpenclServer, document: OpenDocument) -> bytes | None:
    """Returns all diagnostics with the current flow solution; None if the document has changed meanwhile."""
    diagnostics = await _diagnose(ls, document, allow_stale_flow=False)
    if isinstance(diagnostics, DroppedJob) or not document.is_same_version(
        ls.open_documents.get_by_name(document.name)
    ):
        return None
    ls.flow_versions[document.name] = document
    return diagnostics


async def _diagnose(
    ls: OpenclServer, document: OpenDocument, *, allow_stale_flow: bool
) -> bytes | DroppedJob:
    """Returns the diagnostics as JSON array elements; DroppedJob if the document has changed meanwhile.

    With `allow_stale_flow`, the diagnostics may be those of an earlier flow solution.
    """
    work = _diagnostics_job(ls, document, allow_stale_flow=allow_stale_flow)
    started_at = time.perf_counter()
    try:
        if allow_stale_flow and (at_once := ls.analyse_synchronously(document, work)) is not None:
            return at_once
        diagnostics = await ls.analyse(document, JobPriority.BACKGROUND, work)
        if allow_stale_flow and document.edited and time.perf_counter() - started_at < SYNCHRONOUS_SECONDS:
            ls.quickly_analysed.add(document.name)
        return diagnostics
    except Exception as error:  # noqa: BLE001
        return _log_crash(ls, document, error)


def _diagnostics_job(
    ls: OpenclServer, document: OpenDocument, *, allow_stale_flow: bool
) -> Callable[[DocumentAnalysis | None, CancellationCheck], bytes]:
    """Returns the function that the analysis thread runs to compute the diagnostics as JSON.

    With `allow_stale_flow`, the diagnostics may be those of an earlier flow solution.
    """

    def work(analysed: DocumentAnalysis | None, check: CancellationCheck) -> bytes:
        from openclsp.lsp.session.diagnostics_cache import (
            serialize_client_diagnostics,
            serialize_diagnostics_for_client,
        )

        if is_project_file(document.name):
            return serialize_client_diagnostics(project_file_diagnostics(ls, document, check))
        if analysed is None:
            return serialize_client_diagnostics(_cpp_for_opencl_diagnostics(ls, document))
        return serialize_diagnostics_for_client(
            analysed, ls.client_features, allow_stale_flow=allow_stale_flow
        )

    return work


def _log_crash(ls: OpenclServer, document: OpenDocument, error: Exception) -> bytes:
    """Logs a crash and returns an empty result, because diagnostics of an older text would be wrong."""
    ls.log_crash(f"diagnostics of {document.uri}", error)
    return b""


def _cpp_for_opencl_diagnostics(ls: OpenclServer, document: OpenDocument) -> list[ClientDiagnostic]:
    """Returns the diagnostic for a C++ for OpenCL document; documents in other languages get none."""
    from openclsp.ide.diagnostics.unsupported_languages import create_cpp_for_opencl_diagnostic
    from openclsp.lsp.session.client_diagnostics import SOURCE, ClientDiagnostic
    from openclsp.lsp.session.code_pages import page_uri
    from openclsp.lsp.session.unit_planner import plan_uncached

    planned = plan_uncached(document, ls.snapshot, LOCAL_FILE_SYSTEM)
    unit = planned.unit_config
    wanted = planned.cpp_for_opencl and not unit.is_excluded
    found = create_cpp_for_opencl_diagnostic(unit.project, document.document) if wanted else None
    if found is None:
        return []
    start, end = found.location.start, found.location.end
    first_line = range_numbers(document.text, start, end, ls.client_features.encoding)
    page = page_uri(found.code, ls.client_features)
    return [
        ClientDiagnostic(
            start, end, first_line, found.severity, found.code, SOURCE, found.message, page_uri=page
        )
    ]
