"""Options of a root document that openclsp finds in the project: in RUN lines, build files and host code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from openclsp.host_code.program_names import host_of_program
from openclsp.host_options.clangd_configuration import read_clangd_configuration
from openclsp.host_options.clangd_file import read_clangd_files
from openclsp.host_options.host_project import (
    NO_HOST_OPTIONS,
    HostOptionsOfKernel,
    HostProjectProvider,
    select_host_options,
    select_run_options,
)
from openclsp.host_options.possible_names import ANY_NAME
from openclsp.host_options.run_line_builds import find_run_builds
from openclsp.host_options.run_lines import RunLine
from openclsp.project.file_system import FileSystem
from openclsp.project.option_layers import OptionLayer
from openclsp.project.read_permission import ReadPermission


def collect_found_options(
    root: str,
    top: str,
    run_lines: Sequence[RunLine],
    hosts: HostProjectProvider,
    variant: str | None,
    permission: ReadPermission,
    files: FileSystem,
    *,
    first: bool,
) -> HostOptionsOfKernel:
    """Returns the options of the document at the path `root`, in the project at the folder `top`.

    These are the options of its RUN lines `run_lines`. If these have none, they are those of its entry in
    `compile_commands.json`; if there is no entry, those that `hosts` finds in host code and build files.
    `.clangd` adds options to each of these. `variant` and `first` select a build, see `select_host_options`.
    """
    builds = find_run_builds(run_lines, root) if run_lines and host_of_program(root) is None else ()
    project = None
    if builds:
        clangd = read_clangd_files(root, top, files)
        own = select_run_options(builds, root, top, variant, permission, files, first=first)
        layers, problems = clangd.layers, clangd.problems
        project = hosts.of(top, root)
    else:
        read = read_clangd_configuration(root, top, files)
        own, layers, problems = NO_HOST_OPTIONS, read.layers, read.problems
        if not read.has_compilation:
            project = hosts.of(top, root)
            if project is not None:
                own = select_host_options(project, root, variant, permission, files, first=first)
    if project is not None:
        names = ANY_NAME if own.may_define_any_name else project.possible_names
        own = replace(own, names_defined_elsewhere=names)
    return _add_layers(own, layers, problems)


def _add_layers(
    own: HostOptionsOfKernel, layers: tuple[OptionLayer, ...], problems: tuple[str, ...]
) -> HostOptionsOfKernel:
    """Adds the layers of build files, which override the options `own`."""
    return replace(
        own,
        layers=(*own.layers, *layers),
        guesses_version=own.guesses_version and all(each.options.standard is None for each in layers),
        problems=(*problems, *own.problems),
    )
