"""Readable roots: the folders that a unit may read."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.project.project_roots import (
    ROOT_MARKERS,
    enclosing_folders,
    find_nearest_enclosing_file,
    find_project_root,
    is_named_project,
    read_permission_of_unit,
)
from openclsp.project.read_permission import is_inside


@pytest.mark.parametrize("marker", ROOT_MARKERS)
def test_the_root_is_the_nearest_folder_with_a_marker(tmp_path: Path, marker: str) -> None:
    deep = tmp_path / "project 1" / "src" / "ä%20"
    deep.mkdir(parents=True)
    (tmp_path / "project 1" / marker).touch()
    assert find_project_root(str(deep / "k.cl")) == str(tmp_path / "project 1")


def test_a_marker_that_leads_out_counts_whatever_is_there(tmp_path: Path) -> None:
    """Otherwise the project root would reveal whether a file exists."""
    for name in ("there", "not there"):
        (tmp_path / "project" / name).mkdir(parents=True)
        (tmp_path / "project" / name / ".git").symlink_to(tmp_path / "outside" / name)
        assert find_project_root(str(tmp_path / "project" / name / "k.cl")) == str(
            tmp_path / "project" / name
        )
        (tmp_path / "outside").mkdir(exist_ok=True)
        (tmp_path / "outside" / "there").touch()


def test_without_a_marker_the_root_is_the_files_own_folder(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert find_project_root(str(tmp_path / "a" / "b" / "k.cl")) == str(tmp_path / "a" / "b")


def test_a_named_folder_is_the_root_of_its_files_without_a_marker(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "c" / ".git").mkdir(parents=True)
    named = [str(tmp_path / "a" / "b"), str(tmp_path / "a"), str(tmp_path / "d")]
    assert find_project_root(str(tmp_path / "a" / "b" / "k.cl"), named_folders=named) == str(tmp_path / "a")
    assert find_project_root(str(tmp_path / "e" / "k.cl"), named_folders=named) == str(tmp_path / "e")
    outer = [str(tmp_path)]
    assert find_project_root(str(tmp_path / "c" / "k.cl"), named_folders=outer) == str(tmp_path / "c")


def test_the_temporary_folder_is_no_project_although_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    (tmp_path / "a").mkdir()
    named = [str(tmp_path)]
    assert find_project_root(str(tmp_path / "a" / "k.cl"), named_folders=named) == str(tmp_path / "a")
    assert find_project_root(str(tmp_path / "k.cl"), named_folders=named) == str(tmp_path)
    assert not is_named_project(str(tmp_path), named)
    assert is_named_project(str(tmp_path / "a"), [str(tmp_path / "a")])


def test_in_a_workspace_the_root_is_the_innermost_workspace_folder(tmp_path: Path) -> None:
    inner = tmp_path / "ws" / "inner"
    inner.mkdir(parents=True)
    (inner / ".git").mkdir()
    outer = str(tmp_path / "ws")
    assert find_project_root(str(inner / "k.cl"), [outer]) == outer
    assert find_project_root(str(inner / "k.cl"), [outer, str(inner)]) == str(inner)


def test_only_files_in_the_roots_are_readable(tmp_path: Path) -> None:
    workspace, include = tmp_path / "ws", tmp_path / "include"
    workspace.mkdir()
    include.mkdir()
    permission = read_permission_of_unit(str(workspace / "k.cl"), [str(workspace)], [str(include)])
    assert permission.allows(str(workspace / "a" / "b.h"))
    assert permission.allows(str(include / "b.h"))
    assert not permission.allows(str(tmp_path / "b.h"))
    assert not permission.allows(str(tmp_path / "ws2" / "b.h"))


def test_roots_are_resolved(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    permission = read_permission_of_unit(str(tmp_path / "link" / "k.cl"))
    assert permission.folders == (str(tmp_path / "real"),)


def test_a_file_outside_the_workspace_has_its_own_root(tmp_path: Path) -> None:
    for name in ("ws", "elsewhere"):
        (tmp_path / name).mkdir()
    permission = read_permission_of_unit(str(tmp_path / "elsewhere" / "k.cl"), [str(tmp_path / "ws")])
    assert permission.allows(str(tmp_path / "elsewhere" / "b.h"))


def test_a_document_that_is_a_link_out_of_its_folder_may_not_be_read(tmp_path: Path) -> None:
    (tmp_path / "ws").mkdir()
    (tmp_path / "ws" / "k.cl").symlink_to(tmp_path / "secret")
    permission = read_permission_of_unit(str(tmp_path / "ws" / "k.cl"), [str(tmp_path / "ws")])
    assert permission.folders == (str(tmp_path / "ws"),) and permission.files == ()


@pytest.mark.parametrize("as_workspace", [False, True])
def test_the_home_folder_is_no_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, as_workspace: bool
) -> None:
    """Users keep their home folder in git; a kernel in a subfolder must not get access to their keys."""
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".git").mkdir()
    downloads = tmp_path / "Downloads" / "kernels"
    downloads.mkdir(parents=True)
    folders = [str(tmp_path)] if as_workspace else []
    assert find_project_root(str(downloads / "k.cl"), folders) == str(downloads)
    assert read_permission_of_unit(str(downloads / "k.cl"), folders).folders == (str(downloads),)
    (tmp_path / "Downloads" / ".git").mkdir()
    assert find_project_root(str(downloads / "k.cl"), folders) == str(tmp_path / "Downloads")


def test_a_shared_folder_is_no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    (tmp_path / "compile_flags.txt").touch()
    (tmp_path / "mine").mkdir()
    assert find_project_root(str(tmp_path / "mine" / "k.cl")) == str(tmp_path / "mine")


def test_options_files_that_are_links_to_other_files_do_not_count(tmp_path: Path) -> None:
    """Messages quote faulty options files, so the content of `.env` must not become one."""
    (tmp_path / "all").mkdir()
    (tmp_path / "all" / "compile_flags.txt").touch()
    (tmp_path / ".env").touch()
    link = tmp_path / "compile_flags.txt"
    link.symlink_to(".env")
    assert find_nearest_enclosing_file(str(tmp_path / "k.cl"), str(tmp_path), "compile_flags.txt") is None
    link.unlink()
    link.symlink_to("all/compile_flags.txt")
    assert find_nearest_enclosing_file(str(tmp_path / "k.cl"), str(tmp_path), "compile_flags.txt") == str(
        link
    )


def test_folders_upwards_end_at_the_top() -> None:
    assert list(enclosing_folders("/a/b/k.cl")) == ["/a/b", "/a", "/"]


def test_inside_is_by_folder_and_not_by_letters() -> None:
    assert is_inside("/a/b", "/a") and is_inside("/a", "/a") and is_inside("/a", "/")
    assert not is_inside("/ab", "/a")
