"""Opening, closing, creating and deleting files leads to the answers of a new server."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from .talk import Talk, waiting_for_no_pause
from .workspace import Workspace

KERNEL = '#define SPACE global\n#include "deep.h"\nkernel void k(SPACE int *p) { f(p); }\n'
HEADER = "void f(SPACE int *p) { local int *q = p; }\n"


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    with waiting_for_no_pause() as each:
        yield each


def _started(loop: asyncio.AbstractEventLoop, folder: Path) -> Workspace:
    return Workspace(Talk(loop, folder), folder)


def _codes(workspace: Workspace, path: Path) -> list[str]:
    buffer = workspace.show(path)
    buffer.settle()
    return [each["code"] for each in buffer.diagnostics() if each["severity"] == 1]


def _written(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


def test_a_header_found_by_its_place_in_the_project(loop: asyncio.AbstractEventLoop, tmp_path: Path) -> None:
    """Which headers the project has is known only once it was looked over: then a kernel reaches the header."""
    _written(tmp_path, src__k_cl=KERNEL, include__deep_h=HEADER)
    workspace = _started(loop, tmp_path)
    assert _codes(workspace, tmp_path / "include" / "deep.h") == ["pointer-conversion"]
    workspace.talk.close()


def test_a_header_stays_what_it_is_when_its_kernel_is_closed(
    loop: asyncio.AbstractEventLoop, tmp_path: Path
) -> None:
    """An open kernel that includes the header counts as it is; when it is closed, the file does."""
    _written(tmp_path, src__k_cl=KERNEL, include__deep_h=HEADER)
    kernel, header = tmp_path / "src" / "k.cl", tmp_path / "include" / "deep.h"
    workspace = _started(loop, tmp_path)
    _codes(workspace, kernel)
    before = _codes(workspace, header)
    workspace.close(kernel)
    fresh = _started(loop, tmp_path)
    assert _codes(workspace, header) == before == _codes(fresh, header) == ["pointer-conversion"]
    for each in (workspace, fresh):
        each.talk.close()


@pytest.mark.parametrize("name", ["deep.h", "deep.cl"])
def test_a_file_that_comes_and_goes(loop: asyncio.AbstractEventLoop, tmp_path: Path, name: str) -> None:
    """Kernels' files are included by their place as well as headers."""
    kernel, header = tmp_path / "src" / "k.cl", tmp_path / "include" / name
    _written(tmp_path, src__k_cl=f'#include "{name}"\nkernel void k(global int *p) {{ place_t q = p; }}\n')
    header.parent.mkdir()
    workspace = _started(loop, tmp_path)
    assert _codes(workspace, kernel) == []
    workspace.files[header] = "typedef local int *place_t;\n"
    workspace.restore(header)
    assert _codes(workspace, kernel) == ["pointer-conversion"]
    workspace.delete(header)
    assert _codes(workspace, kernel) == []
    workspace.talk.close()


@pytest.mark.parametrize("name", ["deep.h", "deep.cl"])
def test_an_include_that_is_hidden_and_comes_back(
    loop: asyncio.AbstractEventLoop, tmp_path: Path, name: str
) -> None:
    """What the open kernel includes counts, saved or not, when the included document was opened while nobody included it."""
    _written(tmp_path, k_cl=KERNEL.replace("deep.h", name))
    kernel, included = tmp_path / "k.cl", tmp_path / name
    included.write_text(HEADER)
    workspace = _started(loop, tmp_path)
    _codes(workspace, kernel)
    workspace.edit(kernel, lambda text: (0, 0, "/*"))
    before = _codes(workspace, included)
    workspace.edit(kernel, lambda text: (0, 2, ""))
    fresh = _started(loop, tmp_path)
    assert _codes(workspace, included) == _codes(fresh, included) == ["pointer-conversion"] != before
    for each in (workspace, fresh):
        each.talk.close()


def test_an_edited_document_that_includes_itself(loop: asyncio.AbstractEventLoop, tmp_path: Path) -> None:
    """A macro that the inner one uses is defined in the outer one, where it moves."""
    _written(tmp_path, types_h='SPACE float4 vec_t;\n#define SPACE global\n}\n#include "types.h"')
    path = tmp_path / "types.h"
    workspace = _started(loop, tmp_path)
    _codes(workspace, path)
    workspace.edit(path, lambda text: (0, 0, "// a line\n"))
    fresh = _started(loop, tmp_path)
    fresh.files[path] = workspace.open[path].text
    fresh.restore(path)
    _codes(fresh, path)
    workspace.open[path].settle()
    assert workspace.open[path].answers([0]) == fresh.open[path].answers([0])
    for each in (workspace, fresh):
        each.talk.close()
