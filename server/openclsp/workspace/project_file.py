"""Reader for `openclsp.toml`, the project configuration for every file in and below its folder.

`openclsp.schema.json` defines the keys. Invalid entries are reported with their line; the other entries are
used.
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
from openclsp.project.build_variants import BuildVariant
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, FileProblem, FileSystem
from openclsp.project.option_parser import BuildOptions, parse_build_options
from openclsp.project.path_patterns import compile_path_patterns, describe_pattern_fault, shorten_pattern
from openclsp.project.project_roots import find_nearest_enclosing_file, read_permission_of_folder
from openclsp.project.read_permission import ReadPermission, is_inside
from openclsp.workspace.schema_validation import Schema, SchemaValidator
from openclsp.workspace.toml_parser import TomlFault, find_key_lines, parse_toml

FILE_NAME = "openclsp.toml"
READABLE_FOLDERS = "readable-folders"
MAXIMUM_SIZE = 256 * 1024
"""Limit in bytes; a larger file is not read."""

_Path = tuple[str, ...]
_ENDING = re.compile(r"\.[\w+-]+(?:\.[\w+-]+)*")
_NO_OPTIONS = BuildOptions()


@dataclass(frozen=True, slots=True)
class SeveritySetting:
    """An entry `code = "severity"` on `line` (from 1); `severity` is `off` or a severity's name."""

    code: str
    severity: str
    line: int


@dataclass(frozen=True, slots=True)
class ProjectFileFault:
    """A fault of an `openclsp.toml` on `line` (from 1); 0 if the file could not be read.

    - `keys`: the path of the faulty key, or of the key with the faulty value if `is_in_value`
    - `item`: the faulty string of a list
    - `is_fatal`: whether nothing of the file is used
    """

    line: int
    message: str
    keys: tuple[str, ...] = ()
    is_in_value: bool = False
    item: str = ""
    is_fatal: bool = False


@dataclass(frozen=True, slots=True)
class ProjectConfiguration:
    """A parsed `openclsp.toml`."""

    path: str
    options: BuildOptions = _NO_OPTIONS
    device: Device = DEFAULT_DEVICE
    severities: tuple[SeveritySetting, ...] = ()
    exclude: tuple[str, ...] = ()
    faults: tuple[ProjectFileFault, ...] = ()
    variants: tuple[BuildVariant, ...] = ()
    variant: str | None = None
    """The variant to use if none is selected"""
    file_endings: tuple[str, ...] = ()
    """Lower case, each with its leading dot"""
    uses_host_options: bool = True
    """Whether options found in host code are used"""

    @property
    def problems(self) -> tuple[str, ...]:
        """The faults as complete lines of text, each with the path and the line number."""
        return tuple(
            f"{self.path}:{fault.line}: {fault.message}" if fault.line else f"{self.path} {fault.message}"
            for fault in self.faults
        )

    def excludes(self, path: str) -> bool:
        """Whether `exclude` matches the file at this absolute path; false for a document without a path."""
        folder = os.path.dirname(self.path)
        if not (self.exclude and os.path.isabs(path) and is_inside(path, folder)):
            return False
        return compile_path_patterns(self.exclude).match(os.path.relpath(path, folder))


def find_project_file(
    path: str, root: str, files: FileSystem = LOCAL_FILE_SYSTEM
) -> ProjectConfiguration | None:
    """Finds and reads the nearest `openclsp.toml`; returns None if there is none.

    The search goes from the folder of `path` upwards and ends at the folder `root`, which is included.
    """
    found = find_nearest_enclosing_file(path, root, FILE_NAME, files)
    return None if found is None else read_project_file(found, files, read_permission_of_folder(root, files))


def read_project_file(
    path: str, files: FileSystem = LOCAL_FILE_SYSTEM, permission: ReadPermission | None = None
) -> ProjectConfiguration:
    """Reads the file at `path`; its folders and patterns are relative to its own folder."""
    data = files.read(path, permission or read_permission_of_folder(os.path.dirname(path), files))
    if isinstance(data, FileProblem):
        return ProjectConfiguration(path, faults=(ProjectFileFault(0, data.reason, is_fatal=True),))
    return parse_project_file(path, data)


@lru_cache(maxsize=1)
def load_schema() -> Schema:
    """Loads the schema that ships with the package."""
    with open(os.path.join(os.path.dirname(__file__), "openclsp.schema.json"), encoding="utf-8") as file:
        loaded: Schema = json.load(file)
    return loaded


@lru_cache(maxsize=32)
def parse_project_file(path: str, data: bytes) -> ProjectConfiguration:
    """Parses the content of the file at `path`."""
    if len(data) > MAXIMUM_SIZE:
        return _unusable(path, 0, "is larger than 256 KB")
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return _unusable(path, line, "the text is not UTF-8; the file is not used")
    table = parse_toml(text)
    if isinstance(table, TomlFault):
        return _unusable(path, table.line, f"{table.message}; the file is not used")
    return _ProjectFileConverter(path, find_key_lines(text)).convert_table(table)


def _unusable(path: str, line: int, message: str) -> ProjectConfiguration:
    return ProjectConfiguration(path, faults=(ProjectFileFault(line, message, is_fatal=True),))


class _ProjectFileConverter:
    """Converts the parsed TOML of one file, and collects the faults of the file with their lines."""

    def __init__(self, path: str, lines: Mapping[_Path, int]) -> None:
        self.path, self.lines = path, lines
        self.folder = os.path.dirname(path)
        self.faults: list[ProjectFileFault] = []

    def convert_table(self, written: dict[str, Any]) -> ProjectConfiguration:
        conforming = SchemaValidator()
        if READABLE_FOLDERS in written:
            # A repository must not widen its own permission to read.
            self.add_fault(
                (READABLE_FOLDERS,),
                f"'{READABLE_FOLDERS}' is allowed in your own openclsp.toml only",
                is_in_value=False,
            )
        table = conforming.valid_part(
            {k: v for k, v in written.items() if k != READABLE_FOLDERS}, load_schema()
        )
        for fault in conforming.violations:
            self.add_fault(fault.path, fault.message, is_in_value=not fault.is_unknown_key)
        options = self.convert_options(table)
        exclude = tuple(self.convert_patterns(("exclude",), table.get("exclude", ())))
        variants = tuple(self.convert_variant(name, part) for name, part in table.get("variants", {}).items())
        default = table.get("variant")
        if default is not None and all(each.name != default for each in variants):
            names = ", ".join(f"'{each.name}'" for each in variants)
            self.add_fault(
                ("variant",), f"there is no variant '{default}'" + (f": there are {names}" if names else "")
            )
        endings = tuple(self.convert_file_endings(table.get("file-endings", ())))
        severities = table.get("severity", {})
        return ProjectConfiguration(
            self.path,
            replace(options, address_bits=table.get("device", {}).get("address-bits")),
            _convert_device(table.get("device", {})),
            tuple(
                SeveritySetting(code, severity, self.line_of_key(("severity", code)))
                for code, severity in severities.items()
            ),
            exclude,
            tuple(sorted(self.faults, key=_place_of_fault)),
            variants,
            default,
            endings,
            table.get("host-options", True),
        )

    def convert_variant(self, name: str, table: dict[str, Any]) -> BuildVariant:
        path = ("variants", name)
        files = tuple(self.convert_patterns((*path, "files"), table.get("files", ())))
        return BuildVariant(name, self.convert_options(table, path), f"from {FILE_NAME}", self.folder, files)

    def convert_file_endings(self, written: list[str]) -> Iterator[str]:
        for ending in written:
            if _ENDING.fullmatch(ending) is None:
                self.add_fault(
                    ("file-endings",),
                    f"'file-endings': '{ending}' is not a file name ending such as '.knl'",
                    item=ending,
                )
            else:
                yield ending.lower()

    def line_of_key(self, path: _Path) -> int:
        """Returns the line of a key, or of the nearest enclosing table with a line."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)

    def add_fault(self, path: _Path, message: str, *, is_in_value: bool = True, item: str = "") -> None:
        self.faults.append(ProjectFileFault(self.line_of_key(path), message, path, is_in_value, item))

    def convert_options(self, table: dict[str, Any], within: _Path = ()) -> BuildOptions:
        """Converts the build options in a table; `within` is the path of keys that leads to the table."""
        good = []
        for key, argument, item in _option_arguments(table):
            path = (*within, *key)
            problems = parse_build_options([argument], self.folder).problems
            for problem in problems:
                self.add_fault(path, f"'{'.'.join(path)}': {problem.message}", item=item)
            if not problems:
                good.append(argument)
        return parse_build_options(good, self.folder).options

    def convert_patterns(self, path: _Path, written: list[str]) -> Iterator[str]:
        if compile_path_patterns(tuple(written)).cut:
            self.add_fault(
                path, f"'{'.'.join(path)}': there are too many patterns; the last ones are ignored"
            )
        for pattern in written:
            fault = describe_pattern_fault(pattern)
            if fault:
                self.add_fault(
                    path, f"'{'.'.join(path)}': '{shorten_pattern(pattern)}' {fault}", item=pattern
                )
            else:
                yield pattern


def _place_of_fault(fault: ProjectFileFault) -> tuple[int, str]:
    return fault.line, fault.message


def _option_arguments(table: dict[str, Any]) -> Iterator[tuple[_Path, str, str]]:
    """Yields each build option as (key, option in command-line form, item of the key's list).

    If the value of the key is a list of strings, the last element of the tuple is the string from which the
    option is made; otherwise it is empty.
    """
    if "language-version" in table:
        yield ("language-version",), f"-cl-std={table['language-version']}", ""
    for switch in table.get("extensions", ()):
        yield ("extensions",), f"-cl-ext={switch}", switch
    for name, value in table.get("defines", {}).items():
        if value is False:
            yield ("defines", name), f"-U{name}", ""
        else:
            yield ("defines", name), f"-D{name}={1 if value is True else value}", ""
    for folder in table.get("include-folders", ()):
        yield ("include-folders",), f"-I{folder}", folder


def _convert_device(table: dict[str, Any]) -> Device:
    version = table.get("version")
    return Device(
        embedded=table.get("profile") == "embedded",
        version=int(version.replace(".", "")) * 10 if version is not None else None,
        limits=tuple(sorted(table.get("limits", {}).items())),
    )
