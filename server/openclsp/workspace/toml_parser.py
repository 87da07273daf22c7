"""TOML parser that also reports the lines of keys, which the standard library does not provide."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from openclsp.dataclass import dataclass
from openclsp.project.nesting_limit import MAXIMUM_NESTING, find_toml_nesting_fault

_HEADER = re.compile(r"\s*\[{1,2}[^=]*\]{1,2}\s*(?:#.*)?")
_KEY = re.compile(r"([^=#]+=)")
_LINE_OF_FAULT = re.compile(r" \((?:at line (\d+), column \d+|at end of document)\)$")


@dataclass(frozen=True, slots=True)
class TomlFault:
    """The reason why a text is not TOML.

    `line` counts from 1; it is the last line if the text ends too early.
    """

    line: int
    message: str


def parse_toml(text: str) -> dict[str, Any] | TomlFault:
    """Parses a TOML document."""
    too_deep = find_toml_nesting_fault(text)
    if too_deep:
        return TomlFault(too_deep, f"Values are nested more than {MAXIMUM_NESTING} deep")
    try:
        return _load_toml(text)
    except ValueError as error:
        message = str(error)
        place = _LINE_OF_FAULT.search(message)
        line = int(place[1]) if place is not None and place[1] else text.count("\n") + 1
        return TomlFault(line, message[: place.start()] if place is not None else message)


def find_key_lines(text: str) -> Mapping[tuple[str, ...], int]:
    """Maps the path of each key and table to the line, from 1, of its first occurrence."""
    lines: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), start=1):
        key = _KEY.match(line)
        if _HEADER.fullmatch(line):
            table = path = _parse_key_path(line)
        elif key is not None:
            path = (*table, *_parse_key_path(f"{key[1]} 0"))
        else:
            continue
        for length in range(1, len(path) + 1):
            lines.setdefault(path[:length], number)
    return lines


def _parse_key_path(line: str) -> tuple[str, ...]:
    """Returns the path of keys in a line such as `[a.b]` or `a.b = 0`; empty if the line is not TOML."""
    try:
        return tuple(_keys(_load_toml(line)))
    except ValueError:
        return ()


def _keys(value: object) -> Iterator[str]:
    while isinstance(value, list) and value:
        value = value[0]
    if isinstance(value, dict):
        for key, below in value.items():
            yield key
            yield from _keys(below)


def _load_toml(text: str) -> dict[str, Any]:
    # tomllib is in the standard library from Python 3.11 on; tomli is the package that it is derived from.
    loads = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli").loads
    table: dict[str, Any] = loads(text)
    return table
