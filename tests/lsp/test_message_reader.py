"""Messages of a byte stream, split anywhere, and the order in which they are handled."""

from __future__ import annotations

import asyncio
import os
from io import FileIO
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openclsp.lsp.transport.message_reader import MessageReader
from openclsp.lsp.transport.stdio import _MessageInbox


class Stream:
    """A stream that gives its bytes in pieces of these sizes."""

    def __init__(self, data: bytes, sizes: list[int]) -> None:
        self.data, self.sizes = data, sizes

    def fileno(self) -> int:
        """There is none."""
        raise OSError

    def read(self, size: int, /) -> bytes:
        """At most so many bytes."""
        taken = min(size, self.sizes.pop() if self.sizes else size)
        piece, self.data = self.data[:taken], self.data[taken:]
        return piece


def frame_message(body: bytes, header: bytes = b"") -> bytes:
    """A message with its header."""
    return header + b"Content-Length: %d\r\n\r\n" % len(body) + body


@given(
    st.lists(st.binary(max_size=60), max_size=5),
    st.lists(st.integers(1, 30), max_size=60),
)
def test_every_message_comes_whole_however_the_stream_is_cut(bodies: list[bytes], sizes: list[int]) -> None:
    header = b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"
    incoming = MessageReader(Stream(b"".join(frame_message(each, header) for each in bodies), sizes))
    found = []
    while (body := incoming.read_message()) is not None:
        found.append(body)
    assert found == bodies


@pytest.mark.parametrize(
    "data", [b"", b"Content-Le", b"Content-Length: 3\r\n", frame_message(b"abc")[:-1], b"no header\r\n\r\n"]
)
def test_the_end_within_a_message_is_the_end(data: bytes) -> None:
    assert MessageReader(Stream(data, [])).read_message() is None


def test_what_has_come_is_told_from_what_has_not() -> None:
    incoming = MessageReader(
        Stream(frame_message(b"first") + frame_message(b"second") + frame_message(b"third"), [62, 5])
    )
    assert incoming.take_complete_message() is None
    assert incoming.read_more()
    assert [incoming.take_complete_message(), incoming.take_complete_message()] == [None, None]
    assert incoming.read_more()
    assert [
        incoming.take_complete_message(),
        incoming.take_complete_message(),
        incoming.take_complete_message(),
    ] == [b"first", b"second", None]
    assert incoming.read_more()
    assert [incoming.take_complete_message(), incoming.take_complete_message()] == [b"third", None]
    assert not incoming.read_more()


async def test_all_messages_that_have_come_are_known_before_the_first_is_handled() -> None:
    read, write = os.pipe()
    handled: list[tuple[bytes, bool]] = []
    server: Any = SimpleNamespace(has_pending_message=None)
    server.protocol = SimpleNamespace(
        receive=lambda body: handled.append((body, server.has_pending_message()))
    )
    inbox = _MessageInbox(server, asyncio.get_running_loop())
    os.write(write, frame_message(b"a") + frame_message(b"b") + frame_message(b"c")[:5])
    with FileIO(read) as stream:
        inbox.watch_stream(MessageReader(stream))
        while len(handled) < 2:
            await asyncio.sleep(0)
        os.write(write, frame_message(b"c")[5:])
        os.close(write)
        await inbox.ended.wait()
    # the end of the stream is something that can be read as well
    assert handled == [(b"a", True), (b"b", False), (b"c", True)]


def test_a_length_may_be_spelled_in_any_way() -> None:
    assert MessageReader(Stream(b"content-length:2\n\nab", [])).read_message() == b"ab"


async def test_what_a_message_begins_takes_its_first_step_before_the_next_is_handled() -> None:
    """A request that arrives together with an edit behind it is answered for the text before the edit."""
    notes: list[str] = []

    async def answer() -> None:
        notes.append("request begun")

    def receive(body: bytes) -> None:
        notes.append(body.decode())
        if body == b"request":
            tasks.append(asyncio.ensure_future(answer()))

    tasks: list[asyncio.Future[None]] = []
    server: Any = SimpleNamespace(protocol=SimpleNamespace(receive=receive))
    inbox = _MessageInbox(server, asyncio.get_running_loop())
    for body in (b"request", b"edit", None):
        inbox.loop.call_soon(inbox.add, body)
    await inbox.ended.wait()
    assert notes == ["request", "request begun", "edit"]
