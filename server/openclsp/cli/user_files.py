"""Reads and writes files that the user names for a command: baselines and reports.

Each file is written to a temporary file first, which then replaces the old one, so that a failure leaves no
partial file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from openclsp.cli.command_error import CommandError

MAXIMUM_USER_FILE_SIZE = 64 * 1024 * 1024
"""Limit in bytes for a file that a command reads, such as a baseline."""


def read_user_file(path: str) -> bytes:
    """Reads a file that the user named. Raises CommandError."""
    try:
        with open(path, "rb") as file:
            data = file.read(MAXIMUM_USER_FILE_SIZE + 1)
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}") from error
    if len(data) > MAXIMUM_USER_FILE_SIZE:
        raise CommandError(f"{path} is larger than {MAXIMUM_USER_FILE_SIZE // (1024 * 1024)} MB")
    return data


def read_whole_file(path: str) -> bytes:
    """Reads a file that is about to be replaced. Raises OSError."""
    with open(path, "rb") as file:
        return file.read()


def write_user_file(path: str, data: bytes) -> None:
    """Writes a file that the user named. On failure, keeps the old content and raises CommandError."""
    try:
        replace_file(path, data)
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}") from error


@contextmanager
def new_user_file(path: str) -> Iterator[None]:
    """A context manager that creates an empty file and removes it if the `with` block fails.

    The user named the file. Raises CommandError.
    """
    write_user_file(path, b"")
    try:
        yield
    except BaseException:
        with suppress(OSError):
            os.unlink(path)
        raise


def write_user_folder(folder: str, files: Iterable[tuple[str, bytes]]) -> None:
    """Writes files into a folder that the user named: all of them, or none. Raises CommandError.

    The folder is created unless it exists. Other files in it are kept.
    """
    existed = os.path.exists(folder)
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise CommandError(f"{folder} cannot be created: {error.strerror}") from error
    temporaries: list[tuple[str, str]] = []
    try:
        for name, data in files:
            target = os.path.join(folder, name)
            try:
                temporaries.append((_write_temporary(target, data), target))
            except OSError as error:
                raise CommandError(f"{target} cannot be written: {error.strerror}") from error
    except BaseException:
        for temporary, _ in temporaries:
            os.unlink(temporary)
        if not existed:
            os.rmdir(folder)
        raise
    for temporary, target in temporaries:
        os.replace(temporary, target)


def replace_file(path: str, data: bytes) -> None:
    """Replaces the content of a file, and keeps the file's permissions.

    If `path` is a link, the file that it leads to is replaced. The old content is kept if OSError is raised.
    The data is written directly to a device.
    """
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "wb") as device:
            device.write(data)
        return
    os.replace(_write_temporary(target, data), target)


def _write_temporary(target: str, data: bytes) -> str:
    """Writes the data to a new file in the target's folder, and returns the path of the new file.

    The file has the permissions of the target. Raises OSError.
    """
    # `tempfile` is imported only here: most runs write no file, and the import takes as long as checking a
    # small kernel.
    import tempfile

    descriptor, temporary = tempfile.mkstemp(
        prefix=f".{os.path.basename(target)[:100]}.", suffix=".tmp", dir=os.path.dirname(target)
    )
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _mode(target))
    except BaseException:
        os.unlink(temporary)
        raise
    return temporary


def _mode(path: str) -> int:
    """Returns the permissions of a file; the default permissions of new files if it does not exist."""
    try:
        return os.stat(path).st_mode & 0o7777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
