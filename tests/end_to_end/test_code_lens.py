"""The code lens above each kernel: its position, its text and its command."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from .conftest import Start
from .editor import Buffer, Editor

KERNEL = """\
// ünïcode 😀
constant float weights[4] = { 1, 2, 3, 4 };
float helper(float x) { return x * weights[0]; }
kernel void first(global float *out, local float *tile) { local int a[8]; out[0] = helper(tile[0]); }
void no_kernel(void) {}
/* 😀 */ kernel void second(int n) {}
"""


async def lenses(editor: Editor, buffer: Buffer) -> list[types.CodeLens]:
    """The lenses of a document, resolved."""
    found = await editor.client.text_document_code_lens_async(
        types.CodeLensParams(types.TextDocumentIdentifier(buffer.uri))
    )
    return [await editor.client.code_lens_resolve_async(each) for each in found or ()]


async def test_each_kernel_has_a_line(start: Start, tmp_path: Path) -> None:
    editor = await start()
    buffer = await editor.open_kernel(KERNEL)
    found = await lenses(editor, buffer)
    assert [buffer.covered(each.range) for each in found] == ["first", "second"]
    assert [each.command.title for each in found if each.command is not None] == [
        (
            "arguments: global, local | local: 32 bytes, plus the size that the host sets for tile | "
            "constant: 16 bytes, 1 of 8 | 1 function"
        ),
        "arguments: no pointers",
    ]


async def test_a_client_that_shows_the_flow_of_arguments_gets_a_lens_for_them(start: Start) -> None:
    editor = await start(shows_argument_flow=True)
    buffer = await editor.open_kernel(KERNEL)
    found = [(buffer.covered(each.range), each.command) for each in await lenses(editor, buffer)]
    assert [(name, command.title, command.command) for name, command in found if command is not None] == [
        ("first", "arguments: global, local", "openclsp.showArgumentFlow"),
        (
            "first",
            "local: 32 bytes, plus the size that the host sets for tile | constant: 16 bytes, 1 of 8 | 1 function",
            "openclsp.showKernel",
        ),
        ("second", "arguments: no pointers", "openclsp.showArgumentFlow"),
        ("second", "no local memory", "openclsp.showKernel"),
    ]
    assert [tuple(command.arguments or ()) for _, command in found if command is not None] == [
        (buffer.uri, name, 0) for name in ("first", "first", "second", "second")
    ]


async def test_a_kernel_over_several_lines_keeps_one_line_above_it(start: Start) -> None:
    editor = await start()
    buffer = await editor.open_kernel(
        "__attribute__((reqd_work_group_size(8, 1, 1)))\nkernel void\nfirst\n(int n)\n{\n}\nkernel\nvoid second(int n)\n{ n; }\n"
    )
    expected = [(0, "arguments: no pointers"), (6, "arguments: no pointers")]
    for old, new in (("n; }", "n;; }"), ("first\n(int n)", "first(int n)\n"), ("(8, 1, 1)", "(8, 1, 2)")):
        found = await lenses(editor, buffer)
        titles = [(each.range.start.line, each.command.title) for each in found if each.command is not None]
        assert titles == expected
        buffer.replace(old, new)


async def test_the_command_shows_a_document(start: Start) -> None:
    editor = await start(shows_documents=True)
    buffer = await editor.open_kernel(KERNEL)
    first, _ = await lenses(editor, buffer)
    assert first.command is not None
    await editor.run(first.command)
    (shown,) = editor.client.shown_documents
    params = types.TextDocumentContentParams(shown.uri)
    content = await editor.client.workspace_text_document_content_async(params)
    assert content.text.splitlines()[:2] == ["kernel first", "arguments: global, local; 16 bytes"]
    assert editor.messages() == []


async def test_the_command_shows_everything(start: Start, tmp_path: Path) -> None:
    editor = await start()
    buffer = await editor.open_kernel(KERNEL)
    first, _ = await lenses(editor, buffer)
    assert first.command is not None
    await editor.run(first.command)
    assert editor.messages()[-1].splitlines() == [
        "kernel first",
        "arguments: global, local; 16 bytes",
        "local: 32 bytes, plus the size that the host sets for tile (a in first 32)",
        (
            "constant: 16 bytes; 0 arguments and 1 variable, which may count as 1 constant argument "
            "(every device has 8) (weights 16)"
        ),
        "functions: helper",
    ]


async def test_a_lens_of_a_kernel_that_is_gone_stays_empty(start: Start, tmp_path: Path) -> None:
    editor = await start()
    buffer = await editor.open_kernel("kernel void k(int n) {}\n")
    (lens,) = (
        await editor.client.text_document_code_lens_async(
            types.CodeLensParams(types.TextDocumentIdentifier(buffer.uri))
        )
        or ()
    )
    buffer.replace("kernel ", "")
    resolved = await editor.client.code_lens_resolve_async(lens)
    assert resolved.command is None
