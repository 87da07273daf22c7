"""A window with several folders: each has its own options, versions and headers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lsprotocol import types

from .conftest import Start
from .editor import Editor


def folders(editor: Editor, added: list[Path], removed: list[Path]) -> None:
    """Adds and removes workspace folders."""
    event = types.WorkspaceFoldersChangeEvent(
        *([types.WorkspaceFolder(each.as_uri(), each.name) for each in paths] for paths in (added, removed))
    )
    editor.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))


def project(folder: Path, version: str, space: str) -> Path:
    """A project with a language version, and a header of its own that a kernel finds by its place."""
    for name, text in {
        "openclsp.toml": f'language-version = "{version}"\ndefines = {{ SPACE = "{space}" }}\n',
        "k.cl": '#include "include/shared.h"\nkernel void k(SPACE int *p) { f(p); }\n',
        "include/shared.h": "void f(SPACE int *p) {\n    local int *q = p;\n}\n",
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


async def status(editor: Editor, path: Path) -> Any:
    return await editor.client.protocol.send_request_async(
        "openclsp/status", {"textDocument": {"uri": path.as_uri()}}
    )


HEADER = "void f(SPACE int *p) {\n    local int *q = ⟪p⟫;\n}\n"


async def test_each_folder_has_its_own_project(start: Start, tmp_path: Path) -> None:
    first, second = project(tmp_path / "a", "CL1.1", "local"), project(tmp_path / "b", "CL3.0", "global")
    editor = await start(folder=first, own=True)
    folders(editor, [second], [])
    one = await editor.open((first / "include/shared.h").as_uri(), HEADER, "c")
    two = await editor.open((second / "include/shared.h").as_uri(), HEADER, "c")
    await one.comes_to([])
    await two.comes_to([("pointer-conversion", "p")])
    for root, version in ((first, "CL1.1"), (second, "CL3.0")):
        found = await status(editor, root / "include/shared.h")
        assert found.dialect.startswith(version)
        assert found.includedBy == (root / "k.cl").as_uri()


async def test_a_folder_that_comes_and_goes(start: Start, pulls: bool, tmp_path: Path) -> None:
    first, second = project(tmp_path / "a", "CL1.1", "local"), project(tmp_path / "b", "CL3.0", "global")
    editor = await start(folder=first, pulls=pulls, own=True)
    # outside of all folders, the file is in the project of its openclsp.toml
    two = await editor.open((second / "include/shared.h").as_uri(), HEADER, "c")
    await two.comes_to([("pointer-conversion", "p")])
    folders(editor, [second], [first])
    one = await editor.open((first / "include/shared.h").as_uri(), HEADER, "c")
    await one.comes_to([])
    await two.comes_to([("pointer-conversion", "p")])
    folders(editor, [first], [second])
    two.replace("local int", "global int")
    one.replace("local int", "global int")
    await two.comes_to([])
    await one.comes_to([("pointer-conversion", "p")])
    assert (await status(editor, second / "include/shared.h")).includedBy == (second / "k.cl").as_uri()


async def test_a_version_chosen_in_one_folder_does_not_reach_the_other(start: Start, tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    for each in (first, second):
        each.mkdir()
        (each / "openclsp.toml").write_text("")
    editor = await start(folder=first, own=True)
    folders(editor, [second], [])
    text = "kernel void k(global int *p) {\n    int *q = ⟪p⟫;\n}\n"
    one = await editor.open((first / "k.cl").as_uri(), text)
    two = await editor.open((second / "k.cl").as_uri(), text)
    error = [("default-private", "p")]
    found = await one.errors()
    assert found and found == await two.errors(), error
    await editor.run(types.Command("", "openclsp.checkAs", arguments=["CL2.0", one.uri]))
    await one.comes_to([])
    assert await two.errors() == found
    # without a document, the version is that of all folders
    await editor.run(types.Command("", "openclsp.checkAs", arguments=["CL2.0"]))
    await two.comes_to([])
