"""The file system as the server sees it: permitted and bounded reads, no exceptions, open documents on top.

No other module opens a file of a workspace (`tests/test_architecture.py` holds it).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import field
from enum import Enum
from typing import Final, Protocol

from openclsp.dataclass import dataclass
from openclsp.source.document import Document, DocumentName
from openclsp.workspace.read_permission import ReadPermission

MAXIMUM_FILE_SIZE = 16 * 1024 * 1024
"""Bytes; a larger file is not read (every resource has a bound)."""


BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
"""With which some editors begin a file in UTF-8."""

_WIDE_MARKS: Final = (
    (b"\xff\xfe\0\0", "UTF-32"),
    (b"\0\0\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_ZERO_PLACES: Final = (
    ((False, True, True, True), "UTF-32"),
    ((True, True, True, False), "UTF-32"),
    ((False, True, False, True), "UTF-16"),
    ((True, False, True, False), "UTF-16"),
)
"""Which of four bytes are zero in ASCII text"""
_LOOKED_AT: Final = 4096
"""Bytes at the beginning of a file by which its encoding is told."""
OUTSIDE = "lies outside of the project and of what you let it read (--readable-folder, readableFolders)"
"""Continues a sentence that begins with a file: the same whether there is such a file or not."""


class FileKind(Enum):
    """What stands under a path."""

    FILE = "file"
    FOLDER = "folder"
    OTHER = "other"
    """A device, a pipe, a socket: never opened."""


@dataclass(frozen=True, slots=True)
class FileProblem:
    """Why a file cannot be read; `reason` continues the sentence "FILE …": `does not exist`. `by_every_compiler` is whether no
    compiler can read it either."""

    path: str
    reason: str
    by_every_compiler: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """One name in a folder; `is_link` for a symbolic link, whose `kind` is that of what it leads to.

    `size` in bytes, `modified` in nanoseconds of the file's time.
    """

    name: str
    kind: FileKind
    is_link: bool
    size: int = 0
    modified: int = 0


class FileSystem(Protocol):
    """What the workspace asks of a file system. Paths are absolute; nothing raises."""

    def read(self, path: str, permission: ReadPermission) -> bytes | FileProblem:
        """The text of a regular file of at most MAXIMUM_FILE_SIZE bytes, if it may be read; see `text_of_file`."""
        ...

    def locate(self, path: str, permission: ReadPermission) -> str | None:
        """Where the path leads, links followed; None where that may not be read."""
        ...

    def kind(self, path: str) -> FileKind | None:
        """What is there, symbolic links followed; None where there is nothing."""
        ...

    def entries(self, folder: str, permission: ReadPermission) -> tuple[Entry, ...]:
        """What the folder holds, sorted by name; nothing where it cannot or may not be read."""
        ...

    def resolve(self, path: str) -> str:
        """The path with symbolic links and `..` taken out; what does not exist keeps its name.

        For paths that the person named. Others are located.
        """
        ...


class LocalFiles:
    """The file system of this machine."""

    def read(self, path: str, permission: ReadPermission) -> bytes | FileProblem:
        located = self.locate(path, permission)
        if located is None:
            return FileProblem(path, OUTSIDE)
        # to open a device can do something by itself
        if self.kind(located) is FileKind.OTHER:
            return FileProblem(path, "is not a regular file")
        try:
            descriptor = os.open(located, _OPENING)
        except (OSError, ValueError) as error:
            return FileProblem(path, _reason(error))
        try:
            kind = _kind(os.fstat(descriptor).st_mode)
            if kind is not FileKind.FILE:
                return FileProblem(
                    path, "is a folder" if kind is FileKind.FOLDER else "is not a regular file"
                )
            with open(descriptor, "rb", closefd=False) as file:
                data = file.read(MAXIMUM_FILE_SIZE + 1)
        except OSError as error:
            return FileProblem(path, _reason(error))
        finally:
            os.close(descriptor)
        if len(data) > MAXIMUM_FILE_SIZE:
            return FileProblem(path, f"is larger than {MAXIMUM_FILE_SIZE // (1024 * 1024)} MB")
        return text_of_file(path, data)

    def kind(self, path: str) -> FileKind | None:
        try:
            mode = os.stat(path).st_mode
        except (OSError, ValueError):
            return None
        return _kind(mode)

    def locate(self, path: str, permission: ReadPermission) -> str | None:
        return permission.locate(path, _link_target)

    def entries(self, folder: str, permission: ReadPermission) -> tuple[Entry, ...]:
        found: list[Entry] = []
        located = self.locate(folder, permission)
        if located is None:
            return ()
        try:
            with os.scandir(located) as scan:
                for entry in scan:
                    try:
                        link = entry.is_symlink()
                        target = self.locate(entry.path, permission) if link else None
                        if link and target is None:
                            # where it leads is not looked at
                            found.append(Entry(entry.name, FileKind.OTHER, is_link=True))
                            continue
                        status = entry.stat() if target is None else os.stat(target)
                        kind = _kind(status.st_mode)
                        found.append(Entry(entry.name, kind, link, status.st_size, status.st_mtime_ns))
                    except OSError:
                        continue  # a link that leads nowhere
        except (OSError, ValueError):
            return ()
        return tuple(sorted(found, key=lambda each: each.name))

    def resolve(self, path: str) -> str:
        try:
            return os.path.realpath(path)
        except (OSError, ValueError):
            return os.path.normpath(path)


# O_NONBLOCK: opening a named pipe that nobody writes to must not wait; O_NOFOLLOW: links were followed before
_OPENING = os.O_RDONLY | sum(getattr(os, flag, 0) for flag in ("O_NONBLOCK", "O_BINARY", "O_NOFOLLOW"))

LOCAL_FILES: FileSystem = LocalFiles()


@dataclass(frozen=True, slots=True)
class Documents:
    """The documents that can be read: those that the editor has open, and under them the files.

    `open` is keyed by document name; it shadows the file of the same name.
    """

    files: FileSystem = LOCAL_FILES
    open: Mapping[DocumentName, Document] = field(default_factory=dict)

    def read(self, name: DocumentName, permission: ReadPermission) -> Document | FileProblem:
        """The document of that name, as the editor has it or as the file holds it."""
        document = self.open.get(name)
        if document is not None:
            return document
        data = self.files.read(name, permission)
        return data if isinstance(data, FileProblem) else Document.of(name, data)


def _link_target(path: str) -> str | None:
    try:
        # readlink also reads the junctions of Windows, which islink does not know
        return os.readlink(path)
    except (OSError, ValueError):
        return None


def text_of_file(path: str, data: bytes) -> bytes | FileProblem:
    """The text that a file's bytes hold: without the byte order mark of UTF-8, which is no character of the text and no
    column for editors. UTF-16 and UTF-32 are a problem: no OpenCL compiler reads them."""
    if data.startswith(BYTE_ORDER_MARK):
        return data[len(BYTE_ORDER_MARK) :]
    encoding = _wide_encoding(data)
    if encoding is not None:
        reason = f"is {encoding} text, which OpenCL compilers do not read: save it as UTF-8"
        return FileProblem(path, reason, by_every_compiler=True)
    return data


def _wide_encoding(data: bytes) -> str | None:
    """UTF-32 or UTF-16, by the byte order mark, or by the places of the zero bytes where most characters are ASCII."""
    for mark, name in _WIDE_MARKS:
        if data.startswith(mark):
            return name
    beginning = data[:_LOOKED_AT]
    quads = len(beginning) // 4
    if not quads or 0 not in beginning:
        return None
    share = [beginning[place : 4 * quads : 4].count(0) / quads for place in range(4)]
    for pattern, name in _ZERO_PLACES:
        if all(share[place] > 0.5 if zero else share[place] < 0.1 for place, zero in enumerate(pattern)):
            return name
    return None


def _kind(mode: int) -> FileKind:
    if stat.S_ISREG(mode):
        return FileKind.FILE
    return FileKind.FOLDER if stat.S_ISDIR(mode) else FileKind.OTHER


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError | NotADirectoryError | ValueError):
        return "does not exist"
    if isinstance(error, IsADirectoryError):
        return "is a folder"
    return f"cannot be read: {error.strerror or error}"
