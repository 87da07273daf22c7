"""The bytes of answers, written to the end.

A stream without a buffer takes only what a pipe has room for when a signal comes in between; standard output is one
where `PYTHONUNBUFFERED` is set. Imports nothing: the first answer is given before anything else of the server is there.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    class Writable(Protocol):
        """A stream without a buffer, such as a `FileIO`."""

        def write(self, data: memoryview, /) -> int | None:
            """How many of the bytes were taken; None where none could be."""

        def close(self) -> None:
            """Nothing is written any more."""


class Outgoing:
    """Writes messages to a stream, each as a whole. As pygls wants its writers."""

    def __init__(self, stream: Writable) -> None:
        self._stream = stream
        self._closed = False
        self.when_broken: Callable[[], None] | None = None
        """Called once, by the thread that writes, when the client turns out to be gone; from then on nothing is written. Where
        there is none, BrokenPipeError is raised."""

    def write(self, data: bytes) -> None:
        """All of the bytes; none where the stream is closed, for what was under way then, or the client is gone; see
        `when_broken`."""
        rest = memoryview(b"" if self._closed else data)
        try:
            while rest:
                rest = rest[self._stream.write(rest) or 0 :]
        except BrokenPipeError:
            if self.when_broken is None:
                raise
            self._closed = True
            self.when_broken()

    def close(self) -> None:
        """Closes the stream."""
        self._closed = True
        self._stream.close()


def framed(body: bytes) -> bytes:
    """A message with its header (LSP 3.17, "Base Protocol")."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
