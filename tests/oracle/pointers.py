"""Pointer parameters and variables of a file with the spaces of every level, from clang's syntax tree."""

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
class PointerName:
    """A declaration or use of a parameter or variable of pointer type, at the `line` and `column` (bytes) of its name, from 1.

    `spaces` are those of the object itself, of its pointee, and so on.
    """

    name: str
    line: int
    column: int
    type: str
    spaces: tuple[str, ...]


def spaces_of(spelled: str) -> tuple[str, ...]:
    """Returns the space of each level of a type in clang's spelling, outermost first; an array adds no level."""
    flat = re.sub(r"\[[^\]]*\]|[()]", " ", spelled)
    levels = [_SPACE.findall(part) for part in flat.split("*")]
    return tuple(found[-1] if found else "private" for found in reversed(levels))


_PLACE_OF = {"ParmVarDecl": "loc", "VarDecl": "loc", "DeclRefExpr": "range"}
"""The kinds of node that are wanted, with the key of the place of their name."""


def pointer_names(file: Path, dialect: Dialect, options: Sequence[str]) -> list[PointerName]:
    """Returns every declaration and use of a pointer parameter or variable that the file spells outside of macros."""
    command = [*clang_command(dialect), "-w", "-fsyntax-only", "-ast-dump=json", *options, str(file)]
    shown = subprocess.run(command, check=False, capture_output=True, text=True, errors="replace").stdout
    found = []
    for node, (path, line, column) in _placed(json.loads(shown)):
        declared = node.get("referencedDecl", node)
        if declared["kind"] not in ("ParmVarDecl", "VarDecl"):
            continue
        name = declared.get("name", "")
        spelled = node["type"].get("desugaredQualType", node["type"]["qualType"])
        if name and "*" in spelled and path == str(file):
            found.append(PointerName(name, line, column, spelled, spaces_of(spelled)))
    return found


def _placed(tree: dict[str, Any]) -> Iterator[tuple[dict[str, Any], tuple[str, int, int]]]:
    """Yields the declarations and uses of parameters and variables, with file, line and column.

    A location omits the file and the line if they equal those of the previously printed location, so the whole tree
    must be traversed in print order.
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
        if owner is not None and "begin" in node:
            todo += [(node["end"], None), (node["begin"], owner)]
            continue
        children: list[tuple[dict[str, Any], dict[str, Any] | None]] = []
        for key, value in node.items():
            if isinstance(value, dict):
                is_place = key == _PLACE_OF.get(node.get("kind", ""))
                children.append((value, node if is_place else None))
            elif isinstance(value, list):
                children += [(item, None) for item in value if isinstance(item, dict)]
        todo += reversed(children)
