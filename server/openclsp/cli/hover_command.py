"""The command `hover`: the type at FILE:LINE:COLUMN and its address spaces, as text or as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from openclsp.cli.caller_check import CallerChecker
from openclsp.cli.check_report import OutputLocation
from openclsp.cli.excerpt import display_width, printable
from openclsp.cli.flow_command import flow_json
from openclsp.cli.flow_text import flow_lines
from openclsp.cli.json_output import Json, range_json
from openclsp.cli.output_paths import OutputPaths
from openclsp.cli.project_units import NO_DOCUMENTS
from openclsp.cli.source_position import analyse_position
from openclsp.cli.styled_text import StyledLine
from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Hover, SpaceReason
from openclsp.ide.flow.pointer_flow import describe_flow, describe_flow_if_generic
from openclsp.ide.hover.hover import compute_hover
from openclsp.ide.hover.hover_rendering import describe_level
from openclsp.ide.hover.local_size_notes import with_local_size
from openclsp.ide.unit_config import unit_config
from openclsp.language.spaces import Space
from openclsp.project.option_parser import BuildOptions
from openclsp.rules.runner.flow_explanations import explain_findings
from openclsp.source.document import Document, DocumentName


@dataclass(frozen=True, slots=True)
class HoverReport:
    """A hover with the locations of its reasons.

    `hover` is None if nothing at the position has a type. `notices` are lines for standard error.
    """

    place: str
    hover: Hover | None
    why: tuple[tuple[SpaceReason, OutputLocation | None], ...]
    steps: tuple[tuple[OutputLocation | None, ...], ...]
    """The location of each step of the chains by which address spaces reach the pointer, by chain."""
    callers: tuple[OutputLocation | None, ...]
    """The location of the argument of each call that determines the flow."""
    dialect: str
    dialect_reason: str
    notices: tuple[str, ...]


def hover_report(
    place: str,
    options: BuildOptions,
    variant: str | None = None,
    *,
    is_opencl: bool = False,
    open_documents: Mapping[DocumentName, Document] = NO_DOCUMENTS,
) -> HoverReport:
    """Returns the hover at `FILE:LINE:COLUMN`: see `analyse_position`.

    Raises CommandError if the file or position does not exist.
    """
    analysed = analyse_position(place, options, variant, is_opencl=is_opencl, open_documents=open_documents)
    # Computing the findings marks the unqualified pointers on which an error depends. The hover explains
    # these marks.
    explain_findings(analysed.unit)
    found = compute_hover(analysed.unit, analysed.root.document.name, analysed.offset)
    if found is not None and Space.LOCAL.word in found.spaces:
        name = analysed.root.document.name
        callers = CallerChecker(OutputPaths((analysed.root,)), analysed.projects, open_documents)
        found = with_local_size(analysed.unit, name, analysed.offset, found, callers.local_arguments(name))
    flow = found.flow or found.flow_if_generic if found is not None else None
    return HoverReport(
        place,
        found,
        tuple(
            (why, analysed.output_location(why.location)) for why in (found.why if found is not None else ())
        ),
        analysed.step_locations(flow),
        analysed.caller_locations(flow),
        analysed.unit.dialect.name,
        unit_config(analysed.unit).dialect_explanation,
        analysed.notices,
    )


def hover_json(report: HoverReport) -> dict[str, Json]:
    """Returns the JSON output of `hover`; `type` is null if nothing at the position has a type."""
    return {
        "type": (report.hover.type or None) if report.hover is not None else None,
        "spaces": list(report.hover.spaces) if report.hover is not None else [],
        "why": [
            {
                "space": why.space,
                "level": why.level,
                "reason": why.reason,
                "path": location.path if location is not None else None,
                "range": range_json(location) if location is not None else None,
            }
            for why, location in report.why
        ],
        "flow": flow_json(
            report.hover.flow if report.hover is not None else None, report.steps, report.callers
        ),
        "documentation": list(report.hover.documentation) if report.hover is not None else [],
        "notes": list(report.hover.notes) if report.hover is not None else [],
        "dialect": report.dialect,
    }


def hover_text(report: HoverReport) -> Iterator[StyledLine]:
    """Yields the text output of `hover`: the type, the address space of each pointer level, the dialect."""
    found = report.hover
    if found is None:
        yield [(f"Nothing at {printable(report.place)} has a type.", "")]
        return
    if found.type:
        for line in found.type.splitlines():
            yield [(printable(line), "bold")]
    for paragraph in found.documentation:
        yield [(f"  {printable(paragraph)}", "")]
    lines = [
        (
            why.space,
            describe_level(why.level),
            f"{why.reason}{f' at {location.start_label}' if location is not None else ''}",
        )
        for why, location in report.why
    ]
    widths = [max((display_width(line[column]) for line in lines), default=0) for column in (0, 1)]
    for space, level, reason in lines:
        yield [
            ("  ", ""),
            (f"{space:<{widths[0]}}", "cyan"),
            (f"  {level:<{widths[1]}}  {printable(reason)}", ""),
        ]
    flow = found.flow or found.flow_if_generic
    if flow is not None:
        yield [
            ("  ", ""),
            (describe_flow(flow) if flow is found.flow else describe_flow_if_generic(flow), "bold"),
        ]
        yield from flow_lines(flow, report.steps)
    for note in found.notes:
        yield [(f"  {printable(note)}", "")]
    yield [(report.dialect_reason, "bright_black")]
