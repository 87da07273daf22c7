"""Documents of every kind that editors open, and the state left after they are closed."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest
from lsprotocol import types

from .conftest import Start

FAULTY = """\
kernel void copy(global int *to, local int *from) {
    to = ⟪from⟫;
}
"""


@pytest.mark.parametrize("name", ["a kernel.cl", "100%.cl", "100%25.cl", "größe+π.cl", "a#b?c;d.cl"])
async def test_paths_with_special_characters(start: Start, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "my kernels 50%"
    (folder / "inc").mkdir(parents=True)
    (folder / "inc" / "a header%.h").write_text("typedef global int *place_t;\n")
    editor = await start(folder=folder)
    buffer = await editor.open_kernel(f'#include "inc/a header%.h"\n{FAULTY}void f(place_t p) {{}}\n', name)
    assert await buffer.errors() == [("pointer-conversion", "from")]
    actions = [action for action in await buffer.actions(buffer.spans[0]) if action.edit]
    assert actions
    assert all(
        action.edit and action.edit.changes and list(action.edit.changes) == [buffer.uri]
        for action in actions
    )


async def test_uris_that_are_spelled_as_vs_code_does(start: Start, tmp_path: Path) -> None:
    editor = await start()
    uri = "file://" + quote(str(tmp_path / "a kernel (1)+.cl"), safe="/").replace("%2B", "+")
    buffer = await editor.open(uri.replace("(", "%28").replace(")", "%29"), FAULTY)
    assert await buffer.errors() == [("pointer-conversion", "from")]


async def test_a_uri_that_is_spelled_in_another_way_when_it_is_closed(start: Start, tmp_path: Path) -> None:
    editor = await start()
    buffer = await editor.open(f"file://{tmp_path}/größe.cl", FAULTY)
    assert await buffer.errors() == [("pointer-conversion", "from")]
    buffer.closed = True
    editor.client.text_document_did_close(
        types.DidCloseTextDocumentParams(
            types.TextDocumentIdentifier("file://" + quote(f"{tmp_path}/größe.cl"))
        )
    )
    assert await buffer.published(None) == []


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "untitled:k.cl", "vscode-notebook-cell:/a.cl#1"])
async def test_documents_that_are_no_files(start: Start, pulls: bool, uri: str) -> None:
    editor = await start(pulls=pulls)
    buffer = await editor.open(uri, FAULTY)
    assert await buffer.errors() == [("pointer-conversion", "from")]
    assert "local int *private from" in await buffer.hover_text(buffer.spans[0][0])
    (action, *_) = [action for action in await buffer.actions(buffer.spans[0]) if action.edit]
    buffer.apply(action)
    assert await buffer.errors() == []


async def test_an_untitled_document_has_the_options_of_the_folder(start: Start, tmp_path: Path) -> None:
    (tmp_path / "compile_flags.txt").write_text("-cl-std=CL2.0\n")
    buffer = await (await start()).open("untitled:Untitled-1", "void f(int *p) { *⟪p⟫ = 1; }\n")
    assert "generic int *private p" in await buffer.hover_text(buffer.spans[0][0])


@pytest.mark.parametrize("language", ["opencl", "c", "cpp", "lisp", "plaintext", ""])
async def test_whatever_the_editor_calls_the_language(start: Start, language: str) -> None:
    editor = await start()
    buffer = await editor.open((editor.folder / "k.cl").as_uri(), FAULTY, language)
    assert await buffer.errors() == [("pointer-conversion", "from")]


@pytest.mark.parametrize("name", ["k.txt", "k.cpp", "k.h", "k"])
async def test_the_language_identifier_decides(start: Start, pulls: bool, name: str) -> None:
    editor = await start(pulls=pulls)
    buffer = await editor.open((editor.folder / name).as_uri(), FAULTY, "opencl")
    assert await buffer.errors() == [("pointer-conversion", "from")]


@pytest.mark.parametrize(
    ("name", "language"),
    [("main.cpp", "cpp"), ("main.c", "c"), ("lone.h", "c"), ("tool.py", "python"), ("k.txt", "plaintext")],
)
async def test_other_languages_are_left_to_other_servers(
    start: Start, pulls: bool, name: str, language: str
) -> None:
    editor = await start(pulls=pulls)
    buffer = await editor.open((editor.folder / name).as_uri(), FAULTY, language)
    assert await buffer.diagnostics() == []
    assert await buffer.hover(buffer.spans[0][0]) is None
    assert await buffer.actions(buffer.spans[0]) == []
    buffer.replace("local", "constant")
    assert await buffer.diagnostics() == []


@pytest.mark.parametrize("name", ["part.h", "part.cpp"])
async def test_a_header_that_a_kernel_includes_is_opencl_c(start: Start, name: str) -> None:
    editor = await start()
    (editor.folder / "k.cl").write_text(f'#include "{name}"\n')
    (editor.folder / name).write_text("")
    buffer = await editor.open((editor.folder / name).as_uri(), FAULTY, "cpp")
    assert await buffer.errors() == [("pointer-conversion", "from")]


async def test_a_byte_order_mark_is_a_blank(start: Start) -> None:
    editor = await start()
    text = f"\ufeff#define SPACE local\n{FAULTY.replace('local', 'SPACE')}"
    buffer = await editor.open((editor.folder / "k.cl").as_uri(), text)
    assert await buffer.errors() == [("pointer-conversion", "from")]
    # The client's positions count it, as LSP requires.
    buffer.replace("\ufeff#define SPACE local", "\ufeff#define SPACE global")
    assert await buffer.errors() == []
    first = await editor.open((editor.folder / "first.cl").as_uri(), f"\ufeff{FAULTY}".replace("\n", " "))
    assert await first.errors() == [("pointer-conversion", "from")]


@pytest.mark.parametrize("name", ["k.clcpp", "k.clc++"])
async def test_cpp_for_opencl_is_reported_as_unsupported(start: Start, pulls: bool, name: str) -> None:
    editor = await start(pulls=pulls)
    buffer = await editor.open_kernel("template<typename T> T twice(⟪T⟫ x) { return x + x; }\n", name)
    (only,) = await buffer.diagnostics()
    assert only.severity is types.DiagnosticSeverity.Information
    assert "C++ for OpenCL" in only.message
    assert await buffer.hover(buffer.spans[0][0]) is None
    assert await buffer.actions(buffer.spans[0]) == []


async def test_closing_clears_and_opening_again_renews(start: Start) -> None:
    buffer = await (await start()).open_kernel(FAULTY)
    assert await buffer.errors()
    buffer.close()
    assert await buffer.published(None) == []
    assert await buffer.hover(buffer.spans[0][0]) is None
    again = await buffer.editor.open_kernel(FAULTY.replace("local int", "global int"))
    assert again.version == buffer.version
    assert await again.errors() == []


async def test_nothing_is_published_after_closing(start: Start) -> None:
    editor = await start()
    for _ in range(5):
        buffer = await editor.open_kernel(FAULTY)
        buffer.close()
    other = await editor.open_kernel(FAULTY, "other.cl")
    assert await other.errors()
    assert editor.client.diagnostics == {}
    last = {each.uri: each.diagnostics for each in editor.client.publications}
    assert not last[buffer.uri]


async def test_two_documents_do_not_disturb_each_other(start: Start, pulls: bool) -> None:
    editor = await start(pulls=pulls)
    faulty = await editor.open_kernel(FAULTY, "faulty.cl")
    clean = await editor.open_kernel(FAULTY.replace("local int", "global int"), "clean.cl")
    assert await faulty.errors() == [("pointer-conversion", "from")]
    assert await clean.errors() == []
    clean.replace("global int *from", "constant int *from")
    assert await clean.errors() == [("pointer-conversion", "from")]
    faulty.replace("local int *from", "global int *from")
    assert await faulty.errors() == []
