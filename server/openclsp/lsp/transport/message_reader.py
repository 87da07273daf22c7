"""Reader that splits a byte stream into messages (LSP 3.17, "Base Protocol").

A stream whose framing is broken cannot be resumed: an edit might be lost, and every later edit would be
applied to the wrong text. Reading therefore ends, `framing_error` gives the reason, and the client can
restart the server.

This module imports nothing, because the first message is read before the rest of the server is imported.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Readable(Protocol):
        """An unbuffered stream, such as `sys.stdin.buffer.raw`."""

        def read(self, size: int, /) -> bytes | None:
            """Blocks until bytes are available, and returns at most `size` of them; b"" at the end."""

        def fileno(self) -> int:
            """Returns the stream's file descriptor."""


_CHUNK = 1 << 16

MAX_HEADER_LINE_BYTES = 1 << 12
"""The maximum number of bytes in a header line. The longest line that clients send is the content type, 60
bytes.
"""

MAX_BODY_BYTES = 1 << 28
"""The most bytes in a message body.

The largest file that is read has 16 MB, at most six times that as escaped JSON.
"""

MAX_HEADER_FIELDS = 32
"""The maximum number of fields in a header. The protocol defines two."""

STALL_SECONDS = 5.0
"""Seconds without a byte after which an unfinished body is examined: see `detect_short_body`."""


class MessageReader:
    """Reads a stream message by message.

    No lock is held while the reader waits for bytes, so that the process can end at that time.
    """

    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self._buffer = bytearray()
        self._searched_length = 0
        """The number of buffered bytes that are known to contain no end of a line."""
        self._body_length = -1
        """The body's length in bytes, from the header fields read so far; -1 if none of them gives it."""
        self._field_count = 0
        """The number of header fields of the next message that have been read."""
        self._in_body = False
        self.framing_error = ""
        """The reason why the stream cannot be read further; empty while it can."""

    def fileno(self) -> int:
        """Returns the file descriptor of the stream."""
        return self._stream.fileno()

    def read_message(self) -> bytes | None:
        """Waits for the next message and returns its body.

        Returns None at the end of the stream, even within a message, and after a framing error. Header fields
        other than `Content-Length` are ignored.
        """
        while (body := self.take_complete_message()) is None:
            if self.framing_error or self._in_body and self._wait_for_body() or not self.read_more():
                return None
        return body

    def take_complete_message(self) -> bytes | None:
        """Returns the body of the next message if it has been read completely.

        Returns None otherwise, and after a framing error.
        """
        while not self._in_body:
            line = None if self.framing_error else self._take_line()
            if line is None:
                return None
            self._read_header_line(line)
        length = self._body_length
        if len(self._buffer) < length:
            return None
        body = bytes(self._buffer[:length])
        del self._buffer[:length]
        self._body_length, self._field_count, self._in_body = -1, 0, False
        return body

    def read_more(self) -> bool:
        """Blocks until bytes are available and buffers them; returns False at the end of the stream."""
        missing = self._body_length - len(self._buffer) if self._in_body else 0
        read = self._stream.read(max(missing, _CHUNK))
        if not read:
            return False
        self._buffer += read
        return True

    def detect_short_body(self) -> bool:
        """Whether the unfinished body is already complete JSON, so that its announced length was too large.

        Called when the client has sent nothing for `STALL_SECONDS`. Sets `framing_error` if True.
        """
        if not self._in_body or self.framing_error or not self._buffer.rstrip().endswith(b"}"):
            return False
        from openclsp.lsp.transport.message_decoding import decode_message

        try:
            decode_message(bytes(self._buffer))
        except ValueError:
            return False
        self.framing_error = (
            f"the header announced {self._body_length} bytes, but the message has {len(self._buffer)}"
        )
        return True

    @property
    def is_within_body(self) -> bool:
        """Whether a message's header has been read, but not all of its body."""
        return self._in_body

    def _wait_for_body(self) -> bool:
        """Waits for more bytes of a body.

        Returns True if the body turns out to be shorter than announced: see `detect_short_body`.
        """
        import select

        try:
            while not select.select([self._stream], [], [], STALL_SECONDS)[0]:
                if self.detect_short_body():
                    return True
        except (OSError, ValueError):
            # `select` does not support the stream: a file, or a pipe on Windows.
            pass
        return False

    def _read_header_line(self, line: bytes) -> None:
        name, colon, value = line.partition(b":")
        value = value.strip()
        self._field_count += 1
        if not line:
            self._in_body = self._body_length >= 0
            if not self._in_body:
                self.framing_error = "a message header without Content-Length"
        elif not colon or not name.replace(b"-", b"").isalnum():
            self.framing_error = f"not a header field: {line[:80]!r}"
        elif self._field_count > MAX_HEADER_FIELDS:
            self.framing_error = f"a message header with more than {MAX_HEADER_FIELDS} fields"
        elif name.lower() == b"content-length":
            # At most 18 digits, because the time of int() grows with their number.
            length = int(value) if value.isdigit() and len(value) <= 18 else -1
            if self._body_length not in (-1, length):
                self.framing_error = f"a message header with two lengths, {self._body_length} and {length}"
            self._body_length = length
            if not 0 <= length <= MAX_BODY_BYTES:
                self.framing_error = (
                    f"not a valid Content-Length (at most {MAX_BODY_BYTES} bytes): {value[:80]!r}"
                )

    def _take_line(self) -> bytes | None:
        """Returns the next header line without its line break; None if it has not been read completely."""
        end = self._buffer.find(b"\n", self._searched_length)
        if end < 0:
            self._searched_length = len(self._buffer)
            if self._searched_length > MAX_HEADER_LINE_BYTES:
                self.framing_error = f"a header line longer than {MAX_HEADER_LINE_BYTES} bytes"
            return None
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        self._searched_length = 0
        return line.rstrip(b"\r")
