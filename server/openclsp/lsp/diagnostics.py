"""Diagnostics: pulled by clients that support it, otherwise pushed; never both.

Diagnostics are published twice after an edit: at once with the flow solution of an earlier version, and when
the user pauses with the current one, if it changes them.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from openclsp.lsp import pauses
from openclsp.lsp.documents import OpenDocument
from openclsp.lsp.garbage import leave_out_what_there_is, look_now
from openclsp.lsp.jobs import Dropped, Lane
from openclsp.lsp.language_server import AT_ONCE, OpenclServer, request
from openclsp.lsp.positions import places_between
from openclsp.lsp.protocol import Written
from openclsp.lsp.superseded import Check
from openclsp.workspace.files import LOCAL_FILES

if TYPE_CHECKING:
    from openclsp.lsp.reports import Report
    from openclsp.lsp.session import Analysed

_SERVER_CANCELLED = -32802


def register(server: OpenclServer) -> None:
    """Registers `textDocument/diagnostic`.

    Diagnostics are pushed by the handlers of changes, through `renew`.
    """
    options = types.DiagnosticOptions(
        identifier="openclsp", inter_file_dependencies=True, workspace_diagnostics=False
    )

    @request(server, types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    async def pull(
        ls: OpenclServer, params: types.DocumentDiagnosticParams
    ) -> Written | types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport:
        document = ls.documents.get(params.text_document.uri)
        if document is None:
            return types.RelatedFullDocumentDiagnosticReport([])
        # A client that gets pushed diagnostics receives the flow's findings that way; if it also pulls, it
        # wants all.
        followed = not ls.client.pulls or document.same_version(ls.followed.get(document.name))
        items = await _shown(ls, document, flow_waits=not followed)
        if isinstance(items, Dropped):
            # VS Code shows the file as clean until the next change after an error with any other code.
            raise JsonRpcException("the document has changed", _SERVER_CANCELLED, {"retriggerRequest": True})
        if not followed:
            ls.pauses.then(
                document.name, lambda: ls.start(_pull_again(ls, document, items)), _pause(document)
            )
        # A hash of the content, so that equal diagnostics of different versions have the same id.
        result = hashlib.blake2b(items, digest_size=12).hexdigest()
        if params.previous_result_id == result:
            return types.RelatedUnchangedDocumentDiagnosticReport(result)
        return Written(b'{"kind":"full","resultId":"%s","items":[%s]}' % (result.encode(), items))


def renew(ls: OpenclServer, *documents: OpenDocument) -> None:
    """Recomputes and publishes the diagnostics of the documents; does nothing for a client that pulls."""
    if not ls.client.pulls:
        for document in documents:
            if not _published_at_once(ls, document):
                ls.start(_publish(ls, document))


def renew_all(ls: OpenclServer) -> None:
    """Recomputes all answers, after a change of options or of files on disk."""
    ls.told_first = None
    for document in ls.documents:
        ls.engine.supersede(document.name)
    renew(ls, *ls.documents)
    refresh(ls)


def refresh(ls: OpenclServer) -> None:
    """Asks the client to request diagnostics, tokens, hints and lenses again, if it supports that."""
    if ls.client.pulls:
        ls.workspace_diagnostic_refresh(None)
    if ls.client.refreshes_tokens:
        ls.workspace_semantic_tokens_refresh(None)
    if ls.client.refreshes_hints:
        ls.workspace_inlay_hint_refresh(None)
    if ls.client.refreshes_lenses:
        ls.workspace_code_lens_refresh(None)


def clear(ls: OpenclServer, uri: str) -> None:
    """Clears a closed document's diagnostics in the client, including those of the early analysis."""
    ls.told_first = None
    if not ls.client.pulls:
        ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))


def _published_at_once(ls: OpenclServer, document: OpenDocument) -> bool:
    """Publishes diagnostics synchronously if that takes at most `AT_ONCE` seconds; whether it did."""
    try:
        shown = ls.analyse_at_once(document, _shows(ls, document, flow_waits=True))
    except Exception as error:  # noqa: BLE001
        shown = _none(ls, document, error)
    if shown is not None:
        _tell(ls, document, shown)
    return shown is not None


async def _publish(ls: OpenclServer, document: OpenDocument) -> None:
    """Publishes diagnostics with the last flow solution, and schedules an update with the current one."""
    shown = await _shown(ls, document, flow_waits=True)
    if isinstance(shown, Dropped) or not document.same_version(ls.documents.named(document.name)):
        return
    _tell(ls, document, shown)


def _tell(ls: OpenclServer, document: OpenDocument, shown: bytes) -> None:
    ls.publish(document, shown)
    ls.pauses.then(document.name, lambda: ls.start(_publish_again(ls, document, shown)), _pause(document))


def _pause(document: OpenDocument) -> float:
    """Seconds without an edit before the flow is solved again: 0 if the document was not edited yet."""
    return pauses.PAUSE if document.edited else 0.0


async def _publish_again(ls: OpenclServer, document: OpenDocument, shown: bytes) -> None:
    """Publishes all diagnostics if the current flow solution changes them."""
    again = await _with_flow(ls, document)
    if again is not None and again != shown:
        ls.publish(document, again)
    _tidy_up(document)


async def _pull_again(ls: OpenclServer, document: OpenDocument, shown: bytes) -> None:
    """Asks a client that pulls to request diagnostics again if the current flow solution changes them."""
    again = await _with_flow(ls, document)
    if again is not None and again != shown:
        ls.workspace_diagnostic_refresh(None)
    _tidy_up(document)


def _tidy_up(document: OpenDocument) -> None:
    """Collects garbage after an edit; freezes the objects that the first analysis created."""
    if document.edited:
        look_now()
    else:
        leave_out_what_there_is()


async def _with_flow(ls: OpenclServer, document: OpenDocument) -> bytes | None:
    """All diagnostics with the current flow solution; None if the document has changed meanwhile."""
    again = await _shown(ls, document, flow_waits=False)
    if isinstance(again, Dropped) or not document.same_version(ls.documents.named(document.name)):
        return None
    ls.followed[document.name] = document
    return again


async def _shown(ls: OpenclServer, document: OpenDocument, *, flow_waits: bool) -> bytes | Dropped:
    """The diagnostics as JSON array elements; Dropped if the document has changed meanwhile."""
    work = _shows(ls, document, flow_waits=flow_waits)
    begun = time.perf_counter()
    try:
        if flow_waits and (at_once := ls.analyse_at_once(document, work)) is not None:
            return at_once
        shown = await ls.analyse(document, Lane.BACKGROUND, work)
        if flow_waits and document.edited and time.perf_counter() - begun < AT_ONCE:
            ls.quick.add(document.name)
        return shown
    except Exception as error:  # noqa: BLE001
        return _none(ls, document, error)


def _shows(
    ls: OpenclServer, document: OpenDocument, *, flow_waits: bool
) -> Callable[[Analysed | None, Check], bytes]:
    """The function that computes the diagnostics as JSON on the analysis thread."""

    def work(analysed: Analysed | None, check: Check) -> bytes:
        from openclsp.lsp.shown import shown_of, written

        if analysed is None:
            return written(_unsupported(ls, document))
        return shown_of(analysed, ls.client, flow_waits=flow_waits)

    return work


def _none(ls: OpenclServer, document: OpenDocument, error: Exception) -> bytes:
    """Logs a crash; the result is an empty list, because diagnostics of an older text would be wrong."""
    ls.log_crash(f"diagnostics of {document.uri}", error)
    return b""


def _unsupported(ls: OpenclServer, document: OpenDocument) -> list[Report]:
    """The diagnostic for a C++ for OpenCL document; other languages are left to other servers."""
    from openclsp.ide.unsupported import cpp_for_opencl
    from openclsp.lsp.planning import plan
    from openclsp.lsp.reports import SOURCE, Report

    planned = plan(document, ls.world, LOCAL_FILES)
    unit = planned.unit
    wanted = planned.cpp_for_opencl and not unit.excluded
    found = cpp_for_opencl(unit.project, document.document) if wanted else None
    if found is None:
        return []
    start, end = found.location.start, found.location.end
    first_line = places_between(document.text, start, end, ls.client.encoding)
    return [Report(start, end, first_line, found.severity, found.code, SOURCE, found.message)]
