"""Bounded reads of files; open documents take precedence over files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from openclsp.project import file_system
from openclsp.project.file_system import (
    LOCAL_FILE_SYSTEM,
    DocumentStore,
    FileKind,
    FileProblem,
)
from openclsp.project.project_roots import read_permission_of_folder
from openclsp.project.read_permission import ReadPermission
from openclsp.source.document import Document


def beside(path: Path | str) -> ReadPermission:
    """The permission to read the folder of a path."""
    return read_permission_of_folder(os.path.dirname(path))


def reason(path: Path | str) -> str:
    problem = LOCAL_FILE_SYSTEM.read(str(path), beside(path))
    assert isinstance(problem, FileProblem)
    return problem.reason


def test_a_file_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "größe 100%.cl"
    path.write_bytes(b"\xff\x00a\r\n")
    assert LOCAL_FILE_SYSTEM.read(str(path), beside(path)) == b"\xff\x00a\r\n"
    assert LOCAL_FILE_SYSTEM.kind(str(path)) is FileKind.FILE


def test_an_unreadable_file_has_a_reason(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert reason(tmp_path / "missing") == "does not exist"
    assert reason(tmp_path / "file" / "below") == "does not exist"
    assert reason(tmp_path / "nul\0inside") == "does not exist"
    assert reason(tmp_path) == "is a folder"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert reason(tmp_path / "pipe") == "is not a regular file"
    assert LOCAL_FILE_SYSTEM.kind(str(tmp_path / "pipe")) is FileKind.OTHER


def test_a_large_file_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_system, "MAXIMUM_FILE_SIZE", 2 * 1024 * 1024)
    path = tmp_path / "large.cl"
    path.write_bytes(b" " * (2 * 1024 * 1024))
    assert isinstance(LOCAL_FILE_SYSTEM.read(str(path), beside(path)), bytes)
    path.write_bytes(b" " * (2 * 1024 * 1024 + 1))
    assert reason(path) == "is larger than 2 MB"


def test_entries_are_sorted_and_dangling_links_left_out(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "a.cl").touch()
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "link").symlink_to("b")
    permission = read_permission_of_folder(str(tmp_path))
    held = LOCAL_FILE_SYSTEM.entries(str(tmp_path), permission)
    found = [(entry.name, entry.kind, entry.is_link) for entry in held]
    assert found == [
        ("a.cl", FileKind.FILE, False),
        ("b", FileKind.FOLDER, False),
        ("link", FileKind.FOLDER, True),
    ]
    assert LOCAL_FILE_SYSTEM.entries(str(tmp_path / "missing"), permission) == ()


def test_nothing_is_read_or_listed_without_permission(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "in" / "link").symlink_to("../secret")
    (tmp_path / "in" / "up").symlink_to("..")
    permission = read_permission_of_folder(str(tmp_path / "in"))
    for name in ("../secret", "link", "up/secret", "missing/../../secret"):
        found = LOCAL_FILE_SYSTEM.read(str(tmp_path / "in" / name), permission)
        assert isinstance(found, FileProblem) and found.reason == file_system.OUTSIDE_PERMISSION
    assert LOCAL_FILE_SYSTEM.entries(str(tmp_path), permission) == ()
    assert LOCAL_FILE_SYSTEM.entries(str(tmp_path / "in" / "up"), permission) == ()
    held = LOCAL_FILE_SYSTEM.entries(str(tmp_path / "in"), permission)
    assert [(each.kind, each.size) for each in held] == [(FileKind.OTHER, 0)] * 2


def test_an_open_document_shadows_its_file(tmp_path: Path) -> None:
    path = str(tmp_path / "k.cl")
    Path(path).write_bytes(b"on disk")
    opened = Document.of(path, b"in the editor")
    assert DocumentStore(open_documents={path: opened}).read(path, beside(path)) is opened
    document = DocumentStore().read(path, beside(path))
    assert isinstance(document, Document) and document.text.data == b"on disk"
