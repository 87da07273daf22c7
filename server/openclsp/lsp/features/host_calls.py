"""Checks kernel calls when typing pauses: the arguments that host code passes to kernels.

The diagnostics appear in open host files, and in open OpenCL C files whose kernels host code calls.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from openclsp.host_code.host_language import HostLanguage, host_language_of_identifier
from openclsp.host_code.host_words import may_use_kernel
from openclsp.host_code.program_names import host_of_program
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

_KERNEL_WORD: Final = b"kernel"


def schedule_call_check(ls: OpenclServer, document: OpenDocument) -> None:
    """Schedules the check of a document's kernel calls for the next pause in typing.

    In a file of OpenCL C, the calls to its kernels are checked. Documents that have neither calls nor
    kernels are not checked.
    """
    language = _language(ls, document)
    if language is None and not _may_define_kernels(ls, document):
        if ls.hosts.calls.store(document.name, None):
            _publish(ls, document)
        ls.debounced_actions.cancel(_timer(document))
        return
    seconds = debounce.DEBOUNCE_SECONDS if document.edited else 0.0
    ls.debounced_actions.schedule(
        _timer(document), lambda: ls.start_task(_check_calls(ls, document, language)), seconds
    )


def schedule_call_checks(ls: OpenclServer, changed: OpenDocument | None = None) -> None:
    """Schedules new checks of kernel calls in all open documents, because project files have changed.

    If `changed` is given, only this document has changed. If it is a host file, the calls to the kernels of
    the other open documents are checked again; otherwise the calls in open host files.
    """
    is_host = changed is not None and _language(ls, changed) is not None
    for document in ls.open_documents:
        if document is changed:
            continue
        if changed is None or is_host is (_language(ls, document) is None):
            schedule_call_check(ls, document)


def forget_calls(ls: OpenclServer, document: OpenDocument) -> None:
    """Drops the results of checking the calls of a closed document."""
    ls.debounced_actions.cancel(_timer(document))
    ls.hosts.calls.store(document.name, None)


def _language(ls: OpenclServer, document: OpenDocument) -> HostLanguage | None:
    """Returns the language of a host file whose kernel calls are checked; None for any other document.

    Calls are checked if the text may contain kernel calls and is not too long, and if no setting excludes the
    file.
    """
    language = host_language_of_identifier(document.language.lower(), document.name)
    data = document.text.data
    if language is None or len(data) > MAXIMUM_OPEN_HOST_BYTES or not may_use_kernel(data):
        return None
    return language if _is_enabled(ls, document) else None


def _may_define_kernels(ls: OpenclServer, document: OpenDocument) -> bool:
    """Whether a document is a file of OpenCL C that contains the keyword `kernel`.

    Programs in strings are excluded.
    """
    return (
        document.is_called_opencl
        and _KERNEL_WORD in document.text.data
        and host_of_program(document.name) is None
        and _is_enabled(ls, document)
    )


def _is_enabled(ls: OpenclServer, document: OpenDocument) -> bool:
    return ls.snapshot.settings_of(ls.snapshot.folder_of(document.name)).host_code is not False


def _timer(document: OpenDocument) -> str:
    """Returns the key of the document's pending call check.

    It differs from the document's name, which is the key of the delayed update of the diagnostics.
    """
    return f"{document.name}#calls"


async def _check_calls(ls: OpenclServer, document: OpenDocument, language: HostLanguage | None) -> None:
    # The kernels may be in any file of the project. A scan without changes does nothing.
    await scan_host_code(ls, document)
    checked = await ls.run_on_session(partial(_job, ls, document, language), _timer(document))
    if isinstance(checked, DroppedJob):
        return
    if not document.is_same_version(ls.open_documents.get_by_name(document.name)):
        return
    sizes = ls.hosts.calls.local_arguments(document.name)
    if ls.hosts.calls.store(document.name, checked):
        _publish(ls, document)
    if checked.local_arguments != sizes and ls.client_features.refreshes_lenses:
        ls.workspace_code_lens_refresh(None)


def _job(
    ls: OpenclServer,
    document: OpenDocument,
    language: HostLanguage | None,
    session: AnalysisSession,
    snapshot: Snapshot,
    check: CancellationCheck,
) -> CheckedCalls:
    project = session.host_project_of(document, snapshot)
    names = session.project_indexes(document, snapshot, check).host_names() if language is None else None
    return ls.hosts.calls.check(document, language, names, project, snapshot, ls.client_features, check)


def _publish(ls: OpenclServer, document: OpenDocument) -> None:
    """Publishes the diagnostics of a document again; a client that pulls is asked to pull them again."""
    if ls.client_features.pulls_diagnostics:
        ls.workspace_diagnostic_refresh(None)
    elif document.is_python or ls.hosts.programs_of(document.name):
        ls.publish_diagnostics(document, b"")
    else:
        update_diagnostics(ls, document)
