"""Navigation between kernels and the host code that names them."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from .conftest import Start
from .editor import Buffer

KERNEL = "// scale\nkernel void scale(global float *x) { x[0] = 1; }\n"
HOST = """#include <CL/cl.h>
void f(cl_program p) {
  cl_kernel k = clCreateKernel(p, "scale", nullptr);
  wrapped("scale");
  printf("scale");
}
"""
INLINE = """#include <CL/cl2.hpp>
const char *source = R"(kernel void scale(global float *x) { x[0] = 2; }
kernel void shift(global float *x) { })";
cl::Kernel k(program, "shift"); cl::Kernel l(program, "scale");
"""
SCRIPT = """import pyopencl as cl
prg = cl.Program(ctx, open("k.cl").read()).build()
prg.scale(queue, (1,), None, a)
"""


def position(text: str, word: str, after: str = "") -> types.Position:
    offset = text.index(word, text.index(after))
    line = text.count("\n", 0, offset)
    return types.Position(line, offset - (text.rfind("\n", 0, offset) + 1))


def places(found: Any) -> list[tuple[str, int, int]]:
    return sorted(
        (each.uri.rsplit("/", 1)[1], each.range.start.line, each.range.start.character)
        for each in found or ()
    )


async def opened(start: Start, name: str, text: str, **files: str) -> Buffer:
    editor = await start()
    for file, content in {"k.cl": KERNEL, "host.cpp": HOST, "run.py": SCRIPT, **files}.items():
        (editor.folder / file).write_text(content, encoding="utf-8")
    language = {"cl": "opencl", "py": "python"}.get(name.rsplit(".", 1)[1], "cpp")
    return await editor.open((editor.folder / name).as_uri(), text, language)


async def test_from_a_kernel_to_host_code_and_back(start: Start) -> None:
    buffer = await opened(start, "k.cl", KERNEL)
    client, document = buffer.editor.client, types.TextDocumentIdentifier(buffer.uri)
    at = position(KERNEL, "scale", "kernel")
    found = await client.text_document_references_async(
        types.ReferenceParams(types.ReferenceContext(True), document, at)
    )
    expected = [("host.cpp", 2, 35), ("host.cpp", 3, 11), ("k.cl", 1, 12), ("run.py", 2, 4)]
    assert places(found) == expected
    host = await buffer.editor.open((buffer.editor.folder / "host.cpp").as_uri(), "\n" + HOST, "cpp")
    document = types.TextDocumentIdentifier(host.uri)
    at = position(host.text, "scale", "clCreateKernel")
    (place,) = await client.text_document_definition_async(types.DefinitionParams(document, at))
    assert places([place]) == [("k.cl", 1, 12)]
    found = await client.text_document_references_async(
        types.ReferenceParams(types.ReferenceContext(True), document, at)
    )
    assert places(found) == [("host.cpp", 3, 35), ("host.cpp", 4, 11), *expected[2:]]
    hover = await client.text_document_hover_async(types.HoverParams(document, at))
    assert "kernel void scale(global float *x)" in hover.contents.value
    assert (hover.range.start, hover.range.end.character) == (at, at.character + 5)
    nothing = position(host.text, "scale", "printf")
    assert await client.text_document_hover_async(types.HoverParams(document, nothing)) is None


async def test_a_closed_kernel_is_found_and_renamed(start: Start) -> None:
    buffer = await opened(start, "host.cpp", HOST)
    client, document = buffer.editor.client, types.TextDocumentIdentifier(buffer.uri)
    at = position(HOST, "scale")
    hover = await client.text_document_hover_async(types.HoverParams(document, at))
    assert "kernel void scale(global float *x)" in hover.contents.value
    edit = await client.text_document_rename_async(types.RenameParams(document, at, "grow"))
    changed = {uri.rsplit("/", 1)[1]: len(edits) for uri, edits in edit.changes.items()}
    # The call of a function that is not known may mean something else.
    assert changed == {"k.cl": 1, "host.cpp": 1, "run.py": 1}
    assert any("host.cpp:4" in each for each in buffer.editor.messages())


async def test_kernels_in_strings(start: Start) -> None:
    buffer = await opened(start, "host.cpp", HOST, **{"inline.cpp": INLINE})
    client, document = buffer.editor.client, types.TextDocumentIdentifier(buffer.uri)
    at = position(HOST, "scale")
    found = await client.text_document_definition_async(types.DefinitionParams(document, at))
    assert places(found) == [("inline.cpp", 1, 36), ("k.cl", 1, 12)]
    with pytest.raises(JsonRpcException, match="2 kernels"):
        await client.text_document_rename_async(types.RenameParams(document, at, "grow"))
    inline = await buffer.editor.open((buffer.editor.folder / "inline.cpp").as_uri(), INLINE, "cpp")
    document = types.TextDocumentIdentifier(inline.uri)
    at = position(INLINE, "scale", "l(program")
    found = await client.text_document_definition_async(types.DefinitionParams(document, at))
    assert places(found) == [("inline.cpp", 1, 36)]
    edit = await client.text_document_rename_async(types.RenameParams(document, at, "grow"))
    ((uri, edits),) = edit.changes.items()
    assert uri == inline.uri
    assert [inline.covered(each.range) for each in edits] == ["scale", "scale"]
