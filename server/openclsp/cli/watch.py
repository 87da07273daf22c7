"""`check --watch`: checks again whenever a file that the check read has changed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from typing import TypeAlias

WATCH_INTERVAL = 0.3
"""Seconds between two checks of the files."""

_FileState: TypeAlias = "tuple[int, int] | None"
"""Modification time in nanoseconds and size; None if there is no such file."""


def watch(check: Callable[[], Iterable[str]], find_files: Callable[[], Iterable[str]]) -> None:
    """Calls `check`, and again whenever a file has changed; ends only by an exception.

    `check` returns the files that it read. `find_files` lists the files to check, so that new files are
    noticed.
    """
    while True:
        files = set(find_files())
        # The state is read before the check, so that a file that changes during the check is checked again.
        before = {name: _state(name) for name in files}
        read = set(check()) - files
        before.update({name: _state(name) for name in read})
        while set(find_files()) == files and all(_state(name) == state for name, state in before.items()):
            time.sleep(WATCH_INTERVAL)


def _state(path: str) -> _FileState:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
