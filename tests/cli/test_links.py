"""Links and special files among the arguments are refused with a reason, whether their target exists or not."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

KERNEL = "kernel void k(global int *g) { local int *l = g; }\n"


@pytest.fixture
def outside(folder: Path) -> Path:
    """A folder next to the project, with a kernel."""
    outside = folder.parent / f"{folder.name}-outside"
    outside.mkdir()
    (outside / "k.cl").write_text(KERNEL)
    return outside


@pytest.mark.parametrize("name", ["k.cl", "none.cl"])
def test_a_link_out_of_the_project_is_refused(openclsp: Any, folder: Path, outside: Path, name: str) -> None:
    (folder / "link.cl").symlink_to(outside / name)
    (folder / "links").symlink_to(outside)
    for path in ("link.cl", f"links/{name}"):
        for command in (["check", path], ["hover", f"{path}:1:1"], ["check", "--fix", path]):
            ran = openclsp(*command)
            assert ran.code == 2
            assert f"{path} is a link that leads out of the project; to allow it, name the folder" in ran.err
            assert ran.out == ""


@pytest.mark.parametrize("name", ["", "none"])
def test_a_folder_that_is_a_link_out_of_the_project_is_refused(
    openclsp: Any, folder: Path, outside: Path, name: str
) -> None:
    (folder / "links").symlink_to(outside / name)
    ran = openclsp("check", "links")
    assert (ran.code, ran.out) == (2, "")
    assert "links is a link that leads out of the project" in ran.err


def test_it_is_read_where_that_is_allowed(openclsp: Any, folder: Path, outside: Path) -> None:
    (folder / "link.cl").symlink_to(outside / "k.cl")
    ran = openclsp("check", "--no-fixes", "--readable-folder", str(outside), "link.cl")
    assert ran.code == 1
    assert "link.cl:1:47: error[pointer-conversion]" in ran.out


def test_a_link_to_a_project_is_the_persons_own(openclsp: Any, folder: Path, tmp_path: Path) -> None:
    (folder / "k.cl").write_text(KERNEL)
    mine = tmp_path.parent / f"{tmp_path.name}-mine"
    mine.mkdir()
    (mine / "link").symlink_to(folder)
    for path in (mine / "link", mine / "link" / "k.cl"):
        assert openclsp("check", str(path)).code == 1


def test_a_link_to_what_is_no_source_is_refused(openclsp: Any, folder: Path, write: Any) -> None:
    for name in (".env", "notes.txt", ".git/config"):
        write(name, "correct horse battery staple\n")
    for number, target in enumerate((".env", "notes.txt", ".git/config")):
        (folder / f"{number}.cl").symlink_to(target)
        ran = openclsp("check", f"{number}.cl")
        assert (ran.code, ran.out) == (2, "")
        assert ran.err == f"openclsp: {number}.cl is a link to a file that is not named like a source file\n"


def test_what_a_folder_holds_and_is_not_checked_is_said(
    openclsp: Any, folder: Path, write: Any, outside: Path
) -> None:
    write("k.cl", "kernel void k(global int *g) { g[0] = 1; }\n")
    write(".env", "correct horse battery staple\n")
    (folder / "hidden.cl").symlink_to(".env")
    (folder / "away.cl").symlink_to(outside / "k.cl")
    (folder / "same.cl").symlink_to("k.cl")
    (folder / "circle.cl").symlink_to("circle.cl")
    os.mkfifo(folder / "pipe.cl")
    ran = openclsp("check", ".")
    assert ran.code == 2, "not all that was asked for is checked"
    assert ran.err.splitlines() == [
        "openclsp: ./away.cl is a link that leads out of the project; it is not checked",
        "openclsp: ./hidden.cl is a link to a file without an OpenCL file name ending; it is not checked",
        "openclsp: ./pipe.cl is not a regular file; it is not checked",
    ]
    assert "staple" not in ran.out and "pointer-conversion" not in ran.out


def test_a_link_to_elsewhere_in_the_project_is_left_out_and_said(
    openclsp: Any, folder: Path, write: Any
) -> None:
    write("other/k.cl", KERNEL)
    write("sub/own.cl", "kernel void k(global int *g) { g[0] = 1; }\n")
    (folder / "sub" / "k.cl").symlink_to("../other/k.cl")
    ran = openclsp("check", "sub")
    assert ran.code == 0
    assert ran.err == "openclsp: sub/k.cl is a link that leads out of the folder; it is not checked\n"


def test_file_endings_of_the_project_make_no_kernel_of_a_secret(openclsp: Any, write: Any) -> None:
    write("openclsp.toml", 'file-endings = [".txt"]\n')
    write("words.txt", "password: correct horse\n")
    write("kernel.txt", KERNEL)
    ran = openclsp("check", "--no-fixes", ".")
    assert ran.code == 2
    assert "./words.txt does not look like OpenCL C; it is not checked" in ran.err
    assert "./kernel.txt:1:47: error[pointer-conversion]" in ran.out and "horse" not in ran.out


def test_the_projects_file_cannot_widen_what_is_read(openclsp: Any, write: Any, folder: Path) -> None:
    write("openclsp.toml", 'readable-folders = ["/"]\ninclude-folders = ["/"]\n')
    write("k.cl", "kernel void k(global int *g) { g[0] = 1; }\n")
    ran = openclsp("check", "k.cl")
    assert (
        f"{folder}/openclsp.toml:1: 'readable-folders' is allowed in your own openclsp.toml only" in ran.err
    )
    assert "openclsp.toml: -I/ leads out of the project and is not read" in ran.err
