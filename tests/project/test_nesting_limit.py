"""Deeply nested and long files of a project are rejected or read in bounded memory, whatever their format."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from openclsp.host_options.clangd_file import read_clangd_files
from openclsp.host_options.compile_commands import read_compile_commands
from openclsp.project.file_system import LOCAL_FILE_SYSTEM
from openclsp.workspace.project_file import read_project_file

MEMORY = 40 << 20
"""Bytes. Unbounded, 100 KB of `a.` were 2.6 GB."""
LAUGHS = "a0: &a0 [-DN, -DN]\n" + "".join(
    f"a{n + 1}: &a{n + 1} [{', '.join([f'*a{n}'] * 10)}]\n" for n in range(30)
)


def problems(folder: Path, name: str, text: str) -> tuple[str, ...]:
    """The problems of the file, read within the memory limit."""
    (folder / ".git").mkdir()
    (folder / name).write_text(text)
    kernel = str(folder / "k.cl")
    tracemalloc.start()
    try:
        if name == "openclsp.toml":
            found = read_project_file(str(folder / name)).problems
        elif name == ".clangd":
            found = read_clangd_files(kernel, str(folder), LOCAL_FILE_SYSTEM).problems
        else:
            found = read_compile_commands(kernel, str(folder), LOCAL_FILE_SYSTEM).problems
        assert tracemalloc.get_traced_memory()[1] < MEMORY
    finally:
        tracemalloc.stop()
    return found


@pytest.mark.parametrize(
    "text",
    [
        "a." * 50_000 + "a = 1",
        "[" + "a." * 50_000 + "a]",
        "a = " + "[" * 100_000,
        "a = " + "{a=" * 60_000,
        "a = [" + "[]," * 50_000,
        'a = """' + "[" * 100_000,
        "a = " + "9" * 100_000,
        "[[a]]\n" * 20_000,
        "a = 1\n" * 20_000,
    ],
    ids=lambda text: text[:8],
)
def test_toml(tmp_path: Path, text: str) -> None:
    assert problems(tmp_path, "openclsp.toml", text)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 50_000,
        "- " * 30_000,
        "? " * 30_000,
        "{a: " * 15_000,
        "".join(" " * n + "a:\n" for n in range(300)),
        "a: &a [*a]\nb: " + "[" * 60,
    ],
    ids=lambda text: text[:8],
)
def test_yaml(tmp_path: Path, text: str) -> None:
    assert problems(tmp_path, ".clangd", text)


def test_aliases_of_yaml_are_not_multiplied(tmp_path: Path) -> None:
    assert problems(tmp_path, ".clangd", LAUGHS + "CompileFlags:\n  Add: *a30\n") == ()


def test_an_alias_within_its_own_anchor(tmp_path: Path) -> None:
    assert problems(tmp_path, ".clangd", "CompileFlags: &a\n  Add: [*a, -DN]\n  Remove: *a\n") == ()


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, '{"a":' * 100_000, "[" + "9" * 100_000 + "]", "[" + "[]," * 50_000, '["' + "[" * 100_000],
    ids=lambda text: text[:8],
)
def test_json(tmp_path: Path, text: str) -> None:
    assert problems(tmp_path, "compile_commands.json", text)
