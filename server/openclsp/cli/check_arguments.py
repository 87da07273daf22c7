"""The options of `check`: their declarations for click, and a class for their values."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

import click

FORMATS = "text", "json", "sarif", "github", "gitlab", "rdjson", "html"
SEVERITY_NAMES = "error", "warning", "information", "hint"
NEVER = "never"


class CheckArguments(NamedTuple):
    """The arguments of `check`, as the user gave them."""

    paths: tuple[str, ...]
    form: str
    output: str | None
    no_fixes: bool
    fixing: bool
    variant: str | None
    all_variants: bool
    all_std: bool
    show_options: bool
    kernels: bool
    stdin_path: str | None
    jobs: int | None
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    fail_on: str
    maximum: int | None
    statistics: bool
    baseline: str | None
    write_baseline: bool
    diff: bool
    changed_since: str | None
    shard: str | None
    add_ignores: bool
    depfile: str | None
    watch: bool


_OPTIONS = (
    click.argument("paths", nargs=-1, metavar="PATH…"),
    click.option(
        "--format",
        "form",
        type=click.Choice(FORMATS),
        default="text",
        help="text (default), json, sarif (code scanning), github (annotations of GitHub Actions), gitlab "
        "(Code Quality), rdjson (reviewdog), or html.",
    ),
    click.option(
        "-o",
        "--output",
        metavar="FILE",
        help="Write the report to this file instead of standard output; html: to this folder.",
    ),
    click.option("--no-fixes", is_flag=True, help="Do not compute fixes."),
    click.option(
        "--fix", "fixing", is_flag=True, help="Apply all preferred fixes, and write the changed files."
    ),
    click.option(
        "--select",
        multiple=True,
        metavar="CODE,…",
        help="Report only diagnostics with these codes.",
    ),
    click.option(
        "--ignore", multiple=True, metavar="CODE,…", help="Do not report diagnostics with these codes."
    ),
    click.option(
        "--fail-on",
        type=click.Choice((*SEVERITY_NAMES, NEVER)),
        default="error",
        help="Exit with 1 if a diagnostic is at least this severe (default: error).",
    ),
    click.option(
        "--max",
        "maximum",
        type=click.IntRange(min=0),
        metavar="N",
        help="Report at most N diagnostics, the most severe first.",
    ),
    click.option(
        "--statistics",
        is_flag=True,
        help="Count the diagnostics of each code and file instead of listing them.",
    ),
    click.option("--baseline", metavar="FILE", help="Do not report the diagnostics that this file lists."),
    click.option("--write-baseline", is_flag=True, help="Write all diagnostics to the file of --baseline."),
    click.option(
        "--changed-since",
        metavar="REV",
        help="Report only diagnostics that the change since this git revision caused.",
    ),
    click.option("--diff", is_flag=True, help="Print all preferred fixes as a patch; change no file."),
    click.option(
        "--add-ignores", is_flag=True, help="Insert a comment that ignores each reported diagnostic."
    ),
    click.option("--shard", metavar="I/N", help="Check only the I-th of N parts of the files."),
    click.option("--depfile", metavar="FILE", help="Write the files that were read, for Make or Ninja."),
    click.option("--watch", is_flag=True, help="Check again whenever a file changes, until interrupted."),
    click.option(
        "--variant", metavar="NAME", help="Check this variant of openclsp.toml or of the host code."
    ),
    click.option(
        "--all-variants", is_flag=True, help="Check every variant; diagnostics common to all are shown once."
    ),
    click.option(
        "--all-std",
        is_flag=True,
        help="Check under every language version; diagnostics common to all are shown once.",
    ),
    click.option(
        "--show-options",
        is_flag=True,
        help="Also show the build options of each file, and the origin of each option.",
    ),
    click.option("--kernels", is_flag=True, help="Also show the memory that each kernel uses."),
    click.option(
        "--jobs",
        metavar="N",
        type=click.IntRange(min=1),
        help="Check in at most this many processes (default: one for each core).",
    ),
    click.option("--stdin-path", metavar="NAME", help="File name for standard input (path '-')."),
)


def accept_check_options(command: Callable[..., int]) -> Callable[..., int]:
    """Decorator that adds the options of `check` to a command and passes them as its argument `arguments`."""

    @wraps(command)
    def with_options(**given: Any) -> int:
        own = {name: given.pop(name) for name in CheckArguments._fields}
        return command(arguments=CheckArguments(**own), **given)

    made: Callable[..., int] = with_options
    for option in reversed(_OPTIONS):
        made = option(made)
    return made
