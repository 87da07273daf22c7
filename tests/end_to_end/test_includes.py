"""Included files: their diagnostics, and the effects of changing them."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from .conftest import Start
from .marks import Marked, range_of

HEADER = """\
// größe
constant int limits[] = { 1, 2 };
/* ß */ constant int *constant limit = ⟪(global int *)0⟫;
"""
KERNEL = """\
// a kernel
⟪#include "limits.h"⟫
kernel void k(global int *g) { }
"""


@pytest.mark.parametrize("related", [True, False])
async def test_an_error_in_an_included_file_is_shown_at_the_include(
    start: Start, tmp_path: Path, related: bool
) -> None:
    header = tmp_path / "limits.h"
    header.write_text(Marked.of(HEADER).text)
    buffer = await (await start(related=related)).open_kernel(KERNEL)
    (error,) = await buffer.diagnostics()
    assert buffer.covered(error.range) == '#include "limits.h"'
    assert error.message.startswith("in included file limits.h, line 3: ")
    if not related:
        assert error.related_information is None
        return
    assert error.related_information
    place = error.related_information[0].location
    assert place.uri == header.as_uri()
    marked = Marked.of(HEADER)
    assert place.range == range_of(marked.text, marked.spans[0], "utf-16")


async def test_an_included_file_that_is_open_shows_its_own_errors(start: Start, tmp_path: Path) -> None:
    (tmp_path / "limits.h").write_text("")
    editor = await start()
    header = await editor.open_kernel(HEADER, "limits.h")
    assert await header.errors() == [("pointer-conversion", "(global int *)0")]
    buffer = await editor.open_kernel(KERNEL)
    assert await buffer.diagnostics() == []
    buffer.outdate()
    header.close()
    # After closing, the file on disk counts: there is none.
    assert await buffer.published(buffer.version) == []


async def test_an_edit_of_an_open_header_reaches_who_includes_it(
    start: Start, pulls: bool, tmp_path: Path
) -> None:
    (tmp_path / "place.h").write_text("typedef global int *place_t;\n")
    editor = await start(pulls=pulls)
    header = await editor.open_kernel("typedef global int *place_t;\n", "place.h")
    buffer = await editor.open_kernel(
        '#include "place.h"\nkernel void k(global int *g) { place_t p = ⟪g⟫; }\n'
    )
    assert await buffer.errors() == []
    header.replace("global", "local")
    await buffer.comes_to([("pointer-conversion", "g")])
    header.replace("local", "global")
    await buffer.comes_to([])


async def test_a_header_that_changes_on_disk_reaches_who_includes_it(start: Start, tmp_path: Path) -> None:
    header = tmp_path / "place.h"
    editor = await start(watches=True)
    await editor.client.until(lambda: editor.client.registrations)
    buffer = await editor.open_kernel(
        '#include "place.h"\nkernel void k(global int *g) { place_t p = ⟪g⟫; }\n'
    )
    assert await buffer.errors() == []  # the type is unknown, so nothing is reported
    for space, expected, kind in (
        ("local", ["g"], types.FileChangeType.Created),
        ("global", [], types.FileChangeType.Changed),
    ):
        header.write_text(f"typedef {space} int *place_t;\n")
        editor.client.workspace_did_change_watched_files(
            types.DidChangeWatchedFilesParams([types.FileEvent(header.as_uri(), kind)])
        )
        await buffer.comes_to([("pointer-conversion", text) for text in expected])


async def test_an_open_header_that_changes_on_disk_while_nobody_includes_it(
    start: Start, tmp_path: Path
) -> None:
    including = KERNEL.replace("limits.h", "limits.cl")
    path = tmp_path / "limits.cl"
    path.write_text("")
    editor = await start(watches=True)
    kernel = await editor.open_kernel(including)
    assert await kernel.diagnostics() == []
    header = await editor.open_kernel("", "limits.cl")
    assert await header.diagnostics() == []
    kernel.close()
    path.write_text(Marked.of(HEADER).text)
    change = types.FileEvent(path.as_uri(), types.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([change]))
    kernel = await editor.open_kernel(including)
    assert await kernel.diagnostics() == []
    header.close()
    # After closing, the present file on disk counts.
    await kernel.comes_to([("pointer-conversion", '#include "limits.cl"')])


async def test_inactive_code_fades_where_the_client_can_fade(start: Start) -> None:
    source = "#define FAST 1\n#if FAST\nint a;\n#else\n⟪int b;\nint c;⟫\n#endif\n".replace(
        "int", "constant int"
    )
    editor = await start(fades=True)
    buffer = await editor.open_kernel(source)
    faded = [
        each for each in await buffer.diagnostics() if types.DiagnosticTag.Unnecessary in (each.tags or ())
    ]
    start_of_first, end_of_last = buffer.spans[0]
    assert [buffer.covered(each.range) for each in faded] == [buffer.text[start_of_first:end_of_last]]
    assert faded[0].severity is types.DiagnosticSeverity.Hint


async def test_inactive_code_is_not_mentioned_where_the_client_cannot_fade(start: Start) -> None:
    buffer = await (await start(fades=False)).open_kernel("#if 0\nint b;\n#endif\n")
    assert await buffer.diagnostics() == []
