"""Matches paths against patterns in the syntax of `.gitignore`.

pathspec translates a pattern to a regular expression. That is matched in linear time, because patterns come
from the repository and are not trusted.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.workspace.regular_expression import RegularExpression

MAXIMUM_STEPS: Final = 40_000
"""Limit on the instructions of one list (some two thousand ordinary patterns); later patterns are ignored."""
MAXIMUM_LENGTH: Final = 1_000
"""Limit on the characters of one pattern; a longer one is ignored."""


@dataclass(frozen=True, slots=True)
class PathPatterns:
    """The compiled patterns of one list, the last one first, each with whether it includes or excludes.

    `cut`: the list has further patterns, beyond the limit.
    """

    _expressions: tuple[tuple[RegularExpression, bool], ...] = ()
    cut: bool = False

    def match(self, path: str) -> bool:
        """Whether the list selects the path, which is relative to the list's folder; a folder ends in `/`."""
        path = path.replace("\\", "/")
        path = path.removeprefix("./")
        of_folder: bool | None = None
        for expression, includes in self._expressions:
            below = expression.search(path)
            if below is False:
                # A pattern that matches the file itself takes precedence over one that matches an enclosing
                # folder.
                return includes
            if below and of_folder is None:
                of_folder = includes
        return bool(of_folder)


@lru_cache(maxsize=64)
def path_patterns(lines: Sequence[str]) -> PathPatterns:
    """Compiles patterns, one per line; an invalid pattern, or one beyond a limit, is ignored."""
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
    """Returns the predicate of a message about an invalid pattern; empty if the pattern is valid."""
    if len(line) > MAXIMUM_LENGTH:
        return f"is longer than {MAXIMUM_LENGTH:,} characters"
    try:
        _read(line)
    except ValueError:
        return "is not a valid .gitignore pattern"
    return ""


def shortened(line: str) -> str:
    """Shortens a pattern for a message."""
    return line if len(line) <= 60 else f"{line[:60]}…"


def _read(line: str) -> tuple[RegularExpression, bool] | None:
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    if len(line) > MAXIMUM_LENGTH:
        raise ValueError("the pattern is too long")
    expression, includes = GitIgnoreSpecPattern.pattern_to_regex(line)
    return None if expression is None else (RegularExpression.of(expression), bool(includes))
