"""`compile_flags.txt`, as clangd reads it: one option a line, for every file in and below its folder."""

from __future__ import annotations

import os.path
from dataclasses import dataclass

from openclsp.workspace.files import LOCAL_FILES, FileKind, FileProblem, FileSystem
from openclsp.workspace.options import OptionProblem, Options, parse_options
from openclsp.workspace.roots import folders_upwards, is_inside

FILE_NAME = "compile_flags.txt"


@dataclass(frozen=True, slots=True)
class CompileFlags:
    """A `compile_flags.txt` that was found: where, what it asks for, and what in it could not be used."""

    path: str
    options: Options
    problems: tuple[OptionProblem, ...] = ()


def find_compile_flags(path: str, root: str, files: FileSystem = LOCAL_FILES) -> CompileFlags | None:
    """The nearest `compile_flags.txt` upwards from the file, up to and with the folder `root`."""
    resolved_root = files.resolve(root)
    for folder in folders_upwards(path):
        if not is_inside(files.resolve(folder), resolved_root):
            return None
        candidate = os.path.join(folder, FILE_NAME)
        inside = is_inside(files.resolve(candidate), resolved_root)
        if inside and files.kind(candidate) is FileKind.FILE:
            return read_compile_flags(candidate, files)
    return None


def read_compile_flags(path: str, files: FileSystem = LOCAL_FILES) -> CompileFlags:
    """Read the file at `path`; its relative folders start from the folder that it lies in."""
    data = files.read(path)
    if isinstance(data, FileProblem):
        return CompileFlags(path, Options(), (OptionProblem(FILE_NAME, f"{path} {data.reason}"),))
    lines = [line.strip() for line in os.fsdecode(data).replace("\r", "\n").split("\n")]
    parsed = parse_options([line for line in lines if line], os.path.dirname(path))
    return CompileFlags(path, parsed.options, parsed.problems)
