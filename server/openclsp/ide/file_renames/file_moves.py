"""Renames and moves of files and folders, as a mapping between old and new paths."""

from __future__ import annotations

import os

from openclsp.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class FileMoves:
    """Pairs of an old and a new absolute path.

    A pair of folders moves everything in the old folder.
    """

    pairs: tuple[tuple[str, str], ...]

    def new_path(self, path: str) -> str:
        """Returns the path after the moves; the same path if the file is not moved."""
        found = _moved(path, self.pairs)
        return path if found is None else found

    def old_path(self, path: str) -> str | None:
        """Returns the old path of the file whose new path is `path`.

        None if the file at `path` was moved away and no other file was moved there.
        """
        found = _moved(path, tuple((new, old) for old, new in self.pairs))
        if found is not None:
            return found
        return path if self.new_path(path) == path else None


def _moved(path: str, pairs: tuple[tuple[str, str], ...]) -> str | None:
    """Returns the path after the move; None if no pair applies.

    The applied pair (old, new) is the innermost one whose old path is the path or contains it.
    """
    found = [(old, new) for old, new in pairs if path == old or path.startswith(old.rstrip(os.sep) + os.sep)]
    if not found:
        return None
    old, new = max(found, key=lambda pair: len(pair[0]))
    return new + path[len(old.rstrip(os.sep)) :] if path != old else new
