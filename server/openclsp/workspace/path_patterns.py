"""Patterns of files as in `.gitignore`.

pathspec says what a pattern means, as a regular expression; matched they are in linear time, because patterns come from the
repository.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.workspace.regular_expression import RegularExpression

MAXIMUM_STEPS: Final = 40_000
"""Instructions of all patterns of one list, some two thousand ordinary patterns; the others do not count."""
MAXIMUM_LENGTH: Final = 1_000
"""Letters of one pattern; a longer one does not count."""
_SPECIAL: Final = re.compile(r"[*?!/\\\s]")
"""What stands for something else in a pattern, or may not be part of the path"""


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A pattern. Every path that it matches contains `literal`: to test for that first saves nine tenths of the time."""

    literal: str
    expression: RegularExpression
    includes: bool


@dataclass(frozen=True, slots=True)
class PathPatterns:
    """The patterns of one list that name something, the last first, and whether each includes what it names."""

    _expressions: tuple[_Pattern, ...] = ()

    def match(self, path: str) -> bool:
        """Whether the path, relative to the patterns' folder, is among what they name. A folder ends in `/`."""
        path = path.replace("\\", "/")
        path = path.removeprefix("./")
        of_folder: bool | None = None
        for pattern in self._expressions:
            below = pattern.expression.search(path) if pattern.literal in path else None
            if below is False:
                # a pattern that names the file itself outweighs those that name a folder around it
                return pattern.includes
            if below and of_folder is None:
                of_folder = pattern.includes
        return bool(of_folder)


@lru_cache(maxsize=64)
def path_patterns(lines: Sequence[str]) -> PathPatterns:
    """Read patterns, a line each; one that is none, or passes a bound, does not count."""
    found: list[_Pattern] = []
    steps = 0
    for line in lines:
        try:
            read = _read(line)
        except ValueError:
            continue
        if read is None:
            continue
        steps += read.expression.size
        if steps > MAXIMUM_STEPS:
            break
        found.append(read)
    return PathPatterns(tuple(reversed(found)))


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


def _read(line: str) -> _Pattern | None:
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    if len(line) > MAXIMUM_LENGTH:
        raise ValueError("the pattern is too long")
    expression, includes = GitIgnoreSpecPattern.pattern_to_regex(line)
    if expression is None:
        return None
    # a class in brackets stands for other letters than its own
    literal = "" if "[" in line else max(_SPECIAL.split(line), key=len)
    return _Pattern(literal, RegularExpression.of(expression), bool(includes))
