"""Reader for `compile_commands.json`: the kernels that a build tool compiles offline.

The format is clang's JSON compilation database: an entry has `arguments`, or a `command` in shell syntax.
"""

from __future__ import annotations

import json
import os.path
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from typing import Any, Final

from openclsp.dataclass import dataclass
from openclsp.workspace.configuration import Layer
from openclsp.workspace.files import FileProblem, FileSystem
from openclsp.workspace.host_options.sources import Told
from openclsp.workspace.nesting import MAXIMUM_NESTING, is_json_too_deep
from openclsp.workspace.options import Options, parse_options
from openclsp.workspace.read_permission import ReadPermission
from openclsp.workspace.roots import folder_permission, folders_upwards, is_configuration

FILE_NAME: Final = "compile_commands.json"
BUILD_FOLDERS: Final = ("", "build", "out", "builddir")
"""Folders below the searched folder in which build tools write the file; clangd searches the first two."""

MAXIMUM_SIZE: Final = 8 * 1024 * 1024
"""Limit in bytes, some 20,000 compilations"""
_FILE: Final = re.compile(r'"file"\s*:\s*("[^"\\]*(?:\\.[^"\\]*)*")')

_NOT_OPTIONS: Final = frozenset(("-c", "-S", "-E", "-emit-llvm", "--", "-Xclang"))
_WITH_VALUE: Final = frozenset(("-o", "-MF", "-MT", "-MQ", "-arch", "-Xlinker"))


@dataclass(frozen=True, slots=True)
class _Entry:
    """A compilation: the file's absolute path, the options, their base folder, and the line (from 1)."""

    path: str
    arguments: tuple[str, ...]
    folder: str
    line: int


@dataclass(frozen=True, slots=True)
class _Database:
    """The entries, indexed by the base name of the file."""

    entries: Mapping[str, tuple[_Entry, ...]] = field(default_factory=dict)
    problem: str = ""


def of_compile_commands(path: str, root: str, files: FileSystem, removed: Sequence[str] = ()) -> Told:
    """Returns the options of the kernel at `path` in the nearest database.

    The search goes from the folder of `path` upwards to the folder `root` (included). `removed` holds options
    to drop: exact spellings, flags such as `-D` with any value, and prefixes (`-D*`).
    """
    permission = folder_permission(root, files)
    for folder in folders_upwards(path):
        if files.locate(folder, permission) is None:
            break
        for below in BUILD_FOLDERS:
            name = os.path.join(folder, below, FILE_NAME) if below else os.path.join(folder, FILE_NAME)
            if not is_configuration(name, permission, files):
                continue
            data = files.read(name, permission)
            if isinstance(data, FileProblem):
                return Told(problems=(f"{name} {data.reason}",))
            return _told(name, _database(name, data), path, root, permission, files, removed)
    return Told()


def _told(
    name: str,
    database: _Database,
    path: str,
    root: str,
    permission: ReadPermission,
    files: FileSystem,
    removed: Sequence[str],
) -> Told:
    if database.problem:
        return Told(problems=(database.problem,))
    located = files.locate(path, permission)
    layers = []
    problems: list[str] = []
    where = os.path.relpath(name, root)
    for entry in database.entries.get(os.path.basename(path), ()):
        if entry.path != path and (located is None or files.locate(entry.path, permission) != located):
            continue
        parsed = parse_options(
            [each for each in entry.arguments[1:] if not _is_in(each, removed)], entry.folder
        )
        problems += [f"{name}:{entry.line}: {problem.message}" for problem in parsed.problems]
        if parsed.options != Options():
            source = f"in {where}:{entry.line}"
            layers.append(Layer(source, parsed.options, path=name, line=entry.line, how=_tool(entry)))
    # Several entries are several builds; the first one applies, as in clangd.
    return Told(tuple(layers[:1]), tuple(problems), bool(layers))


def _tool(entry: _Entry) -> str:
    return os.path.basename(entry.arguments[0]) if entry.arguments else ""


@lru_cache(maxsize=4)
def _database(name: str, data: bytes) -> _Database:
    if len(data) > MAXIMUM_SIZE:
        return _Database(problem=f"{name} is larger than 8 MB; it is not used")
    text = data.decode("utf-8-sig", "replace")
    too_deep = is_json_too_deep(text)
    if too_deep:
        told = f"it is nested more than {MAXIMUM_NESTING} deep"
        return _Database(problem=f"{name}:{too_deep}: {told}; the file is not used")
    try:
        loaded = json.loads(text)
    except ValueError as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else 1
        told = error.msg if isinstance(error, json.JSONDecodeError) else "the text is not JSON"
        return _Database(problem=f"{name}:{line}: {told}; the file is not used")
    if not isinstance(loaded, list):
        return _Database(problem=f"{name}:1: expected a list of compile commands; the file is not used")
    entries: dict[str, list[_Entry]] = {}
    for entry in _entries(loaded, text, os.path.dirname(name)):
        entries.setdefault(os.path.basename(entry.path), []).append(entry)
    return _Database({base: tuple(each) for base, each in entries.items()})


def _entries(loaded: list[Any], text: str, folder: str) -> Iterator[_Entry]:
    places = _FILE.finditer(text)
    at, line = 0, 1
    for each in loaded:
        if not isinstance(each, dict) or not isinstance(each.get("file"), str):
            continue
        written = each["file"]
        for place in places:
            line += text.count("\n", at, place.start())
            at = place.start()
            if _written(place[1]) == written:
                break
        start = os.path.join(folder, str(each.get("directory") or ""))
        arguments = _arguments(each)
        if arguments is None:
            continue
        path = os.path.normpath(os.path.join(start, written))
        yield _Entry(path, arguments, os.path.normpath(start), line)


def _written(literal: str) -> str | None:
    """Decodes a JSON string literal, including its quotes; None if it is invalid."""
    try:
        loaded = json.loads(literal)
    except ValueError:
        return None
    return loaded if isinstance(loaded, str) else None


def _arguments(entry: dict[str, Any]) -> tuple[str, ...] | None:
    """Returns the compiler's name and the options, without the names of input and output files."""
    arguments = entry.get("arguments")
    if isinstance(arguments, list) and all(isinstance(each, str) for each in arguments):
        return tuple(_options(arguments, entry["file"]))
    command = entry.get("command")
    if not isinstance(command, str):
        return None
    try:
        return tuple(_options(shlex.split(command), entry["file"]))
    except ValueError:
        return None


def _is_in(argument: str, removed: Sequence[str]) -> bool:
    for each in removed:
        if each == argument or (each.endswith("*") and argument.startswith(each[:-1])):
            return True
        if each in _FLAGS and argument.startswith(each):
            return True
    return False


_FLAGS: Final = frozenset(("-D", "-U", "-I", "-isystem", "-iquote", "-include", "-cl-std", "-std", "-x"))


def _options(arguments: list[str], file: str) -> Iterator[str]:
    """Yields the options among the arguments, each joined with its value."""
    remaining = iter(arguments)
    for argument in remaining:
        if argument in _WITH_VALUE:
            next(remaining, None)
        elif argument in ("-D", "-U", "-I"):
            yield argument + next(remaining, "")
        elif argument not in _NOT_OPTIONS and argument != file:
            yield argument
