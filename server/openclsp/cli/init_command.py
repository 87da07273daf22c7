"""The command `init`: writes a commented openclsp.toml, based on the options found in the project."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from openclsp.cli.check_report import OptionsReport
from openclsp.cli.command_error import CommandError
from openclsp.cli.excerpt import printable
from openclsp.cli.inputs import CheckInput
from openclsp.cli.options_output import options_report
from openclsp.cli.output_paths import OutputPaths
from openclsp.cli.scanned_projects import ScannedProjects
from openclsp.cli.user_files import new_user_file, write_user_file
from openclsp.dataclass import dataclass
from openclsp.project.file_system import LOCAL_FILE_SYSTEM
from openclsp.project.option_layers import DEFAULT_DIALECT_REASON
from openclsp.project.option_parser import BuildOptions
from openclsp.workspace.project_file import FILE_NAME

MAXIMUM_KERNELS = 500
"""The maximum number of kernels whose options are examined."""
_SHOWN = 12
"""The maximum number of options of one kind that are listed."""


@dataclass(frozen=True, slots=True)
class FoundBuild:
    """The language version and options of a kernel. `is_default`: whether nothing determines the version."""

    report: OptionsReport
    is_default: bool


def find_builds(inputs: Sequence[CheckInput], options: BuildOptions) -> list[FoundBuild]:
    """Determines the builds of at most `MAXIMUM_KERNELS` inputs."""
    projects = ScannedProjects(for_many_inputs=True)
    paths = OutputPaths(inputs)
    found = []
    for each in islice(inputs, MAXIMUM_KERNELS):
        planned = projects.plan(each.document, options, None)
        if planned.is_analysed:
            is_default = planned.unit_config.origins.dialect == DEFAULT_DIALECT_REASON
            found.append(FoundBuild(options_report(planned, each, paths), is_default))
    return found


def write_project_file(folder: str, find: Callable[[], Sequence[FoundBuild]]) -> str:
    """Writes openclsp.toml into `folder` and returns its path. Raises CommandError if it exists already.

    `find` is called after an empty openclsp.toml was created. This file makes the folder the root of a
    project, and the options found in host code depend on the root.
    """
    path = os.path.join(folder, FILE_NAME)
    if LOCAL_FILE_SYSTEM.kind(os.path.abspath(path)) is not None:
        raise CommandError(f"{path} exists already; it is not changed")
    with new_user_file(path):
        write_user_file(path, project_file_text(find()).encode())
    return path


def project_file_text(found: Sequence[FoundBuild]) -> str:
    """Returns the text of openclsp.toml.

    The text sets the language version if all kernels share it; every other key is commented out. Comments
    list the options that openclsp found in the project's files. The text does not set these options, because
    they would override later changes of the host program.
    """
    return "".join(f"{line}\n" for line in _lines(found))


def _lines(found: Sequence[FoundBuild]) -> Iterator[str]:
    kernels = "1 kernel file" if len(found) == 1 else f"{len(found)} kernel files"
    yield f"# How the kernels of this project are built. openclsp found {kernels}."
    yield "# It uses the options below that it found by itself; `openclsp check --show-options` lists them all."
    yield ""
    yield "# The language version, as the host passes it with -cl-std=."
    reasons = Counter((each.report.dialect, each.report.dialect_reason) for each in found)
    for (_, reason), count in reasons.most_common(_SHOWN):
        yield _comment(f"found: {reason} ({count})")
    versions = {each.report.dialect[:5] for each in found if not each.is_default}
    shared = len(versions) == 1 and not any(each.is_default for each in found)
    version = min(versions, default="CL1.2")
    yield f'{"" if shared else "# "}language-version = "{version}"'
    for title, prefix, example in (
        ("Macros that the host program defines.", "-D", "defines = { TILE = 16, USE_DOUBLE = true }"),
        ("Folders that are searched by #include.", "-I", 'include-folders = ["include"]'),
        ("Extensions that the device supports or not.", "-cl-ext", 'extensions = ["+cl_khr_fp64"]'),
    ):
        yield ""
        yield f"# {title}"
        options = Counter(
            (option.option, option.source)
            for each in found
            for option in each.report.options
            if option.option.startswith(prefix)
        )
        for (option, source), count in options.most_common(_SHOWN):
            yield _comment(f"found: {option}, {source} ({count})")
        if len(options) > _SHOWN:
            yield f"# and {len(options) - _SHOWN} more"
        yield f"# {example}"
    yield ""
    yield "# Files that are not checked; patterns as in .gitignore."
    yield '# exclude = ["third_party/"]'
    yield ""
    yield '# Severities: "error", "warning", "information", "hint" or "off". `openclsp rules` lists the codes.'
    yield "# [severity]"
    yield '# single-space = "off"'


def _comment(text: str) -> str:
    return f"# {printable(text)}"
