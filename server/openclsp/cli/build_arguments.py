"""The build options on the command line, which several commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from openclsp.cli.terminal import write_notice

if TYPE_CHECKING:
    from openclsp.project.option_parser import BuildOptions


class BuildArguments(NamedTuple):
    """The build options on the command line."""

    std: str | None
    cl_ext: tuple[str, ...]
    folders: tuple[str, ...]
    definitions: tuple[str, ...]
    readable: tuple[str, ...]
    language: str | None

    @property
    def is_opencl(self) -> bool:
        """Whether `--language opencl` was given: every named file is then OpenCL C, whatever its ending."""
        return self.language is not None

    def options(self) -> BuildOptions:
        """Parses the options. Raises CommandError for an invalid option."""
        from openclsp.cli.build_options import build_options

        return build_options(self.std, self.cl_ext, self.folders, self.definitions, self.readable)

    def write_notices(self, notices: Iterable[str]) -> None:
        """Writes notices to standard error: one for each missing folder, then the given `notices`.

        The folders are the values of `-I` and `--readable-folder`.
        """
        from openclsp.cli.build_options import folder_notices

        for notice in (
            *folder_notices("include", self.folders),
            *folder_notices("readable", self.readable),
            *notices,
        ):
            write_notice(notice)


def accept_build_options(command: Callable[..., int]) -> Callable[..., int]:
    """Decorator that adds the build options to a command and passes them as its argument `given`."""

    @wraps(command)
    def with_options(
        std: str | None,
        cl_ext: tuple[str, ...],
        folders: tuple[str, ...],
        definitions: tuple[str, ...],
        readable: tuple[str, ...],
        language: str | None,
        **others: Any,
    ) -> int:
        return command(given=BuildArguments(std, cl_ext, folders, definitions, readable, language), **others)

    made: Callable[..., int] = with_options
    for option in reversed(
        (
            click.option(
                "--std",
                metavar="VERSION",
                help="CL1.0, CL1.1, CL1.2, CL2.0 or CL3.0 (default: that of the project, or else what the text requires).",
            ),
            click.option(
                "--cl-ext",
                multiple=True,
                metavar="+NAME,-NAME",
                help="Enable or disable extensions and features; +all and -all apply to all of them.",
            ),
            click.option(
                "-I", "folders", multiple=True, metavar="DIR", help="Search this folder for includes."
            ),
            click.option("-D", "definitions", multiple=True, metavar="NAME[=VALUE]", help="Define a macro."),
            click.option(
                "--readable-folder",
                "readable",
                multiple=True,
                metavar="DIR",
                help="Allow the project's options and links to refer to this folder.",
            ),
            click.option(
                "--language",
                type=click.Choice(("opencl",), case_sensitive=False),
                help="Treat the named files as OpenCL C, whatever their endings.",
            ),
        )
    ):
        made = option(made)
    return made
