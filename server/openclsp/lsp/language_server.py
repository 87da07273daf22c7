"""The language server: its state, and how feature handlers run work on the analysis thread."""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import attrs
from lsprotocol import types
from pygls.exceptions import (
    FeatureRequestError,
    JsonRpcContentModified,
    JsonRpcException,
    JsonRpcInternalError,
)
from pygls.lsp.server import LanguageServer

from openclsp import __version__
from openclsp.lsp.client import Client
from openclsp.lsp.documents import Documents, OpenDocument
from openclsp.lsp.first_look import FirstLook, Told
from openclsp.lsp.first_values import FirstValues
from openclsp.lsp.jobs import Dropped, Engine, Lane
from openclsp.lsp.pauses import Pauses
from openclsp.lsp.progress import Progress
from openclsp.lsp.protocol import OpenclProtocol
from openclsp.lsp.settings import Settings
from openclsp.lsp.superseded import Check, Superseded
from openclsp.lsp.world import World

if TYPE_CHECKING:
    from openclsp.lsp.session import Analysed, Notes, Session
    from openclsp.lsp.status import Status

T = TypeVar("T")
P = TypeVar("P")

Handler = Callable[["OpenclServer", P], Coroutine[Any, Any, T]]

_log = logging.getLogger("openclsp")

AT_ONCE = 0.03
"""The most seconds of analysis on the event loop itself; it stops earlier if another message arrives."""

FIRST_SLICE = 0.03
"""Seconds of the first slice of background work; a request at the cursor may have to wait so long."""

ANSWER_PATIENCE = 1.0
"""The most seconds that the project scan waits for a document's first answer.

The client may never request one.
"""

CONFIGURATION_PATIENCE = 2.0
"""The most seconds that the first answers wait for the client's settings."""


class OpenclServer(LanguageServer):
    """All state of the event loop. The analysis thread gets immutable values of it."""

    protocol: OpenclProtocol

    def __init__(self) -> None:
        self.documents = Documents()
        self.engine = Engine()
        self.client = Client()
        self.world = World()
        self.initial_settings = Settings()
        """The settings from `initializationOptions`; the client's configuration takes precedence."""
        self.early_complaints: tuple[str, ...] = ()
        """Problems of the initial settings, shown after `initialized`.

        The client takes no messages before.
        """
        self.first_values = FirstValues()
        self.ended_in_order = False
        self.configured = asyncio.Event()
        self.dependencies: dict[str, frozenset[str]] = {}
        """By document: the names of the files that its last analysis requested, found or not."""
        self.followed: dict[str, OpenDocument] = {}
        """By document: the last version for which the flow of the whole file was solved."""
        self.pauses = Pauses()
        self.statuses: dict[str, Status] = {}
        """By document: the status of its last analysis."""
        self.fragments: set[str] = set()
        """The documents that a kernel may turn out to include."""
        self.looking_over = Progress(self, "openclsp: scanning the project")
        self._first_answers: dict[str, asyncio.Event] = {}
        self._session: Session | None = None
        self.told_first: Told | None = None
        """The diagnostics published before the server ran, until others are published."""
        self.more_has_come: Callable[[], bool] = lambda: True
        """Whether another message is waiting to be handled; True if that is not known."""
        self.quick: set[str] = set()
        """The documents whose last edit was analysed within `AT_ONCE`."""
        self._said: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        super().__init__("openclsp", __version__, protocol_cls=OpenclProtocol)

    def go_on(self, looked: FirstLook) -> None:
        """Takes over the state of the early analysis."""
        self.first_values.asked = looked.asked
        self._session, self.told_first = looked.session, looked.told

    def publish(self, document: OpenDocument, diagnostics: bytes) -> None:
        """Publishes a document's diagnostics, given as JSON array elements.

        It does nothing if the early analysis has published the same ones, or if the client has requested the
        shutdown: a job that began before may end after its answer.
        """
        if self.ended_in_order:
            return
        from openclsp.lsp.shown import publication

        told = document.uri, document.version, diagnostics
        before, self.told_first = self.told_first, None
        if told != before:
            self.protocol.send(publication(*told))

    async def analyse(
        self, document: OpenDocument, lane: Lane, work: Callable[[Analysed | None, Check], T]
    ) -> T | Dropped:
        """Runs `work` with the analysis of this version of the document on the analysis thread.

        `work` gets None if the document is not OpenCL C. Dropped if the document has changed.
        """
        await self._wait_for_configuration()
        if not document.same_version(self.documents.named(document.name)):
            return Dropped.SUPERSEDED
        outcome = await self.engine.run(self._job(document, work), lane, document.name)
        if isinstance(outcome, Dropped):
            return outcome
        result, notes = outcome
        self._note(document, notes)
        return result

    def analyse_at_once(
        self, document: OpenDocument, work: Callable[[Analysed | None, Check], T]
    ) -> T | None:
        """Runs `work` with the analysis of an edited document synchronously.

        None if that might delay other messages too long, or if a message is waiting that may supersede the
        result.
        """
        if document.name not in self.quick or not self.configured.is_set() or self.more_has_come():
            return None
        outcome = self.engine.at_once(self._job(document, work), AT_ONCE, self.more_has_come)
        if outcome is None:
            self.quick.discard(document.name)
            return None
        result, notes = outcome
        self._note(document, notes)
        return result

    def _job(
        self, document: OpenDocument, work: Callable[[Analysed | None, Check], T]
    ) -> Callable[[Check], tuple[T, Notes]]:
        """Wraps `work` into a job on the document's analysis, with a snapshot of the present inputs."""
        world = replace(self.world, documents=self.documents.by_name())

        def job(check: Check) -> tuple[T, Notes]:
            session = self._engine_session()
            try:
                with session.working_on(document.name):
                    result = work(session.analysed(document, world, check), check)
            except Superseded:
                raise
            except Exception:
                # The crash may have left the analysis inconsistent: the next job starts with a new one.
                session.drop(document.name)
                raise
            session.settle()
            return result, session.notes(document)

        return job

    def _note(self, document: OpenDocument, notes: Notes) -> None:
        """Applies the side results of an analysis to the server's state."""
        if document.same_version(self.documents.named(document.name)):
            gained = notes.dependencies - self.dependencies.get(document.name, frozenset())
            self.dependencies[document.name] = notes.dependencies
            self._renew_included(document, gained)
            if document.name in self._first_answers:
                self._first_answers.pop(document.name).set()
            self._tell_status(document, notes.status)
            (self.fragments.add if notes.fragment else self.fragments.discard)(document.name)
        for complaint in notes.complaints:
            self.say_once(complaint)

    def _renew_included(self, document: OpenDocument, gained: frozenset[str]) -> None:
        """Renews the open headers that the document did not look for before: it may be the first to include them."""
        from openclsp.lsp.diagnostics import refresh, renew

        names = gained & self.fragments - {document.name}
        included = [each for each in self.documents if each.name in names]
        if included:
            renew(self, *included)
            refresh(self)

    async def answer(
        self, uri: str, work: Callable[[Analysed, Check], T], *, at_once: bool = False
    ) -> T | None:
        """Answers a request about a document, for its version at the time of the request.

        `at_once` allows a synchronous answer, for work that takes no longer than the diagnostics of an edit.
        None if the document is not open or not OpenCL C. Raises JsonRpcContentModified if the document
        changes meanwhile.
        """
        document = self.documents.get(uri)
        if document is None:
            return None

        def answering(analysed: Analysed | None, check: Check) -> tuple[T | None]:
            return (work(analysed, check) if analysed else None,)

        result: tuple[T | None] | Dropped | None = None
        if at_once:
            result = self.analyse_at_once(document, answering)
        if result is None:
            result = await self.analyse(document, Lane.CURSOR, answering)
        if isinstance(result, Dropped):
            raise JsonRpcContentModified
        return result[0]

    def forget(self, name: str) -> None:
        """Drops all state of a closed document, including its analysis."""
        self.dependencies.pop(name, None)
        self.fragments.discard(name)
        self._first_answers.pop(name, None)
        self.statuses.pop(name, None)
        self.followed.pop(name, None)
        self.quick.discard(name)
        self.pauses.over(name)
        self.engine.supersede(name)
        self.engine.submit(lambda _check: self._engine_session().drop(name), Lane.CURSOR)

    def dependents(self, names: frozenset[str]) -> tuple[OpenDocument, ...]:
        """The open documents whose analysis requested one of these files, found or not."""
        return tuple(
            document
            for document in self.documents
            if not names.isdisjoint(self.dependencies.get(document.name, ()))
        )

    async def answered(self, document: OpenDocument) -> None:
        """Waits for the first answer about the document, so that background work does not delay it."""
        if document.name not in self.dependencies:
            event = self._first_answers.setdefault(document.name, asyncio.Event())
            try:
                await asyncio.wait_for(event.wait(), ANSWER_PATIENCE)
            except asyncio.TimeoutError:
                self._first_answers.pop(document.name, None)

    async def look_over(self, document: OpenDocument) -> tuple[OpenDocument, ...]:
        """Scans the document's project in the background, once.

        Returns the open documents that may be affected.
        """
        await self._wait_for_configuration()
        world = replace(self.world, documents=self.documents.by_name())
        names = await self.engine.run(
            lambda check: self._engine_session().look_over(document, world, check), Lane.BACKGROUND
        )
        if isinstance(names, Dropped):
            return ()
        return tuple(each for each in self.documents if each.name in names)

    async def look_at_hosts(self, document: OpenDocument) -> tuple[OpenDocument, ...]:
        """Scans the host code of the document's project in time slices.

        Other jobs can run in between. Returns the open documents whose options or headers may have changed by
        that.
        """
        await self._wait_for_configuration()
        seconds = FIRST_SLICE
        names: frozenset[str] | Dropped | None = None
        while names is None:
            world = replace(self.world, documents=self.documents.by_name())
            names = await self.engine.run(
                partial(self._look_at_hosts, document, world, seconds), Lane.BACKGROUND
            )
            # Slices grow, so that a step which cannot be interrupted and resumed finishes eventually.
            seconds *= 1.25
        if isinstance(names, Dropped):
            return ()
        return tuple(each for each in self.documents if each.name in names)

    def _look_at_hosts(
        self, document: OpenDocument, world: World, seconds: float, _check: Check
    ) -> frozenset[str] | None:
        return self._engine_session().look_at_hosts(document, world, seconds)

    def warm_up(self) -> None:
        """Imports the analysis while the client is still starting."""
        self.engine.submit(lambda _check: self._engine_session(), Lane.BACKGROUND)

    async def get_ready(self) -> None:
        """Imports in the background the modules that the first hover needs."""
        await self.engine.run(_load_answers, Lane.BACKGROUND)

    def start(self, task: Coroutine[Any, Any, None]) -> None:
        """Runs a task in the background; a crash is logged and has no other effect."""
        running = asyncio.ensure_future(task)
        self._tasks.add(running)
        running.add_done_callback(self._finished)

    def say_once(self, message: str, kind: types.MessageType = types.MessageType.Warning) -> None:
        """Shows a message to the user, unless it was shown before."""
        if message not in self._said:
            self._said.add(message)
            self.show(message, kind)

    def show(self, message: str, kind: types.MessageType) -> None:
        """Shows a message to the user as plain text.

        VS Code renders `[label](command:…)` as a link that runs a command, and a path or macro of the
        repository may contain such text. The links are therefore broken up.
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

    def _tell_status(self, document: OpenDocument, status: Status) -> None:
        if self.statuses.get(document.name) != status:
            self.statuses[document.name] = status
            if self.client.follows_status:
                self.protocol.notify("openclsp/statusChanged", status.message(document.uri))

    async def _wait_for_configuration(self) -> None:
        if not self.configured.is_set():
            try:
                await asyncio.wait_for(self.configured.wait(), CONFIGURATION_PATIENCE)
            except asyncio.TimeoutError:
                self.configured.set()

    def _engine_session(self) -> Session:
        # Runs on the analysis thread only, because importing the analysis takes long.
        if self._session is None:
            from openclsp.lsp.session import Session

            self._session = Session()
        return self._session

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self.log_crash("a task in the background", error)


def _load_answers(_check: Check) -> None:
    import openclsp.ide.hover  # noqa: F401

    for each in (types.TextDocumentIdentifier, types.HoverParams):
        # Completes the class: see `deferred_types`.
        attrs.fields(each)


def request(
    server: OpenclServer, method: str, options: object = None
) -> Callable[[Handler[P, T]], Handler[P, T]]:
    """Decorator that registers a request handler. A crash in it is logged, and answered with an error."""

    def register(handler: Handler[P, T]) -> Handler[P, T]:
        @functools.wraps(handler)
        async def guarded(ls: OpenclServer, params: P) -> T:
            try:
                return await handler(ls, params)
            except JsonRpcException:
                raise
            except Exception as error:
                ls.log_crash(f"{method} {params}", error)
                raise JsonRpcInternalError(f"{type(error).__name__}: {error}") from error

        server.feature(method)(guarded)
        if options is not None:
            # If passed to `feature`, pygls would serialise them to validate their type, at each start.
            server.protocol.fm.feature_options[method] = options
        return handler

    return register
