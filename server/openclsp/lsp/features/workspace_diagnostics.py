"""`workspace/diagnostic`: the diagnostics of kernels that are not open, for clients that pull diagnostics.

The kernels of the workspace's folders are analysed one after the other in the background, while the user does
not type. Clients that accept partial results get each report as soon as it is computed.
"""

from __future__ import annotations

import asyncio
import json
import os.path
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from lsprotocol import types

from openclsp.lsp.features.host_code_scan import scan_host_code
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.analysis_thread import CLOSED_FILES, DroppedJob
from openclsp.lsp.session.open_documents import OpenDocument
from openclsp.lsp.transport.protocol import SerializedResult
from openclsp.lsp.uris import document_name, document_uri
from openclsp.source.text import Text

if TYPE_CHECKING:
    from openclsp.lsp.session.analysis_session import AnalysisSession
    from openclsp.lsp.session.cancellation import CancellationCheck
    from openclsp.lsp.session.client_capabilities import ClientCapabilities
    from openclsp.lsp.session.closed_files import ClosedFileReport, ClosedFiles
    from openclsp.lsp.session.snapshot import Snapshot

T = TypeVar("T")

PAUSE_SECONDS: Final = 1.0
"""The seconds without an edit after which closed files are analysed."""
_DEFAULT_EXTENT: Final = "auto"


def register(server: OpenclServer) -> None:
    """Registers `workspace/diagnostic`."""

    @register_request(server, types.WORKSPACE_DIAGNOSTIC)
    async def pull(ls: OpenclServer, params: types.WorkspaceDiagnosticParams) -> SerializedResult:
        previous = {document_name(each.uri): each for each in params.previous_result_ids}
        answer = _Answer(ls, params)
        try:
            names = await _closed_kernels(ls)
            for number, name in enumerate(names):
                answer.report_progress(number, len(names))
                report = await _report(ls, name)
                if report is not None:
                    before = previous.get(name)
                    answer.add(name, report, "" if before is None else before.value)
                previous.pop(name, None)
            for name, known in previous.items():
                # The file was deleted. For an open file, the client gets diagnostics by another request.
                if ls.open_documents.get_by_name(name) is None:
                    answer.add_empty(known.uri)
        finally:
            answer.end_progress()
        return SerializedResult(b'{"items":[%s]}' % b",".join(answer.items))


class _Answer:
    """The reports for one request: sent immediately as partial results, or collected in `items`."""

    def __init__(self, ls: OpenclServer, params: types.WorkspaceDiagnosticParams) -> None:
        self._ls, self._partial, self._progress = ls, params.partial_result_token, params.work_done_token
        self.items: list[bytes] = []
        self._begun = False

    def add(self, name: str, report: ClosedFileReport, previous: str) -> None:
        """Adds a file's report to the answer, or only "unchanged" if the client already has this report.

        `previous` is the id of the client's last report on the file; empty if the client has none. A report
        without diagnostics is not added if `previous` is empty.
        """
        if report.result_id == previous:
            content = b'"kind":"unchanged"'
        elif not report.items and not previous:
            # The client shows no diagnostics of this file, and there are none to show.
            return
        else:
            content = b'"kind":"full","items":[%s]' % report.items
        self._send(document_uri(name), report.result_id, content)

    def add_empty(self, uri: str) -> None:
        """Adds a report without diagnostics for a file that is no longer checked."""
        self._send(uri, "", b'"kind":"full","items":[]')

    def _send(self, uri: str, result_id: str, content: bytes) -> None:
        known = b',"resultId":"%s"' % result_id.encode() if result_id else b""
        item = b'{"uri":%s,"version":null%s,%s}' % (json.dumps(uri).encode(), known, content)
        if self._partial is None:
            self.items.append(item)
        else:
            self._notify(self._partial, b'{"items":[%s]}' % item)

    def report_progress(self, number: int, count: int) -> None:
        """Reports how many of the files are done, if the client gave a progress token."""
        if self._progress is not None:
            value = {"percentage": 100 * number // count, "message": f"{number} of {count} kernels"}
            kind = "report" if self._begun else "begin"
            title = {} if self._begun else {"title": "openclsp: checking the project", "cancellable": True}
            self._begun = True
            self._notify(self._progress, json.dumps({"kind": kind, **title, **value}).encode())

    def end_progress(self) -> None:
        """Ends the progress report, if one was begun."""
        if self._progress is not None and self._begun:
            self._notify(self._progress, b'{"kind":"end"}')

    def _notify(self, token: int | str, value: bytes) -> None:
        if not self._ls.shutdown_requested:
            self._ls.protocol.send(
                b'{"jsonrpc":"2.0","method":"$/progress","params":{"token":%s,"value":%s}}'
                % (json.dumps(token).encode(), value)
            )


async def _closed_kernels(ls: OpenclServer) -> tuple[str, ...]:
    """Returns the kernel files that are not open, from all projects for which `workspace_diagnostics` is on."""
    names: dict[str, None] = {}
    roots = list(dict.fromkeys((*ls.snapshot.folders, *_roots_of_documents(ls))))
    for root in roots:
        extent = ls.snapshot.settings_of(root).workspace_diagnostics or _DEFAULT_EXTENT
        if extent == "off":
            continue
        member = OpenDocument("", os.path.join(root, "any.cl"), "", 0, Text.of(b""), 0)
        await scan_host_code(ls, member)
        found = await _run(ls, partial(_find_kernels, member, extent))
        if found is None:
            message = f"openclsp: {root} has too many kernels to show the problems of closed files"
            ls.window_log_message(types.LogMessageParams(types.MessageType.Info, message))
        names.update(dict.fromkeys(found or ()))
    await _run(ls, partial(_retain_reports, frozenset(names)))
    return tuple(names)


def _roots_of_documents(ls: OpenclServer) -> Iterator[str]:
    for document in ls.open_documents:
        root = ls.snapshot.root_of(document.name)
        if root and not any(root == folder for folder in ls.snapshot.folders):
            yield root


async def _report(ls: OpenclServer, name: str) -> ClosedFileReport | None:
    """Returns the report on a closed file; None if it was opened meanwhile, or if its analysis crashed."""
    if ls.open_documents.get_by_name(name) is not None:
        return None
    try:
        return await _run(ls, partial(_make_report, name, ls.client_features))
    except Exception as error:  # noqa: BLE001 - one file that crashes must not hide the problems of the others
        ls.log_crash(f"diagnostics of {name}", error)
        return None


async def _run(
    ls: OpenclServer, work: Callable[[ClosedFiles, AnalysisSession, Snapshot, CancellationCheck], T]
) -> T:
    """Runs `work` on the analysis thread in a pause in typing, and returns its result.

    If an edit stops `work`, it is run again in the next pause.
    """

    def job(session: AnalysisSession, snapshot: Snapshot, check: CancellationCheck) -> T:
        if ls.closed_files is None:
            from openclsp.lsp.session.closed_files import ClosedFiles

            ls.closed_files = ClosedFiles()
        return work(ls.closed_files, session, snapshot, check)

    while True:
        waited = ls.last_change_time + PAUSE_SECONDS - time.monotonic()
        if waited > 0:
            await asyncio.sleep(waited)
            continue
        answer = await ls.run_on_session(job, CLOSED_FILES)
        if not isinstance(answer, DroppedJob):
            return answer
        if ls.shutdown_requested:
            raise asyncio.CancelledError


def _find_kernels(
    member: OpenDocument,
    extent: str,
    closed_files: ClosedFiles,
    session: AnalysisSession,
    snapshot: Snapshot,
    _check: CancellationCheck,
) -> tuple[str, ...] | None:
    return closed_files.find_kernels(session, member, snapshot, extent)


def _retain_reports(
    names: frozenset[str],
    closed_files: ClosedFiles,
    _session: AnalysisSession,
    _snapshot: Snapshot,
    _check: CancellationCheck,
) -> None:
    closed_files.retain_only(names)


def _make_report(
    name: str,
    client: ClientCapabilities,
    closed_files: ClosedFiles,
    session: AnalysisSession,
    snapshot: Snapshot,
    check: CancellationCheck,
) -> ClosedFileReport:
    return closed_files.report(session, name, snapshot, client, check)
