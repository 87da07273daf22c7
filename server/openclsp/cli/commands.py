"""The command-line interface: commands and their options.

Exit codes: 0 clean, 1 errors found, 2 could not run (with one line on standard error that gives the reason).
The modules of a command are imported when it runs, so that the other commands start faster.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from importlib.util import find_spec
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from openclsp import __version__
from openclsp.cli.command_error import CommandError, suggest_name
from openclsp.cli.garbage_collection import collect_seldom
from openclsp.cli.terminal import write, write_lines, write_notice

CLEAN, ERRORS_FOUND, COULD_NOT_RUN = 0, 1, 2

if TYPE_CHECKING:
    from openclsp.project.option_parser import BuildOptions


class _Commands(click.Group):
    """A command group that suggests the closest command for an unknown one."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = super().get_command(ctx, cmd_name)
        if found is None and not ctx.resilient_parsing:
            raise CommandError(f"there is no command '{cmd_name}'{suggest_name(cmd_name, self.commands)}")
        return found


def _print_version(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    """Prints the version, and whether the hot modules are compiled, as in every wheel but the abi3 ones."""
    if wanted:
        compiled = "yes" if find_spec("openclsp_compiled__mypyc") else "no"
        click.echo(f"openclsp {__version__}, compiled: {compiled}")
        ctx.exit()


@click.group(
    cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
@click.pass_context
def program(ctx: click.Context) -> int:
    """Check the address spaces of OpenCL C, in the terminal and in the editor."""
    if ctx.invoked_subcommand is None:
        raise CommandError(
            f"no command given: {', '.join(program.commands)} ('openclsp --help' explains them)"
        )
    return CLEAN


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
        """Whether `--language opencl` was given, so that named files are OpenCL C whatever their endings."""
        return self.language is not None

    def options(self) -> BuildOptions:
        """Parses the options. Raises CommandError for invalid ones."""
        from openclsp.cli.build_options import build_options

        return build_options(self.std, self.cl_ext, self.folders, self.definitions, self.readable)

    def write_notices(self, notices: Iterable[str]) -> None:
        """Writes notices to standard error: one for each folder that does not exist, then the command's."""
        from openclsp.cli.build_options import folder_notices

        for notice in (
            *folder_notices("include", self.folders),
            *folder_notices("readable", self.readable),
            *notices,
        ):
            write_notice(notice)


def _build_options(command: Callable[..., int]) -> Callable[..., int]:
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
            click.option("--std", metavar="VERSION", help="CL1.0, CL1.1, CL1.2 (default), CL2.0 or CL3.0."),
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


_format = click.option(
    "--format",
    "form",
    type=click.Choice(("text", "json")),
    default="text",
    help="Text for people (default), or JSON for programs.",
)


@program.command()
@_build_options
@_format
@click.option("--no-fixes", is_flag=True, help="Do not compute fixes.")
@click.option("--fix", "fixing", is_flag=True, help="Apply all preferred fixes, and write the changed files.")
@click.option("--variant", metavar="NAME", help="Check this variant of openclsp.toml or of the host code.")
@click.option(
    "--all-variants", is_flag=True, help="Check every variant; diagnostics common to all are shown once."
)
@click.option(
    "--all-std",
    is_flag=True,
    help="Check under every language version; diagnostics common to all are shown once.",
)
@click.option(
    "--show-options",
    is_flag=True,
    help="Also show the build options of each file, and the origin of each option.",
)
@click.option("--kernels", is_flag=True, help="Also show the memory that each kernel uses.")
@click.option("--stdin-path", metavar="NAME", help="File name for standard input (path '-').")
@click.argument("paths", nargs=-1, metavar="PATH…")
def check(
    given: BuildArguments,
    form: str,
    no_fixes: bool,
    fixing: bool,
    variant: str | None,
    all_variants: bool,
    all_std: bool,
    show_options: bool,
    kernels: bool,
    stdin_path: str | None,
    paths: tuple[str, ...],
) -> int:
    """Check files, folders or standard input ('-')."""
    if not paths:
        raise CommandError("no PATH given: name files or folders to check, or '-' for standard input")
    from openclsp.cli.builds import RequestedBuilds
    from openclsp.cli.check_command import check as check_inputs
    from openclsp.cli.check_report_text import check_text
    from openclsp.cli.inputs import STANDARD_INPUT, allowed_folders_of_run, read_inputs
    from openclsp.cli.json_output import check_json, dumps
    from openclsp.cli.kernels_output import kernels_json, kernels_text
    from openclsp.cli.options_output import options_json, options_text
    from openclsp.cli.progress_line import ProgressLine
    from openclsp.rules.finding import Severity

    if variant is not None and all_variants:
        raise CommandError("--variant and --all-variants cannot be combined")
    if given.std is not None and all_std:
        raise CommandError("--std and --all-std cannot be combined")
    if fixing and STANDARD_INPUT in paths:
        raise CommandError("--fix cannot be combined with standard input ('-'), which is not a file")
    options = given.options()
    folders = allowed_folders_of_run(options)
    inputs = read_inputs(paths, stdin_path, sys.stdin.buffer, folders, any_is_opencl=given.is_opencl)
    requested = RequestedBuilds(variant, all_variants, all_std)
    fixed = None
    with ProgressLine(sys.stderr) as step:
        if fixing:
            from openclsp.cli.fix_command import fix

            fixed = fix(inputs, options, requested, step)
            # The fixes have changed files; the report is about the new contents.
            inputs = read_inputs(paths, stdin_path, sys.stdin.buffer, folders, any_is_opencl=given.is_opencl)
        report = check_inputs(
            inputs,
            options,
            with_fixes=not no_fixes,
            requested=requested,
            with_kernels=kernels,
            step=step,
        )
    passed_over = (f"{each.display_name} {each.reason}; it is not checked" for each in report.not_checked)
    given.write_notices((*(fixed.notices if fixed else ()), *report.notices, *passed_over))
    options_reports = report.options if show_options else ()
    if form == "json":
        answer = check_json(report, fixed)
        answer |= options_json(options_reports) if show_options else {}
        answer |= kernels_json(report.kernels) if kernels else {}
        write(dumps(answer) + "\n")
    else:
        parts = options_text(options_reports), kernels_text(report.kernels)
        write_lines(lambda width: chain(*parts, check_text(report, width, fixed)))
    if report.not_checked or report.truncated or (fixed is not None and fixed.failed):
        return COULD_NOT_RUN
    return ERRORS_FOUND if report.count(Severity.ERROR) else CLEAN


@program.command()
@click.argument("name", metavar="CODE")
def explain(name: str) -> int:
    """Print the page of a rule or concept."""
    from openclsp.cli.rule_book import rule_page as page_of

    write(page_of(name))
    return CLEAN


@program.command()
@_format
@click.option("--concepts", is_flag=True, help="List the concept pages instead.")
def rules(form: str, concepts: bool) -> int:
    """List all rules."""
    from openclsp.cli.json_output import dumps
    from openclsp.cli.rule_book import concepts_json, concepts_text, rules_json, rules_text

    if form == "json":
        write(dumps(concepts_json() if concepts else rules_json()) + "\n")
    else:
        write_lines(lambda width: concepts_text() if concepts else rules_text())
    return CLEAN


@program.command()
@_build_options
@_format
@click.option("--variant", metavar="NAME", help="Use this variant.")
@click.argument("place", metavar="FILE:LINE:COLUMN")
def hover(
    given: BuildArguments,
    form: str,
    variant: str | None,
    place: str,
) -> int:
    """Show the type at a position, with each address space and its reason."""
    from openclsp.cli.hover_command import hover_json, hover_report, hover_text
    from openclsp.cli.json_output import dumps

    report = hover_report(place, given.options(), variant, is_opencl=given.is_opencl)
    given.write_notices(report.notices)
    if form == "json":
        write(dumps(hover_json(report)) + "\n")
    else:
        write_lines(lambda width: hover_text(report))
    return CLEAN


@program.command()
@_build_options
@click.option(
    "--format",
    "form",
    type=click.Choice(("svg", "mermaid", "json")),
    default="svg",
    help="SVG diagram (default), Mermaid flowchart for Markdown, or JSON for programs.",
)
@click.option("--variant", metavar="NAME", help="Use this variant.")
@click.argument("place", metavar="FILE:LINE:COLUMN")
def flow(
    given: BuildArguments,
    form: str,
    variant: str | None,
    place: str,
) -> int:
    """Draw how each address space reaches the generic pointer at a position."""
    from openclsp.cli.flow_command import flow_report, render_flow

    report = flow_report(place, given.options(), variant, is_opencl=given.is_opencl)
    given.write_notices(report.notices)
    write(render_flow(report, form))
    return CLEAN


@program.command()
@click.option("--stdio", is_flag=True, help="Accepted because many editors pass it; this is always used.")
def server(stdio: bool) -> int:
    """Run the language server over standard input and output."""
    from openclsp.lsp.startup.start import serve

    return serve()


def run(arguments: Sequence[str] | None = None) -> int:
    """Runs a command line and returns its exit code. `arguments` default to those of the process."""
    collect_seldom()
    try:
        result = program.main(args=arguments, prog_name="openclsp", standalone_mode=False)
    except CommandError as error:
        write_notice(str(error))
        return COULD_NOT_RUN
    except click.ClickException as error:
        write_notice(error.format_message())
        return COULD_NOT_RUN
    except (click.Abort, KeyboardInterrupt):
        return 130
    except BrokenPipeError:
        # The reader has closed the pipe. Redirecting to /dev/null lets the interpreter flush without an error
        # at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return COULD_NOT_RUN
    return result if isinstance(result, int) else CLEAN
