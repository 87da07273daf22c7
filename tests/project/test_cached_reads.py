"""A file system that reads each file once."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.project import cached_reads
from openclsp.project.cached_reads import CachedReads
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, FileProblem
from openclsp.project.project_scan import scan_project
from openclsp.project.read_permission import NO_READ_PERMISSION


def test_a_changed_file_keeps_its_first_content(tmp_path: Path) -> None:
    path = tmp_path / "host.c"
    path.write_text("first")
    permission = scan_project(str(tmp_path)).permission
    files = CachedReads(LOCAL_FILE_SYSTEM)
    assert files.read(str(path), permission) == b"first"
    path.write_text("second")
    assert files.read(str(path), permission) == b"first"


def test_cached_content_is_not_returned_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "host.c"
    path.write_text("secret")
    files = CachedReads(LOCAL_FILE_SYSTEM)
    assert files.read(str(path), scan_project(str(tmp_path)).permission) == b"secret"
    assert isinstance(files.read(str(path), NO_READ_PERMISSION), FileProblem)


def test_content_beyond_the_limit_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached_reads, "MAXIMUM_CACHED_BYTES", 4)
    path = tmp_path / "host.c"
    path.write_text("first")
    permission = scan_project(str(tmp_path)).permission
    files = CachedReads(LOCAL_FILE_SYSTEM)
    assert files.read(str(path), permission) == b"first"
    path.write_text("second")
    assert files.read(str(path), permission) == b"second"
