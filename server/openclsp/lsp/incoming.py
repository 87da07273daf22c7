"""The messages of a byte stream, as the protocol frames them (LSP 3.17, "Base Protocol").

A stream whose framing is broken cannot be resumed: an edit may be lost, and every later edit would be applied to the wrong
text. Reading ends there, with the reason in `fault`, and the client can start the server again.

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

MAX_HEADER_LINE = 1 << 12
"""Bytes of one header line. The longest that clients send is the content type, 60 bytes."""

MAX_BODY = 1 << 28
"""Bytes of one message's body: 16 MB, the largest file that is read, is at most six times as long when escaped as JSON."""

MAX_HEADER_FIELDS = 32
"""Fields of one header. Two are defined."""

STALL_SECONDS = 5.0
"""Seconds without a byte after which an unfinished body is examined: see `Incoming.ends_early`."""


class Incoming:
    """Reads a stream message by message. Nothing is held while it waits for bytes, so that a process can end then."""

    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self._kept = bytearray()
        self._searched = 0
        """How many of the kept bytes hold no end of a line."""
        self._length = -1
        """What the header says so far of the body's length; -1 where it says nothing."""
        self._fields = 0
        """How many header fields of the next message have been read."""
        self._in_body = False
        self.fault = ""
        """Why the stream cannot be read any further; empty while it can."""

    def fileno(self) -> int:
        """The file descriptor that is read."""
        return self._stream.fileno()

    def next(self) -> bytes | None:
        """The body of the next message, waiting for it; None at the end of the stream, also within a message, and at a fault
        in the framing. Header fields other than the length are ignored."""
        while (body := self.whole()) is None:
            if self.fault or self._in_body and self._stalls() or not self.more():
                return None
        return body

    def whole(self) -> bytes | None:
        """The body of the next message if all of it has been read; None otherwise, and at a fault in the framing."""
        while not self._in_body:
            line = None if self.fault else self._line()
            if line is None:
                return None
            self._read_header_line(line)
        length = self._length
        if len(self._kept) < length:
            return None
        body = bytes(self._kept[:length])
        del self._kept[:length]
        self._length, self._fields, self._in_body = -1, 0, False
        return body

    def more(self) -> bool:
        """Reads what there is, waiting until there is something; whether the stream goes on."""
        missing = self._length - len(self._kept) if self._in_body else 0
        read = self._stream.read(max(missing, _CHUNK))
        if not read:
            return False
        self._kept += read
        return True

    def ends_early(self) -> bool:
        """Whether the unfinished body is complete JSON already, so that its length was announced too large. To be asked when
        the client has sent nothing for a while."""
        if not self._in_body or self.fault or not self._kept.rstrip().endswith(b"}"):
            return False
        from openclsp.lsp.messages import message_of

        try:
            message_of(bytes(self._kept))
        except ValueError:
            return False
        self.fault = f"a message of {len(self._kept)} bytes was announced with {self._length}"
        return True

    @property
    def within_body(self) -> bool:
        """Whether a message's header has been read, and its body has not as a whole."""
        return self._in_body

    def _stalls(self) -> bool:
        """Waits for more of a body; whether none came for `STALL_SECONDS` although nothing is missing."""
        import select

        try:
            while not select.select([self._stream], [], [], STALL_SECONDS)[0]:
                if self.ends_early():
                    return True
        except (OSError, ValueError):
            # not a stream that can be watched: a file, or a pipe of Windows
            pass
        return False

    def _read_header_line(self, line: bytes) -> None:
        name, colon, value = line.partition(b":")
        value = value.strip()
        self._fields += 1
        if not line:
            self._in_body = self._length >= 0
            if not self._in_body:
                self.fault = "a message without the length of its content"
        elif not colon or not name.replace(b"-", b"").isalnum():
            self.fault = f"not a header of a message: {line[:80]!r}"
        elif self._fields > MAX_HEADER_FIELDS:
            self.fault = f"a header of more than {MAX_HEADER_FIELDS} fields"
        elif name.lower() == b"content-length":
            # int() reads no more digits than these, in time that does not grow with the line
            length = int(value) if value.isdigit() and len(value) <= 18 else -1
            if self._length not in (-1, length):
                self.fault = f"a message with two lengths, {self._length} and {length}"
            self._length = length
            if not 0 <= length <= MAX_BODY:
                self.fault = f"not a length of a message that is read (at most {MAX_BODY}): {value[:80]!r}"

    def _line(self) -> bytes | None:
        """The next line without its end; None where that has not been read."""
        end = self._kept.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._kept)
            if self._searched > MAX_HEADER_LINE:
                self.fault = f"a header line longer than {MAX_HEADER_LINE} bytes"
            return None
        line = bytes(self._kept[:end])
        del self._kept[: end + 1]
        self._searched = 0
        return line.rstrip(b"\r")
