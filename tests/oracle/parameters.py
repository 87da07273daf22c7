"""The pointer parameters that clang sees in a file, with the space of every level, read from its syntax tree."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from openclsp.language.dialect import Dialect

from ..language.clang import clang_command

_SPACE = re.compile(r"__(global|local|constant|private|generic)\b")


@dataclass(frozen=True, slots=True)
class PointerParameter:
    """A parameter of pointer type, `line` and `column` of its name from 1, the column in bytes.

    `spaces` are those of the parameter itself, of what it points to, and so on.
    """

    name: str
    line: int
    column: int
    type: str
    spaces: tuple[str, ...]


def spaces_of(spelled: str) -> tuple[str, ...]:
    """The space of each level of a type as clang spells it, the outermost first; an array is no level of its own."""
    flat = re.sub(r"\[[^\]]*\]|[()]", " ", spelled)
    levels = [_SPACE.findall(part) for part in flat.split("*")]
    return tuple(found[-1] if found else "private" for found in reversed(levels))


def pointer_parameters(file: Path, dialect: Dialect, options: Sequence[str]) -> list[PointerParameter]:
    """Every named pointer parameter that the file itself declares outside of macros."""
    command = [*clang_command(dialect), "-w", "-fsyntax-only", "-ast-dump=json", *options, str(file)]
    shown = subprocess.run(command, check=False, capture_output=True, text=True, errors="replace").stdout
    found = []
    for node, place in _declarations(json.loads(shown)):
        spelled = node["type"].get("desugaredQualType", node["type"]["qualType"])
        if node["kind"] == "ParmVarDecl" and "name" in node and "*" in spelled and place[0] == str(file):
            found.append(PointerParameter(node["name"], place[1], place[2], spelled, spaces_of(spelled)))
    return found


def _declarations(tree: dict[str, Any]) -> Iterator[tuple[dict[str, Any], tuple[str, int, int]]]:
    """Nodes that have a type, with file, line and column.

    A location leaves out the file and the line where they are those of the location printed before it, so that the
    whole tree has to be gone through in the order in which it was printed.
    """
    file, line = "", 0
    todo: list[tuple[dict[str, Any], dict[str, Any] | None]] = [(tree, None)]
    while todo:
        node, owner = todo.pop()
        if "offset" in node:
            file, line = node.get("file", file), node.get("line", line)
            if owner is not None:
                yield owner, (file, line, node["col"])
            continue
        children: list[tuple[dict[str, Any], dict[str, Any] | None]] = []
        for key, value in node.items():
            if isinstance(value, dict):
                children.append((value, node if key == "loc" and "type" in node else None))
            elif isinstance(value, list):
                children += [(item, None) for item in value if isinstance(item, dict)]
        todo += reversed(children)
