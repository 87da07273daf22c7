"""The commands and their options.

Exit codes: 0 clean, 1 errors found, 2 could not run; then one line on standard error says what is wrong. What a command
needs is imported when it runs, so that the others start at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from openclsp import __version__
from openclsp.cli.failure import CannotRun, nearest
from openclsp.cli.garbage import collect_seldom
from openclsp.cli.terminal import tell, write, write_lines

CLEAN, ERRORS_FOUND, COULD_NOT_RUN = 0, 1, 2

if TYPE_CHECKING:
    from openclsp.workspace.options import Options


class _Commands(click.Group):
    """The group, with the nearest command in the message of an unknown one."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = super().get_command(ctx, cmd_name)
        if found is None and not ctx.resilient_parsing:
            raise CannotRun(f"there is no command '{cmd_name}'{nearest(cmd_name, self.commands)}")
        return found


@click.group(
    cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, message="openclsp %(version)s")
@click.pass_context
def program(ctx: click.Context) -> int:
    """Check OpenCL C for its address spaces, in the terminal and in the editor."""
    if ctx.invoked_subcommand is None:
        raise CannotRun(f"no command given: {', '.join(program.commands)} ('openclsp --help' explains them)")
    return CLEAN


class Given(NamedTuple):
    """The options that say how a kernel is built, as they are on the command line."""

    std: str | None
    cl_ext: tuple[str, ...]
    folders: tuple[str, ...]
    definitions: tuple[str, ...]
    readable: tuple[str, ...]
    language: str | None

    @property
    def is_opencl(self) -> bool:
        """Whether `--language opencl` was given: named files are OpenCL C whatever their endings."""
        return self.language is not None

    def options(self) -> Options:
        """What they say. Raises CannotRun."""
        from openclsp.cli.build_options import build_options

        return build_options(self.std, self.cl_ext, self.folders, self.definitions, self.readable)

    def tell(self, notices: Iterable[str]) -> None:
        """A line for each folder that is not there, and the notices of the command."""
        from openclsp.cli.build_options import folder_notices

        for notice in (
            *folder_notices("include", self.folders),
            *folder_notices("readable", self.readable),
            *notices,
        ):
            tell(notice)


def _build_options(command: Callable[..., int]) -> Callable[..., int]:
    """Gives a command these options, as its argument `given`."""

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
        return command(given=Given(std, cl_ext, folders, definitions, readable, language), **others)

    made: Callable[..., int] = with_options
    for option in reversed(
        (
            click.option("--std", metavar="VERSION", help="CL1.0, CL1.1, CL1.2 (default), CL2.0 or CL3.0."),
            click.option(
                "--cl-ext",
                multiple=True,
                metavar="+NAME,-NAME",
                help="Switch extensions and features on or off; +all and -all switch them all.",
            ),
            click.option(
                "-I", "folders", multiple=True, metavar="DIR", help="Search includes in this folder."
            ),
            click.option("-D", "definitions", multiple=True, metavar="NAME[=VALUE]", help="Define a macro."),
            click.option(
                "--readable-folder",
                "readable",
                multiple=True,
                metavar="DIR",
                help="Let the project's own options and links lead into this folder.",
            ),
            click.option(
                "--language",
                type=click.Choice(("opencl",), case_sensitive=False),
                help="The files that are named are OpenCL C, whatever their endings.",
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
    help="For reading (default), or for other programs.",
)


@program.command()
@_build_options
@_format
@click.option("--no-fixes", is_flag=True, help="Do not look for fixes.")
@click.option(
    "--fix", "fixing", is_flag=True, help="Make all fixes that are clearly right, and write the files."
)
@click.option("--variant", metavar="NAME", help="Check this variant of openclsp.toml or of the host's code.")
@click.option(
    "--all-variants", is_flag=True, help="Check every variant; what is the same in all is told once."
)
@click.option("--all-std", is_flag=True, help="Check every language version, alike.")
@click.option(
    "--show-options",
    is_flag=True,
    help="Show the build options of each file too, and where each comes from.",
)
@click.option("--kernels", is_flag=True, help="Tell of each kernel which memory it uses, and how much of it.")
@click.option("--stdin-path", metavar="NAME", help="The name of what is read from standard input (path '-').")
@click.argument("paths", nargs=-1, metavar="PATH…")
def check(
    given: Given,
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
        raise CannotRun("no PATH given: name files or folders to check, or '-' for standard input")
    from openclsp.cli.builds import Asked
    from openclsp.cli.check_text import check_text
    from openclsp.cli.checking import check as check_inputs
    from openclsp.cli.inputs import STANDARD_INPUT, person_folders, read_inputs
    from openclsp.cli.json_output import check_json, dumps
    from openclsp.cli.kernels_shown import kernels_json, kernels_text
    from openclsp.cli.options_shown import options_json, options_text
    from openclsp.cli.progress import Progress
    from openclsp.rules.finding import Severity

    if variant is not None and all_variants:
        raise CannotRun("--variant names one variant, and --all-variants asks for all: give one of them")
    if given.std is not None and all_std:
        raise CannotRun("--std names one language version, and --all-std asks for all: give one of them")
    if fixing and STANDARD_INPUT in paths:
        raise CannotRun("--fix writes the files that it fixes, and standard input ('-') is none")
    options = given.options()
    folders = person_folders(options)
    inputs = read_inputs(paths, stdin_path, sys.stdin.buffer, folders, any_is_opencl=given.is_opencl)
    asked = Asked(variant, all_variants, all_std)
    fixed = None
    with Progress(sys.stderr) as step:
        if fixing:
            from openclsp.cli.fixing import fix

            fixed = fix(inputs, options, asked, step)
            inputs = read_inputs(paths, stdin_path, sys.stdin.buffer, folders, any_is_opencl=given.is_opencl)
        report = check_inputs(
            inputs,
            options,
            with_fixes=not no_fixes,
            asked=asked,
            with_kernels=kernels,
            step=step,
        )
    passed_over = (f"{each.called} {each.reason}; it is not checked" for each in report.not_checked)
    given.tell((*(fixed.notices if fixed else ()), *report.notices, *passed_over))
    shown = report.options if show_options else ()
    if form == "json":
        answer = check_json(report, fixed)
        answer |= options_json(shown) if show_options else {}
        answer |= kernels_json(report.kernels) if kernels else {}
        write(dumps(answer) + "\n")
    else:
        parts = options_text(shown), kernels_text(report.kernels)
        write_lines(lambda width: chain(*parts, check_text(report, width, fixed)))
    if report.not_checked or report.truncated or (fixed is not None and fixed.failed):
        return COULD_NOT_RUN
    return ERRORS_FOUND if report.count(Severity.ERROR) else CLEAN


@program.command()
@click.argument("name", metavar="CODE")
def explain(name: str) -> int:
    """Print the page of a rule or of a concept."""
    from openclsp.cli.rule_book import explain as page_of

    write(page_of(name))
    return CLEAN


@program.command()
@_format
@click.option("--concepts", is_flag=True, help="List the pages that belong to no single rule instead.")
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
@click.option("--variant", metavar="NAME", help="Look at this variant.")
@click.argument("place", metavar="FILE:LINE:COLUMN")
def hover(
    given: Given,
    form: str,
    variant: str | None,
    place: str,
) -> int:
    """Tell the type at a place, with every address space and its reason."""
    from openclsp.cli.hovering import hover_at, hover_json, hover_text
    from openclsp.cli.json_output import dumps

    report = hover_at(place, given.options(), variant, is_opencl=given.is_opencl)
    given.tell(report.notices)
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
    help="A picture (default), one for Markdown, or for other programs.",
)
@click.option("--variant", metavar="NAME", help="Look at this variant.")
@click.argument("place", metavar="FILE:LINE:COLUMN")
def flow(
    given: Given,
    form: str,
    variant: str | None,
    place: str,
) -> int:
    """Draw how each address space reaches the generic pointer at a place."""
    from openclsp.cli.flow_shown import flow_report, written

    report = flow_report(place, given.options(), variant, is_opencl=given.is_opencl)
    given.tell(report.notices)
    write(written(report, form))
    return CLEAN


@program.command()
@click.option("--stdio", is_flag=True, help="Accepted because many editors pass it; there is no other way.")
def server(stdio: bool) -> int:
    """Serve an editor over standard input and output."""
    from openclsp.lsp.start import serve

    return serve()


def run(arguments: Sequence[str] | None = None) -> int:
    """Runs a command line; the result is the exit code. `arguments` are those of the process unless given."""
    collect_seldom()
    try:
        result = program.main(args=arguments, prog_name="openclsp", standalone_mode=False)
    except CannotRun as error:
        tell(str(error))
        return COULD_NOT_RUN
    except click.ClickException as error:
        tell(error.format_message())
        return COULD_NOT_RUN
    except (click.Abort, KeyboardInterrupt):
        return 130
    except BrokenPipeError:
        # whoever read the output has seen enough; nothing may be written when the interpreter flushes at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return COULD_NOT_RUN
    return result if isinstance(result, int) else CLEAN
