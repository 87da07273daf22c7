"""Build options from host code in the editor: found in the background, and again when the host code changes."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from .conftest import Start

HOST = """#include <CL/cl.h>
void build(cl_program program, int wide) {{
    const char *source = read_file("kernel.cl");
    clBuildProgram(program, 0, NULL, "{0}", NULL, NULL);
}}
"""
KERNEL = "kernel void k(global int *g) {\n    SPACE int *p = ⟪g⟫;\n}\n"


def _codes(shown: list[types.Diagnostic]) -> list[int | str | None]:
    return [each.code for each in shown]


async def test_the_hosts_options_count(start: Start, pulls: bool, tmp_path: Path) -> None:
    (tmp_path / "kernel.cl").touch()
    (tmp_path / "host.c").write_text(HOST.format("-cl-std=CL1.1 -DSPACE=local"))
    editor = await start(pulls=pulls)
    kernel = await editor.open_kernel(KERNEL)
    await kernel.comes_to_show(_codes, ["pointer-conversion"])
    told = await kernel.hover_text(kernel.text.index("SPACE"))
    assert "`SPACE` = `local`, from `-DSPACE=local` in host.c:4" in told
    assert "OpenCL C 1.1, from -cl-std=CL1.1 in host.c:4" in told


async def test_an_opened_folder_is_a_project_without_a_marker(start: Start, tmp_path: Path) -> None:
    """Options apply to all kernels of a project if openclsp does not know which of them the host builds."""
    (tmp_path / "kernel.cl").touch()
    host = HOST.format("-DSPACE=local").replace('"kernel.cl"', "name")
    (tmp_path / "host.c").write_text(host)
    editor = await start()
    kernel = await editor.open_kernel(KERNEL)
    await kernel.comes_to_show(_codes, ["pointer-conversion"])


async def test_a_host_that_changes_on_disk_is_noticed(start: Start, tmp_path: Path) -> None:
    (tmp_path / "kernel.cl").touch()
    host = tmp_path / "host.c"
    host.write_text(HOST.format("-DSPACE=global"))
    editor = await start(watches=True)
    await editor.client.until(lambda: editor.client.registrations)
    kernel = await editor.open_kernel(KERNEL)
    await kernel.comes_to_show(_codes, [])
    host.write_text(HOST.format("-DSPACE=constant"))
    editor.client.workspace_did_change_watched_files(
        types.DidChangeWatchedFilesParams([types.FileEvent(host.as_uri(), types.FileChangeType.Changed)])
    )
    await kernel.comes_to_show(_codes, ["pointer-conversion"])


async def test_an_edit_of_a_run_line_takes_effect(start: Start, pulls: bool, tmp_path: Path) -> None:
    (tmp_path / "kernel.cl").touch()
    editor = await start(pulls=pulls)
    run_line = "// RUN: clspv -DSPACE=global %s\n"
    kernel = await editor.open_kernel(run_line + KERNEL)
    await kernel.comes_to_show(_codes, [])
    start_of_space = run_line.index("global")
    kernel.change((start_of_space, start_of_space + len("global"), "local"))
    await kernel.comes_to_show(_codes, ["pointer-conversion"])
    kernel.change((0, 0, "\n"))
    told = await kernel.hover_text(kernel.text.index("SPACE int"))
    assert "`SPACE` = `local`, from `-DSPACE=local` in RUN line kernel.cl:2" in told
    kernel.change((0, kernel.text.index("kernel void"), "// RUN: clspv -DSPACE=constant %s -cl-std=CL2.0\n"))
    await kernel.comes_to_show(_codes, ["pointer-conversion"])
    told = await kernel.hover_text(kernel.text.index("SPACE int"))
    assert "OpenCL C 2.0, from -cl-std=CL2.0 in RUN line kernel.cl:1" in told


async def test_a_problem_of_an_options_file_is_reported_once(start: Start, tmp_path: Path) -> None:
    (tmp_path / "compile_commands.json").write_text('[\n{"file": \n')
    editor = await start()
    kernel = await editor.open_kernel("kernel void k(global int *g) {}\n")
    await kernel.diagnostics()
    kernel.change((0, 0, "\n"))
    await kernel.diagnostics()
    (told,) = editor.messages()
    assert "compile_commands.json:3: Expecting value; the file is not used" in told


async def test_names_that_other_files_of_the_project_define_are_no_hints(
    start: Start, tmp_path: Path
) -> None:
    (tmp_path / "kernel.cl").touch()
    (tmp_path / "compile_flags.txt").touch()
    (tmp_path / "types.cl").write_text("typedef float REAL;\n")
    editor = await start()
    kernel = await editor.open_kernel("kernel void k(global REAL *p) { OTHER x; }\n")

    def messages(shown: list[types.Diagnostic]) -> list[str]:
        return [str(each.message).partition(" ")[0] for each in shown]

    await kernel.comes_to_show(messages, ["`OTHER`"])


async def test_a_name_that_another_kernel_no_longer_defines_is_a_hint(start: Start, tmp_path: Path) -> None:
    (tmp_path / "kernel.cl").touch()
    other = tmp_path / "types.cl"
    other.write_text("typedef float REAL;\n")
    editor = await start(watches=True)
    await editor.client.until(lambda: editor.client.registrations)
    kernel = await editor.open_kernel("kernel void k(global REAL *p) {}\n")
    await kernel.comes_to_show(_codes, [])
    for text, codes in (("typedef float T;\n", ["unknown-name"]), ("typedef float REAL;\n", [])):
        other.write_text(text)
        editor.client.workspace_did_change_watched_files(
            types.DidChangeWatchedFilesParams([types.FileEvent(other.as_uri(), types.FileChangeType.Changed)])
        )
        await kernel.comes_to_show(_codes, codes)
