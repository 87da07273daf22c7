"""Patterns of files as in `.gitignore`.

pathspec says what a pattern means, as a regular expression; matched they are in linear time, because patterns come from the
repository.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.workspace.regular_expression import RegularExpression

MAXIMUM_STEPS: Final = 40_000
"""Instructions of all patterns of one list, some two thousand ordinary patterns; the others do not count."""
MAXIMUM_LENGTH: Final = 1_000
"""Letters of one pattern; a longer one does not count."""


@dataclass(frozen=True, slots=True)
class PathPatterns:
    """The patterns of one list that name something, the last first, and whether each includes what it names. `cut`: the list
    has more of them."""

    _expressions: tuple[tuple[RegularExpression, bool], ...] = ()
    cut: bool = False

    def match(self, path: str) -> bool:
        """Whether the path, relative to the patterns' folder, is among what they name. A folder ends in `/`."""
        path = path.replace("\\", "/")
        path = path.removeprefix("./")
        of_folder: bool | None = None
        for expression, includes in self._expressions:
            below = expression.search(path)
            if below is False:
                # a pattern that names the file itself outweighs those that name a folder around it
                return includes
            if below and of_folder is None:
                of_folder = includes
        return bool(of_folder)


@lru_cache(maxsize=64)
def path_patterns(lines: Sequence[str]) -> PathPatterns:
    """Read patterns, a line each; one that is none, or passes a bound, does not count."""
    found: list[tuple[RegularExpression, bool]] = []
    steps = 0
    cut = False
    for line in lines:
        try:
            read = _read(line)
        except ValueError:
            continue
        if read is None:
            continue
        steps += read[0].size
        if steps > MAXIMUM_STEPS:
            cut = True
            break
        found.append(read)
    return PathPatterns(tuple(reversed(found)), cut)


def fault_of_pattern(line: str) -> str:
    """Why a line does not count as a pattern: the end of a sentence, or nothing."""
    if len(line) > MAXIMUM_LENGTH:
        return f"is longer than {MAXIMUM_LENGTH:,} letters"
    try:
        _read(line)
    except ValueError:
        return "is no pattern as in .gitignore"
    return ""


def shortened(line: str) -> str:
    """A pattern as a message quotes it."""
    return line if len(line) <= 60 else f"{line[:60]}…"


def _read(line: str) -> tuple[RegularExpression, bool] | None:
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    if len(line) > MAXIMUM_LENGTH:
        raise ValueError("the pattern is too long")
    expression, includes = GitIgnoreSpecPattern.pattern_to_regex(line)
    return None if expression is None else (RegularExpression.of(expression), bool(includes))
