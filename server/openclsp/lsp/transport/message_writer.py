"""Writer that sends each message completely, despite partial writes.

An unbuffered stream may accept only part of the bytes, for example if a signal interrupts a write to a full
pipe; standard output is unbuffered if `PYTHONUNBUFFERED` is set. This module imports nothing, because the
first answer is sent before the rest of the server is loaded.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    class Writable(Protocol):
        """An unbuffered stream, such as a `FileIO`."""

        def write(self, data: memoryview, /) -> int | None:
            """Writes some of the bytes and returns their number; None if it would block."""

        def close(self) -> None:
            """Closes the stream."""


class MessageWriter:
    """Writes complete messages to a stream; implements pygls' writer interface."""

    def __init__(self, stream: Writable) -> None:
        self._stream = stream
        self._closed = False
        self.on_broken_pipe: Callable[[], None] | None = None
        """Called once, by the writing thread, when a write finds the pipe broken; later writes do nothing.

        If it is None, BrokenPipeError is raised instead.
        """

    def write(self, data: bytes) -> None:
        """Writes all bytes; does nothing after `close`, or after the pipe broke."""
        rest = memoryview(b"" if self._closed else data)
        try:
            while rest:
                rest = rest[self._stream.write(rest) or 0 :]
        except BrokenPipeError:
            if self.on_broken_pipe is None:
                raise
            self._closed = True
            self.on_broken_pipe()

    def close(self) -> None:
        """Closes the stream."""
        self._closed = True
        self._stream.close()


def frame_message(body: bytes) -> bytes:
    """Prepends the header to a message body (LSP 3.17, "Base Protocol")."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
