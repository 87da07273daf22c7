"""Matches paths against patterns in the syntax of `.gitignore`.

pathspec translates a pattern to a regular expression. The expression is matched in linear time, because
patterns come from the repository and are not trusted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.project.regular_expression import RegularExpression

MAXIMUM_INSTRUCTIONS: Final = 40_000
"""The maximum number of instructions of one list (about two thousand ordinary patterns); later patterns are
ignored.
"""
MAXIMUM_LENGTH: Final = 1_000
"""The maximum number of characters in one pattern; a longer pattern is ignored."""
_SPECIAL: Final = re.compile(r"[*?!/\\\s]")
"""Characters that have a meaning in patterns, or that need not be part of a matching path."""


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A pattern. Every matching path contains `literal`; testing for it first saves 90% of the time."""

    literal: str
    expression: RegularExpression
    includes: bool


@dataclass(frozen=True, slots=True)
class PathPatterns:
    """The compiled patterns of one list, the last one first; each is marked as including or excluding.

    `cut`: whether patterns at the end of the list are ignored because it is too long (MAXIMUM_INSTRUCTIONS).
    """

    _expressions: tuple[_Pattern, ...] = ()
    cut: bool = False

    def match(self, path: str) -> bool:
        """Whether the list selects the path, which is relative to the list's folder.

        The path of a folder ends in `/`.
        """
        path = path.replace("\\", "/")
        path = path.removeprefix("./")
        of_folder: bool | None = None
        for pattern in self._expressions:
            below = pattern.expression.search(path) if pattern.literal in path else None
            if below is False:
                # A pattern that matches the file itself takes precedence over one that matches an enclosing
                # folder.
                return pattern.includes
            if below and of_folder is None:
                of_folder = pattern.includes
        return bool(of_folder)


@lru_cache(maxsize=64)
def compile_path_patterns(lines: Sequence[str]) -> PathPatterns:
    """Compiles patterns, one per line; ignores invalid patterns, and patterns beyond a limit."""
    found: list[_Pattern] = []
    steps = 0
    cut = False
    for line in lines:
        try:
            read = _compile_pattern(line)
        except ValueError:
            continue
        if read is None:
            continue
        steps += read.expression.size
        if steps > MAXIMUM_INSTRUCTIONS:
            cut = True
            break
        found.append(read)
    return PathPatterns(tuple(reversed(found)), cut)


def describe_pattern_fault(line: str) -> str:
    """Returns what is wrong with a pattern, such as `is not a valid .gitignore pattern`; empty if valid."""
    if len(line) > MAXIMUM_LENGTH:
        return f"is longer than {MAXIMUM_LENGTH:,} characters"
    try:
        _compile_pattern(line)
    except ValueError:
        return "is not a valid .gitignore pattern"
    return ""


def shorten_pattern(line: str) -> str:
    """Shortens a pattern for a message."""
    return line if len(line) <= 60 else f"{line[:60]}…"


def _compile_pattern(line: str) -> _Pattern | None:
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    if len(line) > MAXIMUM_LENGTH:
        raise ValueError("the pattern is too long")
    expression, includes = GitIgnoreSpecPattern.pattern_to_regex(line)
    if expression is None:
        return None
    # A character class matches characters that are not literally in the pattern.
    literal = "" if "[" in line else max(_SPECIAL.split(line), key=len)
    return _Pattern(literal, RegularExpression.compile_pattern(expression), bool(includes))
