"""Readable roots: what a unit may read."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.workspace.roots import ROOT_MARKERS, folders_upwards, is_inside, project_root, readable_roots


@pytest.mark.parametrize("marker", ROOT_MARKERS)
def test_the_root_is_the_nearest_folder_with_a_marker(tmp_path: Path, marker: str) -> None:
    deep = tmp_path / "project 1" / "src" / "ä%20"
    deep.mkdir(parents=True)
    (tmp_path / "project 1" / marker).touch()
    assert project_root(str(deep / "k.cl")) == str(tmp_path / "project 1")


def test_without_a_marker_the_root_is_the_files_own_folder(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert project_root(str(tmp_path / "a" / "b" / "k.cl")) == str(tmp_path / "a" / "b")


def test_in_a_workspace_the_root_is_the_innermost_workspace_folder(tmp_path: Path) -> None:
    inner = tmp_path / "ws" / "inner"
    inner.mkdir(parents=True)
    (inner / ".git").mkdir()
    outer = str(tmp_path / "ws")
    assert project_root(str(inner / "k.cl"), [outer]) == outer
    assert project_root(str(inner / "k.cl"), [outer, str(inner)]) == str(inner)


def test_what_lies_in_the_roots_is_allowed_and_nothing_else(tmp_path: Path) -> None:
    workspace, include = tmp_path / "ws", tmp_path / "include"
    workspace.mkdir()
    include.mkdir()
    roots = readable_roots(str(workspace / "k.cl"), [str(workspace)], [str(include)])
    assert roots.allow(str(workspace / "a" / "b.h"))
    assert roots.allow(str(include / "b.h"))
    assert not roots.allow(str(tmp_path / "b.h"))
    assert not roots.allow(str(tmp_path / "ws2" / "b.h"))


def test_roots_are_resolved(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    roots = readable_roots(str(tmp_path / "link" / "k.cl"))
    assert roots.folders == (str(tmp_path / "real"),)


def test_a_file_outside_the_workspace_has_its_own_root(tmp_path: Path) -> None:
    for name in ("ws", "elsewhere"):
        (tmp_path / name).mkdir()
    roots = readable_roots(str(tmp_path / "elsewhere" / "k.cl"), [str(tmp_path / "ws")])
    assert roots.allow(str(tmp_path / "elsewhere" / "b.h"))


def test_folders_upwards_end_at_the_top() -> None:
    assert list(folders_upwards("/a/b/k.cl")) == ["/a/b", "/a", "/"]


def test_inside_is_by_folder_and_not_by_letters() -> None:
    assert is_inside("/a/b", "/a") and is_inside("/a", "/a") and is_inside("/a", "/")
    assert not is_inside("/ab", "/a")
