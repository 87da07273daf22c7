"""The command `flow`: how address spaces reach the pointer at FILE:LINE:COLUMN, as diagram, text or JSON."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from openclsp.cli.check_report import OutputLocation
from openclsp.cli.command_error import CommandError
from openclsp.cli.flow_text import flow_report_lines
from openclsp.cli.json_output import Json, dumps, range_json
from openclsp.cli.project_units import NO_DOCUMENTS
from openclsp.cli.source_position import analyse_position
from openclsp.cli.styled_text import StyledLine
from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import FlowStep, PointerFlow
from openclsp.ide.flow.flow_layout import layout_flow
from openclsp.ide.flow.flow_mermaid import render_mermaid
from openclsp.ide.flow.flow_svg import render_svg
from openclsp.ide.flow.pointer_flow import compute_flow_at, describe_flow
from openclsp.ide.unit_config import unit_config
from openclsp.project.option_parser import BuildOptions
from openclsp.source.document import Document, DocumentName


@dataclass(frozen=True, slots=True)
class FlowReport:
    """The flow of a pointer, with the locations of its steps and of the arguments that callers pass.

    `notices` are lines for standard error.
    """

    flow: PointerFlow
    steps: tuple[tuple[OutputLocation | None, ...], ...]
    callers: tuple[OutputLocation | None, ...]
    notices: tuple[str, ...]


def flow_report(
    place: str,
    options: BuildOptions,
    variant: str | None = None,
    *,
    is_opencl: bool = False,
    open_documents: Mapping[DocumentName, Document] = NO_DOCUMENTS,
    every_chain: bool = False,
) -> FlowReport:
    """Returns the flow of the pointer at `FILE:LINE:COLUMN`: see `analyse_position`.

    `every_chain`: whether the flow has every chain of assignments and calls by which an address space reaches
    the pointer, not only the shortest. Raises CommandError if the position does not exist, or if there is no
    generic pointer at the position.
    """
    analysed = analyse_position(place, options, variant, is_opencl=is_opencl, open_documents=open_documents)
    found = compute_flow_at(
        analysed.unit, analysed.root.document.name, analysed.offset, every_chain=every_chain
    )
    if found is None:
        dialect = unit_config(analysed.unit).dialect_explanation
        if not analysed.unit.dialect.generic:
            raise CommandError(
                f"there is no generic address space in {dialect}: every pointer has a fixed one"
            )
        raise CommandError(f"there is no generic pointer at {place} ({dialect})")
    return FlowReport(
        found, analysed.step_locations(found), analysed.caller_locations(found), analysed.notices
    )


def render_flow(report: FlowReport, form: str) -> str:
    """Renders the flow as SVG, Mermaid or JSON."""
    if form == "mermaid":
        return render_mermaid(report.flow, _step_label)
    if form == "svg":
        return render_svg(layout_flow(report.flow, _step_label))
    return dumps(flow_report_json(report)) + "\n"


def flow_report_text(report: FlowReport) -> Iterator[StyledLine]:
    """Yields the text output of `flow`."""
    return flow_report_lines(report.flow, report.steps, describe_flow(report.flow))


def flow_report_json(report: FlowReport) -> dict[str, Json]:
    """Returns the JSON output of `flow`."""
    flow = report.flow
    return {
        "name": flow.name or None,
        "declared": flow.declared,
        "function": flow.function,
        "reached": flow.reached_by_kernel,
        "more_chains": flow.more_chains,
        "flow": flow_json(flow, report.steps, report.callers),
    }


def flow_json(
    flow: PointerFlow | None,
    steps: tuple[tuple[OutputLocation | None, ...], ...],
    callers: tuple[OutputLocation | None, ...],
) -> Json:
    """Serialises the flow of a generic pointer; null if `flow` is None.

    `steps` contains the locations of the steps of each path by which an address space reaches the pointer.
    `callers` contains the location of the argument in each call.
    """
    if flow is None:
        return None
    return {
        "spaces": [space.word for space in flow.spaces],
        "null": flow.null,
        "unknown": flow.unknown,
        "witnesses": [
            {
                "space": witness.space.word,
                "steps": [
                    {"path": location.path, "range": range_json(location), "what": step.description}
                    for step, location in zip(witness.steps, locations, strict=True)
                    if location is not None
                ],
            }
            for witness, locations in zip(flow.witnesses, steps, strict=True)
        ],
        "callers": [
            {
                "spaces": [space.word for space in each.spaces],
                "null": each.null,
                "unknown": each.unknown,
                "function": each.function,
                "kernel": each.kernel,
                "path": location.path,
                "range": range_json(location),
            }
            for each, location in zip(flow.callers, callers, strict=True)
            if location is not None
        ],
    }


def _step_label(step: FlowStep) -> str:
    return f"{os.path.basename(step.location.document)}:{step.line}"
