"""The messages of a byte stream, as the protocol frames them (LSP 3.17, "Base Protocol").

Imports nothing: the first message is read before anything else of the server is there.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Readable(Protocol):
        """A stream without a buffer, such as `sys.stdin.buffer.raw`."""

        def read(self, size: int, /) -> bytes | None:
            """At most so many bytes, as soon as there are any; none at the end."""

        def fileno(self) -> int:
            """The stream's file descriptor."""


_CHUNK = 1 << 16


class Incoming:
    """Reads a stream message by message. Nothing is held while it waits for bytes, so that a process can end then."""

    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self._kept = bytearray()
        self._searched = 0
        """How many of the kept bytes hold no end of a line."""
        self._length = -1
        """What the header says so far of the body's length; -1 where it says nothing."""
        self._in_body = False

    def fileno(self) -> int:
        """The file descriptor that is read."""
        return self._stream.fileno()

    def next(self) -> bytes | None:
        """The body of the next message, waiting for it; None at the end of the stream, also within a message. Header
        fields other than the length are passed over."""
        while (body := self.whole()) is None:
            if not self.more():
                return None
        return body

    def whole(self) -> bytes | None:
        """The body of the next message if all of it has been read; None otherwise."""
        while not self._in_body:
            line = self._line()
            if line is None:
                return None
            name, _, value = line.partition(b":")
            value = value.strip()
            if name.strip().lower() == b"content-length" and value.isdigit():
                self._length = int(value)
            self._in_body = not line and self._length >= 0
        length = self._length
        if len(self._kept) < length:
            return None
        body = bytes(self._kept[:length])
        del self._kept[:length]
        self._length, self._in_body = -1, False
        return body

    def more(self) -> bool:
        """Reads what there is, waiting until there is something; whether the stream goes on."""
        missing = self._length - len(self._kept) if self._in_body else 0
        read = self._stream.read(max(missing, _CHUNK))
        if not read:
            return False
        self._kept += read
        return True

    def _line(self) -> bytes | None:
        """The next line without its end; None where that has not been read."""
        end = self._kept.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._kept)
            return None
        line = bytes(self._kept[:end])
        del self._kept[: end + 1]
        self._searched = 0
        return line.rstrip(b"\r")
