"""A helper in a header is told what all kernels of the project pass to it, closed ones too."""

from __future__ import annotations

import asyncio
from pathlib import Path

from lsprotocol import types

from .conftest import Start
from .editor import Buffer

HEADER = "// OpenCL C 2.0\nint load(int *⟪p⟫) { return *p; }\n"
FIRST = '#include "load.h"\nkernel void a(global int *g) { g[0] = load(g); }\n'
SECOND = '#include "load.h"\nkernel void b(local int *l) { l[0] = load(l); }\n'


async def test_closed_kernels_count(start: Start, tmp_path: Path) -> None:
    (tmp_path / "compile_flags.txt").write_text("-cl-std=CL2.0\n")
    (tmp_path / "load.h").write_text(HEADER.replace("⟪", "").replace("⟫", ""))
    (tmp_path / "a.cl").write_text(FIRST)
    (tmp_path / "b.cl").write_text(SECOND)
    editor = await start()
    header = await editor.open_kernel(HEADER, "load.h")
    await header.comes_to_show(lambda shown: [each.code for each in shown], ["several-spaces"])
    told = await header.hover_text(header.spans[0][0])
    assert "holds {global, local}" in told
    assert "global from `a`" in told and "local from `b`" in told


async def test_closed_kernels_count_for_a_client_that_pulls(start: Start, tmp_path: Path) -> None:
    (tmp_path / "compile_flags.txt").write_text("-cl-std=CL2.0\n")
    (tmp_path / "load.h").write_text(HEADER.replace("⟪", "").replace("⟫", ""))
    (tmp_path / "a.cl").write_text(FIRST)
    (tmp_path / "b.cl").write_text(SECOND)
    editor = await start(pulls=True)
    header = await editor.open_kernel(HEADER, "load.h")
    await _refreshes_at_rest(header)
    assert [each.code for each in await header.diagnostics()] == ["several-spaces"]
    assert "holds {global, local}" in await header.hover_text(header.spans[0][0])


async def _refreshes_at_rest(buffer: Buffer) -> int:
    """Pulls until a second passes without a refresh; returns the number of refreshes so far."""
    while True:
        before = buffer.editor.client.diagnostic_refresh_count
        await buffer.diagnostics()
        await asyncio.sleep(1)
        if buffer.editor.client.diagnostic_refresh_count == before:
            return before


async def test_a_saved_edit_that_changes_no_flow_refreshes_nothing(start: Start, tmp_path: Path) -> None:
    (tmp_path / "compile_flags.txt").write_text("-cl-std=CL2.0\n")
    (tmp_path / "load.h").write_text(HEADER.replace("⟪", "").replace("⟫", ""))
    (tmp_path / "a.cl").write_text(FIRST)
    (tmp_path / "b.cl").write_text(SECOND)
    editor = await start(pulls=True, watches=True)
    kernel = await editor.open_kernel(FIRST, "a.cl")
    before = await _refreshes_at_rest(kernel)

    async def save(old: str, new: str) -> int:
        """Edits and saves; returns the number of refreshes afterwards."""
        kernel.replace(old, new)
        (tmp_path / "a.cl").write_text(kernel.text)
        change = types.FileEvent(kernel.uri, types.FileChangeType.Changed)
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([change]))
        return await _refreshes_at_rest(kernel)

    assert await save("g[0] =", "g[1] =") == before
    assert await save("g[1] =", "g[2] =") == before
