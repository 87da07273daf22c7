"""The language server: its state, and how feature handlers run work on the analysis thread."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types
from pygls.exceptions import (
    FeatureRequestError,
    JsonRpcContentModified,
)

from openclsp import __version__
from openclsp.lsp.session.analysis_thread import AnalysisThread, DroppedJob, JobPriority
from openclsp.lsp.session.cancellation import CancellationCheck, Superseded
from openclsp.lsp.session.client_capabilities import ClientCapabilities
from openclsp.lsp.session.debounce import DebouncedActions
from openclsp.lsp.session.host_documents import HostDocuments
from openclsp.lsp.session.open_documents import OpenDocument, OpenDocuments
from openclsp.lsp.session.pending_answers import PendingAnswers
from openclsp.lsp.session.server_progress import ServerProgress
from openclsp.lsp.session.settings import Settings
from openclsp.lsp.session.snapshot import Snapshot
from openclsp.lsp.startup.early_settings import EarlySettings
from openclsp.lsp.startup.preloading import CURSOR_PRELOADS, import_hover
from openclsp.lsp.startup.prestart import EarlyPublication, PrestartState
from openclsp.lsp.transport.protocol import OpenclProtocol, ProtocolServer
from openclsp.lsp.uris import document_name

if TYPE_CHECKING:
    from openclsp.lsp.session.analysis_entry import SideResults
    from openclsp.lsp.session.analysis_session import AnalysisSession, DocumentAnalysis
    from openclsp.lsp.session.closed_files import ClosedFiles
    from openclsp.lsp.session.document_status import Status

T = TypeVar("T")

_log = logging.getLogger("openclsp")

SYNCHRONOUS_SECONDS = 0.03
"""The maximum seconds of analysis on the event loop itself. It stops earlier if another message arrives."""

FIRST_ANSWER_TIMEOUT = 1.0
"""The maximum seconds that the project scan waits for a document's first answer, because the client may never
request one.
"""

CONFIGURATION_TIMEOUT = 2.0
"""The maximum seconds that the first answers wait for the client's settings."""


class OpenclServer(ProtocolServer):
    """The server with all state of the event loop. The analysis thread receives immutable snapshots of it."""

    protocol: OpenclProtocol

    def __init__(self) -> None:
        self.open_documents = OpenDocuments()
        self.hosts = HostDocuments(self.open_documents)
        self.analysis_thread = AnalysisThread()
        self.client_features = ClientCapabilities()
        self.snapshot = Snapshot()
        self.initial_settings = Settings()
        """The settings from `initializationOptions`; the client's configuration takes precedence."""
        self.initial_settings_problems: tuple[str, ...] = ()
        """Problems of the initial settings. They are shown after `initialized`, because clients accept no
        messages before.
        """
        self.early_settings = EarlySettings()
        self.shutdown_requested = False
        self.settings_received = asyncio.Event()
        self.closed_targets: dict[str, OpenDocument] = {}
        """The closed documents to which names of kernels in host code lead, by name."""
        self.dependencies: dict[str, frozenset[str]] = {}
        """The names of the files that a document's last analysis requested, found or not, by document."""
        self.flow_versions: dict[str, OpenDocument] = {}
        """The last version of a document for which the flow of the whole file was solved, by document."""
        self.debounced_actions = DebouncedActions()
        self.statuses: dict[str, Status] = {}
        """The status of a document's last analysis, by document."""
        self.possible_fragments: set[str] = set()
        """The documents that a kernel may turn out to include."""
        self.scan_progress = ServerProgress(self, "openclsp: scanning the project")
        self._first_answers: dict[str, asyncio.Event] = {}
        self._session: AnalysisSession | None = None
        self.closed_files: ClosedFiles | None = None
        self.last_change_time = 0.0
        """The time of the last opening or edit of a document, by `time.monotonic`."""
        self.is_typing = False
        """Whether the last edit came soon after the one before it."""
        self.early_publication: EarlyPublication | None = None
        """The diagnostics that the early analysis published, until other diagnostics are published."""
        self.has_pending_message: Callable[[], bool] = lambda: True
        """Whether another message is waiting to be handled; True if unknown."""
        self.is_handling_messages: Callable[[], bool] = lambda: False
        """Whether a message is being handled or is waiting; False if unknown."""
        self.quickly_analysed: set[str] = set()
        """The documents whose last edit was analysed within `SYNCHRONOUS_SECONDS`."""
        self.on_newly_included: Callable[[tuple[OpenDocument, ...]], None] = lambda _documents: None
        """Called with the open headers that an analysis may include for the first time. A feature sets it."""
        self.watcher_registrations: list[types.Registration] = []
        """The file watchers that are registered with the client."""
        self.pending_answers = PendingAnswers()
        self._shown_messages: set[str] = set()
        self._cursor_preloads = CURSOR_PRELOADS
        self._tasks: set[asyncio.Task[None]] = set()
        super().__init__("openclsp", __version__, protocol_cls=OpenclProtocol)

    def adopt_prestart(self, prestart: PrestartState) -> None:
        """Takes over the state of the early analysis."""
        self.early_settings.is_pending = prestart.settings_requested
        self._session, self.early_publication = prestart.session, prestart.publication

    def publish_diagnostics(self, document: OpenDocument, diagnostics: bytes) -> None:
        """Publishes a document's diagnostics, given as JSON array elements.

        Does nothing if the early analysis has published the same diagnostics. Does nothing after the client
        has requested the shutdown, because a job may end after the answer to that request.
        """
        if self.shutdown_requested:
            return
        from openclsp.lsp.session.diagnostics_cache import publish_diagnostics_message

        if self.hosts:
            from openclsp.lsp.host_translation import place_publication

            encoding = self.client_features.encoding
            document, diagnostics = place_publication(self.hosts, encoding, document, diagnostics)
        publication = document.uri, document.version, diagnostics
        previous, self.early_publication = self.early_publication, None
        if publication != previous:
            self.protocol.send(publish_diagnostics_message(*publication))

    async def analyse(
        self,
        document: OpenDocument,
        priority: JobPriority,
        work: Callable[[DocumentAnalysis | None, CancellationCheck], T],
    ) -> T | DroppedJob:
        """Runs `work` with the analysis of this version of the document on the analysis thread.

        `work` gets None if the document is not OpenCL C. Returns the result of `work`, or DroppedJob if the
        document has changed.
        """
        await self._wait_for_configuration()
        if not document.is_same_version(self._current_document(document.name)):
            return DroppedJob.SUPERSEDED
        outcome = await self.analysis_thread.run(self._analysis_job(document, work), priority, document.name)
        if isinstance(outcome, DroppedJob):
            return outcome
        result, side_results = outcome
        self._store_side_results(document, side_results)
        return result

    def _current_document(self, name: str) -> OpenDocument | None:
        return self.open_documents.get_by_name(name) or self.closed_targets.get(name)

    def analyse_synchronously(
        self, document: OpenDocument, work: Callable[[DocumentAnalysis | None, CancellationCheck], T]
    ) -> T | None:
        """Runs `work` with the analysis of an edited document synchronously, and returns its result.

        Returns None if that might delay other messages too long, or if a message is waiting that may
        supersede the result.
        """
        if (
            document.name not in self.quickly_analysed
            or not self.settings_received.is_set()
            or self.has_pending_message()
        ):
            return None
        started_at = time.perf_counter()
        outcome = self.analysis_thread.run_synchronously(
            self._analysis_job(document, work), SYNCHRONOUS_SECONDS, self.has_pending_message
        )
        if outcome is None:
            # A message that arrived, or a busy queue, does not mean that the work is slow.
            if time.perf_counter() - started_at > SYNCHRONOUS_SECONDS:
                self.quickly_analysed.discard(document.name)
            return None
        result, side_results = outcome
        self._store_side_results(document, side_results)
        return result

    def _analysis_job(
        self, document: OpenDocument, work: Callable[[DocumentAnalysis | None, CancellationCheck], T]
    ) -> Callable[[CancellationCheck], tuple[T, SideResults]]:
        """Wraps `work` into a job on the document's analysis, with a snapshot of the current inputs."""
        snapshot = replace(self.snapshot, documents=self.open_documents.all_by_name())

        def job(check: CancellationCheck) -> tuple[T, SideResults]:
            session = self.analysis_session()
            try:
                with session.mark_in_use(document.name):
                    result = work(session.analyse(document, snapshot, check), check)
            except Superseded:
                raise
            except Exception:
                # The crash may have left the analysis inconsistent: the next job starts with a new one.
                session.drop_document(document.name)
                raise
            session.freeze_new_unit()
            return result, session.side_results(document)

        return job

    def _store_side_results(self, document: OpenDocument, side_results: SideResults) -> None:
        """Applies the side results of an analysis to the server's state."""
        if document.is_same_version(self.open_documents.get_by_name(document.name)):
            new_dependencies = side_results.dependencies - self.dependencies.get(document.name, frozenset())
            self.dependencies[document.name] = side_results.dependencies
            self._update_newly_included(document, new_dependencies)
            if document.name in self._first_answers:
                self._first_answers.pop(document.name).set()
            self._notify_status(document, side_results.status)
            (
                self.possible_fragments.add
                if side_results.may_be_fragment
                else self.possible_fragments.discard
            )(document.name)
        for message in side_results.option_messages:
            self.show_message_once(message)
        project_file, message = side_results.project_file_problems
        # An open project file shows its problems as diagnostics.
        if message and self.open_documents.get_by_name(project_file) is None:
            self.show_message_once(message)

    def _update_newly_included(self, document: OpenDocument, new_dependencies: frozenset[str]) -> None:
        """Diagnoses open headers that this document includes, or tried to include, for the first time."""
        names = new_dependencies & self.possible_fragments - {document.name}
        included = tuple(each for each in self.open_documents if each.name in names)
        if included:
            self.on_newly_included(included)

    async def answer_request(
        self, uri: str, work: Callable[[DocumentAnalysis, CancellationCheck], T], *, at_once: bool = False
    ) -> T | None:
        """Answers a request about a document, for its version at the time of the request.

        `at_once` allows a synchronous answer, for work that takes no longer than the diagnostics of an edit.
        Returns None if the document is not open or not OpenCL C. Raises JsonRpcContentModified if the
        document changes meanwhile.
        """
        document = self._current_document(document_name(uri))
        if document is None:
            return None

        def compute(analysed: DocumentAnalysis | None, check: CancellationCheck) -> tuple[T | None]:
            return (work(analysed, check) if analysed else None,)

        result: tuple[T | None] | DroppedJob | None = None
        with self.pending_answers.add():
            if at_once:
                result = self.analyse_synchronously(document, compute)
            if result is None:
                result = await self.analyse(document, JobPriority.CURSOR, compute)
        if isinstance(result, DroppedJob):
            raise JsonRpcContentModified
        return result[0]

    def forget_document(self, name: str) -> None:
        """Drops all state of a closed document, including its analysis."""
        self.dependencies.pop(name, None)
        self.possible_fragments.discard(name)
        self._first_answers.pop(name, None)
        self.statuses.pop(name, None)
        self.flow_versions.pop(name, None)
        self.quickly_analysed.discard(name)
        self.debounced_actions.cancel(name)
        self.analysis_thread.cancel_jobs(name)
        self.analysis_thread.submit(
            lambda _check: self.analysis_session().drop_document(name), JobPriority.CURSOR
        )

    def dependents(self, names: frozenset[str]) -> tuple[OpenDocument, ...]:
        """Returns the open documents whose analysis requested any of these files, whether found or not."""
        return tuple(
            document
            for document in self.open_documents
            if not names.isdisjoint(self.dependencies.get(document.name, ()))
        )

    async def wait_for_first_answer(self, document: OpenDocument) -> None:
        """Waits for the first answer about the document, so that background work does not delay it."""
        if document.name not in self.dependencies:
            event = self._first_answers.setdefault(document.name, asyncio.Event())
            try:
                await asyncio.wait_for(event.wait(), FIRST_ANSWER_TIMEOUT)
            except asyncio.TimeoutError:
                self._first_answers.pop(document.name, None)

    async def scan_project(self, document: OpenDocument) -> tuple[OpenDocument, ...]:
        """Scans the document's project once, in the background; returns the documents that it may affect."""
        names = await self.run_on_session(
            lambda session, snapshot, check: session.scan_project(document, snapshot, check)
        )
        if isinstance(names, DroppedJob):
            return ()
        return tuple(each for each in self.open_documents if each.name in names)

    async def run_on_session(
        self,
        work: Callable[[AnalysisSession, Snapshot, CancellationCheck], T],
        name: str = "",
        priority: JobPriority = JobPriority.BACKGROUND,
    ) -> T | DroppedJob:
        """Runs `work` on the analysis thread with a snapshot of the current inputs.

        Returns the result of `work`, or DroppedJob if the job was cancelled. `name` is the name by which
        `AnalysisThread.cancel_jobs` can cancel the job.
        """
        await self._wait_for_configuration()
        snapshot = replace(self.snapshot, documents=self.open_documents.all_by_name())
        return await self.analysis_thread.run(
            lambda check: work(self.analysis_session(), snapshot, check), priority, name
        )

    def preload_analysis(self) -> None:
        """Imports the analysis while the client is still starting."""
        self.analysis_thread.submit(lambda _check: self.analysis_session(), JobPriority.BACKGROUND)

    async def preload_hover(self) -> None:
        """Imports in the background the modules that the first hover needs."""
        await self.analysis_thread.run(import_hover, JobPriority.BACKGROUND)

    async def preload_cursor_requests(self) -> None:
        """Loads in the background the modules and data of the first requests at the cursor; does so once."""
        waiting, self._cursor_preloads = self._cursor_preloads, ()
        for preload in waiting:
            # Each import is a job of its own, so that a request waits for one import at most.
            await self.analysis_thread.run(partial(_ignore_check, preload), JobPriority.BACKGROUND)

    def start_task(self, task: Coroutine[Any, Any, None]) -> None:
        """Runs a task in the background; a crash is logged and has no other effect."""
        running = asyncio.ensure_future(task)
        self._tasks.add(running)
        running.add_done_callback(self._task_finished)

    def show_message_once(self, message: str, kind: types.MessageType = types.MessageType.Warning) -> None:
        """Shows a message to the user, unless the same message was shown before."""
        if message not in self._shown_messages:
            self._shown_messages.add(message)
            self.show_message(message, kind)

    def show_message(self, message: str, kind: types.MessageType) -> None:
        """Shows a message to the user as plain text.

        VS Code renders `[label](command:…)` as a link that runs a command, and a path or macro of the
        repository may contain such text. Such text is therefore changed so that it is not a link.
        """
        self.window_show_message(types.ShowMessageParams(kind, message.replace("](", "] (")))

    def log_crash(self, what: str, error: BaseException) -> None:
        """Logs a crash: to standard error with its traceback, to the client's log in one line."""
        _log.error("%s failed", what, exc_info=error)
        line = f"openclsp: {what} failed: {type(error).__name__}: {error}"
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, line))

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Logs an error for which pygls sends no response; it is never shown to the user."""
        if source is not FeatureRequestError:
            self.log_crash("a message", error)

    def _notify_status(self, document: OpenDocument, status: Status) -> None:
        if self.statuses.get(document.name) != status:
            self.statuses[document.name] = status
            if self.client_features.wants_status_notifications:
                uri = self.hosts.client_uri(document)
                self.protocol.notify("openclsp/statusChanged", status.to_json(uri))

    async def _wait_for_configuration(self) -> None:
        if not self.settings_received.is_set():
            try:
                await asyncio.wait_for(self.settings_received.wait(), CONFIGURATION_TIMEOUT)
            except asyncio.TimeoutError:
                self.settings_received.set()

    def analysis_session(self) -> AnalysisSession:
        """Returns the analysis session. Only for the analysis thread, as the first call imports modules."""
        if self._session is None:
            from openclsp.lsp.session.analysis_session import AnalysisSession

            self._session = AnalysisSession()
        return self._session

    def _task_finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self.log_crash("a task in the background", error)


def _ignore_check(work: Callable[[], object], _check: CancellationCheck) -> None:
    work()
