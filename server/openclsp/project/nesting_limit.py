"""Checks that TOML, JSON or YAML text is not nested too deeply, before a parser processes it.

The parsers are recursive, and tomllib needs memory quadratic in the number of parts of a key: 100 KB of `a.`
took 2.6 GB. Brackets and dots in strings and comments do not count.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

MAXIMUM_NESTING: Final = 50
"""Maximum depth of lists and tables, or of parts of a key; the files that openclsp reads need at most six."""

_TOML: Final = re.compile(
    r'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*(?:"""|\Z)'
    r"|'''[^']*(?:'(?!'')[^']*)*(?:'''|\Z)"
    r'|"[^"\\\n]*(?:\\.[^"\\\n]*)*"?'
    r"|'[^'\n]*'?"
    r"|\#[^\n]*"
    r"|(?P<mark>[\[\]{}.=,\n])",
    re.DOTALL,
)
_JSON: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|(?P<mark>[\[\]{}])', re.DOTALL)
_YAML: Final = re.compile(
    r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|\'[^\'\n]*\'|(?:^|(?<=\s))\#[^\n]*|(?P<mark>[\[\]{}\n]|[-?:](?=[ \t\n]))',
    re.DOTALL | re.MULTILINE,
)


def find_toml_nesting_fault(text: str) -> int:
    """Returns the first line, counted from 1, on which the nesting exceeds MAXIMUM_NESTING; 0 if none."""
    return _find_deep_brackets(text, _TOML, ".", lambda mark: True)


def find_json_nesting_fault(text: str) -> int:
    """Returns the first line, counted from 1, on which the nesting exceeds MAXIMUM_NESTING; 0 if none."""
    return _find_deep_brackets(text, _JSON, "", lambda mark: False)


def find_yaml_nesting_fault(text: str) -> int:
    """Returns the first line, counted from 1, on which the nesting may exceed MAXIMUM_NESTING; 0 if none."""
    # Each dash of `- - - a` opens a list.
    line = _find_deep_brackets(text, _YAML, "-?:", lambda mark: mark == "\n")
    return line or _find_deep_indentation(text)


def _find_deep_brackets(
    text: str, marks: re.Pattern[str], deepening: str, ends: Callable[[str], bool]
) -> int:
    """Returns the first line, counted from 1, on which the nesting exceeds MAXIMUM_NESTING; 0 if none.

    - `marks`: matches, in its group `mark`, each bracket and each other character that affects the depth.
    - `deepening`: characters that add a level, such as the dot of a TOML key. An open bracket adds a level
      too.
    - `ends`: whether a character removes the levels that characters in `deepening` have added.
    """
    depth = since = 0
    for found in marks.finditer(text):
        mark = found["mark"]
        if mark is None:
            continue
        if mark in deepening:
            since += 1
        else:
            depth = _update_depth(depth, mark)
            if ends(mark):
                since = 0
        if depth + since > MAXIMUM_NESTING:
            return text.count("\n", 0, found.start()) + 1
    return 0


def _find_deep_indentation(text: str) -> int:
    """Returns the first line (from 1) with more than MAXIMUM_NESTING indentation levels; 0 if none has."""
    indents: set[int] = set()
    for number, line in enumerate(text.split("\n"), start=1):
        written = line.lstrip(" ")
        if written:
            indent = len(line) - len(written)
            indents = {each for each in indents if each < indent} | {indent}
            if len(indents) > MAXIMUM_NESTING:
                return number
    return 0


def _update_depth(depth: int, mark: str) -> int:
    if mark in "[{":
        return depth + 1
    return max(depth - 1, 0) if mark in "]}" else depth
