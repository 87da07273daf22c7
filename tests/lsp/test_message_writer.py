"""Messages are sent whole, however few bytes the stream accepts at a time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from openclsp.lsp.transport.message_writer import MessageWriter


class Pipe:
    """A stream that has room for so many bytes, one time after the other; None while it has none."""

    def __init__(self, rooms: list[int | None]) -> None:
        self.rooms, self.taken = rooms, b""

    def write(self, data: memoryview, /) -> int | None:
        """Takes what there is room for."""
        room = self.rooms.pop() if self.rooms else len(data)
        self.taken += data[: room or 0]
        return None if room is None else min(room, len(data))

    def close(self) -> None:
        """Nothing is written any more."""


@given(st.lists(st.binary(max_size=60), max_size=5), st.lists(st.none() | st.integers(1, 30), max_size=60))
def test_every_byte_is_written(messages: list[bytes], rooms: list[int | None]) -> None:
    pipe = Pipe(rooms)
    outgoing = MessageWriter(pipe)
    for each in messages:
        outgoing.write(each)
    assert pipe.taken == b"".join(messages)


def test_nothing_is_written_to_a_closed_stream() -> None:
    pipe = Pipe([])
    outgoing = MessageWriter(pipe)
    outgoing.close()
    outgoing.write(b"late")
    assert pipe.taken == b""
