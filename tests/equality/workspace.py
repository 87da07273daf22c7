"""A folder of files and its open documents: the state that the edits change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from .buffer import Buffer
from .changes import Change
from .talk import Talk

MOST_GROWTH = 40_000
"""Characters that a text may grow by; pasting what was pasted would double it again and again."""

_CREATED, _CHANGED, _DELETED = 1, 2, 3
"""Kinds of file events (LSP 3.17, "FileChangeType")."""


class Workspace:
    """Files on disk and open documents; every change is announced to the server."""

    def __init__(self, talk: Talk, folder: Path) -> None:
        self.talk = talk
        self.folder = folder
        self.files = {path: _read(path) for path in sorted(folder.rglob("*")) if path.is_file()}
        """Every file that there was, with its first text."""
        self.open: dict[Path, Buffer] = {}
        """In the order in which they were opened."""
        self.edits = 0
        self._before: dict[Path, list[str]] = {}

    def file(self, number: int) -> Path:
        """Returns one of the files; any number is valid."""
        return list(self.files)[number % len(self.files)]

    def show(self, path: Path) -> Buffer:
        """Opens the document, unless it is open."""
        if path not in self.open:
            text = _read(path) if path.exists() else ""
            self.open[path] = Buffer(self.talk, path.as_uri(), text)
        return self.open[path]

    def close(self, path: Path) -> None:
        """Closes the document; the client forgets its earlier versions."""
        self.open.pop(path).close()
        self._before.pop(path, None)

    def edit(self, path: Path, change: Callable[[str], Change]) -> None:
        """Changes an open document."""
        buffer = self.open[path]
        start, end, new = change(buffer.text)
        if len(buffer.text) + len(new) < len(self.files[path]) + MOST_GROWTH:
            self.edits += 1
            self._before.setdefault(path, []).append(buffer.text)
            buffer.replace(start, end, new)

    def undo(self, path: Path, count: int) -> None:
        """Undoes the last edits of an open document, each by a separate edit."""
        before = self._before.get(path, [])
        for _ in range(min(count, len(before))):
            self.edits += 1
            _edit_to(self.open[path], before.pop())

    def save(self, path: Path) -> None:
        """Writes an open document to disk."""
        self.write(path, self.open[path].text)
        self.talk.notify("textDocument/didSave", textDocument={"uri": path.as_uri()})

    def change_on_disk(self, path: Path, change: Callable[[str], Change]) -> None:
        """Changes a file on disk but not its open document."""
        text = _read(path) if path.exists() else ""
        start, end, new = change(text)
        if len(text) + len(new) < len(self.files[path]) + MOST_GROWTH:
            self.edits += 1
            self.write(path, text[:start] + new + text[end:])

    def restore(self, path: Path) -> None:
        """Restores the original text of a file."""
        self.write(path, self.files[path])

    def write(self, path: Path, text: str) -> None:
        """Writes a file."""
        kind = _CHANGED if path.exists() else _CREATED
        path.write_bytes(text.encode("utf-8"))
        self._announce(path, kind)

    def delete(self, path: Path) -> None:
        """Deletes a file."""
        if path.exists():
            path.unlink()
            self._announce(path, _DELETED)

    def _announce(self, path: Path, kind: int) -> None:
        self.talk.notify("workspace/didChangeWatchedFiles", changes=[{"uri": path.as_uri(), "type": kind}])


def _read(path: Path) -> str:
    """The text of a file as an editor reads it, so that writing it back gives the same bytes."""
    return path.read_bytes().decode("utf-8", errors="replace")


def _edit_to(buffer: Buffer, text: str) -> None:
    """Replaces the text of the buffer by one edit."""
    old = buffer.text
    limit = min(len(old), len(text))
    start = next((at for at in range(limit) if old[at] != text[at]), limit)
    same = next((at for at in range(limit - start) if old[-1 - at] != text[-1 - at]), limit - start)
    buffer.replace(start, len(old) - same, text[start : len(text) - same])
