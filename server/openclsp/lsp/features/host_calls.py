"""Checks the calls of open host files against the kernels that they name, when typing pauses."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from openclsp.host_code.host_language import HostLanguage, host_language_of_identifier
from openclsp.host_code.host_words import may_use_kernel
from openclsp.lsp.features.diagnostics import update_diagnostics
from openclsp.lsp.features.host_code_scan import scan_host_code
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.session import debounce
from openclsp.lsp.session.analysis_thread import DroppedJob
from openclsp.lsp.session.host_documents import MAXIMUM_OPEN_HOST_BYTES
from openclsp.lsp.session.open_documents import OpenDocument

if TYPE_CHECKING:
    from openclsp.lsp.session.analysis_session import AnalysisSession
    from openclsp.lsp.session.call_checks import CheckedCalls
    from openclsp.lsp.session.cancellation import CancellationCheck
    from openclsp.lsp.session.snapshot import Snapshot


def schedule_call_check(ls: OpenclServer, document: OpenDocument) -> None:
    """Checks the calls of a document as soon as it is not edited for a while; nothing for other documents."""
    language = _language(ls, document)
    if language is None:
        if ls.hosts.calls.store(document.name, None):
            _publish(ls, document)
        ls.debounced_actions.cancel(_timer(document))
        return
    seconds = debounce.DEBOUNCE_SECONDS if document.edited else 0.0
    ls.debounced_actions.schedule(
        _timer(document), lambda: ls.start_task(_check_calls(ls, document, language)), seconds
    )


def schedule_call_checks(ls: OpenclServer) -> None:
    """Checks the calls of all open host files again, because kernels or files of the project have changed."""
    for document in ls.open_documents:
        if _language(ls, document) is not None:
            schedule_call_check(ls, document)


def forget_calls(ls: OpenclServer, document: OpenDocument) -> None:
    """Forgets the calls of a closed document."""
    ls.debounced_actions.cancel(_timer(document))
    ls.hosts.calls.store(document.name, None)


def _language(ls: OpenclServer, document: OpenDocument) -> HostLanguage | None:
    """The language of a document with words of such calls; None for others."""
    language = host_language_of_identifier(document.language.lower(), document.name)
    data = document.text.data
    if language is None or len(data) > MAXIMUM_OPEN_HOST_BYTES or not may_use_kernel(data):
        return None
    settings = ls.snapshot.settings_of(ls.snapshot.folder_of(document.name))
    return None if settings.host_code is False else language


def _timer(document: OpenDocument) -> str:
    """The name of the document's pending check, beside that of its other delayed action."""
    return f"{document.name}#calls"


async def _check_calls(ls: OpenclServer, document: OpenDocument, language: HostLanguage) -> None:
    # The kernels may be in any file of the project; nothing is scanned again without a change.
    await scan_host_code(ls, document)
    checked = await ls.run_on_session(partial(_job, ls, document, language), _timer(document))
    if isinstance(checked, DroppedJob):
        return
    if not document.is_same_version(ls.open_documents.get_by_name(document.name)):
        return
    if ls.hosts.calls.store(document.name, checked):
        _publish(ls, document)


def _job(
    ls: OpenclServer,
    document: OpenDocument,
    language: HostLanguage,
    session: AnalysisSession,
    snapshot: Snapshot,
    check: CancellationCheck,
) -> CheckedCalls:
    project = session.host_project_of(document, snapshot)
    return ls.hosts.calls.check(document, language, project, snapshot, ls.client_features, check)


def _publish(ls: OpenclServer, document: OpenDocument) -> None:
    """Publishes the diagnostics of a document again, or asks a client that pulls to do so."""
    if ls.client_features.pulls_diagnostics:
        ls.workspace_diagnostic_refresh(None)
    elif document.is_python or ls.hosts.programs_of(document.name):
        ls.publish_diagnostics(document, b"")
    else:
        update_diagnostics(ls, document)
