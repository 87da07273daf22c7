"""How deeply a text of TOML, JSON or YAML is nested, read off its marks before a parser builds anything of it.

Parsers recurse, and tomllib takes memory by the square of a key's parts: 100 KB of `a.` were 2.6 GB. What stands in strings
and comments does not count.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

MAXIMUM_NESTING: Final = 50
"""Lists and tables within each other, or parts of a key; no file that is read here needs more than six."""

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


def is_toml_too_deep(text: str) -> int:
    """The line, from 1, on which the text is nested too deeply; 0 if nowhere."""
    return _too_deep(text, _TOML, ".", lambda mark: True)


def is_json_too_deep(text: str) -> int:
    """The line, from 1, on which the text is nested too deeply; 0 if nowhere."""
    return _too_deep(text, _JSON, "", lambda mark: False)


def is_yaml_too_deep(text: str) -> int:
    """The line, from 1, on which the text may be nested too deeply; 0 if nowhere."""
    # `- - - a` opens a list for each dash
    line = _too_deep(text, _YAML, "-?:", lambda mark: mark == "\n")
    return line or _too_indented(text)


def _too_deep(text: str, marks: re.Pattern[str], deepening: str, ends: Callable[[str], bool]) -> int:
    """The line on which brackets, and the `deepening` marks since the last mark that `ends` them, are too many; 0 if nowhere."""
    depth = since = 0
    for found in marks.finditer(text):
        mark = found["mark"]
        if mark is None:
            continue
        if mark in deepening:
            since += 1
        else:
            depth = _deeper(depth, mark)
            if ends(mark):
                since = 0
        if depth + since > MAXIMUM_NESTING:
            return text.count("\n", 0, found.start()) + 1
    return 0


def _too_indented(text: str) -> int:
    """The line with more indentations around it than there may be; 0 if there is none."""
    indents: set[int] = set()
    for number, line in enumerate(text.split("\n"), start=1):
        written = line.lstrip(" ")
        if written:
            indent = len(line) - len(written)
            indents = {each for each in indents if each < indent} | {indent}
            if len(indents) > MAXIMUM_NESTING:
                return number
    return 0


def _deeper(depth: int, mark: str) -> int:
    if mark in "[{":
        return depth + 1
    return max(depth - 1, 0) if mark in "]}" else depth
