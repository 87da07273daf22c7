"""Renders the report of `check` in the requested format, and writes it to standard output or to a file.

The modules of a format are imported when it is requested, so that the usual run starts faster.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain

from openclsp.cli.check_arguments import CheckArguments
from openclsp.cli.check_report import CheckReport
from openclsp.cli.check_report_text import check_text, summary_text
from openclsp.cli.excerpt import printable
from openclsp.cli.fix_command import FixReport
from openclsp.cli.json_output import Json, check_json, dumps
from openclsp.cli.kernels_output import kernels_json, kernels_text
from openclsp.cli.options_output import options_json, options_text
from openclsp.cli.statistics_text import statistics_json, statistics_text
from openclsp.cli.styled_text import StyledLine
from openclsp.cli.terminal import FILE_OUTPUT_WIDTH, plain_text_of_lines, write, write_lines
from openclsp.cli.user_files import write_user_file


def write_report(report: CheckReport, arguments: CheckArguments, fixed: FixReport | None) -> None:
    """Writes the report; text for standard output is coloured as `--color` says. Raises CommandError."""
    if arguments.form == "text" and arguments.output is None:
        write_lines(lambda width: _lines(report, arguments, fixed, width))
        return
    if arguments.form == "html" and arguments.output is not None:
        from openclsp.cli.html.report_folder import write_html_report

        write_html_report(arguments.output, report)
        return
    rendered = _render(report, arguments, fixed)
    if arguments.output is None:
        write(rendered)
    else:
        write_user_file(arguments.output, rendered.encode("utf-8", "replace"))


def _render(report: CheckReport, arguments: CheckArguments, fixed: FixReport | None) -> str:
    match arguments.form:
        case "json":
            return dumps(_json(report, arguments, fixed)) + "\n"
        case "sarif":
            from openclsp.cli.formats.sarif import sarif_text

            return sarif_text(report, executed=not report.not_checked and not report.truncated)
        case "github":
            from openclsp.cli.formats.annotations import github_text

            return github_text(report)
        case "gitlab":
            from openclsp.cli.formats.annotations import gitlab_text

            return gitlab_text(report)
        case "rdjson":
            from openclsp.cli.formats.annotations import rdjson_text

            return rdjson_text(report)
        case _:
            return plain_text_of_lines(_lines(report, arguments, fixed, FILE_OUTPUT_WIDTH))


def _json(report: CheckReport, arguments: CheckArguments, fixed: FixReport | None) -> dict[str, Json]:
    answer = check_json(report, fixed)
    answer |= options_json(report.options) if arguments.show_options else {}
    answer |= kernels_json(report.kernels) if arguments.kernels else {}
    answer |= statistics_json(report) if arguments.statistics else {}
    return answer


def _lines(
    report: CheckReport, arguments: CheckArguments, fixed: FixReport | None, width: int
) -> Iterator[StyledLine]:
    options = options_text(report.options if arguments.show_options else ())
    kernels = kernels_text(report.kernels)
    if arguments.statistics:
        return chain(options, kernels, statistics_text(report), summary_text(report))
    return chain(options, kernels, check_text(report, width, fixed))


def write_patch(patch: bytes, output: str | None) -> None:
    """Writes a patch. If the output is a terminal, control characters are replaced. Raises CommandError."""
    if output is not None:
        write_user_file(output, patch)
    elif sys.stdout.isatty():
        lines = patch.decode("utf-8", "replace").splitlines()
        write("".join(f"{printable(line)}\n" for line in lines))
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(patch)
        sys.stdout.buffer.flush()
