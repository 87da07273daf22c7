"""The facts about a project's other files on which the analysis of one file depends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Final, Protocol

from openclsp.dataclass import dataclass

SEVERAL_FILES: Final = ""
"""Replaces the path of the declaring file if more than one file declares the name."""


class NamesElsewhere(Protocol):
    """The names that other files may define in ways that the analysis of one file does not see."""

    def __contains__(self, name: str, /) -> bool:
        """Whether another file may define the name."""

    def get(self, name: str, /) -> str | None:
        """Returns the path of the only file that may define the name, SEVERAL_FILES, or None for other names."""


def _is_never_open(name: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class DeclarationsElsewhere:
    """The declarations in other files of the project, for the file at `path`.

    - `is_included`: another file includes this one.
    - `declaring_files`: returns the declaring file, or SEVERAL_FILES, of each function that is declared
      without a body and each variable that is declared `extern`. It returns None if the project is too large.
      The result may contain too many names, which can only suppress findings.
    """

    path: str = ""
    is_included: bool = False
    declaring_files: Callable[[], Mapping[str, str] | None] = field(default=dict)
    is_whole: bool = False
    """Whether the unit is a whole program of the project, and all programs that share its documents are known"""
    is_open: Callable[[str], bool] = field(default=_is_never_open)
    """For a whole program: whether the callers of a non-static function with a prototype are not all known"""

    def declares(self, name: str) -> bool:
        """Whether another file may declare the name."""
        declared = self.declaring_files()
        if declared is None:
            return True
        found = declared.get(name)
        return found is not None and found != self.path


NO_DECLARATIONS_ELSEWHERE: Final = DeclarationsElsewhere()
"""For a file without a project, or whose project has not been scanned yet."""
