"""`openclsp/layout` and `openclsp/expand`: tables and texts for views of an editor."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types
from openclsp.lsp.features.text_content import kernel_uri
from pygls.exceptions import JsonRpcException

from .conftest import Start
from .editor import Buffer, Editor
from .marks import position

KERNEL = """\
// 😀 OpenCL C
#define SUM(a, b) (a + b)
struct ⟪pair⟫ { char c; size_t n; };
kernel void k(global int *p) { /* 😀 */ p[0] = ⟪SUM⟫(1, 2); }
"""


async def request(editor: Editor, buffer: Buffer, method: str, at: int | None) -> Any:
    params: dict[str, Any] = {"textDocument": {"uri": buffer.uri}}
    if at is not None:
        where = position(buffer.text, at, editor.encoding)
        params["position"] = {"line": where.line, "character": where.character}
    return await editor.client.protocol.send_request_async(method, params)


async def test_the_layout_and_the_expansion_at_a_position_and_of_a_document(start: Start) -> None:
    editor = await start()
    buffer = await editor.open_kernel(KERNEL)
    pair, use = (span[0] for span in buffer.spans[:2])
    layout = await request(editor, buffer, "openclsp/layout", pair)
    assert layout.name == "struct pair"
    assert [(each.addressBits, each.size, each.padding) for each in layout.layouts] == [
        (32, 8, 3),
        (64, 16, 7),
    ]
    assert [each.declaration for each in layout.layouts[0].members] == ["char c", None, "size_t n"]
    assert layout.text.startswith(
        "struct pair\n\non 32-bit devices: 8 bytes, 3 of them padding, aligned to 4\n"
    )
    assert await request(editor, buffer, "openclsp/layout", 0) is None
    expansion = await request(editor, buffer, "openclsp/expand", use)
    assert expansion.title == "Expansion of SUM"
    assert expansion.text.endswith("\n(1 + 2)\n")
    assert await request(editor, buffer, "openclsp/expand", pair) is None
    whole = await request(editor, buffer, "openclsp/expand", None)
    assert "p[0] = (1 + 2);" in whole.text
    assert whole.title.endswith(".cl, expanded")


async def test_the_server_provides_pages_and_summaries_of_kernels(start: Start) -> None:
    editor = await start()
    buffer = await editor.open_kernel(KERNEL)

    async def content(uri: str) -> str:
        params = types.TextDocumentContentParams(uri)
        return (await editor.client.workspace_text_document_content_async(params)).text

    assert (await content("openclsp:/rules/pointer-conversion.md")).startswith("# pointer-conversion: ")
    summary = await content(kernel_uri(buffer.uri, "k", 0))
    assert summary.startswith("kernel k\narguments: global; 8 bytes\n")
    for unknown in (
        "openclsp:/rules/../../x.md",
        "openclsp:/kernels/x",
        kernel_uri(buffer.uri, "no", 0),
        "file:///x",
    ):
        with pytest.raises(JsonRpcException):
            await content(unknown)
