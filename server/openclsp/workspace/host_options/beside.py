"""Kernel options from the files that clangd reads: `compile_commands.json` and `.clangd`."""

from __future__ import annotations

from openclsp.workspace.files import LOCAL_FILES, FileSystem
from openclsp.workspace.host_options.clangd_file import of_clangd
from openclsp.workspace.host_options.compile_commands import of_compile_commands
from openclsp.workspace.host_options.sources import Told


def told_beside(path: str, root: str, files: FileSystem = LOCAL_FILES) -> Told:
    """Returns the options for the kernel at `path`; those of `.clangd` override the database's."""
    clangd = of_clangd(path, root, files)
    database = of_compile_commands(path, root, files, clangd.removed)
    return Told((*database.layers, *clangd.layers), (*database.problems, *clangd.problems), database.complete)
