"""Output of `check --show-options`: the build options of each file, with the origin of each option."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from openclsp.cli.check_report import OptionsReport, ReportedOption
from openclsp.cli.excerpt import display_width, printable
from openclsp.cli.inputs import CheckInput
from openclsp.cli.json_output import Json
from openclsp.cli.output_paths import OutputPaths
from openclsp.cli.styled_text import StyledLine
from openclsp.project.option_parser import BuildOptions, MacroOption
from openclsp.workspace.units import PlannedUnit


def options_report(planned: PlannedUnit, root: CheckInput, paths: OutputPaths) -> OptionsReport:
    """Returns the options of a unit planned for the input `root`, in order of increasing precedence."""
    unit = planned.unit_config
    reported: list[ReportedOption] = []
    later: set[str] = set()
    # The layer with the highest precedence comes first, so that `later` holds the keys of all overriding
    # options.
    for layer in reversed(planned.layers):
        written = list(_options_with_keys(layer.options))
        if layer.option_text and written and not layer.options.include_folders:
            written = [(layer.option_text, *written[0][1:])]
        place = paths.output_path(layer.path, root) if layer.path else None
        for option, key, is_ignored in reversed(written):
            state = (
                "ignored"
                if is_ignored
                else "overridden"
                if not later.isdisjoint(_overriding(key))
                else "used"
            )
            computed = option.endswith(f"={UNKNOWN_VALUE}")
            why = "the host computes its value" if computed else ""
            why = "it does not affect the analysis" if is_ignored else why
            source = layer.source.removeprefix("in ")
            reported.append(
                ReportedOption(option, source, place, layer.line or None, layer.receiver, state, why)
            )
            later |= {key} if key else set()
    reported.reverse()
    for each in planned.host_options.unapplied:
        place = paths.output_path(each.path, root)
        reported.append(
            ReportedOption(
                each.text, each.where, place, each.line or None, each.receiver, "open", each.reason
            )
        )
    dialect = unit.configuration.dialect
    variant = unit.variant.name if unit.variant is not None else ""
    return OptionsReport(root.path, variant, dialect.name, unit.dialect_explanation, tuple(reported))


UNKNOWN_VALUE = "…"
"""Placeholder for an unknown value."""


def _options_with_keys(options: BuildOptions) -> Iterator[tuple[str, str, bool]]:
    """Yields each option as it is written, with a key, and whether it is ignored.

    A later option overrides an earlier one with the same key.
    """
    if options.standard is not None:
        yield options.standard_written or f"-cl-std={options.standard}", "-cl-std", False
    for switch in options.switches:
        yield f"-cl-ext={switch}", f"{_SWITCH}{switch.lstrip('+-')}", False
    for macro in options.macros:
        yield _macro(macro), macro.bare_name, False
    for option, values in (
        ("-I", options.include_folders),
        ("-isystem ", options.system_folders),
        ("-iquote ", options.quote_folders),
        ("-include ", options.forced_includes),
    ):
        for value in values:
            yield f"{option}{value}", "", False
    for written in options.dialect_options:
        yield written, _dialect_key(written), False
    for written in options.ignored:
        yield written, "", True


_SWITCH = "-cl-ext "
_ALL_SWITCHES = f"{_SWITCH}all"


def _overriding(key: str) -> tuple[str, ...]:
    """Returns the keys of later options that override an option with this key."""
    return (key, _ALL_SWITCHES) if key.startswith(_SWITCH) else (key,)


def _dialect_key(option: str) -> str:
    """Returns the key of an option that sets the size of an address or enables blocks.

    Returns an empty key for `-cl-single-precision-constant`.
    """
    if "blocks" in option:
        return "-fblocks"
    return "" if "precision" in option else "-m"


def _macro(macro: MacroOption) -> str:
    if macro.value is None:
        return f"-U{macro.name}"
    return f"-D{macro.name}={UNKNOWN_VALUE if macro.value == macro.name else macro.value}"


def options_text(reports: Sequence[OptionsReport]) -> Iterator[StyledLine]:
    """Yields the text output: for each file its language version, then one option per line."""
    for report in reports:
        variant = f" ({printable(report.variant)})" if report.variant else ""
        yield [(f"{printable(report.path)}{variant}", "bold"), (f": {printable(report.dialect_reason)}", "")]
        width = max((display_width(printable(each.option)) for each in report.options), default=0)
        for each in report.options:
            yield _line(each, min(width, MAXIMUM_COLUMN))
        if not report.options:
            yield [("  no build options", _DIM)]
        yield []


MAXIMUM_COLUMN = 40
"""The maximum width of the options' column in cells. Longer options extend beyond it and do not widen it."""
_DIM = "bright_black"


def _line(option: ReportedOption, width: int) -> StyledLine:
    notes = [printable(option.source)]
    notes += [f"passed to {printable(option.passed_to)}"] if option.passed_to else []
    notes += (
        [("not used: " if option.state in ("open", "ignored") else "") + option.why] if option.why else []
    )
    notes += ["overridden"] if option.state == "overridden" else []
    written = printable(option.option)
    padding = " " * (width - display_width(written))
    used = option.state == "used"
    return [(f"  {written}{padding}  ", "cyan" if used else _DIM), (", ".join(notes), "" if used else _DIM)]


def options_json(reports: Sequence[OptionsReport]) -> dict[str, Json]:
    """Returns the JSON output: an entry for each build of each file."""
    return {"options": [_build(report) for report in reports]}


def _build(report: OptionsReport) -> Json:
    return {
        "path": report.path,
        "variant": report.variant or None,
        "dialect": report.dialect,
        "dialectReason": report.dialect_reason,
        "options": [
            {
                "option": each.option,
                "source": each.source,
                "path": each.path,
                "line": each.line,
                "passedTo": each.passed_to or None,
                "state": each.state,
                "why": each.why or None,
            }
            for each in report.options
        ],
    }
