"""Bounded reads, and open documents above files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from openclsp.source.document import Document
from openclsp.workspace import files
from openclsp.workspace.files import LOCAL_FILES, Documents, FileKind, FileProblem


def reason(path: Path | str) -> str:
    problem = LOCAL_FILES.read(str(path))
    assert isinstance(problem, FileProblem)
    return problem.reason


def test_a_file_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "größe 100%.cl"
    path.write_bytes(b"\xff\x00a\r\n")
    assert LOCAL_FILES.read(str(path)) == b"\xff\x00a\r\n"
    assert LOCAL_FILES.kind(str(path)) is FileKind.FILE


def test_what_cannot_be_read_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert reason(tmp_path / "missing") == "does not exist"
    assert reason(tmp_path / "file" / "below") == "does not exist"
    assert reason("nul\0inside") == "does not exist"
    assert reason(tmp_path) == "is a folder"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert reason(tmp_path / "pipe") == "is not a regular file"
    assert LOCAL_FILES.kind(str(tmp_path / "pipe")) is FileKind.OTHER


def test_a_large_file_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAXIMUM_FILE_SIZE", 2 * 1024 * 1024)
    path = tmp_path / "large.cl"
    path.write_bytes(b" " * (2 * 1024 * 1024))
    assert isinstance(LOCAL_FILES.read(str(path)), bytes)
    path.write_bytes(b" " * (2 * 1024 * 1024 + 1))
    assert reason(path) == "is larger than 2 MB"


def test_entries_are_sorted_and_dangling_links_left_out(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "a.cl").touch()
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "link").symlink_to("b")
    found = [(entry.name, entry.kind, entry.is_link) for entry in LOCAL_FILES.entries(str(tmp_path))]
    assert found == [
        ("a.cl", FileKind.FILE, False),
        ("b", FileKind.FOLDER, False),
        ("link", FileKind.FOLDER, True),
    ]
    assert LOCAL_FILES.entries(str(tmp_path / "missing")) == ()


def test_an_open_document_shadows_its_file(tmp_path: Path) -> None:
    path = str(tmp_path / "k.cl")
    Path(path).write_bytes(b"on disk")
    opened = Document.of(path, b"in the editor")
    assert Documents(open={path: opened}).read(path) is opened
    document = Documents().read(path)
    assert isinstance(document, Document) and document.text.data == b"on disk"
    untitled = Document.of("untitled:1", b"")
    assert Documents(open={"untitled:1": untitled}).exists("untitled:1")
    assert not Documents().exists(str(tmp_path))
