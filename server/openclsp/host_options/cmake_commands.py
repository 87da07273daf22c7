"""Parser for the commands of CMake lists."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from openclsp.dataclass import dataclass

_TOKEN: Final = re.compile(
    r"""(?P<comment>\#\[(?P<level>=*)\[[\s\S]*?(?:\](?P=level)\]|\Z)|\#[^\n]*)
    |\[(?P<equals>=*)\[(?P<bracket>[\s\S]*?)(?:\](?P=equals)\]|\Z)
    |"(?P<quoted>(?:[^"\\]|\\[\s\S])*)"
    |(?P<parenthesis>[()])
    |(?P<plain>(?:[^\s()"\#\\]|\\[\s\S]|\$\([^)]*\))(?:[^\s()\\"]|"[^"\n]*"|\\[\s\S])*)""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class CMakeArgument:
    """An argument of a command, as written. A quoted argument is never split into several."""

    text: str
    quoted: bool


@dataclass(frozen=True, slots=True)
class CMakeCommand:
    """A command `name(arguments)`, with its name in lower case and its line from 1."""

    name: str
    arguments: tuple[CMakeArgument, ...]
    line: int


def parse_cmake_commands(text: str) -> tuple[CMakeCommand, ...]:
    """Parses the text of a CMake list file. Text that is not a command is skipped, so parsing never fails."""
    commands: list[CMakeCommand] = []
    name, depth, line, counted = "", 0, 1, 0
    arguments: list[CMakeArgument] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if match["parenthesis"] == "(":
            depth += 1
            if depth == 1:
                arguments = []
        elif match["parenthesis"] == ")":
            depth = max(0, depth - 1)
            if depth == 0 and name:
                commands.append(CMakeCommand(name.lower(), tuple(arguments), line))
                name = ""
        elif kind in ("level", "comment"):
            continue
        elif depth == 0:
            line += text.count("\n", counted, match.start())
            counted = match.start()
            name = match["plain"] or ""
        elif match["bracket"] is not None:
            arguments.append(CMakeArgument(match["bracket"], True))
        elif match["quoted"] is not None:
            arguments.append(CMakeArgument(match["quoted"], True))
        else:
            arguments.append(CMakeArgument(match["plain"], False))
    return tuple(commands)


def find_block_end(commands: Sequence[CMakeCommand], at: int) -> int:
    """Returns the index of the command that ends the block beginning at `at`; `at` if none begins there.

    Returns the number of commands if no command ends the block.
    """
    name = commands[at].name
    if name not in ("if", "foreach", "function", "macro", "while"):
        return at
    depth, end = 0, f"end{name}"
    for index in range(at, len(commands)):
        depth += (commands[index].name == name) - (commands[index].name == end)
        if depth == 0:
            return index
    return len(commands)
