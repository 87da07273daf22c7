"""Reader for `compile_flags.txt`, which is read as in clangd.

The file has one option per line. It applies to every file in its folder and the folders below.
"""

from __future__ import annotations

import os.path

from openclsp.dataclass import dataclass
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, FileProblem, FileSystem
from openclsp.project.option_parser import BuildOptionProblem, BuildOptions, parse_build_options
from openclsp.project.project_roots import find_nearest_enclosing_file, read_permission_of_folder
from openclsp.project.read_permission import ReadPermission

FILE_NAME = "compile_flags.txt"


@dataclass(frozen=True, slots=True)
class CompileFlags:
    """A parsed `compile_flags.txt`: path, options, and options that could not be used."""

    path: str
    options: BuildOptions
    problems: tuple[BuildOptionProblem, ...] = ()


def find_compile_flags(path: str, root: str, files: FileSystem = LOCAL_FILE_SYSTEM) -> CompileFlags | None:
    """Finds and reads the nearest `compile_flags.txt`; returns None if there is none.

    The search goes from the folder of `path` upwards and ends at the folder `root`, which is included.
    """
    found = find_nearest_enclosing_file(path, root, FILE_NAME, files)
    return None if found is None else read_compile_flags(found, files, read_permission_of_folder(root, files))


def read_compile_flags(
    path: str, files: FileSystem = LOCAL_FILE_SYSTEM, permission: ReadPermission | None = None
) -> CompileFlags:
    """Reads the file at `path`; relative folders in it are resolved against its own folder."""
    data = files.read(path, permission or read_permission_of_folder(os.path.dirname(path), files))
    if isinstance(data, FileProblem):
        return CompileFlags(path, BuildOptions(), (BuildOptionProblem(FILE_NAME, f"{path} {data.reason}"),))
    lines = [line.strip() for line in os.fsdecode(data).replace("\r", "\n").split("\n")]
    parsed = parse_build_options([line for line in lines if line], os.path.dirname(path))
    return CompileFlags(path, parsed.options, parsed.problems)
