"""Serves the protocol over standard input and output.

The event loop reads and handles messages in order; if it cannot watch the stream (a file, Windows), a thread
reads. pygls' own loop passes each header line and then the body from a thread pool to the event loop. These
three thread switches per message cost more than most answers.
"""

from __future__ import annotations

import asyncio
import logging
import select
from collections import deque
from contextlib import suppress

from openclsp.lsp.arriving import Arriving
from openclsp.lsp.incoming import STALL_SECONDS, Incoming
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.outgoing import Outgoing

_log = logging.getLogger("openclsp")


def serve_stream(
    server: OpenclServer, arriving: Arriving, outgoing: Outgoing, first: bytes | None = None
) -> None:
    """Handles all messages until the client sends `exit` or is gone.

    `first` is a message that was already read.
    """
    server.protocol.set_writer(outgoing)
    try:
        asyncio.run(_handle_all(server, arriving, outgoing, first))
    except (KeyboardInterrupt, SystemExit):
        # pygls raises SystemExit at `exit`.
        pass
    finally:
        server.shutdown()  # type: ignore[no-untyped-call]


async def _handle_all(
    server: OpenclServer, arriving: Arriving, outgoing: Outgoing, first: bytes | None
) -> None:
    inbox = _Inbox(server, asyncio.get_running_loop())
    outgoing.when_broken = inbox.abandon
    if first is not None:
        inbox.take(first)

    def take(body: bytes | None) -> None:
        inbox.loop.call_soon_threadsafe(inbox.take, body)

    def leave(incoming: Incoming) -> None:
        inbox.loop.call_soon_threadsafe(inbox.watch, incoming)

    arriving.hand_on(take, leave if _can_watch(inbox.loop, arriving) else None)
    await inbox.ended.wait()
    if arriving.fault:
        _log.error("the message stream is broken; the server exits: %s", arriving.fault)


def _can_watch(loop: asyncio.AbstractEventLoop, arriving: Arriving) -> bool:
    """Whether the event loop can watch the stream for input."""
    try:
        loop.add_reader(arriving, lambda: None)
    except (NotImplementedError, OSError):
        return False
    loop.remove_reader(arriving)
    return True


class _Inbox:
    """The queue of received messages on the event loop.

    A message is handled only after the task started by its predecessor has run its first step. A request
    therefore sees the documents as they were when it was sent, not as a later edit leaves them.
    """

    def __init__(self, server: OpenclServer, loop: asyncio.AbstractEventLoop) -> None:
        self.loop, self.ended = loop, asyncio.Event()
        self._server = server
        self._waiting: deque[bytes | None] = deque()
        self._stall: asyncio.TimerHandle | None = None

    def take(self, body: bytes | None) -> None:
        """Adds a message; None is the end of the stream."""
        self._waiting.append(body)
        if len(self._waiting) == 1:
            self._handle()

    def abandon(self) -> None:
        """Stops handling messages, because the client is gone; queued requests are dropped. Thread-safe."""
        _log.error("the client is gone")
        with suppress(RuntimeError):  # the loop has already ended
            self.loop.call_soon_threadsafe(self.ended.set)

    def watch(self, incoming: Incoming) -> None:
        """Starts reading messages on the event loop."""
        readable = select.poll()
        readable.register(incoming, select.POLLIN)
        self._server.more_has_come = lambda: len(self._waiting) > 1 or bool(readable.poll(0))
        self.loop.add_reader(incoming, self._readable, incoming)
        self._take_whole(incoming)

    def _readable(self, incoming: Incoming) -> None:
        if incoming.more():
            self._take_whole(incoming)
        else:
            self._end(incoming)

    def _end(self, incoming: Incoming) -> None:
        """Stops reading, because the client is gone or the framing is broken."""
        self.loop.remove_reader(incoming)
        self._watch_for_stall(None)
        self.take(None)

    def _watch_for_stall(self, incoming: Incoming | None) -> None:
        """Starts the timer after which an unfinished body is examined; None cancels it."""
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None
        if incoming is not None:
            self._stall = self.loop.call_later(STALL_SECONDS, self._stalls, incoming)

    def _stalls(self, incoming: Incoming) -> None:
        if incoming.ends_early():
            self._end(incoming)
        else:
            self._watch_for_stall(incoming)

    def _take_whole(self, incoming: Incoming) -> None:
        """Queues all messages that have been received completely, before the first of them is handled.

        `more_has_come` depends on that order: the handler of an edit sees that another edit is waiting.
        """
        handling = bool(self._waiting)
        while (body := incoming.whole()) is not None:
            self._waiting.append(body)
        if self._waiting and not handling:
            self._handle()
        if incoming.fault:
            self._end(incoming)
        elif incoming.within_body or self._stall is not None:
            self._watch_for_stall(incoming if incoming.within_body else None)

    def _handle(self) -> None:
        body = self._waiting[0]
        if body is None:
            self.ended.set()
        else:
            self._server.protocol.receive(body)
            self.loop.call_soon(self._handled)

    def _handled(self) -> None:
        self._waiting.popleft()
        if self._waiting and not self.ended.is_set():
            self._handle()
