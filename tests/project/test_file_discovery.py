"""Expanding the PATH arguments of the command line to files."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.project import file_discovery
from openclsp.project.file_discovery import (
    DiscoveredFiles,
    discover_files,
    is_cpp_for_opencl_file,
    is_opencl_file,
)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for path in (
        *(
            "src/b.cl",
            "src/a.CL",
            "src/deep er/ü%20.ocl",
            "src/h.clh",
            "src/x.cl.h",
            "src/n.txt",
            "src/p.clcpp",
        ),
        *("src/.hidden/k.cl", "src/z.clc", "src/y.opencl", "outside/o.cl"),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


IN_SRC = (
    *("src/a.CL", "src/b.cl", "src/deep er/ü%20.ocl", "src/h.clh", "src/p.clcpp", "src/x.cl.h"),
    *("src/y.opencl", "src/z.clc"),
)


def test_a_folder_means_its_kernels_and_headers_named_as_the_folder_was_given(tree: Path) -> None:
    assert discover_files(["src"]) == DiscoveredFiles(IN_SRC)
    assert discover_files([str(tree / "src")]).files == tuple(str(tree / path) for path in IN_SRC)


def test_more_endings_may_mean_kernels(tree: Path) -> None:
    (tree / "src" / "m.KNL").touch()
    assert discover_files(["src"], endings=(".knl", ".txt")).files == tuple(
        sorted((*IN_SRC, "src/m.KNL", "src/n.txt"))
    )


@pytest.mark.parametrize("name", ["Makefile.OpenCL", "README.cl", "docker/Dockerfile.opencl"])
def test_an_ending_may_name_a_variant_of_another_file(name: str) -> None:
    assert not is_opencl_file(name)
    assert is_opencl_file(name, (".opencl", ".cl"))


def test_the_attributes_that_macos_stores_beside_a_kernel_are_no_kernel(tree: Path) -> None:
    (tree / "src" / "._b.cl").write_bytes(b"\0\5\26\7\0\2\0\0Mac OS X")
    assert discover_files(["src"]).files == IN_SRC
    assert not is_opencl_file("src/._b.knl", (".knl",))


def test_a_named_file_is_taken_whatever_it_is_called(tree: Path) -> None:
    assert discover_files(["src/n.txt", "src/h.clh"]).files == ("src/h.clh", "src/n.txt")


def test_each_file_comes_once_and_as_it_was_named(tree: Path) -> None:
    assert discover_files(["src", "src/b.cl"]).files == IN_SRC
    assert discover_files(["./src/b.cl", "src/b.cl"]).files == ("src/b.cl",)


def test_what_does_not_exist_is_named(tree: Path) -> None:
    assert discover_files(["nowhere.cl", "src/b.cl"]) == DiscoveredFiles(("src/b.cl",), ("nowhere.cl",))


def test_links_are_followed_within_the_folder_and_never_in_circles(tree: Path) -> None:
    (tree / "src" / "deep er" / "loop").symlink_to(tree / "src")
    (tree / "src" / "away").symlink_to(tree / "outside")
    (tree / "src" / "away.cl").symlink_to(tree / "outside" / "o.cl")
    assert discover_files(["src"]).files == IN_SRC


def test_the_walk_is_bounded(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_discovery, "MAXIMUM_FILES", 2)
    found = discover_files(["src"])
    assert found.truncated and len(found.files) == 2


def test_kinds_of_files_by_name() -> None:
    assert is_cpp_for_opencl_file("a.clcpp") and is_cpp_for_opencl_file("B.CLC++")
    assert not is_cpp_for_opencl_file("a.cl")
    assert is_opencl_file("a.clh") and is_opencl_file("a.cl.h") and not is_opencl_file("a.h")


@pytest.mark.parametrize(
    "path", ["venv/pyvenv.cfg", "build/CMakeCache.txt", "lib/site-packages/k.py", "node_modules/gl/k.js"]
)
def test_packages_and_the_output_of_tools_are_checked_only_if_they_are_named(tree: Path, path: str) -> None:
    marker = tree / "src" / path
    marker.parent.mkdir(parents=True)
    marker.touch()
    marker.with_name("k.cl").touch()
    assert discover_files(["src"]).files == IN_SRC
    folder = f"src/{path.rpartition('/')[0]}"
    assert discover_files([folder]).files == (f"{folder}/k.cl",)
