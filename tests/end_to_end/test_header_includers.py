"""Headers that editors call C: whether a kernel includes them, and through which one they are analysed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from .conftest import Start
from .editor import Editor

HEADER = "void f(SPACE int *p) {\n    local int *q = ⟪p⟫;\n}\n"
LOCAL = '#define SPACE local\n#include "lib/f.h"\nkernel void a(local int *p) { f(p); }\n'
GLOBAL = LOCAL.replace("local", "global")


async def includers(editor: Editor, path: Path) -> Any:
    found = await editor.client.protocol.send_request_async(
        "openclsp/includers", {"textDocument": {"uri": path.as_uri()}}
    )
    return [Path(each).name for each in found.includers], found.chosen and Path(found.chosen).name


async def use(editor: Editor, *arguments: object) -> None:
    await editor.run(types.Command("", "openclsp.includer", arguments=list(arguments)))


def project(folder: Path) -> None:
    (folder / "lib").mkdir()
    for name, text in {
        "lib/f.h": HEADER.replace("⟪", "").replace("⟫", ""),
        "host.h": "class Host;\n",
        "unused.h": "#define UNUSED\n",
        "host.cpp": '#include "host.h"\n#include "lib/f.h"\n',
        "a.cl": LOCAL,
        "b.cl": GLOBAL,
        "inactive.cl": '#ifdef NEVER\n#include "lib/f.h"\n#endif\nkernel void c(void) { }\n',
    }.items():
        (folder / name).write_text(text)


async def test_a_file_is_a_header_of_the_kernels_that_include_it(start: Start, tmp_path: Path) -> None:
    project(tmp_path)
    editor = await start()
    assert await includers(editor, tmp_path / "lib" / "f.h") == (["a.cl", "b.cl"], None)
    for other in ("host.h", "unused.h", "host.cpp", "a.cl", "missing.h"):
        assert await includers(editor, tmp_path / other) == ([], None), other


async def test_another_kernel_is_chosen_by_command(start: Start, pulls: bool, tmp_path: Path) -> None:
    project(tmp_path)
    editor = await start(pulls=pulls)
    path = tmp_path / "lib" / "f.h"
    header = await editor.open(path.as_uri(), HEADER, "cpp")
    await header.comes_to([])
    await use(editor, header.uri, (tmp_path / "b.cl").as_uri())
    await header.comes_to([("pointer-conversion", "p")])
    assert "as included by b.cl" in await header.hover_text(header.spans[0][0])
    assert await includers(editor, path) == (["a.cl", "b.cl"], "b.cl")
    # the choice lasts while that kernel includes the header
    kernel = await editor.open_kernel(GLOBAL.replace('#include "lib/f.h"', ""), "b.cl")
    await header.comes_to([])
    kernel.close()
    await header.comes_to([("pointer-conversion", "p")])
    await use(editor, header.uri)
    await header.comes_to([])


async def test_only_a_kernel_that_includes_the_header_can_be_chosen(start: Start, tmp_path: Path) -> None:
    project(tmp_path)
    editor = await start()
    header = await editor.open((tmp_path / "lib" / "f.h").as_uri(), HEADER, "c")
    for wrong in ((header.uri, (tmp_path / "inactive.cl").as_uri()), (header.uri, 7), (None,), (1, 2, 3)):
        with pytest.raises(JsonRpcException):
            await use(editor, *wrong)
    await header.comes_to([])


async def test_host_code_gets_no_answers(start: Start, tmp_path: Path) -> None:
    project(tmp_path)
    editor = await start()
    host = await editor.open((tmp_path / "host.h").as_uri(), "void f(int *⟪p⟫) { }\n", "cpp")
    assert await host.errors() == []
    assert await host.hover(host.spans[0][0]) is None
