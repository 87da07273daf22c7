"""A run of `check`: validates its arguments, checks, filters the report, and writes it.

The modules of rare options are imported when they are used, so that the usual run starts faster.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from openclsp.cli.build_arguments import BuildArguments
from openclsp.cli.builds import RequestedBuilds
from openclsp.cli.check_arguments import CheckArguments
from openclsp.cli.check_command import check
from openclsp.cli.check_report import CheckReport
from openclsp.cli.command_error import CommandError
from openclsp.cli.depfile import write_depfile
from openclsp.cli.exit_codes import CLEAN, COULD_NOT_RUN, ERRORS_FOUND
from openclsp.cli.fix_command import FixReport, fix
from openclsp.cli.inputs import (
    STANDARD_INPUT,
    CheckInputs,
    allowed_folders_of_run,
    has_opencl_name,
    read_inputs,
)
from openclsp.cli.progress_line import ProgressLine, ProgressStep
from openclsp.cli.report_filters import (
    disabled_rule_notices,
    filter_by_code,
    has_severity,
    limit_report,
    split_codes,
)
from openclsp.cli.report_rendering import write_patch, write_report
from openclsp.cli.shards import parse_shard, select_shard
from openclsp.cli.terminal import write_notice
from openclsp.cli.worker_processes import available_cores
from openclsp.rules.runner.page import page_codes


class RunOutcome(NamedTuple):
    """The exit code of a run, and the files that it read."""

    code: int
    dependencies: frozenset[str]


def run_check(given: BuildArguments, arguments: CheckArguments) -> int:
    """Runs `check` and returns its exit code. Raises CommandError."""
    run = _Run(given, arguments)
    if not arguments.watch:
        return run.run().code

    from openclsp.cli.watch import watch

    def check_again() -> frozenset[str]:
        if sys.stdout.isatty():
            # Clears the screen and its history.
            sys.stdout.write("\x1b[2J\x1b[3J\x1b[H")
        outcome = run.run()
        write_notice(f"watching {len(outcome.dependencies)} files; press Ctrl-C to stop")
        return outcome.dependencies

    watch(check_again, run.find_files)
    return CLEAN


class _Run:
    """The validated arguments of a run of `check`; `--watch` runs it repeatedly."""

    def __init__(self, given: BuildArguments, arguments: CheckArguments) -> None:
        _validate(given, arguments)
        self.given, self.arguments = given, arguments
        self.select = split_codes("--select", arguments.select)
        self.ignore = split_codes("--ignore", arguments.ignore)
        self.shard = parse_shard(arguments.shard) if arguments.shard is not None else None
        self.options = given.options()
        self.requested = RequestedBuilds(arguments.variant, arguments.all_variants, arguments.all_std)

    def find_files(self) -> Iterator[str]:
        """Yields the absolute paths of the inputs that can be read."""
        return (each.file_name for each in self._read().inputs)

    def run(self) -> RunOutcome:
        """Applies fixes, checks the inputs, filters the report and writes it.

        Returns the exit code, and the files that were read. Raises CommandError.
        """
        arguments = self.arguments
        # The baseline is read before the check, so that a faulty baseline ends the run immediately.
        known: Counter[str] | None = None
        if arguments.baseline and not arguments.write_baseline:
            from openclsp.cli.baseline import read_baseline

            known = read_baseline(arguments.baseline)
        inputs = self._read()
        fixed: FixReport | None = None
        with ProgressLine(sys.stderr) as step:
            if arguments.fixing or arguments.diff:
                fixed = fix(
                    inputs,
                    self.options,
                    self.requested,
                    step,
                    codes=self._codes(),
                    writing=arguments.fixing,
                )
                if arguments.diff:
                    return self._write_patch(inputs, fixed)
                # The fixes have changed files; the report is about the new contents.
                inputs = self._read()
            report = self._check(inputs, step)
            filtered = self._filter(report, known, step)
            notices: tuple[str, ...] = ()
            if arguments.add_ignores:
                from openclsp.cli.ignore_insertion import add_ignores

                notices = add_ignores(filtered, inputs)
                inputs = self._read()
                report = self._check(inputs, step)
                filtered = self._filter(report, known, step)
        self._write_notices(report, fixed, notices)
        self._write(filtered, fixed)
        return RunOutcome(self._exit_code(filtered, fixed), report.dependencies)

    def _read(self) -> CheckInputs:
        inputs = read_inputs(
            self.arguments.paths,
            self.arguments.stdin_path,
            sys.stdin.buffer,
            allowed_folders_of_run(self.options),
            any_is_opencl=self.given.is_opencl,
            skips_missing=True,
        )
        return inputs if self.shard is None else select_shard(inputs, self.shard)

    def _check(self, inputs: CheckInputs, step: ProgressStep) -> CheckReport:
        return check(
            inputs,
            self.options,
            with_fixes=not self.arguments.no_fixes,
            requested=self.requested,
            with_kernels=self.arguments.kernels or self.arguments.form == "html",
            with_pages=self.arguments.form == "html",
            jobs=self._jobs(),
            step=step,
        )

    def _filter(self, report: CheckReport, known: Counter[str] | None, step: ProgressStep) -> CheckReport:
        report = filter_by_code(report, self.select, self.ignore)
        if self.arguments.changed_since is not None:
            from openclsp.cli.changed_since import keep_changed

            report = keep_changed(
                report,
                _first_folder(self.arguments.paths),
                self.arguments.changed_since,
                lambda top, state, renamed: self._check_elsewhere(top, state, renamed, step),
            )
            if self.arguments.form == "html":
                from openclsp.cli.flow_difference import compare_flows

                difference = compare_flows(self.arguments.paths, self.arguments.changed_since, self.options)
                report = replace(report, flow_difference=difference)
        if known is not None:
            from openclsp.cli.baseline import filter_by_baseline

            report = filter_by_baseline(report, known)
        return report

    def _check_elsewhere(
        self, top: str, state: str, renamed: Mapping[str, str], step: ProgressStep
    ) -> CheckReport:
        """Returns the report on the inputs as they are in `state`, a copy of the folder `top` at a revision.

        Inputs that the revision does not contain are skipped. `renamed` maps paths of files in `state` to
        their paths in `top`.
        """
        from openclsp.cli.changed_since import moved_path

        paths = [moved_path(path, top, state) for path in self.arguments.paths]
        paths += [
            os.path.join(state, old)
            for old, new in renamed.items()
            if has_opencl_name(old) and any(_is_at(os.path.join(state, new), path) for path in paths)
        ]
        present = tuple(path for path in paths if os.path.exists(path))
        given = self.given._replace(
            folders=tuple(moved_path(each, top, state) for each in self.given.folders)
        )
        options = given.options()
        inputs = (
            read_inputs(
                present,
                None,
                sys.stdin.buffer,
                allowed_folders_of_run(options),
                any_is_opencl=given.is_opencl,
            )
            if present
            else CheckInputs(())
        )
        try:
            return check(
                inputs, options, with_fixes=False, requested=self.requested, jobs=self._jobs(), step=step
            )
        except CommandError:
            # The variant did not exist at the revision.
            return check(inputs, options, with_fixes=False, jobs=self._jobs(), step=step)

    def _jobs(self) -> int:
        """Returns the maximum number of processes that check files at the same time."""
        return available_cores() if self.arguments.jobs is None else self.arguments.jobs

    def _codes(self) -> tuple[str, ...]:
        """Returns the codes whose diagnostics `--fix` fixes; empty for all codes.

        The options `--select` and `--ignore` determine the codes.
        """
        if not self.ignore:
            return self.select
        return tuple(code for code in self.select or page_codes() if code not in self.ignore)

    def _write_patch(self, inputs: CheckInputs, fixed: FixReport) -> RunOutcome:
        from openclsp.cli.patch import render_patch

        self.given.write_notices((*inputs.notices, *fixed.notices))
        patch = render_patch(fixed.changes)
        write_patch(patch, self.arguments.output)
        code = COULD_NOT_RUN if fixed.failed else ERRORS_FOUND if patch else CLEAN
        return RunOutcome(code, frozenset(each.file_name for each in inputs.inputs))

    def _write_notices(self, report: CheckReport, fixed: FixReport | None, more: tuple[str, ...]) -> None:
        self.given.write_notices(
            (
                *(fixed.notices if fixed else ()),
                *report.notices,
                *(f"{each.display_name} {each.reason}; it is not checked" for each in report.not_checked),
                *disabled_rule_notices(self.select),
                *more,
            )
        )

    def _write(self, report: CheckReport, fixed: FixReport | None) -> None:
        arguments = self.arguments
        if arguments.depfile is not None:
            write_depfile(arguments.depfile, report.dependencies)
        if arguments.write_baseline and arguments.baseline is not None:
            from openclsp.cli.baseline import write_baseline

            count = write_baseline(arguments.baseline, report)
            write_notice(f"{arguments.baseline} lists {count} diagnostics")
            return
        write_report(limit_report(report, arguments.maximum), arguments, fixed)

    def _exit_code(self, report: CheckReport, fixed: FixReport | None) -> int:
        if report.not_checked or report.truncated or (fixed is not None and fixed.failed):
            return COULD_NOT_RUN
        if self.arguments.write_baseline:
            return CLEAN
        return ERRORS_FOUND if has_severity(report, self.arguments.fail_on) else CLEAN


def _validate(given: BuildArguments, arguments: CheckArguments) -> None:
    """Raises CommandError for options that cannot be combined."""
    if not arguments.paths:
        raise CommandError("no PATH given: name files or folders to check, or '-' for standard input")
    if arguments.variant is not None and arguments.all_variants:
        raise CommandError("--variant and --all-variants cannot be combined")
    if given.std is not None and arguments.all_std:
        raise CommandError("--std and --all-std cannot be combined")
    if arguments.form == "html" and arguments.output is None:
        raise CommandError("--format html needs --output FOLDER, in which it writes a page for each file")
    if arguments.write_baseline and arguments.baseline is None:
        raise CommandError("--write-baseline needs --baseline FILE, the file to write")
    changing = {
        "--fix": arguments.fixing,
        "--diff": arguments.diff,
        "--add-ignores": arguments.add_ignores,
        "--write-baseline": arguments.write_baseline,
        "--watch": arguments.watch,
    }
    together = [option for option, used in changing.items() if used]
    if len(together) > 1:
        raise CommandError(f"{together[0]} and {together[1]} cannot be combined")
    for_files = {**changing, "--changed-since": arguments.changed_since is not None}
    if STANDARD_INPUT in arguments.paths:
        for option, used in for_files.items():
            if used and option != "--write-baseline":
                raise CommandError(
                    f"{option} cannot be combined with standard input ('-'), which is not a file"
                )


def _first_folder(paths: tuple[str, ...]) -> str:
    first = os.path.abspath(paths[0])
    return first if os.path.isdir(first) else os.path.dirname(first)


def _is_at(name: str, path: str) -> bool:
    """Whether the file `name` is `path` itself, or is in the folder `path`."""
    return name == path or name.startswith(os.path.join(path, ""))
