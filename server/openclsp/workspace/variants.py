"""Variants: the several ways in which one kernel's file is built, each a name and the options that it adds."""

from __future__ import annotations

import os.path
from collections.abc import Sequence

from openclsp.dataclass import dataclass
from openclsp.workspace.options import Options
from openclsp.workspace.path_patterns import path_patterns
from openclsp.workspace.read_permission import is_inside


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to build. `source` says in a sentence where it comes from: `from openclsp.toml`, `from src/host.cpp, line
    12`. `patterns` are those of .gitignore, counted from `folder`, for the files that have this variant; none: all."""

    name: str
    options: Options
    source: str
    folder: str = ""
    patterns: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """`variant double, from openclsp.toml`."""
        return f"variant {self.name}, {self.source}"

    def is_for(self, path: str) -> bool:
        """Whether the file at this absolute path is built so."""
        if not self.patterns:
            return True
        if not is_inside(path, self.folder):
            return False
        return path_patterns(self.patterns).match(os.path.relpath(path, self.folder))


def chosen(variants: Sequence[Variant], *names: str | None) -> Variant | None:
    """The variant of the first of these names that is one's, else the first variant."""
    for name in names:
        for each in variants:
            if each.name == name:
                return each
    return variants[0] if variants else None
