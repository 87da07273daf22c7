"""Renames of files in the editor: the includes of kernels and headers follow."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from .conftest import Start
from .editor import Editor


async def renamed(editor: Editor, *pairs: tuple[str, str]) -> dict[str, list[str]]:
    """The new texts of the edits, by the file's place in the folder."""
    files = [
        types.FileRename(*((editor.folder / each).as_uri() for each in (old, new))) for old, new in pairs
    ]
    found = await editor.client.workspace_will_rename_files_async(types.RenameFilesParams(files))
    changes = {} if found is None else found.changes or {}
    prefix = editor.folder.as_uri() + "/"
    return {uri.removeprefix(prefix): [each.new_text for each in edits] for uri, edits in changes.items()}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in {
        "openclsp.toml": 'include-folders = ["inc"]\n',
        "a.cl": '#include "lib/f.h"\n#include <c.h>\nkernel void a(void) { }\n',
        "sub/b.cl": '#include "../lib/f.h"\nkernel void b(void) { }\n',
        "lib/f.h": '#include "g.h"\n',
        "lib/g.h": "#define G\n",
        "inc/c.h": "#define C\n",
        "host.cpp": '#include "lib/f.h"\n',
        "host.h": "class Host;\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


async def test_includes_of_a_renamed_header_follow(start: Start, project: Path) -> None:
    editor = await start()
    assert await renamed(editor, ("lib/f.h", "lib/h.h")) == {
        "a.cl": ['"lib/h.h"'],
        "sub/b.cl": ['"../lib/h.h"'],
    }
    assert await renamed(editor, ("inc/c.h", "inc/d.h")) == {"a.cl": ["<d.h>"]}
    assert await renamed(editor, ("lib/g.h", "lib/n.h")) == {"lib/f.h": ['"n.h"']}


async def test_a_folder_and_a_kernel_that_move(start: Start, project: Path) -> None:
    editor = await start()
    assert await renamed(editor, ("lib", "src/lib")) == {
        "a.cl": ['"src/lib/f.h"'],
        "sub/b.cl": ['"../src/lib/f.h"'],
    }
    assert await renamed(editor, ("a.cl", "sub/deep/a.cl")) == {"a.cl": ['"../../lib/f.h"']}


async def test_unsaved_text_and_other_files(start: Start, project: Path) -> None:
    editor = await start()
    buffer = await editor.open_kernel('\n#include "lib/f.h"\nkernel void a(void) { }\n', "a.cl")
    files = [types.FileRename(*((project / each).as_uri() for each in ("lib/f.h", "f.h")))]
    found = await editor.client.workspace_will_rename_files_async(types.RenameFilesParams(files))
    assert found is not None and found.changes is not None
    (edit,) = found.changes[buffer.uri]
    assert (edit.range.start.line, edit.new_text) == (1, '"f.h"')
    for pair in (("host.h", "x.h"), ("host.cpp", "x.cpp"), ("missing.h", "x.h"), ("lib/f.h", "lib/f.h")):
        assert await renamed(editor, pair) == {}, pair
