"""Scanning a project: found files, skipped files and limits."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from openclsp.project.file_system import FileProblem
from openclsp.project.project_roots import read_permission_of_folder
from openclsp.project.project_scan import (
    FileDataCache,
    ScannedFile,
    ScannedFileKind,
    classify_file_name,
    scan_project,
)
from openclsp.project.read_permission import NO_READ_PERMISSION


def make(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)


def found(folder: Path) -> list[str]:
    return [os.path.relpath(file.path, folder) for file in scan_project(str(folder)).files]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("k.cl", ScannedFileKind.KERNEL),
        ("K.CL", ScannedFileKind.KERNEL),
        ("a.cl.h", ScannedFileKind.OPENCL_HEADER),
        ("a.clh", ScannedFileKind.OPENCL_HEADER),
        ("a.h", ScannedFileKind.HEADER),
        ("host.cpp", ScannedFileKind.CPP),
        ("opencl.hpp", ScannedFileKind.CPP),
        ("host.c", ScannedFileKind.C),
        ("host.py", ScannedFileKind.PYTHON),
        ("CMakeLists.txt", ScannedFileKind.CMAKE),
        ("FindX.cmake", ScannedFileKind.CMAKE),
        ("meson.build", ScannedFileKind.MESON),
        ("notes.txt", None),
        ("Makefile", ScannedFileKind.MAKE),
        ("GNUmakefile", ScannedFileKind.MAKE),
        ("rules.mk", ScannedFileKind.MAKE),
        ("Makefile.am", None),
    ],
)
def test_kinds(name: str, kind: ScannedFileKind | None) -> None:
    assert classify_file_name(name) is kind


def test_files_near_the_root_come_first(tmp_path: Path) -> None:
    make(tmp_path, "a/b/deep.cl", "a/k.cl", "z.c", "readme.md")
    assert found(tmp_path) == ["z.c", "a/k.cl", "a/b/deep.cl"]


def test_left_out(tmp_path: Path) -> None:
    make(tmp_path, ".git/x.c", "out/CMakeCache.txt", "out/x.c", "node_modules/x.c", "made/x.c", "made2/y.c")
    (tmp_path / ".gitignore").write_text("made/\n")
    assert found(tmp_path) == ["made2/y.c"]


def test_links_lead_to_files_of_the_root_only(tmp_path: Path) -> None:
    make(tmp_path, "root/in/a.c", "outside/b.c")
    root = tmp_path / "root"
    (root / "good.c").symlink_to(root / "in" / "a.c")
    (root / "bad.c").symlink_to(tmp_path / "outside" / "b.c")
    (root / "folder").symlink_to(tmp_path / "outside")
    (root / "cycle").symlink_to(root)
    assert found(root) == ["good.c", "in/a.c"]


def test_bounds(tmp_path: Path) -> None:
    make(tmp_path, *(f"k{number}.cl" for number in range(9)))
    cut = scan_project(str(tmp_path), maximum_entries=5)
    assert len(cut.files) == 5
    assert cut.reached_limit == "it contains more than 5 files"
    assert scan_project(str(tmp_path)).reached_limit == ""


def test_an_empty_root(tmp_path: Path) -> None:
    assert scan_project(str(tmp_path / "none")).files == ()


def test_a_check_stops_the_scan(tmp_path: Path) -> None:
    class Stopped(Exception):
        pass

    def check() -> None:
        raise Stopped

    with pytest.raises(Stopped):
        scan_project(str(tmp_path), check=check)


def test_links_lead_to_files_of_the_same_kind_only(tmp_path: Path) -> None:
    """Options in host code are displayed, so the content of `.env` must not be read under another name."""
    make(tmp_path, "a.c", ".hidden.c", "notes.txt")
    (tmp_path / "good.c").symlink_to("a.c")
    (tmp_path / "hidden.c").symlink_to(".hidden.c")
    (tmp_path / "other.c").symlink_to("notes.txt")
    names = [Path(each.path).name for each in scan_project(str(tmp_path)).files]
    assert names == [".hidden.c", "a.c", "good.c"]


def test_what_was_read_off_a_file_is_kept_while_it_stays(tmp_path: Path) -> None:
    make(tmp_path, "k.cl")
    read: list[bytes] = []

    def measured(file: ScannedFile, data: bytes) -> int:
        read.append(data)
        return len(data)

    extracted = FileDataCache(measured)
    permission = read_permission_of_folder(str(tmp_path))
    (first,) = scan_project(str(tmp_path)).files
    assert (extracted.data_of_file(first, permission), extracted.data_of_file(first, permission)) == (4, 4)
    assert read == [b"k.cl"]
    (tmp_path / "k.cl").write_text("kernel")
    (second,) = scan_project(str(tmp_path)).files
    assert extracted.data_of_file(second, permission) == 6


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    extracted = FileDataCache(lambda file, data: data)
    problem = extracted.data_of_file(
        ScannedFile(str(tmp_path / "k.cl"), ScannedFileKind.KERNEL, 3 << 20, 0), NO_READ_PERMISSION
    )
    assert problem == FileProblem(str(tmp_path / "k.cl"), "is larger than 2 MB")
