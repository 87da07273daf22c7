"""The command `expand`: a macro's expansion step by step, or a whole file after preprocessing."""

from __future__ import annotations

import re

from openclsp.cli.check_report import OutputLocation
from openclsp.cli.command_error import CommandError
from openclsp.cli.inputs import allowed_folders_of_run, read_named
from openclsp.cli.json_output import Json, dumps, range_json
from openclsp.cli.source_position import AnalysedPosition, analyse_position
from openclsp.dataclass import dataclass
from openclsp.ide.expansion.expanded_document import compute_expanded_document
from openclsp.ide.expansion.macro_expansion import MacroExpansion, compute_expansion_at, render_expansion
from openclsp.project.file_system import FileProblem
from openclsp.project.option_parser import BuildOptions

_POSITION = re.compile(r".+:\d+:\d+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ExpandReport:
    """The expansion of a macro's use, or the expanded text of a whole file.

    `expansion` is None for a whole file.
    """

    expansion: MacroExpansion | None
    location: OutputLocation | None
    text: str
    notices: tuple[str, ...]


def expand_report(
    place: str, options: BuildOptions, variant: str | None = None, *, is_opencl: bool = False
) -> ExpandReport:
    """Returns the expansion of the macro at `FILE:LINE:COLUMN`, or the expanded text of a whole `FILE`.

    `analyse_position` explains the parameters. Raises CommandError if the position does not exist, or if
    there is no macro at the position.
    """
    # a file's name may look like a position
    named = _POSITION.fullmatch(place) and read_named(place, allowed_folders_of_run(options))
    whole = not isinstance(named, FileProblem)
    analysed = analyse_position(f"{place}:1:1" if whole else place, options, variant, is_opencl=is_opencl)
    return _whole_file(place, analysed) if whole else _macro_use(place, analysed)


def _whole_file(place: str, analysed: AnalysedPosition) -> ExpandReport:
    text = compute_expanded_document(analysed.unit, analysed.root.document.name)
    if text is None:
        raise CommandError(
            f"{place} is included within a function or declaration of {analysed.unit.document.name}"
        )
    return ExpandReport(None, None, text, analysed.notices)


def _macro_use(place: str, analysed: AnalysedPosition) -> ExpandReport:
    found = compute_expansion_at(analysed.unit, analysed.root.document.name, analysed.offset)
    if found is None:
        raise CommandError(f"there is no macro at {place}")
    location = analysed.output_location(found.location)
    return ExpandReport(found, location, render_expansion(found), analysed.notices)


def render_expand(report: ExpandReport, form: str) -> str:
    """Renders the expansion as text or JSON."""
    return report.text if form == "text" else dumps(expand_json(report)) + "\n"


def expand_json(report: ExpandReport) -> dict[str, Json]:
    """Returns the JSON output of `expand`: the steps of a macro, or the text of a whole file."""
    found = report.expansion
    if found is None:
        return {"text": report.text}
    steps: list[Json] = [{"definition": step.definition or None, "text": step.text} for step in found.steps]
    return {
        "name": found.name,
        "definition": found.definition,
        "written": found.written,
        "path": report.location.path if report.location is not None else None,
        "range": range_json(report.location) if report.location is not None else None,
        "steps": steps,
    }
