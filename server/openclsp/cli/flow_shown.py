"""The command `flow`: how address spaces reach the pointer at FILE:LINE:COLUMN, as a diagram or as JSON."""

from __future__ import annotations

import os

from openclsp.cli.failure import CannotRun
from openclsp.cli.json_output import Json, dumps, range_json
from openclsp.cli.looking import look_at
from openclsp.cli.report import Spot
from openclsp.dataclass import dataclass
from openclsp.ide.answers import Flow, FlowStep
from openclsp.ide.flow import flow_at
from openclsp.ide.flow_mermaid import mermaid_of
from openclsp.ide.flow_picture import picture_of
from openclsp.ide.flow_svg import svg
from openclsp.workspace.options import Options


@dataclass(frozen=True, slots=True)
class FlowReport:
    """The flow of a pointer, with the location of each step by witness; `notices` are for standard error."""

    flow: Flow
    steps: tuple[tuple[Spot | None, ...], ...]
    notices: tuple[str, ...]


def flow_report(
    place: str, options: Options, variant: str | None = None, *, is_opencl: bool = False
) -> FlowReport:
    """The flow of the pointer at `FILE:LINE:COLUMN`: see `look_at`.

    Raises CannotRun if the position does not exist, or if there is no generic pointer.
    """
    looked = look_at(place, options, variant, is_opencl=is_opencl)
    found = flow_at(looked.unit, looked.root.document.name, looked.offset)
    if found is None:
        dialect = looked.unit.unit.dialect_reason
        if not looked.unit.dialect.generic:
            raise CannotRun(f"there is no generic address space in {dialect}: every pointer has a fixed one")
        raise CannotRun(f"there is no generic pointer at {place} ({dialect})")
    return FlowReport(found, looked.steps(found), looked.notices)


def written(report: FlowReport, form: str) -> str:
    """Renders the flow as SVG, Mermaid or JSON."""
    if form == "mermaid":
        return mermaid_of(report.flow, _place)
    if form == "svg":
        return svg(picture_of(report.flow, _place))
    flow = report.flow
    more = {
        "name": flow.name or None,
        "declared": flow.declared,
        "function": flow.function,
        "reached": flow.reached,
    }
    return dumps({**more, "flow": flow_json(flow, report.steps)}) + "\n"


def flow_json(flow: Flow | None, steps: tuple[tuple[Spot | None, ...], ...]) -> Json:
    """The address spaces that a generic pointer may hold, as JSON; null if there is no flow."""
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
                    {"path": spot.path, "range": range_json(spot), "what": step.what}
                    for step, spot in zip(witness.steps, spots, strict=True)
                    if spot is not None
                ],
            }
            for witness, spots in zip(flow.witnesses, steps, strict=True)
        ],
    }


def _place(step: FlowStep) -> str:
    return f"{os.path.basename(step.location.document)}:{step.line}"
