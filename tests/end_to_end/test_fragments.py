"""Headers and fragments are analysed through a kernel that includes them, in the editor too."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from .conftest import Start
from .marks import range_of

HEADER = "void f(SPACE int *p) {\n    local int *q = ⟪p⟫;\n}\n"
GLOBAL = '#define SPACE global\n#include "f.h"\nkernel void k(global int *p) { f(p); }\n'


async def test_a_header_has_the_context_of_a_kernel(start: Start, pulls: bool, tmp_path: Path) -> None:
    (tmp_path / "k.cl").write_text(GLOBAL)
    editor = await start(pulls=pulls)
    header = await editor.open_kernel(HEADER, "f.h")
    (error,) = await header.diagnostics()
    assert header.covered(error.range) == "p"
    assert error.source == "openclsp, as included by k.cl"
    told = await header.hover_text(header.spans[0][0])
    assert "global int *" in told and "as included by k.cl" in told


async def test_a_listed_diagnostic_of_a_header_is_fixed_from_elsewhere_in_its_line(
    start: Start, tmp_path: Path
) -> None:
    (tmp_path / "k.cl").write_text(GLOBAL)
    editor = await start()
    header = await editor.open_kernel(HEADER, "f.h")
    listed = await header.diagnostics()
    elsewhere = header.text.index("local")
    found = await editor.client.text_document_code_action_async(
        types.CodeActionParams(
            types.TextDocumentIdentifier(header.uri),
            range_of(header.text, (elsewhere, elsewhere), editor.encoding),
            types.CodeActionContext(listed, only=[types.CodeActionKind.QuickFix]),
        )
    )
    assert any(isinstance(each, types.CodeAction) and each.is_preferred for each in found or ())


async def test_an_edit_of_the_header_counts_at_once(start: Start, tmp_path: Path) -> None:
    (tmp_path / "k.cl").write_text(GLOBAL)
    editor = await start()
    header = await editor.open_kernel(HEADER, "f.h")
    assert await header.errors() == [("pointer-conversion", "p")]
    header.replace("local int", "global int")
    assert await header.errors() == []
    header.replace("global int", "local int")
    assert await header.errors() == [("pointer-conversion", "p")]


async def test_an_edit_of_the_kernel_reaches_the_open_header(start: Start, tmp_path: Path) -> None:
    (tmp_path / "k.cl").write_text(GLOBAL)
    (tmp_path / "f.h").write_text(HEADER.replace("⟪", "").replace("⟫", ""))
    editor = await start()
    header = await editor.open_kernel(HEADER, "f.h")
    assert await header.errors() == [("pointer-conversion", "p")]
    kernel = await editor.open_kernel(GLOBAL, "k.cl")
    await header.comes_to([("pointer-conversion", "p")])
    assert await kernel.diagnostics() == []
    kernel.replace("SPACE global", "SPACE local")
    await header.comes_to([])
    kernel.replace("SPACE local", "SPACE global")
    await header.comes_to([("pointer-conversion", "p")])
    # It is no longer included: it is a program of its own, in which SPACE is unknown.
    kernel.replace('#include "f.h"', "")
    await header.comes_to([])


@pytest.mark.parametrize(
    ("hidden", "shown"),
    [
        ('// #include "f.h"', '#include "f.h"'),
        ('/* #include "f.h" */', '#include "f.h"'),
        ('/*\n#include "f.h"\n*/', '#include "f.h"'),
        ('#if 0\n#include "f.h"\n#endif', '#include "f.h"'),
        ('#include "g.h"', '#include "f.h"'),
        ("", '#include "f.h"'),
    ],
)
@pytest.mark.parametrize("saved", [True, False])
async def test_an_include_that_goes_and_comes_unsaved(
    start: Start, tmp_path: Path, hidden: str, shown: str, saved: bool
) -> None:
    (tmp_path / "k.cl").write_text(GLOBAL if saved else GLOBAL.replace(shown, hidden))
    (tmp_path / "f.h").write_text(HEADER.replace("⟪", "").replace("⟫", ""))
    editor = await start()
    header = await editor.open_kernel(HEADER, "f.h")
    kernel = await editor.open_kernel(GLOBAL, "k.cl")
    await header.comes_to([("pointer-conversion", "p")])
    for _ in range(3):
        kernel.replace(shown, hidden) if hidden else kernel.replace(shown + "\n", "// nothing\n")
        await header.comes_to([])
        kernel.replace(hidden, shown) if hidden else kernel.replace("// nothing\n", shown + "\n")
        await header.comes_to([("pointer-conversion", "p")])


async def test_a_kernel_that_appears_on_disk_is_noticed(start: Start, tmp_path: Path) -> None:
    editor = await start(watches=True)
    await editor.client.until(lambda: editor.client.registrations)
    header = await editor.open_kernel(HEADER, "f.h")
    assert [each.code for each in await header.diagnostics()] == ["unknown-name"]
    for change, errors in (
        (types.FileChangeType.Created, [("pointer-conversion", "p")]),
        (types.FileChangeType.Deleted, []),
    ):
        kernel = tmp_path / "k.cl"
        if change is types.FileChangeType.Created:
            kernel.write_text(GLOBAL)
        else:
            kernel.unlink()
        editor.client.workspace_did_change_watched_files(
            types.DidChangeWatchedFilesParams([types.FileEvent(kernel.as_uri(), change)])
        )
        await header.comes_to(errors)


async def test_a_header_that_comes_and_goes_on_disk(start: Start, tmp_path: Path) -> None:
    editor = await start(watches=True)
    await editor.client.until(lambda: editor.client.registrations)
    kernel = await editor.open_kernel('#include "f.h"\nkernel void k(global int *g) { place p = ⟪g⟫; }\n')
    codes = [each.code for each in await kernel.diagnostics()]
    assert sorted(map(str, codes)) == ["include-not-found", "unknown-name"]
    file = tmp_path / "f.h"
    for change, expected in (
        (types.FileChangeType.Created, [("pointer-conversion", "g")]),
        (types.FileChangeType.Deleted, []),
    ):
        if change is types.FileChangeType.Created:
            file.write_text("typedef local int *place;\n")
        else:
            file.unlink()
        editor.client.workspace_did_change_watched_files(
            types.DidChangeWatchedFilesParams([types.FileEvent(file.as_uri(), change)])
        )
        await kernel.comes_to(expected)


async def test_a_kernels_file_that_is_a_fragment(start: Start, pulls: bool, tmp_path: Path) -> None:
    """Its first answer may lack the context, because the project is scanned in the background."""
    (tmp_path / "k.cl").write_text(GLOBAL.replace("f.h", "part.cl"))
    editor = await start(pulls=pulls)
    part = await editor.open_kernel(HEADER, "part.cl")
    await part.comes_to_show(
        lambda shown: [(each.code, each.source) for each in shown],
        [("pointer-conversion", "openclsp, as included by k.cl")],
    )


async def test_a_fragment_within_a_function(start: Start, tmp_path: Path) -> None:
    (tmp_path / "k.cl").write_text('kernel void k(global int *p) {\n#include "body.inc"\n}\n')
    editor = await start()
    body = await editor.open_kernel("local int *q = ⟪p⟫;\n", "body.inc")
    assert await body.errors() == [("pointer-conversion", "p")]
    assert "global int *" in await body.hover_text(body.spans[0][0])
    body.replace("local", "global")
    assert await body.errors() == []


async def test_one_header_twice_under_different_macros(start: Start, tmp_path: Path) -> None:
    (tmp_path / "k.cl").write_text(
        '#define F f_local\n#define SPACE local\n#include "f.h"\n#undef F\n#undef SPACE\n'
        '#define F f_global\n#define SPACE global\n#include "f.h"\nkernel void k() {}\n'
    )
    editor = await start()
    header = await editor.open_kernel("void F(SPACE int *p) {\n    local int *q = ⟪p⟫;\n}\n", "f.h")
    assert await header.errors() == [("pointer-conversion", "p")]
    header.replace("local int", "SPACE int")
    assert await header.errors() == []


async def test_endings_that_the_project_adds_are_watched(start: Start, tmp_path: Path) -> None:
    (tmp_path / "openclsp.toml").write_text('file-endings = [".knl"]\n')
    editor = await start(watches=True, own=True)
    await editor.client.until(lambda: editor.client.registrations)
    watching = {each.id: str(each.register_options) for each in editor.client.registrations}
    assert "**/*.knl" in watching["openclsp-watched-files"]


async def test_an_unsaved_include_reaches_the_open_header(start: Start, pulls: bool, tmp_path: Path) -> None:
    """No file on disk includes it, only the open kernel."""
    (tmp_path / "f.h").write_text(HEADER.replace("⟪", "").replace("⟫", ""))
    editor = await start(pulls=pulls)
    header = await editor.open_kernel(HEADER, "f.h")
    alone = [("unknown-name", "openclsp")]
    await header.comes_to_show(lambda found: [(each.code, each.source) for each in found], alone)
    kernel = await editor.open_kernel(GLOBAL.replace("#include", "// #include"), "k.cl")
    await kernel.diagnostics()
    for _ in range(2):
        kernel.replace("// #include", "#include")
        await header.comes_to([("pointer-conversion", "p")])
        kernel.replace("#include", "// #include")
        await header.comes_to_show(lambda found: [(each.code, each.source) for each in found], alone)


async def test_a_better_kernel_reaches_the_open_header(start: Start, pulls: bool, tmp_path: Path) -> None:
    """The kernel with the header's name includes it again, after another one was chosen."""
    (tmp_path / "f.h").write_text(HEADER.replace("⟪", "").replace("⟫", ""))
    (tmp_path / "f.cl").write_text(GLOBAL)
    (tmp_path / "other.cl").write_text(GLOBAL.replace("SPACE global", "SPACE local"))
    editor = await start(pulls=pulls)
    kernel = await editor.open_kernel(GLOBAL, "f.cl")
    header = await editor.open_kernel(HEADER, "f.h")
    await header.comes_to([("pointer-conversion", "p")])
    for _ in range(2):
        kernel.replace("#include", "// #include")
        await header.comes_to([])
        kernel.replace("// #include", "#include")
        await header.comes_to([("pointer-conversion", "p")])


async def test_text_before_a_header_that_may_be_included_is_unknown(start: Start, tmp_path: Path) -> None:
    pragma = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    text = pragma + '#ifdef HALF\n#include "half.h"\n#endif\nkernel void k(global half *p) { *p = 1; }\n'
    (tmp_path / "k.cl").write_text(text)
    editor = await start()
    header = await editor.open_kernel("half f(half *x);\nvoid g(half *x) { local half *y = x; }\n", "half.h")
    assert await header.errors() == [("pointer-conversion", "x")]
    kernel = await editor.open_kernel(text, "k.cl")
    kernel.replace("#ifdef HALF", "#if 0")
    await header.comes_to([("half-storage", "f"), ("pointer-conversion", "x")])
    kernel.replace("#if 0", "#ifdef HALF")
    await header.comes_to([("pointer-conversion", "x")])
