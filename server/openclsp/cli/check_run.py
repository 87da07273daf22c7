"""A run of `check`: validates its arguments, checks, filters the report, and writes it."""

from __future__ import annotations

import sys
from itertools import chain

from openclsp.cli.build_arguments import BuildArguments
from openclsp.cli.builds import RequestedBuilds
from openclsp.cli.check_arguments import CheckArguments
from openclsp.cli.check_command import check
from openclsp.cli.check_report import CheckReport
from openclsp.cli.command_error import CommandError
from openclsp.cli.exit_codes import CLEAN, COULD_NOT_RUN, ERRORS_FOUND
from openclsp.cli.fix_command import FixReport, fix
from openclsp.cli.inputs import STANDARD_INPUT, CheckInputs, allowed_folders_of_run, read_inputs
from openclsp.cli.progress_line import ProgressLine
from openclsp.cli.report_filters import (
    disabled_rule_notices,
    filter_by_code,
    has_severity,
    limit_report,
    split_codes,
)
from openclsp.cli.report_rendering import write_report


def run_check(given: BuildArguments, arguments: CheckArguments) -> int:
    """Runs `check` and returns its exit code. Raises CommandError."""
    _validate(given, arguments)
    select = split_codes("--select", arguments.select)
    ignore = split_codes("--ignore", arguments.ignore)
    options = given.options()
    folders = allowed_folders_of_run(options)

    def read() -> CheckInputs:
        return read_inputs(
            arguments.paths,
            arguments.stdin_path,
            sys.stdin.buffer,
            folders,
            any_is_opencl=given.is_opencl,
        )

    inputs = read()
    requested = RequestedBuilds(arguments.variant, arguments.all_variants, arguments.all_std)
    fixed: FixReport | None = None
    with ProgressLine(sys.stderr) as step:
        if arguments.fixing:
            fixed = fix(inputs, options, requested, step)
            # The fixes have changed files; the report is about the new contents.
            inputs = read()
        report = check(
            inputs,
            options,
            with_fixes=not arguments.no_fixes,
            requested=requested,
            with_kernels=arguments.kernels or arguments.form == "html",
            step=step,
        )
    passed_over = (f"{each.display_name} {each.reason}; it is not checked" for each in report.not_checked)
    given.write_notices(
        chain(
            fixed.notices if fixed else (),
            report.notices,
            passed_over,
            disabled_rule_notices(select),
        )
    )
    report = filter_by_code(report, select, ignore)
    code = _exit_code(report, arguments, fixed)
    write_report(limit_report(report, arguments.maximum), arguments, fixed)
    return code


def _validate(given: BuildArguments, arguments: CheckArguments) -> None:
    """Raises CommandError for options that cannot be combined."""
    if not arguments.paths:
        raise CommandError("no PATH given: name files or folders to check, or '-' for standard input")
    if arguments.variant is not None and arguments.all_variants:
        raise CommandError("--variant and --all-variants cannot be combined")
    if given.std is not None and arguments.all_std:
        raise CommandError("--std and --all-std cannot be combined")
    if arguments.fixing and STANDARD_INPUT in arguments.paths:
        raise CommandError("--fix cannot be combined with standard input ('-'), which is not a file")


def _exit_code(report: CheckReport, arguments: CheckArguments, fixed: FixReport | None) -> int:
    if report.not_checked or report.truncated or (fixed is not None and fixed.failed):
        return COULD_NOT_RUN
    return ERRORS_FOUND if has_severity(report, arguments.fail_on) else CLEAN
