"""Kernel options from the files that clangd reads: `compile_commands.json` and `.clangd`."""

from __future__ import annotations

from openclsp.host_options.build_file_options import BuildFileOptions
from openclsp.host_options.clangd_file import read_clangd_files
from openclsp.host_options.compile_commands import read_compile_commands
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, FileSystem


def read_clangd_configuration(
    path: str, root: str, files: FileSystem = LOCAL_FILE_SYSTEM
) -> BuildFileOptions:
    """Returns the options of the kernel at `path`; `.clangd` overrides `compile_commands.json`."""
    clangd = read_clangd_files(path, root, files)
    database = read_compile_commands(path, root, files, clangd.removed)
    return BuildFileOptions(
        (*database.layers, *clangd.layers), (*database.problems, *clangd.problems), database.has_compilation
    )
