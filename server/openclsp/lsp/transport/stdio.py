"""Serves the protocol over standard input and output.

The event loop reads and handles messages in order. If it cannot watch the stream (a file, or any stream on
Windows), a thread reads the messages. pygls' own loop reads each header line and each body in a thread pool:
three thread switches per message, which take longer than most answers.
"""

from __future__ import annotations

import asyncio
import logging
import select
from collections import deque
from contextlib import suppress

from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.startup.message_queue import MessageQueue
from openclsp.lsp.transport.message_reader import STALL_SECONDS, MessageReader
from openclsp.lsp.transport.message_writer import MessageWriter

_log = logging.getLogger("openclsp")


def serve_stream(
    server: OpenclServer, messages: MessageQueue, writer: MessageWriter, first: bytes | None = None
) -> None:
    """Handles all messages until the client sends `exit` or is gone.

    `first` is a message that was already read.
    """
    server.protocol.set_writer(writer)
    try:
        asyncio.run(_handle_all(server, messages, writer, first))
    except (KeyboardInterrupt, SystemExit):
        # pygls raises SystemExit at `exit`.
        pass
    finally:
        server.shutdown()  # type: ignore[no-untyped-call]


async def _handle_all(
    server: OpenclServer, messages: MessageQueue, writer: MessageWriter, first: bytes | None
) -> None:
    inbox = _MessageInbox(server, asyncio.get_running_loop())
    writer.on_broken_pipe = inbox.stop
    if first is not None:
        inbox.add(first)

    def receive(body: bytes | None) -> None:
        inbox.loop.call_soon_threadsafe(inbox.add, body)

    def receive_stream(reader: MessageReader) -> None:
        inbox.loop.call_soon_threadsafe(inbox.watch_stream, reader)

    messages.forward_to(receive, receive_stream if _can_watch(inbox.loop, messages) else None)
    await inbox.ended.wait()
    if messages.framing_error:
        _log.error("the message stream is broken; the server exits: %s", messages.framing_error)


def _can_watch(loop: asyncio.AbstractEventLoop, messages: MessageQueue) -> bool:
    """Whether the event loop can watch the stream for input."""
    try:
        loop.add_reader(messages, lambda: None)
    except (NotImplementedError, OSError):
        return False
    loop.remove_reader(messages)
    return True


class _MessageInbox:
    """The queue of received messages on the event loop.

    A message is handled only after the task started by the previous message has run its first step. A request
    therefore sees the documents as they were when it was sent, without later edits.
    """

    def __init__(self, server: OpenclServer, loop: asyncio.AbstractEventLoop) -> None:
        self.loop, self.ended = loop, asyncio.Event()
        self._server = server
        self._waiting: deque[bytes | None] = deque()
        self._stall_timer: asyncio.TimerHandle | None = None

    def add(self, body: bytes | None) -> None:
        """Adds a message; None means the end of the stream."""
        self._waiting.append(body)
        if len(self._waiting) == 1:
            self._handle()

    def stop(self) -> None:
        """Stops handling messages, because the client is gone; queued requests are dropped. Thread-safe."""
        _log.error("the client is gone")
        with suppress(RuntimeError):  # the loop has already ended
            self.loop.call_soon_threadsafe(self.ended.set)

    def watch_stream(self, reader: MessageReader) -> None:
        """Starts reading messages on the event loop."""
        readable = select.poll()
        readable.register(reader, select.POLLIN)
        self._server.has_pending_message = lambda: len(self._waiting) > 1 or bool(readable.poll(0))
        self._server.is_handling_messages = lambda: bool(self._waiting) or bool(readable.poll(0))
        self.loop.add_reader(reader, self._readable, reader)
        self._queue_complete_messages(reader)

    def _readable(self, reader: MessageReader) -> None:
        if reader.read_more():
            self._queue_complete_messages(reader)
        else:
            self._end(reader)

    def _end(self, reader: MessageReader) -> None:
        """Stops reading, because the client is gone or the framing is broken."""
        self.loop.remove_reader(reader)
        self._watch_for_stall(None)
        self.add(None)

    def _watch_for_stall(self, reader: MessageReader | None) -> None:
        """Starts the timer after which an unfinished body is examined; cancels it if `reader` is None."""
        if self._stall_timer is not None:
            self._stall_timer.cancel()
            self._stall_timer = None
        if reader is not None:
            self._stall_timer = self.loop.call_later(STALL_SECONDS, self._examine_stalled_body, reader)

    def _examine_stalled_body(self, reader: MessageReader) -> None:
        if reader.detect_short_body():
            self._end(reader)
        else:
            self._watch_for_stall(reader)

    def _queue_complete_messages(self, reader: MessageReader) -> None:
        """Queues all messages that have been received completely, before the first of them is handled.

        `has_pending_message` depends on that order: the handler of an edit sees that another edit is waiting.
        """
        handling = bool(self._waiting)
        while (body := reader.take_complete_message()) is not None:
            self._waiting.append(body)
        if self._waiting and not handling:
            self._handle()
        if reader.framing_error:
            self._end(reader)
        elif reader.is_within_body or self._stall_timer is not None:
            self._watch_for_stall(reader if reader.is_within_body else None)

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
