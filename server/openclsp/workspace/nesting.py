"""How deeply a text of TOML, JSON or YAML is nested, read off its marks before a parser builds anything of it.

Parsers recurse, and tomllib takes memory by the square of a key's parts: 100 KB of `a.` were 2.6 GB. What stands in strings
and comments does not count.
"""

from __future__ import annotations

import re
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
    depth = parts = 0
    for found in _TOML.finditer(text):
        mark = found["mark"]
        if mark is None:
            continue
        if mark == ".":
            parts += 1
        else:
            parts = 0
            depth = _deeper(depth, mark)
        if depth + parts > MAXIMUM_NESTING:
            return _line(text, found.start())
    return 0


def is_json_too_deep(text: str) -> int:
    """The line, from 1, on which the text is nested too deeply; 0 if nowhere."""
    depth = 0
    for found in _JSON.finditer(text):
        depth = _deeper(depth, found["mark"] or "")
        if depth > MAXIMUM_NESTING:
            return _line(text, found.start())
    return 0


def is_yaml_too_deep(text: str) -> int:
    """The line, from 1, on which the text may be nested too deeply; 0 if nowhere."""
    depth = on_line = 0
    for found in _YAML.finditer(text):
        mark = found["mark"]
        if mark is None:
            continue
        if mark == "\n":
            on_line = 0
        elif mark in "-?:":
            # `- - - a` opens a list for each dash
            on_line += 1
        depth = _deeper(depth, mark)
        if depth + on_line > MAXIMUM_NESTING:
            return _line(text, found.start())
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
    if mark and mark in "[{":
        return depth + 1
    return max(depth - 1, 0) if mark and mark in "]}" else depth


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
