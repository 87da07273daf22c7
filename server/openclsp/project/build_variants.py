"""Variants: alternative sets of options with which the same kernel file is built."""

from __future__ import annotations

import os.path
from collections.abc import Sequence

from openclsp.dataclass import dataclass
from openclsp.project.option_parser import BuildOptions
from openclsp.project.path_patterns import compile_path_patterns
from openclsp.project.read_permission import is_inside


@dataclass(frozen=True, slots=True)
class BuildVariant:
    """One variant of a build: a name and the options that it adds.

    - `source`: completes a sentence, such as `from openclsp.toml` or `from src/host.cpp, line 12`
    - `patterns`: select the files that have this variant, in the syntax of .gitignore and relative to
      `folder`; an empty list selects all files
    """

    name: str
    options: BuildOptions
    source: str
    folder: str = ""
    patterns: tuple[str, ...] = ()

    @property
    def description(self) -> str:
        """The variant and its source, such as `variant double, from openclsp.toml`."""
        return f"variant {self.name}, {self.source}"

    def applies_to(self, path: str) -> bool:
        """Whether the file at this absolute path has this variant."""
        if not self.patterns:
            return True
        if not is_inside(path, self.folder):
            return False
        return compile_path_patterns(self.patterns).match(os.path.relpath(path, self.folder))


def select_variant(variants: Sequence[BuildVariant], *names: str | None) -> BuildVariant | None:
    """Returns the variant for the first of `names` that is the name of a variant.

    If there is no such name, returns the first variant; None if there are no variants.
    """
    for name in names:
        for each in variants:
            if each.name == name:
                return each
    return variants[0] if variants else None
