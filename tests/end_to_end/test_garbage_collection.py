"""Garbage is collected when typing pauses, and not before."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from lsprotocol import types

from .conftest import Start
from .editor import Buffer

KERNEL = "kernel void k(global int *⟪g⟫)\n{\n  local int *l = g;\n}\n"


async def _searches(buffer: Buffer) -> int:
    asked = types.DocumentColorParams(types.TextDocumentIdentifier(buffer.uri))
    answer = await buffer.editor.client.text_document_document_color_async(asked)
    assert answer
    return answer[0].range.end.line


@pytest.mark.parametrize("pulls", [False, True])
async def test_garbage_is_collected_in_pauses(start: Start, pulls: bool) -> None:
    searching = Path(__file__).with_name("collection_counting_server.py")
    editor = await start(command=[sys.executable, str(searching)], pulls=pulls)
    buffer = await editor.open_kernel(KERNEL)
    await buffer.diagnostics()
    before = await _searches(buffer)
    at = buffer.text.index("local")
    for _ in range(100):
        buffer.change((at, at, "x"))
        await buffer.diagnostics()
    assert await _searches(buffer) == before
    while await _searches(buffer) == before:
        await asyncio.sleep(0.1)
