"""`openclsp/flow`: the picture of a pointer's flow for an editor's panel."""

from __future__ import annotations

import xml.etree.ElementTree as xml
from typing import Any

import pytest
from lsprotocol import types

from .conftest import Start
from .editor import Buffer, Editor
from .marks import position

KERNEL = """\
// 😀 OpenCL C 2.0
void helper(int *p) { *⟪p⟫ = 1; }
kernel void run(global int *g, local int *l) {
    /* 😀 */ helper(⟪g⟫);
    helper(⟪l⟫);
}
"""


async def flow(editor: Editor, buffer: Buffer, at: int, **others: object) -> Any:
    where = position(buffer.text, at, editor.encoding)
    params = {
        "textDocument": {"uri": buffer.uri},
        "position": {"line": where.line, "character": where.character},
        **others,
    }
    return await editor.client.protocol.send_request_async("openclsp/flow", params)


def ranges(steps: Any) -> list[types.Range]:
    return [
        types.Range(*(types.Position(end.line, end.character) for end in (each.range.start, each.range.end)))
        for each in steps
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_the_chains_with_their_places(start: Start, encoding: str) -> None:
    editor = await start(encoding=encoding)
    (editor.folder / "compile_flags.txt").write_text("-cl-std=CL2.0\n")
    buffer = await editor.open_kernel(KERNEL)
    found = await flow(editor, buffer, buffer.spans[0][0])
    assert found.title == "The flow of p: holds {global, local}"
    assert [buffer.covered(each) for each in ranges(found.steps)] == ["g", "g", "p", "l", "l", "p"]
    assert {each.uri for each in found.steps} == {buffer.uri}
    element = xml.fromstring(found.element)
    numbers = [int(each.attrib["data-step"]) for each in element.iter() if "data-step" in each.attrib]
    assert sorted(numbers) == [0, 1, 2, 3, 4, 5]
    narrow = await flow(editor, buffer, buffer.spans[0][0], maximumWidth=400)
    assert float(xml.fromstring(narrow.element).attrib["width"]) < float(element.attrib["width"])
    assert narrow.svg == found.svg
    assert "<style>" in found.svg
    assert "<style" not in found.element
    assert found.mermaid.startswith("flowchart LR\n")


async def test_no_flow_without_a_generic_pointer(start: Start) -> None:
    editor = await start()
    buffer = await editor.open_kernel(KERNEL)
    assert await flow(editor, buffer, buffer.spans[1][0]) is None


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_the_pointers_that_receive_arguments(start: Start, encoding: str) -> None:
    editor = await start(encoding=encoding)
    (editor.folder / "compile_flags.txt").write_text("-cl-std=CL2.0\n")
    buffer = await editor.open_kernel(
        "/* 😀 */ void h(int *⟪p⟫) {}\nkernel void k(global int *g) { h(g); }\n"
    )

    async def asked(**kernel: object) -> Any:
        params = {"textDocument": {"uri": buffer.uri}, **kernel}
        return await editor.client.protocol.send_request_async("openclsp/argumentFlow", params)

    (found,) = await asked(kernel="k", number=0)
    where = position(buffer.text, buffer.spans[0][0], encoding)
    assert found == {
        "pointer": "p",
        "function": "h",
        "arguments": ["g"],
        "uri": buffer.uri,
        "position": {"line": where.line, "character": where.character},
    }
    drawn = await flow(editor, buffer, buffer.spans[0][0])
    assert drawn.title == "The flow of p: holds {global}"
    assert await asked(kernel="h", number=0) is None
    assert await asked(kernel="k", number=1) is None
