"""The command-line interface: commands and their options.

Exit codes: 0 no errors found, 1 errors found, 2 the command could not run. With exit code 2, one line on
standard error gives the reason. The modules of a command are imported when it runs, so that the other
commands start faster.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec

import click

from openclsp import __version__
from openclsp.cli.build_arguments import BuildArguments, accept_build_options
from openclsp.cli.check_arguments import CheckArguments, accept_check_options
from openclsp.cli.command_error import CommandError, suggest_name
from openclsp.cli.exit_codes import CLEAN, COULD_NOT_RUN
from openclsp.cli.garbage_collection import collect_seldom
from openclsp.cli.terminal import accept_color, write, write_lines, write_notice


class _Commands(click.Group):
    """A command group that suggests the closest command for an unknown one."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = super().get_command(ctx, cmd_name)
        if found is None and not ctx.resilient_parsing:
            raise CommandError(f"there is no command '{cmd_name}'{suggest_name(cmd_name, self.commands)}")
        return found


def _print_version(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    """Prints the version, and whether the performance-critical modules are compiled.

    They are compiled in all wheels except the abi3 wheels.
    """
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


_format = click.option(
    "--format",
    "form",
    type=click.Choice(("text", "json")),
    default="text",
    help="Text for people (default), or JSON for programs.",
)


@program.command()
@accept_build_options
@accept_check_options
@accept_color
def check(given: BuildArguments, arguments: CheckArguments) -> int:
    """Check files, folders or standard input ('-')."""
    from openclsp.cli.check_run import run_check

    return run_check(given, arguments)


@program.command()
@click.argument("name", metavar="CODE")
def explain(name: str) -> int:
    """Print the page of a rule or concept."""
    from openclsp.cli.rule_book import rule_page as page_of

    write(page_of(name))
    return CLEAN


@program.command()
@_format
@accept_color
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
@accept_build_options
@_format
@accept_color
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
@accept_build_options
@_format
@accept_color
@click.option("--variant", metavar="NAME", help="Use this variant.")
@click.argument("place", metavar="FILE:LINE:COLUMN")
def layout(given: BuildArguments, form: str, variant: str | None, place: str) -> int:
    """Show the members of the struct or union at a position, with offset, size and padding."""
    from openclsp.cli.json_output import dumps
    from openclsp.cli.layout_command import layout_json, layout_report, layout_text

    report = layout_report(place, given.options(), variant, is_opencl=given.is_opencl)
    given.write_notices(report.notices)
    if form == "json":
        write(dumps(layout_json(report)) + "\n")
    else:
        write_lines(lambda width: layout_text(report))
    return CLEAN


@program.command()
@accept_build_options
@_format
@click.option("--variant", metavar="NAME", help="Use this variant.")
@click.argument("place", metavar="FILE[:LINE:COLUMN]")
def expand(given: BuildArguments, form: str, variant: str | None, place: str) -> int:
    """Show the expansion of the macro at a position step by step, or a whole file after preprocessing."""
    from openclsp.cli.expand_command import expand_report, render_expand

    report = expand_report(place, given.options(), variant, is_opencl=given.is_opencl)
    given.write_notices(report.notices)
    write(render_expand(report, form))
    return CLEAN


@program.command()
@accept_build_options
@click.option(
    "--format",
    "form",
    type=click.Choice(("svg", "mermaid", "text", "json")),
    help="SVG diagram (default), Mermaid flowchart for Markdown, text for terminals, or JSON for programs.",
)
@click.option("--variant", metavar="NAME", help="Use this variant.")
@click.option(
    "--diff",
    "revision",
    metavar="REV",
    help="List the pointers whose address spaces changed since this git revision, as text or JSON.",
)
@click.option(
    "--every-chain",
    is_flag=True,
    help="Show every way of each address space to the pointer, not only the shortest.",
)
@click.argument("places", metavar="FILE:LINE:COLUMN | --diff REV PATH...", nargs=-1, required=True)
def flow(
    given: BuildArguments,
    form: str | None,
    variant: str | None,
    revision: str | None,
    every_chain: bool,
    places: tuple[str, ...],
) -> int:
    """Draw how each address space reaches the generic pointer at a position."""
    from openclsp.cli.flow_command import flow_report, flow_report_text, render_flow

    if revision is not None:
        return _compare_flows(given, form, revision, places)
    if len(places) != 1:
        raise CommandError("flow takes one position, FILE:LINE:COLUMN")
    report = flow_report(
        places[0], given.options(), variant, is_opencl=given.is_opencl, every_chain=every_chain
    )
    given.write_notices(report.notices)
    if form == "text":
        write_lines(lambda width: flow_report_text(report))
        return CLEAN
    write(render_flow(report, form or "svg"))
    return CLEAN


def _compare_flows(given: BuildArguments, form: str | None, revision: str, paths: tuple[str, ...]) -> int:
    from openclsp.cli.flow_difference import compare_flows, flow_difference_json, flow_difference_text
    from openclsp.cli.json_output import dumps

    if form not in (None, "text", "json"):
        raise CommandError(f"--diff writes text or json, not {form}")
    found = compare_flows(paths, revision, given.options())
    given.write_notices(found.notices)
    if form == "json":
        write(dumps(flow_difference_json(found)) + "\n")
    else:
        write_lines(lambda width: flow_difference_text(found))
    return CLEAN


@program.command()
@click.argument("name", metavar="[NAME]", required=False)
def schema(name: str | None) -> int:
    """Print the JSON schema of an output, or list all schemas."""
    from openclsp.cli.schemas import schema_names, schema_text

    write("".join(f"{each}\n" for each in schema_names()) if name is None else schema_text(name))
    return CLEAN


@program.command()
@accept_build_options
@click.option("--write", "writing", is_flag=True, help="Allow the tool try_fix to write files.")
@click.argument("folder", default=".", metavar="FOLDER")
def mcp(given: BuildArguments, writing: bool, folder: str) -> int:
    """Serve tools for agents over standard input and output (Model Context Protocol)."""
    try:
        from openclsp.cli.agents.mcp_server import serve_tools
    except ModuleNotFoundError as error:
        raise CommandError(f"{error.name} is not installed: install openclsp[mcp]") from error
    serve_tools(folder, given, writing=writing)
    return CLEAN


@program.command()
@accept_build_options
@accept_color
@click.argument("paths", nargs=-1, metavar="[FILE…]")
def doctor(given: BuildArguments, paths: tuple[str, ...]) -> int:
    """Show versions and the configuration of files, and test the server."""
    from openclsp.cli.doctor_command import doctor_text, run_self_test, server_command
    from openclsp.cli.init_command import find_builds
    from openclsp.cli.inputs import read_inputs
    from openclsp.workspace.user_configuration import read_user_configuration

    options = given.options()
    found = read_inputs(paths, None, sys.stdin.buffer, any_is_opencl=given.is_opencl) if paths else None
    given.write_notices(found.notices if found else ())
    builds = find_builds(found.inputs, options) if found else []
    test = run_self_test(server_command())
    write_lines(lambda width: doctor_text(read_user_configuration(), [each.report for each in builds], test))
    if test.passed:
        return CLEAN
    write_notice(f"the self-test failed: {test.detail}")
    return COULD_NOT_RUN


@program.command()
@click.argument("folder", default=".", metavar="[FOLDER]")
def init(folder: str) -> int:
    """Write an openclsp.toml with comments, from what is found in a folder."""
    from openclsp.cli.init_command import FoundBuild, find_builds, write_project_file
    from openclsp.cli.inputs import read_inputs
    from openclsp.project.option_parser import BuildOptions

    def find() -> list[FoundBuild]:
        found = read_inputs([folder], None, sys.stdin.buffer)
        for notice in found.notices:
            write_notice(notice)
        return find_builds(found.inputs, BuildOptions())

    write(f"{write_project_file(folder, find)}\n")
    return CLEAN


@program.command()
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
def completions(shell: str) -> int:
    """Print the completion script of a shell."""
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    write(found(program, {}, "openclsp", "_OPENCLSP_COMPLETE").source() + "\n")
    return CLEAN


@program.command()
@click.option("--stdio", is_flag=True, help="Accepted because many editors pass it; this is always used.")
def server(stdio: bool) -> int:
    """Run the language server over standard input and output."""
    from openclsp.lsp.startup.start import serve

    return serve()


def run(arguments: Sequence[str] | None = None) -> int:
    """Runs a command line and returns its exit code. `arguments` default to the arguments of this process."""
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
        # The process that reads the output has closed the pipe.
        _discard_output()
        return COULD_NOT_RUN
    except OSError as error:
        # For example, the output may be on a full disk.
        write_notice(f"{error.filename or 'the output'} cannot be written: {error.strerror}")
        _discard_output()
        return COULD_NOT_RUN
    return result if isinstance(result, int) else CLEAN


def _discard_output() -> None:
    """Redirects standard output to the null device, so that the interpreter can flush it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
