"""Reader for `compile_flags.txt`, as clangd reads it.

The file has one option per line. It applies to every file in its folder and below.
"""

from __future__ import annotations

import os.path

from openclsp.dataclass import dataclass
from openclsp.workspace.files import LOCAL_FILES, FileProblem, FileSystem
from openclsp.workspace.options import OptionProblem, Options, parse_options
from openclsp.workspace.read_permission import ReadPermission
from openclsp.workspace.roots import folder_permission, nearest_upwards

FILE_NAME = "compile_flags.txt"


@dataclass(frozen=True, slots=True)
class CompileFlags:
    """A parsed `compile_flags.txt`: path, options, and options that could not be used."""

    path: str
    options: Options
    problems: tuple[OptionProblem, ...] = ()


def find_compile_flags(path: str, root: str, files: FileSystem = LOCAL_FILES) -> CompileFlags | None:
    """Finds and reads the nearest `compile_flags.txt`.

    The search goes from the folder of `path` upwards and ends at the folder `root`, which is included.
    """
    found = nearest_upwards(path, root, FILE_NAME, files)
    return None if found is None else read_compile_flags(found, files, folder_permission(root, files))


def read_compile_flags(
    path: str, files: FileSystem = LOCAL_FILES, permission: ReadPermission | None = None
) -> CompileFlags:
    """Reads the file at `path`; relative folders in it are resolved against its own folder."""
    data = files.read(path, permission or folder_permission(os.path.dirname(path), files))
    if isinstance(data, FileProblem):
        return CompileFlags(path, Options(), (OptionProblem(FILE_NAME, f"{path} {data.reason}"),))
    lines = [line.strip() for line in os.fsdecode(data).replace("\r", "\n").split("\n")]
    parsed = parse_options([line for line in lines if line], os.path.dirname(path))
    return CompileFlags(path, parsed.options, parsed.problems)
