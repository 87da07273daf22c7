"""Opening, closing, creating and deleting files leads to the answers of a new server."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from .buffer import Buffer
from .changes import Change
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
    """The headers of the project are known only after the scan; then the kernel finds the header."""
    _written(tmp_path, src__k_cl=KERNEL, include__deep_h=HEADER)
    workspace = _started(loop, tmp_path)
    assert _codes(workspace, tmp_path / "include" / "deep.h") == ["pointer-conversion"]
    workspace.talk.close()


def test_a_header_stays_what_it_is_when_its_kernel_is_closed(
    loop: asyncio.AbstractEventLoop, tmp_path: Path
) -> None:
    """The text of an open kernel that includes the header decides; after it is closed, that of the file."""
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
    """Kernel files, like headers, are found by their place in the project."""
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
    """The text of the open kernel decides, saved or not, even if nothing included the header when it was opened."""
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
    """The outer document defines a macro that the inner one uses, and an edit moves the definition."""
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


PART = "int part(SPACE int *p) { local int *q = p; return *q; }\n"
"""An error through a kernel whose SPACE is global, none where it is local"""


def _kernel(space: str, name: str = "part.h") -> str:
    return f'#define SPACE {space}\n#include "{name}"\nkernel void k(SPACE int *p) {{ part(p); }}\n'


def _as_fresh(loop: asyncio.AbstractEventLoop, workspace: Workspace, path: Path) -> list[str]:
    """The errors of a document; asserts that a new server with the same open documents reports the same."""
    found = _codes(workspace, path)
    fresh = Talk(loop, workspace.folder)
    opened = {each: Buffer(fresh, buffer.uri, buffer.text) for each, buffer in workspace.open.items()}
    for buffer in opened.values():
        buffer.settle()
    expected = [each["code"] for each in opened[path].diagnostics() if each["severity"] == 1]
    fresh.close()
    assert found == expected
    return found


def _edits(workspace: Workspace, path: Path, old: str, new: str) -> None:
    def change(text: str) -> Change:
        start = text.index(old)
        return start, start + len(old), new

    workspace.edit(path, change)


@pytest.fixture(params=["part.h", "part.cl"])
def two_kernels(
    request: pytest.FixtureRequest, loop: asyncio.AbstractEventLoop, tmp_path: Path
) -> Iterator[tuple[Workspace, Path, Path, Path]]:
    """A document that two kernels include; the one in the same folder is the better choice."""
    _written(
        tmp_path, a_cl=_kernel("local", request.param), far__b_cl=_kernel("global", f"../{request.param}")
    )
    included = tmp_path / request.param
    included.write_text(PART)
    workspace = _started(loop, tmp_path)
    _codes(workspace, included)
    yield workspace, included, tmp_path / "a.cl", tmp_path / "far" / "b.cl"
    workspace.talk.close()


def test_the_better_kernel_includes_it_again(
    loop: asyncio.AbstractEventLoop, two_kernels: tuple[Workspace, Path, Path, Path]
) -> None:
    workspace, included, better, _ = two_kernels
    assert _as_fresh(loop, workspace, included) == []
    _codes(workspace, better)
    for _ in range(3):
        _edits(workspace, better, "#include", "// #include")
        assert _as_fresh(loop, workspace, included) == ["pointer-conversion"]
        _edits(workspace, better, "kernel void k", "kernel void other")
        assert _as_fresh(loop, workspace, included) == ["pointer-conversion"]
        _edits(workspace, better, "kernel void other", "kernel void k")
        _edits(workspace, better, "// #include", "#include")
        assert _as_fresh(loop, workspace, included) == []


def test_no_kernel_includes_it_and_then_one_does(
    loop: asyncio.AbstractEventLoop, two_kernels: tuple[Workspace, Path, Path, Path]
) -> None:
    workspace, included, better, other = two_kernels
    for path in (better, other):
        _codes(workspace, path)
        _edits(workspace, path, "#include", "/*\n#include")
        _as_fresh(loop, workspace, included)
    _edits(workspace, other, "/*\n", "")
    assert _as_fresh(loop, workspace, included) == ["pointer-conversion"]
    _edits(workspace, better, "/*\n", "")
    assert _as_fresh(loop, workspace, included) == []
    _edits(workspace, better, "#define", "/*\n#define")
    assert _as_fresh(loop, workspace, included) == ["pointer-conversion"]


def test_the_better_kernel_is_closed_without_saving(
    loop: asyncio.AbstractEventLoop, two_kernels: tuple[Workspace, Path, Path, Path]
) -> None:
    workspace, included, better, _ = two_kernels
    _codes(workspace, better)
    _edits(workspace, better, "#include", "// #include")
    assert _as_fresh(loop, workspace, included) == ["pointer-conversion"]
    workspace.close(better)
    assert _as_fresh(loop, workspace, included) == []
    _codes(workspace, better)
    assert _as_fresh(loop, workspace, included) == []


def test_an_edited_header_decides_whether_the_better_kernel_includes_it(
    loop: asyncio.AbstractEventLoop, tmp_path: Path
) -> None:
    conditional = '#include "switch.h"\n#ifdef ON\n' + _kernel("local") + "#endif\n"
    _written(tmp_path, part_h=PART, a_cl=conditional, b_cl=_kernel("global"), switch_h="int x;\n#define ON\n")
    included, switch = tmp_path / "part.h", tmp_path / "switch.h"
    workspace = _started(loop, tmp_path)
    assert _codes(workspace, included) == []
    _codes(workspace, switch)
    _edits(workspace, switch, "ON", "OFF")
    assert _as_fresh(loop, workspace, included) == ["pointer-conversion"]
    _edits(workspace, switch, "int x;", "int y;")
    assert _as_fresh(loop, workspace, included) == ["pointer-conversion"]
    _edits(workspace, switch, "OFF", "ON")
    assert _as_fresh(loop, workspace, included) == []
    workspace.close(switch)
    assert _as_fresh(loop, workspace, included) == []
    workspace.talk.close()


def test_an_edit_makes_an_included_file_a_program_of_its_own_when_it_is_saved(
    loop: asyncio.AbstractEventLoop, tmp_path: Path
) -> None:
    _written(tmp_path, part_cl=PART, a_cl=_kernel("global", "part.cl"))
    part = tmp_path / "part.cl"
    workspace = _started(loop, tmp_path)
    assert _as_fresh(loop, workspace, part) == ["pointer-conversion"]
    own = "#ifndef SPACE\n#define SPACE local\n#endif\nkernel void own(local int *p) { part(p); }\n"
    workspace.edit(part, lambda text: (len(text), len(text), own.split("#endif\n")[1]))
    workspace.edit(part, lambda text: (0, 0, own.split("kernel")[0]))
    assert "pointer-conversion" in _as_fresh(loop, workspace, part)
    workspace.save(part)
    assert _as_fresh(loop, workspace, part) == []
    workspace.talk.close()


def test_a_part_within_a_function_that_becomes_empty(loop: asyncio.AbstractEventLoop, tmp_path: Path) -> None:
    """A document that is spliced into a line is represented by its tokens alone."""
    within = 'kernel void k(local int *p) {\n#include "part.h"\n}\n'
    _written(
        tmp_path, part_h="global int *q = p;\n", a_cl=within, far__b_cl=within.replace("part.h", "../part.h")
    )
    included, better = tmp_path / "part.h", tmp_path / "a.cl"
    workspace = _started(loop, tmp_path)
    assert _as_fresh(loop, workspace, included) == ["pointer-conversion"]
    _edits(workspace, included, "global int *q = p;", "")
    _as_fresh(loop, workspace, included)
    _edits(workspace, included, "\n", "local int *q = p;\n")
    assert _as_fresh(loop, workspace, included) == []
    _edits(workspace, included, "local", "global")
    assert _as_fresh(loop, workspace, included) == ["pointer-conversion"]
    _codes(workspace, better)
    _edits(workspace, better, "}", "")
    _edits(workspace, better, "kernel void k(local int *p) {", "")
    _as_fresh(loop, workspace, included)
    workspace.talk.close()


def test_what_two_items_of_one_expansion_have_in_common(
    loop: asyncio.AbstractEventLoop, tmp_path: Path
) -> None:
    """The common diagnostic is shown once, with the related locations of the first item, whichever is checked first."""
    macros = "#define RD UNKNOWN_T f(int a);\n#define WR UNKNOWN_T g(int a);\n#define ALL RD WR\nALL\n"
    _written(tmp_path, k_cl=macros)
    path = tmp_path / "k.cl"
    workspace = _started(loop, tmp_path)
    _codes(workspace, path)
    _edits(workspace, path, "f(int a)", "other(float a)")
    workspace.open[path].settle()
    fresh = Talk(loop, tmp_path)
    opened = Buffer(fresh, path.as_uri(), workspace.open[path].text)
    opened.settle()
    assert workspace.open[path].diagnostics() == opened.diagnostics() != []
    for talk in (workspace.talk, fresh):
        talk.close()
