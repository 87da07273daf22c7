"""A file system that reads each file once."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.project import cached_reads
from openclsp.project.cached_reads import CachedReads
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, FileProblem
from openclsp.project.project_scan import scan_project
from openclsp.project.read_permission import NO_READ_PERMISSION, ReadPermission


class Changed:
    """A file that is changed after it was read; `read` reads it again through the cache."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "host.c"
        self.path.write_text("first")
        self.permission = scan_project(str(folder)).permission
        self.files = CachedReads(LOCAL_FILE_SYSTEM)
        assert self.read() == b"first"
        self.path.write_text("second")

    def read(self, permission: ReadPermission | None = None) -> bytes | FileProblem:
        return self.files.read(str(self.path), permission or self.permission)


def test_a_changed_file_keeps_its_first_content(tmp_path: Path) -> None:
    assert Changed(tmp_path).read() == b"first"


def test_cached_content_is_not_returned_without_permission(tmp_path: Path) -> None:
    assert isinstance(Changed(tmp_path).read(NO_READ_PERMISSION), FileProblem)


def test_content_beyond_the_limit_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached_reads, "MAXIMUM_CACHED_BYTES", 4)
    assert Changed(tmp_path).read() == b"second"


def test_a_large_file_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached_reads, "MAXIMUM_CACHED_FILE", 4)
    assert Changed(tmp_path).read() == b"second"
