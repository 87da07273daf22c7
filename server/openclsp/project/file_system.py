"""File system access with permissions and size limits; open documents take precedence over files.

Errors are values instead of exceptions. No other module opens a workspace file (tested by
`tests/test_imports.py`).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import field
from enum import Enum
from functools import lru_cache
from typing import Final, Protocol

from openclsp.dataclass import dataclass
from openclsp.project.read_permission import ReadPermission
from openclsp.source.document import Document, DocumentName

MAXIMUM_FILE_SIZE = 16 * 1024 * 1024
"""Limit in bytes; larger files are not read."""


BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
"""Byte order mark that some editors write at the beginning of a UTF-8 file."""

_WIDE_MARKS: Final = (
    (b"\xff\xfe\0\0", "UTF-32"),
    (b"\0\0\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_ZERO_BYTE_PATTERNS: Final = (
    ((False, True, True, True), "UTF-32"),
    ((True, True, True, False), "UTF-32"),
    ((False, True, False, True), "UTF-16"),
    ((True, False, True, False), "UTF-16"),
)
"""For each encoding, the positions of zero bytes in a group of four bytes of ASCII text"""
_ENCODING_SAMPLE_SIZE: Final = 4096
"""Bytes at the beginning of a file that are inspected to detect its encoding."""
OUTSIDE_PERMISSION = (
    "is outside the project and the folders that you allowed (--readable-folder, readableFolders)"
)
"""Predicate of a message whose subject is a file; the same whether the file exists or not."""


class FileKind(Enum):
    """The kind of a file system entry: a regular file, a folder, or anything else."""

    FILE = "file"
    FOLDER = "folder"
    OTHER = "other"
    """A device, pipe or socket; never opened."""


@dataclass(frozen=True, slots=True)
class FileProblem:
    """The reason why a file cannot be read, as the predicate of a sentence, such as `does not exist`.

    `unreadable_by_every_compiler` is true if no compiler can read the file either.
    """

    path: str
    reason: str
    unreadable_by_every_compiler: bool = False


@dataclass(frozen=True, slots=True)
class DirectoryEntry:
    """A directory entry; for a symbolic link, `kind` is the kind of the link's target.

    `size` is in bytes, `modified` is the modification time in nanoseconds.
    """

    name: str
    kind: FileKind
    is_link: bool
    size: int = 0
    modified: int = 0


class FileSystem(Protocol):
    """The file system operations that the workspace needs. Paths are absolute; no operation raises."""

    def read(self, path: str, permission: ReadPermission) -> bytes | FileProblem:
        """Reads a regular file of at most MAXIMUM_FILE_SIZE bytes, if `permission` allows it.

        For byte order marks and encodings, see `decode_file`.
        """
        ...

    def locate(self, path: str, permission: ReadPermission) -> str | None:
        """Resolves `..` and symbolic links; None if `permission` does not allow reading the result."""
        ...

    def kind(self, path: str) -> FileKind | None:
        """Returns the kind of the entry, following symbolic links; None if there is none."""
        ...

    def entries(self, folder: str, permission: ReadPermission) -> tuple[DirectoryEntry, ...]:
        """Returns the folder's entries sorted by name; empty if reading it fails or is not permitted."""
        ...

    def resolve(self, path: str) -> str:
        """Resolves symbolic links and `..`; components that do not exist stay as they are.

        Use this only for paths that the user named, and `locate` for all others.
        """
        ...


class LocalFileSystem:
    """The local file system."""

    def read(self, path: str, permission: ReadPermission) -> bytes | FileProblem:
        located = self.locate(path, permission)
        if located is None:
            return FileProblem(path, OUTSIDE_PERMISSION)
        # Opening a device can have side effects.
        if self.kind(located) is FileKind.OTHER:
            return FileProblem(path, "is not a regular file")
        try:
            descriptor = os.open(located, _OPEN_FLAGS)
        except (OSError, ValueError) as error:
            return FileProblem(path, _reason(error))
        try:
            status = os.fstat(descriptor)
            kind = _kind(status.st_mode)
            if kind is not FileKind.FILE:
                return FileProblem(
                    path, "is a folder" if kind is FileKind.FOLDER else "is not a regular file"
                )
            with open(descriptor, "rb", closefd=False) as file:
                # `read` allocates as many bytes as are requested: 2 MB for each file took 0.1 ms.
                data = file.read(min(status.st_size, MAXIMUM_FILE_SIZE) + 1)
                if len(data) > status.st_size:
                    data += file.read(MAXIMUM_FILE_SIZE + 1 - len(data))
        except OSError as error:
            return FileProblem(path, _reason(error))
        finally:
            os.close(descriptor)
        if len(data) > MAXIMUM_FILE_SIZE:
            return FileProblem(path, f"is larger than {MAXIMUM_FILE_SIZE // (1024 * 1024)} MB")
        return decode_file(path, data)

    def kind(self, path: str) -> FileKind | None:
        try:
            mode = os.stat(path).st_mode
        except (OSError, ValueError):
            return None
        return _kind(mode)

    def locate(self, path: str, permission: ReadPermission) -> str | None:
        return permission.locate(path, _link_target)

    def entries(self, folder: str, permission: ReadPermission) -> tuple[DirectoryEntry, ...]:
        found: list[DirectoryEntry] = []
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
                            # The target is not inspected: no answer may depend on files outside.
                            found.append(DirectoryEntry(entry.name, FileKind.OTHER, is_link=True))
                            continue
                        status = entry.stat() if target is None else os.stat(target)
                        kind = _kind(status.st_mode)
                        found.append(
                            DirectoryEntry(entry.name, kind, link, status.st_size, status.st_mtime_ns)
                        )
                    except OSError:
                        continue  # a dangling link
        except (OSError, ValueError):
            return ()
        return tuple(sorted(found, key=lambda each: each.name))

    def resolve(self, path: str) -> str:
        try:
            return os.path.realpath(path)
        except (OSError, ValueError):
            return os.path.normpath(path)


# O_NONBLOCK: opening a named pipe without a writer must not block. O_NOFOLLOW: `locate` has resolved all
# links.
_OPEN_FLAGS = os.O_RDONLY | sum(getattr(os, flag, 0) for flag in ("O_NONBLOCK", "O_BINARY", "O_NOFOLLOW"))

LOCAL_FILE_SYSTEM: FileSystem = LocalFileSystem()

# A run reads a header several times for each file: to choose its options, to find its includers, to verify cached
# results. Finding the lines takes ten times as long as comparing the text.
_make_document = lru_cache(maxsize=64)(Document.of)


@dataclass(frozen=True, slots=True)
class DocumentStore:
    """Reads documents: open documents take precedence over files.

    `open_documents` is keyed by document name; an open document shadows the file of the same name.
    """

    file_system: FileSystem = LOCAL_FILE_SYSTEM
    open_documents: Mapping[DocumentName, Document] = field(default_factory=dict)

    def read(self, name: DocumentName, permission: ReadPermission) -> Document | FileProblem:
        """Returns the open document with that name, or else a document with the content of the file."""
        document = self.open_documents.get(name)
        if document is not None:
            return document
        data = self.file_system.read(name, permission)
        return data if isinstance(data, FileProblem) else _make_document(name, data)


def _link_target(path: str) -> str | None:
    try:
        # readlink also reads the junctions of Windows, which islink does not recognise.
        return os.readlink(path)
    except (OSError, ValueError):
        return None


def decode_file(path: str, data: bytes) -> bytes | FileProblem:
    """Returns the data without a byte order mark of UTF-8; returns a FileProblem for UTF-16 and UTF-32.

    The mark is not a character of the text, and editors do not count it as a column. No OpenCL compiler reads
    UTF-16 or UTF-32.
    """
    if data.startswith(BYTE_ORDER_MARK):
        return data[len(BYTE_ORDER_MARK) :]
    encoding = _detect_wide_encoding(data)
    if encoding is not None:
        reason = f"is {encoding} text, which OpenCL compilers do not read: save it as UTF-8"
        return FileProblem(path, reason, unreadable_by_every_compiler=True)
    return data


def _detect_wide_encoding(data: bytes) -> str | None:
    """Returns the name of the encoding if the data is UTF-32 or UTF-16 text, otherwise None.

    A byte order mark determines the encoding. Without one, the positions of zero bytes do, if most characters
    are ASCII.
    """
    for mark, name in _WIDE_MARKS:
        if data.startswith(mark):
            return name
    beginning = data[:_ENCODING_SAMPLE_SIZE]
    quads = len(beginning) // 4
    if not quads or 0 not in beginning:
        return None
    share = [beginning[place : 4 * quads : 4].count(0) / quads for place in range(4)]
    for pattern, name in _ZERO_BYTE_PATTERNS:
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
