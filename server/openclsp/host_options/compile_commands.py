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
from openclsp.host_options.build_file_options import BuildFileOptions
from openclsp.project.file_system import FileProblem, FileSystem
from openclsp.project.nesting_limit import MAXIMUM_NESTING, find_json_nesting_fault
from openclsp.project.option_layers import OptionLayer
from openclsp.project.option_parser import BuildOptions, parse_build_options
from openclsp.project.project_roots import (
    enclosing_folders,
    is_readable_configuration_file,
    read_permission_of_folder,
)
from openclsp.project.read_permission import ReadPermission

FILE_NAME: Final = "compile_commands.json"
BUILD_FOLDERS: Final = ("", "build", "out", "builddir")
"""Folders below the searched folder in which build tools write the file; clangd searches the first two."""

MAXIMUM_SIZE: Final = 8 * 1024 * 1024
"""Limit in bytes, some 20,000 compilations"""
_FILE: Final = re.compile(r'"file"\s*:\s*("[^"\\]*(?:\\.[^"\\]*)*")')

_NOT_OPTIONS: Final = frozenset(("-c", "-S", "-E", "-emit-llvm", "--", "-Xclang"))
_WITH_VALUE: Final = frozenset(("-o", "-MF", "-MT", "-MQ", "-arch", "-Xlinker"))


@dataclass(frozen=True, slots=True)
class _CompilationEntry:
    """An entry of a compilation database.

    It has the source file's absolute path, the compiler's name with the options, the folder to which paths
    are relative, and the line from 1.
    """

    path: str
    arguments: tuple[str, ...]
    folder: str
    line: int


@dataclass(frozen=True, slots=True)
class _CompilationDatabase:
    """The entries of a database, indexed by the base name of their source files."""

    entries: Mapping[str, tuple[_CompilationEntry, ...]] = field(default_factory=dict)
    problem: str = ""


def read_compile_commands(
    path: str, root: str, files: FileSystem, removed: Sequence[str] = ()
) -> BuildFileOptions:
    """Returns the options of the kernel at `path` in the nearest database.

    The search goes from the folder of `path` upwards to the folder `root` (included). `removed` holds options
    to drop: exact spellings, flags such as `-D` with any value, and prefixes (`-D*`).
    """
    permission = read_permission_of_folder(root, files)
    for folder in enclosing_folders(path):
        if files.locate(folder, permission) is None:
            break
        for below in BUILD_FOLDERS:
            name = os.path.join(folder, below, FILE_NAME) if below else os.path.join(folder, FILE_NAME)
            if not is_readable_configuration_file(name, permission, files):
                continue
            data = files.read(name, permission)
            if isinstance(data, FileProblem):
                return BuildFileOptions(problems=(f"{name} {data.reason}",))
            return _select_entries(name, _parse_database(name, data), path, root, permission, files, removed)
    return BuildFileOptions()


def _select_entries(
    name: str,
    database: _CompilationDatabase,
    path: str,
    root: str,
    permission: ReadPermission,
    files: FileSystem,
    removed: Sequence[str],
) -> BuildFileOptions:
    if database.problem:
        return BuildFileOptions(problems=(database.problem,))
    located = files.locate(path, permission)
    layers = []
    problems: list[str] = []
    where = os.path.relpath(name, root)
    for entry in database.entries.get(os.path.basename(path), ()):
        if entry.path != path and (located is None or files.locate(entry.path, permission) != located):
            continue
        parsed = parse_build_options(
            [each for each in entry.arguments[1:] if not _is_removed(each, removed)], entry.folder
        )
        problems += [f"{name}:{entry.line}: {problem.message}" for problem in parsed.problems]
        if parsed.options != BuildOptions():
            source = f"in {where}:{entry.line}"
            layers.append(
                OptionLayer(
                    source, parsed.options, path=name, line=entry.line, receiver=_compiler_name(entry)
                )
            )
    # Several entries are several builds; the first one applies, as in clangd.
    return BuildFileOptions(tuple(layers[:1]), tuple(problems), bool(layers))


def _compiler_name(entry: _CompilationEntry) -> str:
    return os.path.basename(entry.arguments[0]) if entry.arguments else ""


@lru_cache(maxsize=4)
def _parse_database(name: str, data: bytes) -> _CompilationDatabase:
    if len(data) > MAXIMUM_SIZE:
        return _CompilationDatabase(problem=f"{name} is larger than 8 MB; it is not used")
    text = data.decode("utf-8-sig", "replace")
    too_deep = find_json_nesting_fault(text)
    if too_deep:
        message = f"it is nested more than {MAXIMUM_NESTING} deep"
        return _CompilationDatabase(problem=f"{name}:{too_deep}: {message}; the file is not used")
    try:
        loaded = json.loads(text)
    except ValueError as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else 1
        message = error.msg if isinstance(error, json.JSONDecodeError) else "the text is not JSON"
        return _CompilationDatabase(problem=f"{name}:{line}: {message}; the file is not used")
    if not isinstance(loaded, list):
        return _CompilationDatabase(
            problem=f"{name}:1: expected a list of compile commands; the file is not used"
        )
    entries: dict[str, list[_CompilationEntry]] = {}
    for entry in _parse_entries(loaded, text, os.path.dirname(name)):
        entries.setdefault(os.path.basename(entry.path), []).append(entry)
    return _CompilationDatabase({base: tuple(each) for base, each in entries.items()})


def _parse_entries(loaded: list[Any], text: str, folder: str) -> Iterator[_CompilationEntry]:
    places = _FILE.finditer(text)
    at, line = 0, 1
    for each in loaded:
        if not isinstance(each, dict) or not isinstance(each.get("file"), str):
            continue
        written = each["file"]
        for place in places:
            line += text.count("\n", at, place.start())
            at = place.start()
            if _decode_json_string(place[1]) == written:
                break
        start = os.path.join(folder, str(each.get("directory") or ""))
        arguments = _arguments(each)
        if arguments is None:
            continue
        path = os.path.normpath(os.path.join(start, written))
        yield _CompilationEntry(path, arguments, os.path.normpath(start), line)


def _decode_json_string(literal: str) -> str | None:
    """Decodes a JSON string literal, including its quotes; None if it is invalid."""
    try:
        loaded = json.loads(literal)
    except ValueError:
        return None
    return loaded if isinstance(loaded, str) else None


def _arguments(entry: dict[str, Any]) -> tuple[str, ...] | None:
    """Returns an entry's compiler name and options, without the names of the input and output files.

    Returns None if the entry has no valid command.
    """
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


def _is_removed(argument: str, removed: Sequence[str]) -> bool:
    for each in removed:
        if each == argument or (each.endswith("*") and argument.startswith(each[:-1])):
            return True
        if each in _FLAGS and argument.startswith(each):
            return True
    return False


_FLAGS: Final = frozenset(("-D", "-U", "-I", "-isystem", "-iquote", "-include", "-cl-std", "-std", "-x"))


def _options(arguments: list[str], file: str) -> Iterator[str]:
    """Yields the options of a command line, each joined with its value."""
    remaining = iter(arguments)
    for argument in remaining:
        if argument in _WITH_VALUE:
            next(remaining, None)
        elif argument in ("-D", "-U", "-I"):
            yield argument + next(remaining, "")
        elif argument not in _NOT_OPTIONS and argument != file:
            yield argument
