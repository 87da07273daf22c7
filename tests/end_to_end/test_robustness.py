"""The server survives invalid texts, invalid messages, crashes and edits that outpace its answers."""

from __future__ import annotations

import asyncio
import sys
from concurrent.futures import Future
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from .conftest import Start
from .editor import Buffer

KERNEL = """\
kernel void k(global int *g) {
    local int *l = ⟪g⟫;
}
"""
ERROR = [("pointer-conversion", "g")]

BAD_TEXTS = {
    "nothing": "",
    "half a function": "kernel void k(global int *g) { local int *l = ",
    "unbalanced braces": "kernel void k(void) { { { if (1) {\n" * 50,
    "closing braces": "}}}}))))]]]]",
    "a macro call that never closes": "#define F(x) x\nint a = F(1, (2\n",
    "a macro that expands itself": "#define A A B\n#define B A\nA B;\n",
    "an include of itself": '#include "bad.cl"\nint a;\n',
    "an unknown include": "#include <no/such/header.h>\n",
    "a comment that never closes": "int a; /* and then\n",
    "a string that never closes": 'constant char *s = "and then\n',
    "control characters": "".join(map(chr, range(1, 160))),
    "deep parentheses": "int a = " + "(" * 3000,
    "a lone directive": "#",
    "endif without if": "#endif\n#else\n",
}


async def test_bad_text_gets_an_answer_and_the_server_lives(start: Start) -> None:
    editor = await start()
    for what, text in BAD_TEXTS.items():
        bad = await editor.open_kernel(text, "bad.cl")
        await bad.diagnostics()
        for at in (0, len(bad.text) // 2, len(bad.text)):
            await bad.hover(at)
        await bad.actions((0, len(bad.text)))
        bad.close()
        assert not [each for each in editor.client.log_messages if each.type is types.MessageType.Error], what
    good = await editor.open_kernel(KERNEL)
    assert await good.errors() == ERROR


async def test_a_large_file_gets_an_answer(start: Start) -> None:
    function = "void f{0}(global float *a) {{ a[{0}] = a[{0}] * 2.0f + 1.0f; }}\n"
    text = "".join(function.format(number) for number in range(10_000))
    assert len(text) > 500_000
    editor = await start()
    large = await editor.open_kernel(text, "large.cl")
    assert await large.errors() == []


async def test_a_request_that_cannot_be_read_gets_an_error(start: Start) -> None:
    editor = await start()
    buffer = await editor.open_kernel(KERNEL)
    protocol = editor.client.protocol
    answer = protocol._request_futures["unreadable"] = Future()
    protocol._send_data(
        {"jsonrpc": "2.0", "id": "unreadable", "method": "textDocument/hover", "params": {"textDocument": 5}}
    )
    with pytest.raises(JsonRpcException):
        await asyncio.wrap_future(answer)
    assert await buffer.errors() == ERROR


async def test_a_crash_costs_one_answer(start: Start) -> None:
    crashing = Path(__file__).with_name("crashing_server.py")
    editor = await start(command=[sys.executable, str(crashing)])
    buffer = await editor.open_kernel(KERNEL)
    for _ in range(2):
        with pytest.raises(JsonRpcException, match="ZeroDivisionError"):
            await editor.client.text_document_moniker_async(
                types.MonikerParams(types.TextDocumentIdentifier(buffer.uri), types.Position(0, 0))
            )
        assert "global int *private g" in await buffer.hover_text(buffer.spans[0][0])
    assert await buffer.errors() == ERROR
    logged = [each.message for each in editor.client.log_messages]
    assert len(logged) == 2
    assert all("textDocument/moniker" in message and "ZeroDivisionError" in message for message in logged)
    assert editor.messages() == []


async def test_changes_of_a_document_that_is_not_open_are_ignored(start: Start) -> None:
    editor = await start()
    buffer = await editor.open_kernel(KERNEL)
    closed = types.VersionedTextDocumentIdentifier(3, (editor.folder / "closed.cl").as_uri())
    whole = types.TextDocumentContentChangeWholeDocument("int a;")
    editor.client.text_document_did_change(types.DidChangeTextDocumentParams(closed, [whole]))
    assert await buffer.errors() == ERROR


async def test_requests_are_answered_for_their_version_or_not_at_all(start: Start) -> None:
    buffer = await (await start()).open_kernel(KERNEL.replace("⟪g⟫", "⟪g⟫; // 0"))
    await buffer.diagnostics()
    for number in range(30):
        asked = asyncio.create_task(buffer.hover_text(buffer.text.index("*g") + 1))
        if number % 3 == 0:
            assert "global int *private g" in await asked
        await asyncio.sleep(0)
        # Every second edit moves the requested position to another line.
        if number % 2:
            buffer.change((0, 1, ""))
        else:
            buffer.change((0, 0, "\n"))
        try:
            assert "global int *private g" in await asked
        except JsonRpcException as error:
            assert error.code == types.LSPErrorCodes.ContentModified
    assert await buffer.errors() == ERROR


async def test_edits_faster_than_answers_end_with_the_last_text(start: Start) -> None:
    buffer = await (await start()).open_kernel(KERNEL)
    for number in range(60):
        buffer.change((0, 0, "\n")) if number % 2 else buffer.replace("local int", "local  int")
        if number % 2 == 0:
            buffer.replace("local  int", "local int")
    assert await buffer.errors() == ERROR
    versions = [each.version for each in buffer.editor.client.publications]
    assert versions == sorted(versions, key=lambda version: version or 0)
    assert versions[-1] == buffer.version


async def test_a_cancelled_request_gets_an_error_and_blocks_nothing(start: Start) -> None:
    editor = await start()
    buffer = await editor.open_kernel(KERNEL)
    place = types.HoverParams(types.TextDocumentIdentifier(buffer.uri), types.Position(0, 25))
    request = editor.client.protocol.send_request(types.TEXT_DOCUMENT_HOVER, place, msg_id="late")
    editor.client.cancel_request(types.CancelParams("late"))
    try:
        await asyncio.wrap_future(request)
    except JsonRpcException as error:
        assert error.code == types.LSPErrorCodes.RequestCancelled
    assert await buffer.errors() == ERROR


async def _all_answers(buffer: Buffer) -> list[str]:
    """The diagnostics, and hovers throughout the text, without the document's name."""
    places = range(0, len(buffer.text), max(1, len(buffer.text) // 10))
    answers = [*await buffer.diagnostics(), *[await buffer.hover(at) for at in places]]
    return [repr(answer).replace(buffer.uri, "") for answer in answers]


EDITS = st.lists(
    st.tuples(
        st.floats(0, 1),
        st.integers(0, 30),
        st.sampled_from(
            [
                "",
                "\n",
                "\r\n",
                "{",
                "}",
                "/*",
                "*/",
                "// ü🚀\n",
                "int x;",
                " global ",
                " local ",
                "#if 0\n",
                "#endif\n",
            ]
        ),
    ),
    max_size=15,
)


async def test_after_random_edits_the_answers_are_those_of_a_fresh_document(start: Start) -> None:
    editor = await start(pulls=True, fades=True)
    number = 0

    async def follow(edits: list[tuple[float, int, str]]) -> None:
        nonlocal number
        number += 1
        buffer = await editor.open_kernel(KERNEL * 3, "edited.cl")
        for part, length, new in edits:
            start_of_edit = int(part * len(buffer.text))
            end = min(start_of_edit + length, len(buffer.text))
            # There is no position between the two characters of a line break.
            start_of_edit, end = (
                at - (buffer.text[at - 1 : at + 1] == "\r\n") for at in (start_of_edit, end)
            )
            buffer.change((start_of_edit, max(start_of_edit, end), new))
            if len(new) % 2:
                await buffer.diagnostics()
        fresh = await editor.open_kernel(buffer.text, "fresh.cl")
        assert await _all_answers(buffer) == await _all_answers(fresh)
        buffer.close()
        fresh.close()

    loop = asyncio.get_running_loop()

    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(EDITS)
    def check(edits: list[tuple[float, int, str]]) -> None:
        asyncio.run_coroutine_threadsafe(follow(edits), loop).result()

    await asyncio.to_thread(check)
    assert number
