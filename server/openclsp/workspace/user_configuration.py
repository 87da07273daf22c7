"""Reader for the user's own `openclsp.toml`, which may permit reading outside the project.

The file is in the folder `openclsp` of the platform's configuration folder: `$XDG_CONFIG_HOME` or
`~/.config`, `%APPDATA%` on Windows, `~/Library/Application Support` on macOS. It has two keys,
`readable-folders` and `include-folders`.
"""

from __future__ import annotations

import os.path
import sys
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from openclsp.dataclass import dataclass
from openclsp.project.file_system import (
    LOCAL_FILE_SYSTEM,
    FileKind,
    FileProblem,
    FileSystem,
)
from openclsp.project.option_layers import OptionLayer
from openclsp.project.option_parser import BuildOptions
from openclsp.project.read_permission import ReadPermission
from openclsp.workspace.schema_validation import SchemaValidator
from openclsp.workspace.toml_parser import TomlFault, find_key_lines, parse_toml

FILE_NAME: Final = os.path.join("openclsp", "openclsp.toml")
MAXIMUM_SIZE: Final = 64 * 1024
"""Limit in bytes; a larger file is not read."""

_FOLDERS: Final = {"type": "array", "items": {"type": "string"}}
_SCHEMA: Final = {
    "type": "object",
    "properties": {"include-folders": _FOLDERS, "readable-folders": _FOLDERS},
}


@dataclass(frozen=True, slots=True)
class UserConfiguration:
    """The parsed `openclsp.toml` of the user.

    `problems` are complete lines of text, each with the path and the line number.
    """

    path: str = ""
    options: BuildOptions = BuildOptions()
    problems: tuple[str, ...] = ()

    @property
    def layer(self) -> OptionLayer:
        """The options as an option layer, marked as written by the user."""
        return OptionLayer("in your own openclsp.toml", self.options, path=self.path, written_by_user=True)


NO_USER_CONFIGURATION: Final = UserConfiguration()


def read_user_configuration(
    files: FileSystem = LOCAL_FILE_SYSTEM, environment: Mapping[str, str] | None = None
) -> UserConfiguration:
    """Reads the configuration of the user who runs this process; empty if there is none."""
    path = user_configuration_path(environment)
    if not path or files.kind(path) is not FileKind.FILE:
        return NO_USER_CONFIGURATION
    data = files.read(path, ReadPermission.for_named_paths((), (path,), resolve=files.resolve))
    if isinstance(data, FileProblem):
        return UserConfiguration(path, problems=(f"{path} {data.reason}",))
    return _parse_user_configuration(path, data)


def user_configuration_path(environment: Mapping[str, str] | None = None) -> str:
    """Returns the path of the user's `openclsp.toml`, which may not exist; empty if its folder is unknown."""
    folder = _find_configuration_folder(os.environ if environment is None else environment, sys.platform)
    return os.path.join(folder, FILE_NAME) if folder else ""


def _find_configuration_folder(environment: Mapping[str, str], platform: str) -> str:
    """Returns the platform's folder for configuration files; empty if the folder is unknown."""
    home = os.path.expanduser("~")
    if platform == "win32":
        folder = environment.get("APPDATA", "")
    elif platform == "darwin":
        folder = os.path.join(home, "Library", "Application Support")
    else:
        # The XDG Base Directory Specification requires that relative paths are ignored.
        named = environment.get("XDG_CONFIG_HOME", "")
        folder = named if os.path.isabs(named) else os.path.join(home, ".config")
    return folder if os.path.isabs(folder) else ""


@lru_cache(maxsize=4)
def _parse_user_configuration(path: str, data: bytes) -> UserConfiguration:
    if len(data) > MAXIMUM_SIZE:
        return UserConfiguration(path, problems=(f"{path} is larger than 64 KB; it is not used",))
    text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    table = parse_toml(text)
    if isinstance(table, TomlFault):
        message = f"{path}:{table.line}: {table.message}; the file is not used"
        return UserConfiguration(path, problems=(message,))
    conforming = SchemaValidator()
    found: dict[str, Any] = conforming.valid_part(table, _SCHEMA)
    lines = find_key_lines(text)
    problems = [f"{path}:{lines.get(fault.path, 1)}: {fault.message}" for fault in conforming.violations]
    folder = os.path.dirname(path)

    def folders(key: str) -> tuple[str, ...]:
        written = (os.path.expanduser(each) for each in found.get(key, ()))
        return tuple(os.path.normpath(os.path.join(folder, each)) for each in written)

    options = BuildOptions(
        include_folders=folders("include-folders"), readable_folders=folders("readable-folders")
    )
    return UserConfiguration(path, options, tuple(problems))
