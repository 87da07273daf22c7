"""`hover`: what stands at FILE:LINE:COLUMN, as text and as JSON."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from openclsp.cli.check_text import Line
from openclsp.cli.checking import planning_notices
from openclsp.cli.excerpt import display_width, printable
from openclsp.cli.failure import CannotRun, nearest
from openclsp.cli.inputs import Input
from openclsp.cli.json_output import Json, range_json
from openclsp.cli.paths import Paths
from openclsp.cli.projects import Projects
from openclsp.cli.report import Spot
from openclsp.dataclass import dataclass
from openclsp.ide.answers import Hover, Location, Why
from openclsp.ide.flow import said, unreached
from openclsp.ide.hover import hover
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document
from openclsp.source.text import Text
from openclsp.workspace.files import LOCAL_FILES, Documents, FileProblem
from openclsp.workspace.options import Options
from openclsp.workspace.subjects import unit_through_includer
from openclsp.workspace.units import PlannedUnit, plan_unit

_PLACE = re.compile(r"(?P<path>.+):(?P<line>[0-9]{1,9}):(?P<column>[0-9]{1,9})", re.DOTALL)
_LEVELS = ("the object itself", "what it points to", "what that points to")


@dataclass(frozen=True, slots=True)
class HoverReport:
    """The hover, if anything with a type stands there, with the spots of its reasons; `notices` for standard error."""

    place: str
    hover: Hover | None
    why: tuple[tuple[Why, Spot | None], ...]
    steps: tuple[tuple[Spot | None, ...], ...]
    """The spots of the steps of the flow's witnesses."""
    dialect: str
    dialect_reason: str
    notices: tuple[str, ...]


def hover_at(place: str, options: Options, variant: str | None = None) -> HoverReport:
    """The hover at `FILE:LINE:COLUMN`, in that variant of the file's builds. Raises CannotRun where there is no such file or place."""
    match = _PLACE.fullmatch(place)
    if match is None:
        raise CannotRun(f"'{place}' is no place: write FILE:LINE:COLUMN, line and column from 1")
    path, line, column = match["path"], int(match["line"]), int(match["column"])
    name = os.path.abspath(path)
    data = LOCAL_FILES.read(name)
    if isinstance(data, FileProblem):
        raise CannotRun(f"{path} {data.reason}")
    document = Document.of(name, data)
    offset = _offset(path, document.text, line, column)
    documents = Documents(LOCAL_FILES, {name: document})

    def plan(root: Document) -> PlannedUnit:
        subject = "" if root is document else name
        return plan_unit(
            root.name,
            command_line=options,
            document=root,
            variant=variant,
            subject=subject,
            hosts=projects,
        )

    projects = Projects()
    through = unit_through_includer(document, projects.includers(document), plan, documents)
    planned = plan(document) if through is None else through.planned
    start, cache = (document, None) if through is None else (through.root, through.cache)
    if variant is not None and all(each.name != variant for each in planned.unit.variants):
        known = nearest(variant, [each.name for each in planned.unit.variants])
        raise CannotRun(f"there is no variant '{variant}' of {path}{known}")
    if planned.cpp_for_opencl:
        raise CannotRun(f"{path} is C++ for OpenCL, which is not supported")
    unit = TranslationUnit(planned.unit, start, planned.loader(documents), cache)
    found = hover(unit, name, offset)
    root = Input(path, document)
    return HoverReport(
        place,
        found,
        tuple(
            (why, _spot(why.location, root, documents)) for why in (found.why if found is not None else ())
        ),
        tuple(
            tuple(_spot(step.location, root, documents) for step in witness.steps)
            for witness in (found.flow.witnesses if found is not None and found.flow is not None else ())
        ),
        planned.unit.configuration.dialect.name,
        planned.unit.dialect_reason,
        tuple(planning_notices(planned)),
    )


def _offset(path: str, text: Text, line: int, column: int) -> int:
    if not 1 <= line <= text.line_count:
        raise CannotRun(f"line {line} is outside {path}, which has lines 1 to {text.line_count}")
    width = text.position(text.line_end(line - 1), "utf-32").column
    if not 1 <= column <= width + 1:
        raise CannotRun(
            f"column {column} is outside line {line} of {path}, which has columns 1 to {width + 1}"
        )
    return text.offset(line - 1, column - 1, "utf-32")


def _spot(location: Location | None, root: Input, documents: Documents) -> Spot | None:
    if location is None:
        return None
    document = documents.read(location.document)
    if isinstance(document, FileProblem):
        return None
    path = Paths((root,)).path(document.name, root)
    return Spot.of(path, document.text, location.start, location.end)


def hover_json(report: HoverReport) -> dict[str, Json]:
    """The answer of `hover`; `type` is null where nothing with a type stands."""
    return {
        "type": (report.hover.type or None) if report.hover is not None else None,
        "spaces": list(report.hover.spaces) if report.hover is not None else [],
        "why": [
            {
                "space": why.space,
                "level": why.level,
                "reason": why.reason,
                "path": spot.path if spot is not None else None,
                "range": range_json(spot) if spot is not None else None,
            }
            for why, spot in report.why
        ],
        "flow": _flow_json(report),
        "dialect": report.dialect,
    }


def _flow_json(report: HoverReport) -> Json:
    """What a generic pointer holds; null where the pointer's space is not generic."""
    flow = report.hover.flow if report.hover is not None else None
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
            for witness, spots in zip(flow.witnesses, report.steps, strict=True)
        ],
    }


def hover_text(report: HoverReport) -> Iterator[Line]:
    """The hover for a person: the type, a line for the space of each level, the dialect."""
    found = report.hover
    if found is None:
        yield [(f"Nothing with a type stands at {printable(report.place)}.", "")]
        return
    if found.type:
        yield [(printable(found.type), "bold")]
    rows = [
        (
            why.space,
            _LEVELS[why.level] if why.level < len(_LEVELS) else f"level {why.level}",
            f"{why.reason}{f' at {spot.start_label}' if spot is not None else ''}",
        )
        for why, spot in report.why
    ]
    widths = [max((display_width(row[column]) for row in rows), default=0) for column in (0, 1)]
    for space, level, reason in rows:
        yield [
            ("  ", ""),
            (f"{space:<{widths[0]}}", "cyan"),
            (f"  {level:<{widths[1]}}  {printable(reason)}", ""),
        ]
    if found.flow is not None:
        yield [("  ", ""), (said(found.flow), "bold")]
        for witness, spots in zip(found.flow.witnesses, report.steps, strict=True):
            yield [("    ", ""), (witness.space.word, "cyan")]
            for step, spot in zip(witness.steps, spots, strict=True):
                where = f" at {spot.start_label}" if spot is not None else ""
                yield [(f"      {printable(step.what)}{where}", "")]
        if unreached(found.flow):
            yield [(f"    {printable(unreached(found.flow))}", "")]
    for note in found.notes:
        yield [(f"  {printable(note)}", "")]
    yield [(report.dialect_reason, "bright_black")]
