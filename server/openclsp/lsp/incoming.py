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


_CHUNK = 1 << 16


class Incoming:
    """Reads a stream message by message. Nothing is held while it waits for bytes, so that a process can end then."""

    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self._kept = b""

    def next(self) -> bytes | None:
        """The body of the next message; None at the end of the stream, also within a message. Header fields other than
        the length are passed over."""
        length = -1
        while True:
            line = self._line()
            if line is None:
                return None
            name, _, value = line.partition(b":")
            value = value.strip()
            if name.strip().lower() == b"content-length" and value.isdigit():
                length = int(value)
            elif not line and length >= 0:
                return self._bytes(length)

    def _line(self) -> bytes | None:
        """The next line without its end."""
        end = self._kept.find(b"\n")
        while end < 0:
            searched = len(self._kept)
            if not self._more(_CHUNK):
                return None
            end = self._kept.find(b"\n", searched)
        line, self._kept = self._kept[:end], self._kept[end + 1 :]
        return line.rstrip(b"\r")

    def _bytes(self, number: int) -> bytes | None:
        missing = number - len(self._kept)
        if missing > 0:
            parts = [self._kept]
            while missing > 0:
                read = self._stream.read(max(missing, _CHUNK))
                if not read:
                    return None
                parts.append(read)
                missing -= len(read)
            self._kept = b"".join(parts)
        body, self._kept = self._kept[:number], self._kept[number:]
        return body

    def _more(self, number: int) -> bool:
        read = self._stream.read(number)
        if not read:
            return False
        self._kept += read
        return True
