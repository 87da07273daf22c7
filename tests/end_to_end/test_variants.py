"""The variants of a kernel in the editor: the default one, and choosing another by command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from .conftest import Start
from .editor import Editor

PROJECT = """\
[variants.single]
defines = { REAL = "float" }
[variants.double]
defines = { REAL = "double", EXACT = true }
"""
KERNEL = "kernel void k(global ⟪REAL⟫ *p) {\n#ifdef EXACT\n    local REAL *q = ⟪p⟫;\n#endif\n}\n"


async def status(editor: Editor, uri: str) -> Any:
    return await editor.client.protocol.send_request_async("openclsp/status", {"textDocument": {"uri": uri}})


async def use(editor: Editor, *arguments: object) -> None:
    await editor.run(types.Command("", "openclsp.variant", arguments=list(arguments)))


async def test_a_variant_is_chosen_by_command(start: Start, pulls: bool, tmp_path: Path) -> None:
    (tmp_path / "openclsp.toml").write_text(PROJECT)
    editor = await start(pulls=pulls)
    buffer = await editor.open_kernel(KERNEL)
    assert await buffer.errors() == []
    found = await status(editor, buffer.uri)
    assert (found.variant, found.dialect, found.includedBy) == ("single", "CL1.2", None)
    assert [(each.name, each.source) for each in found.variants] == [
        ("single", "from openclsp.toml"),
        ("double", "from openclsp.toml"),
    ]
    await use(editor, buffer.uri, "double")
    await buffer.comes_to([("pointer-conversion", "p")])
    assert "variant double, from openclsp.toml" in await buffer.hover_text(buffer.spans[1][0])
    assert (await status(editor, buffer.uri)).variant == "double"
    await use(editor, None)
    await buffer.comes_to([])


async def test_a_choice_counts_for_every_document_that_has_the_variant(start: Start, tmp_path: Path) -> None:
    (tmp_path / "openclsp.toml").write_text(PROJECT)
    editor = await start()
    first = await editor.open_kernel(KERNEL, "a.cl")
    assert await first.errors() == []
    await use(editor, "double")
    second = await editor.open_kernel(KERNEL, "b.cl")
    assert await second.errors() == [("pointer-conversion", "p")]
    await use(editor, None)


async def test_the_status_of_a_header_names_its_kernel(start: Start, tmp_path: Path) -> None:
    (tmp_path / "openclsp.toml").write_text(PROJECT)
    kernel = tmp_path / "k.cl"
    kernel.write_text('#include "f.h"\nkernel void k() {}\n')
    editor = await start()
    header = await editor.open_kernel("void f(global REAL *p);\n", "f.h")
    assert await header.diagnostics() == []
    found = await status(editor, header.uri)
    assert (found.includedBy, found.variant) == (kernel.as_uri(), "single")
    assert found.reason.endswith("; variant single, from openclsp.toml; as included by k.cl")


async def test_an_unknown_variant_is_refused(start: Start) -> None:
    editor = await start()
    with pytest.raises(JsonRpcException, match="name of a variant"):
        await use(editor, 1)


async def test_a_closed_document_has_no_variants(start: Start, tmp_path: Path) -> None:
    editor = await start()
    assert await status(editor, (tmp_path / "k.cl").as_uri()) is None
