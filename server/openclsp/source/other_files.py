"""The other files of a project, as far as they affect the analysis of one file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Final

from openclsp.dataclass import dataclass

SEVERAL_FILES: Final = ""
"""Replaces the path of the declaring file if more than one file declares the name."""


def _is_never_open(name: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class DeclarationsElsewhere:
    """The rest of the project, as seen from the file at `path`.

    `is_included` is true if another file includes this one. `declaring_files` is computed on first use. It maps each
    function that some file declares without a body, and each variable that some file declares `extern`, to
    that file or to SEVERAL; it is None if the project is too large. It errs on the side of too many names: a
    name in it can only suppress findings.
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
