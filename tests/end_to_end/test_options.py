"""Options from the initialisation, the client's configuration, compile_flags.txt and commands."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from .conftest import Start
from .editor import Buffer, Editor

# The address space of an unqualified pointer shows the language version, an array's size the define.
KERNEL = """\
void f(int *p) {
    int a[N];
    *⟪p⟫ = ⟪a⟫[0];
}
"""


async def _version(buffer: Buffer) -> str:
    hover = await buffer.hover_text(buffer.spans[0][0])
    return "with generic" if "generic int *private p" in hover else "without generic"


async def _size(buffer: Buffer) -> str:
    return (await buffer.hover_text(buffer.spans[1][0])).partition("a[")[2].partition("]")[0]


async def _renewed(buffer: Buffer) -> None:
    """Waits until the server requests a refresh."""
    if buffer.editor.pulls:
        await buffer.editor.client.until(lambda: buffer.editor.client.diagnostic_refresh_count > 0)
    else:
        await buffer.published(buffer.version)


async def _becomes(buffer: Buffer, version: str) -> None:
    """Waits until the hover shows that version, because the project scan may also cause a refresh at any time."""
    while True:
        buffer.outdate()
        buffer.editor.client.diagnostic_refresh_count = 0
        # A refresh during the computation of the hover ends it with ContentModified (LSP 3.17).
        with suppress(JsonRpcException):
            if await _version(buffer) == version:
                return
        await _renewed(buffer)


async def test_without_options_the_version_is_the_compilers_default(start: Start) -> None:
    buffer = await (await start()).open_kernel(KERNEL)
    assert await _version(buffer) == "without generic"
    assert "OpenCL C 1.2" in await buffer.hover_text(buffer.spans[0][0])


@pytest.mark.parametrize("wrapped", [False, True])
async def test_options_of_the_first_request(start: Start, wrapped: bool) -> None:
    options: dict[str, object] = {"languageVersion": "CL2.0", "defines": ["N=4"]}
    buffer = await (await start(options={"openclsp": options} if wrapped else options)).open_kernel(KERNEL)
    assert await _version(buffer) == "with generic"
    assert await _size(buffer) == "4"


async def test_extensions_can_be_switched_off(start: Start) -> None:
    options = {"languageVersion": "CL3.0", "extensions": "-__opencl_c_generic_address_space"}
    editor = await start(options=options)
    buffer = await editor.open_kernel(KERNEL)
    assert await _version(buffer) == "without generic"


async def test_the_clients_configuration_counts_before_the_first_request(start: Start) -> None:
    editor = await start(
        options={"languageVersion": "CL1.1", "defines": ["N=4"]},
        configuration={"openclsp": {"languageVersion": "CL2.0"}},
    )
    buffer = await editor.open_kernel(KERNEL)
    assert await _version(buffer) == "with generic"
    assert await _size(buffer) == "4"


async def test_a_change_of_the_configuration_renews_everything(start: Start, pulls: bool) -> None:
    editor = await start(pulls=pulls, configuration={"openclsp": {"languageVersion": "CL1.2"}})
    buffer = await editor.open_kernel(KERNEL)
    await buffer.diagnostics()
    assert await _version(buffer) == "without generic"
    editor.client.set_configuration({"languageVersion": "CL2.0", "defines": ["N=7"]}, section="openclsp")
    buffer.outdate()
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    await _renewed(buffer)
    await _becomes(buffer, "with generic")
    assert await _size(buffer) == "7"


async def test_a_configuration_that_is_sent_along_with_its_change(start: Start) -> None:
    editor = await start(own=True)
    buffer = await editor.open_kernel(KERNEL)
    await buffer.diagnostics()
    buffer.outdate()
    settings = {"openclsp": {"languageVersion": "CL2.0"}}
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))
    await _renewed(buffer)
    await _becomes(buffer, "with generic")


async def test_compile_flags(start: Start, tmp_path: Path) -> None:
    (tmp_path / "compile_flags.txt").write_text("-cl-std=CL2.0\n-DN=5\n-Iinc\n")
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "place.h").write_text("typedef local int *place_t;\n")
    buffer = await (await start()).open_kernel(
        f"#include <place.h>\n{KERNEL}\nkernel void k(global int *g) {{ place_t p = g; }}\n"
    )
    assert await buffer.errors() == [("pointer-conversion", "g")]
    assert await _version(buffer) == "with generic"
    assert await _size(buffer) == "5"


async def test_a_change_of_compile_flags_renews_everything(start: Start, tmp_path: Path, pulls: bool) -> None:
    editor = await start(watches=True, pulls=pulls)
    buffer = await editor.open_kernel(KERNEL)
    await buffer.diagnostics()
    assert await _version(buffer) == "without generic"
    await editor.client.until(lambda: editor.client.registrations)
    flags = tmp_path / "compile_flags.txt"
    flags.write_text("-cl-std=CL2.0\n")
    buffer.outdate()
    _changed_on_disk(editor, flags, types.FileChangeType.Created)
    await _renewed(buffer)
    await _becomes(buffer, "with generic")
    flags.unlink()
    editor.client.diagnostic_refresh_count = 0
    buffer.outdate()
    _changed_on_disk(editor, flags, types.FileChangeType.Deleted)
    await _renewed(buffer)
    await _becomes(buffer, "without generic")


async def test_saved_files_count_if_files_are_not_watched(start: Start, tmp_path: Path) -> None:
    editor = await start()
    buffer = await editor.open_kernel(KERNEL)
    await buffer.diagnostics()
    (tmp_path / "compile_flags.txt").write_text("-cl-std=CL2.0\n")
    buffer.outdate()
    editor.client.text_document_did_save(
        types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(buffer.uri))
    )
    await _renewed(buffer)
    await _becomes(buffer, "with generic")


async def test_a_workspace_can_be_checked_as_another_version(start: Start, pulls: bool) -> None:
    editor = await start(pulls=pulls, own=True)
    buffer = await editor.open_kernel("int ⟪counter⟫;\nvoid f(int *⟪p⟫) { *p = counter; }\n")
    assert [text for _, text in await buffer.errors()] == ["counter"]
    (newer,) = [
        action
        for action in await buffer.actions(buffer.spans[0])
        if action.command is not None and list(action.command.arguments or ()) == ["CL2.0", buffer.uri]
    ]
    assert newer.edit is None
    assert newer.command is not None
    buffer.outdate()
    await editor.run(newer.command)
    await _renewed(buffer)
    await buffer.comes_to([])
    assert "generic int *private p" in await buffer.hover_text(buffer.spans[1][0])
    await editor.run(newer.command)
    (message,) = editor.messages()
    assert "-cl-std=CL2.0" in message
    assert "compile_flags.txt" in message


async def test_options_that_are_written_down_end_the_choice_by_command(start: Start, tmp_path: Path) -> None:
    editor = await start(watches=True, own=True)
    await editor.client.until(lambda: editor.client.registrations)
    buffer = await editor.open_kernel(KERNEL)
    await editor.run(types.Command("", "openclsp.checkAs", arguments=["CL2.0"]))
    assert await _version(buffer) == "with generic"
    await buffer.diagnostics()
    flags = tmp_path / "compile_flags.txt"
    flags.write_text("-cl-std=CL1.1\n")
    buffer.outdate()
    _changed_on_disk(editor, flags, types.FileChangeType.Created)
    await _renewed(buffer)
    await _becomes(buffer, "without generic")


async def test_a_version_that_does_not_exist_is_refused(start: Start) -> None:
    editor = await start()
    with pytest.raises(Exception, match=r"CL9\.9"):
        await editor.run(types.Command("", "openclsp.checkAs", arguments=["CL9.9"]))


@pytest.mark.parametrize(
    "options, named",
    [
        ({"languageVersion": 2}, "languageVersion"),
        ({"languageVersion": "CL2.7"}, "CL2.7"),
        ({"extensions": "+cl_khr_pf64"}, "cl_khr_pf64"),
        ({"defines": "="}, "-D"),
        ("CL2.0", "settings"),
    ],
)
async def test_a_wrong_option_is_one_message_and_the_server_goes_on(
    start: Start, options: object, named: str
) -> None:
    editor = await start(configuration={"openclsp": options})
    for name in ("a.cl", "b.cl"):
        buffer = await editor.open_kernel(KERNEL, name)
        await buffer.diagnostics()
        assert await _version(buffer) == "without generic"
        buffer.replace("a[N]", "a[4]")
        await buffer.diagnostics()
        assert await _size(buffer) == "4"
    (message,) = editor.messages()
    assert named in message


async def test_a_wrong_line_of_compile_flags_is_one_message(start: Start, tmp_path: Path) -> None:
    (tmp_path / "compile_flags.txt").write_text("-cl-std=CL2.0\n-cl-ext=+cl_no_such_thing\n-DN=3\n")
    editor = await start(own=True)
    for name in ("a.cl", "b.cl"):
        buffer = await editor.open_kernel(KERNEL, name)
        await buffer.diagnostics()
        assert await _version(buffer) == "with generic"
        assert await _size(buffer) == "3"
    (message,) = editor.messages()
    assert "cl_no_such_thing" in message
    assert "compile_flags.txt" in message


def _changed_on_disk(editor: Editor, path: Path, kind: types.FileChangeType) -> None:
    change = types.FileEvent(path.as_uri(), kind)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([change]))
