"""Converts `--std`, `--cl-ext`, `-I` and `-D` to build options."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from openclsp.cli.command_error import CommandError
from openclsp.language.dialect import DialectError, make_dialect
from openclsp.project.option_parser import BuildOptions, parse_build_options


def build_options(
    standard: str | None,
    switches: Sequence[str],
    folders: Sequence[str],
    definitions: Sequence[str],
    readable: Sequence[str] = (),
) -> BuildOptions:
    """Converts the command line's values to build options.

    Raises CommandError for an unknown version or extension, or an invalid macro.
    """
    made = make_dialect(standard, switches)
    if isinstance(made, DialectError):
        raise CommandError(made.message)
    arguments = [f"-cl-std={standard}"] if standard is not None else []
    arguments += [f"-cl-ext={switch}" for switch in switches]
    arguments += [f"-D{definition}" for definition in definitions]
    arguments += [f"-I{folder}" for folder in folders]
    parsed = parse_build_options(arguments, os.getcwd())
    if parsed.problems:
        raise CommandError(parsed.problems[0].message)
    return replace(
        parsed.options,
        standard_written=f"--std {standard}" if standard is not None else "",
        readable_folders=tuple(map(os.path.abspath, readable)),
    )


def folder_notices(kind: str, folders: Sequence[str]) -> list[str]:
    """Returns a notice for each folder that does not exist.

    `kind` is the adjective before "folder" in the notice.
    """
    return [f"{kind} folder {folder} does not exist" for folder in folders if not os.path.isdir(folder)]
