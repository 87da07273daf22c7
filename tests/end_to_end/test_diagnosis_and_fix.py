"""End to end: open a kernel, see address spaces and errors, apply a fix, and the error is gone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from .conftest import Start

KERNEL = """\
kernel void scale(global float *data, float by) {
    local float *tile = ⟪data⟫;
    tile[0] *= by;
}
"""
MENDED = """\
kernel void scale(global float *data, float by) {
    global float *tile = data;
    tile[0] *= by;
}
"""
QUICK_FIXES = [types.CodeActionKind.QuickFix]

FRAMES: dict[str, Callable[[str], str]] = {
    "plain": lambda text: text,
    "comments in other scripts": lambda text: text.replace("    ", "  /* größe 大きさ 🚀 */ "),
    "a byte order mark": lambda text: "\ufeff" + text,
    "carriage returns": lambda text: text.replace("\n", "\r\n"),
    "form feeds": lambda text: text.replace("    ", "  \x0c "),
    "separators that end no line": lambda text: (
        "// a\u2028b\x85c\x0bd\n" + text.replace("    ", " /*\u2029*/ ")
    ),
    "no last line end": lambda text: text.rstrip("\n"),
}


async def test_an_error_is_reported_explained_and_fixed(start: Start, encoding: str, pulls: bool) -> None:
    editor = await start(encoding=encoding, pulls=pulls)
    for name, frame in FRAMES.items():
        buffer = await editor.open_kernel(frame(KERNEL), f"{name}.cl")
        (data,) = buffer.spans
        (error,) = await buffer.diagnostics()
        assert error.severity is types.DiagnosticSeverity.Error
        assert (error.source, error.code) == ("openclsp", "pointer-conversion")
        assert buffer.covered(error.range) == "data"

        assert "global float *private data" in await buffer.hover_text(data[0])
        assert "local float *private tile" in await buffer.hover_text(buffer.text.index("tile[0]"))

        actions = await buffer.actions(data)
        (preferred,) = [action for action in actions if action.is_preferred]
        assert preferred.kind == types.CodeActionKind.QuickFix
        assert list(preferred.diagnostics or ()) == [error]
        buffer.apply(preferred)
        assert buffer.text == frame(MENDED)
        assert await buffer.diagnostics() == []
        assert "global float *private tile" in await buffer.hover_text(buffer.text.index("tile[0]"))


async def test_every_fix_that_is_offered_mends(start: Start) -> None:
    editor = await start()
    buffer = await editor.open_kernel(KERNEL)
    assert await buffer.errors()
    actions = await buffer.actions(buffer.spans[0], QUICK_FIXES)
    texts = [buffer.after(action) for action in actions if action.edit is not None]
    assert len(texts) >= 2
    for number, text in enumerate(texts):
        mended = await editor.open_kernel(text, f"mended{number}.cl")
        assert await mended.errors() == []


async def test_fixes_are_offered_only_where_the_diagnostic_is(start: Start) -> None:
    buffer = await (await start()).open_kernel(KERNEL)
    await buffer.diagnostics()
    start_of_data, end_of_data = buffer.spans[0]
    everywhere = await buffer.actions((0, len(buffer.text)), QUICK_FIXES)
    assert everywhere
    assert await buffer.actions((start_of_data, start_of_data), QUICK_FIXES) == everywhere
    assert await buffer.actions((end_of_data, end_of_data), QUICK_FIXES) == everywhere
    assert await buffer.actions((0, 5), QUICK_FIXES) == []
    refactorings = await buffer.actions(buffer.spans[0], [types.CodeActionKind.Refactor])
    assert not any(action in everywhere for action in refactorings)
    assert [*everywhere, *refactorings] == await buffer.actions(buffer.spans[0])


async def test_an_error_comes_and_goes_as_it_is_typed(start: Start, pulls: bool) -> None:
    buffer = await (await start(pulls=pulls)).open_kernel(MENDED)
    assert await buffer.errors() == []
    for _ in range(3):
        buffer.replace("global float *tile", "local float *tile")
        assert await buffer.errors() == [("pointer-conversion", "data")]
        buffer.replace("local float *tile", "global float *tile")
        assert await buffer.errors() == []


async def test_several_changes_in_one_notification_apply_in_order(start: Start) -> None:
    buffer = await (await start()).open_kernel(MENDED)
    at = buffer.text.index("global float *tile")
    # Each position refers to the text after the previous change.
    buffer.change((0, 0, "// 🚀\n"), (at + 5, at + 11, "constant"), (at + 5, at + 13, "local"))
    assert await buffer.errors() == [("pointer-conversion", "data")]
    assert "local float *private tile" in await buffer.hover_text(buffer.text.index("tile[0]"))


async def test_hover_on_nothing_is_nothing(start: Start) -> None:
    buffer = await (await start()).open_kernel(MENDED + "\n// a comment\n")
    assert await buffer.hover(buffer.text.index("comment")) is None
    assert await buffer.hover(len(buffer.text)) is None


async def test_pulled_diagnostics_that_did_not_change_are_not_sent_again(start: Start) -> None:
    editor = await start(pulls=True)
    buffer = await editor.open_kernel(KERNEL)
    assert await buffer.errors()

    async def pull() -> types.DocumentDiagnosticReport:
        return await editor.client.text_document_diagnostic_async(
            types.DocumentDiagnosticParams(
                types.TextDocumentIdentifier(buffer.uri), previous_result_id=buffer.result_id
            )
        )

    assert isinstance(await pull(), types.RelatedUnchangedDocumentDiagnosticReport)
    buffer.replace("tile[0]", "tile[1]")
    assert isinstance(await pull(), types.RelatedUnchangedDocumentDiagnosticReport)
    buffer.replace("kernel void", "\nkernel void")
    assert isinstance(await pull(), types.RelatedFullDocumentDiagnosticReport)


async def test_a_long_report_waits_for_a_pause_in_typing(start: Start) -> None:
    editor = await start(pulls=True)
    more = [f"k{number}" for number in range(20)]
    buffer = await editor.open_kernel("".join(KERNEL.replace("scale", name) for name in ["scale", *more]))

    async def pull() -> types.DocumentDiagnosticReport:
        return await editor.client.text_document_diagnostic_async(
            types.DocumentDiagnosticParams(types.TextDocumentIdentifier(buffer.uri))
        )

    assert isinstance(await pull(), types.RelatedFullDocumentDiagnosticReport)
    buffer.replace("kernel void scale(", "\nkernel void scale(")
    buffer.replace("kernel void scale(", "\nkernel void scale(")
    waiting = asyncio.create_task(pull())
    await asyncio.sleep(0.1)
    buffer.replace("kernel void scale(", "\nkernel void scale(")
    with pytest.raises(JsonRpcException) as cancelled:
        await waiting
    assert cancelled.value.code == -32802 and cancelled.value.data == {"retriggerRequest": True}
    report = await pull()
    assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
    assert len(report.items) > 20 and report.items[0].range.start.line > 2


async def test_nothing_is_pushed_to_a_client_that_pulls(start: Start) -> None:
    editor = await start(pulls=True, own=True)
    buffer = await editor.open_kernel(KERNEL)
    assert await buffer.errors()
    buffer.close()
    await editor.client.workspace_execute_command_async(
        types.ExecuteCommandParams("openclsp.checkAs", arguments=["CL2.0"])
    )
    assert editor.client.publications == []


async def test_a_client_that_is_pushed_to_and_asks_all_the_same(start: Start) -> None:
    """The findings of the flow analysis are published when typing pauses, despite requests in between."""
    editor = await start()
    buffer = await editor.open_kernel("kernel void k(global int *g, global atomic_int *c) {\n    int n;\n}\n")
    assert await buffer.diagnostics() == []
    buffer.replace("int n;", "int *p = g; *p = 1;")
    await buffer.diagnostics()
    report = await editor.client.text_document_diagnostic_async(
        types.DocumentDiagnosticParams(types.TextDocumentIdentifier(buffer.uri))
    )
    assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
    assert [each.code for each in report.items] == ["single-space"]
    await buffer.comes_to_show(lambda shown: [each.code for each in shown], ["single-space"])
