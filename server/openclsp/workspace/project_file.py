"""Reader for `openclsp.toml`, the project configuration for every file in and below its folder.

`openclsp.schema.json` defines the keys. Invalid entries are reported with their line; the rest is used.
"""

from __future__ import annotations

import json
import os.path
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from openclsp.dataclass import dataclass
from openclsp.language.device import DEFAULT_DEVICE, Device
from openclsp.workspace.files import LOCAL_FILES, FileProblem, FileSystem
from openclsp.workspace.options import Options, parse_options
from openclsp.workspace.path_patterns import fault_of_pattern, path_patterns, shortened
from openclsp.workspace.read_permission import ReadPermission, is_inside
from openclsp.workspace.roots import folder_permission, nearest_upwards
from openclsp.workspace.schema import Conforming, Schema
from openclsp.workspace.toml import TomlFault, key_lines, parse_toml
from openclsp.workspace.variants import Variant

FILE_NAME = "openclsp.toml"
READABLE_FOLDERS = "readable-folders"
MAXIMUM_SIZE = 256 * 1024
"""Limit in bytes; a larger file is not read."""

_Path = tuple[str, ...]
_ENDING = re.compile(r"\.[\w+-]+(?:\.[\w+-]+)*")
_NO_OPTIONS = Options()


@dataclass(frozen=True, slots=True)
class SeveritySetting:
    """An entry `code = "severity"` on `line` (from 1); `severity` is `off` or a severity's name."""

    code: str
    severity: str
    line: int


@dataclass(frozen=True, slots=True)
class ProjectFile:
    """A parsed `openclsp.toml`. `problems` are complete lines, each with the path and line."""

    path: str
    options: Options = _NO_OPTIONS
    device: Device = DEFAULT_DEVICE
    severities: tuple[SeveritySetting, ...] = ()
    exclude: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    variants: tuple[Variant, ...] = ()
    variant: str | None = None
    """The variant to use if none is selected"""
    file_endings: tuple[str, ...] = ()
    """Lower case, each with its leading dot"""
    host_options: bool = True
    """Whether options found in host code are used"""

    def excludes(self, path: str) -> bool:
        """Whether `exclude` matches the file at this absolute path; false for a document without a path."""
        folder = os.path.dirname(self.path)
        if not (self.exclude and os.path.isabs(path) and is_inside(path, folder)):
            return False
        return path_patterns(self.exclude).match(os.path.relpath(path, folder))


def find_project_file(path: str, root: str, files: FileSystem = LOCAL_FILES) -> ProjectFile | None:
    """Finds and reads the nearest `openclsp.toml`.

    The search goes from the folder of `path` upwards and ends at the folder `root`, which is included.
    """
    found = nearest_upwards(path, root, FILE_NAME, files)
    return None if found is None else read_project_file(found, files, folder_permission(root, files))


def read_project_file(
    path: str, files: FileSystem = LOCAL_FILES, permission: ReadPermission | None = None
) -> ProjectFile:
    """Reads the file at `path`; its folders and patterns are relative to its own folder."""
    data = files.read(path, permission or folder_permission(os.path.dirname(path), files))
    if isinstance(data, FileProblem):
        return ProjectFile(path, problems=(f"{path} {data.reason}",))
    return _parsed(path, data)


@lru_cache(maxsize=1)
def schema() -> Schema:
    """Loads the schema that ships with the package."""
    with open(os.path.join(os.path.dirname(__file__), "openclsp.schema.json"), encoding="utf-8") as file:
        loaded: Schema = json.load(file)
    return loaded


@lru_cache(maxsize=32)
def _parsed(path: str, data: bytes) -> ProjectFile:
    if len(data) > MAXIMUM_SIZE:
        return ProjectFile(path, problems=(f"{path} is larger than 256 KB",))
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return ProjectFile(path, problems=(f"{path}:{line}: the text is not UTF-8; the file is not used",))
    table = parse_toml(text)
    if isinstance(table, TomlFault):
        return ProjectFile(path, problems=(f"{path}:{table.line}: {table.message}; the file is not used",))
    return _Reader(path, key_lines(text)).project_file(table)


class _Reader:
    """Converts the parsed TOML of one file, and collects problems with their lines."""

    def __init__(self, path: str, lines: Mapping[_Path, int]) -> None:
        self.path, self.lines = path, lines
        self.folder = os.path.dirname(path)
        self.problems: list[tuple[int, str]] = []

    def project_file(self, written: dict[str, Any]) -> ProjectFile:
        conforming = Conforming()
        if READABLE_FOLDERS in written:
            # A repository must not widen its own permission to read.
            self.problem(
                (READABLE_FOLDERS,), f"'{READABLE_FOLDERS}' is allowed in your own openclsp.toml only"
            )
        table = conforming.part({k: v for k, v in written.items() if k != READABLE_FOLDERS}, schema())
        for fault in conforming.faults:
            self.problem(fault.path, fault.message)
        options = self.options(table)
        exclude = tuple(self.patterns(("exclude",), table.get("exclude", ())))
        variants = tuple(self.variant(name, part) for name, part in table.get("variants", {}).items())
        default = table.get("variant")
        if default is not None and all(each.name != default for each in variants):
            names = ", ".join(f"'{each.name}'" for each in variants)
            self.problem(
                ("variant",), f"there is no variant '{default}'" + (f": there are {names}" if names else "")
            )
        endings = tuple(self.endings(table.get("file-endings", ())))
        severities = table.get("severity", {})
        return ProjectFile(
            self.path,
            replace(options, address_bits=table.get("device", {}).get("address-bits")),
            _device(table.get("device", {})),
            tuple(
                SeveritySetting(code, severity, self.line(("severity", code)))
                for code, severity in severities.items()
            ),
            exclude,
            tuple(f"{self.path}:{line}: {message}" for line, message in sorted(self.problems)),
            variants,
            default,
            endings,
            table.get("host-options", True),
        )

    def variant(self, name: str, table: dict[str, Any]) -> Variant:
        path = ("variants", name)
        files = tuple(self.patterns((*path, "files"), table.get("files", ())))
        return Variant(name, self.options(table, path), f"from {FILE_NAME}", self.folder, files)

    def endings(self, written: list[str]) -> Iterator[str]:
        for ending in written:
            if _ENDING.fullmatch(ending) is None:
                self.problem(
                    ("file-endings",), f"'file-endings': '{ending}' is not a file name ending such as '.knl'"
                )
            else:
                yield ending.lower()

    def line(self, path: _Path) -> int:
        """Returns the line of a key, or of the nearest enclosing table with a line."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)

    def problem(self, path: _Path, message: str) -> None:
        self.problems.append((self.line(path), message))

    def options(self, table: dict[str, Any], within: _Path = ()) -> Options:
        """Converts the keys that are build options, by the parser for build options."""
        good = []
        for key, argument in _arguments(table):
            path = (*within, *key)
            problems = parse_options([argument], self.folder).problems
            for problem in problems:
                self.problem(path, f"'{'.'.join(path)}': {problem.message}")
            if not problems:
                good.append(argument)
        return parse_options(good, self.folder).options

    def patterns(self, path: _Path, written: list[str]) -> Iterator[str]:
        if path_patterns(tuple(written)).cut:
            self.problem(path, f"'{'.'.join(path)}': the patterns are too many; the last ones do not count")
        for pattern in written:
            fault = fault_of_pattern(pattern)
            if fault:
                self.problem(path, f"'{'.'.join(path)}': '{shortened(pattern)}' {fault}")
            else:
                yield pattern


def _arguments(table: dict[str, Any]) -> Iterator[tuple[_Path, str]]:
    """Yields build options in command-line form, each with its key."""
    if "language-version" in table:
        yield ("language-version",), f"-cl-std={table['language-version']}"
    for switch in table.get("extensions", ()):
        yield ("extensions",), f"-cl-ext={switch}"
    for name, value in table.get("defines", {}).items():
        if value is False:
            yield ("defines", name), f"-U{name}"
        else:
            yield ("defines", name), f"-D{name}={1 if value is True else value}"
    for folder in table.get("include-folders", ()):
        yield ("include-folders",), f"-I{folder}"


def _device(table: dict[str, Any]) -> Device:
    version = table.get("version")
    return Device(
        embedded=table.get("profile") == "embedded",
        version=int(version.replace(".", "")) * 10 if version is not None else None,
        limits=tuple(sorted(table.get("limits", {}).items())),
    )
