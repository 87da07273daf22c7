"""Resolves `FILE:LINE:COLUMN` to a byte offset in an analysed unit."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from openclsp.cli.builds import RequestedBuilds
from openclsp.cli.check_report import OutputLocation
from openclsp.cli.command_error import CommandError, suggest_name
from openclsp.cli.host_locations import host_location
from openclsp.cli.inputs import CheckInput, allowed_folders_of_run, has_opencl_name, read_named
from openclsp.cli.output_paths import OutputPaths
from openclsp.cli.planning_notices import planning_notices
from openclsp.cli.project_flows import ProjectFlows
from openclsp.cli.project_units import NO_DOCUMENTS
from openclsp.cli.rejection_reasons import HOST_STRINGS, explain_not_opencl
from openclsp.cli.scanned_projects import ScannedProjects
from openclsp.dataclass import dataclass
from openclsp.host_code.host_words import may_hold_kernel
from openclsp.ide.diagnostics.unsupported_languages import detect_unsupported_language
from openclsp.ide.feature_results import Location, PointerFlow
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, DocumentStore, FileProblem
from openclsp.project.option_parser import BuildOptions
from openclsp.project.read_permission import ReadPermission
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document, DocumentName
from openclsp.source.text import Text
from openclsp.workspace.includer_units import find_includer_unit
from openclsp.workspace.units import PlannedUnit

if TYPE_CHECKING:
    from openclsp.host_code.program_document import ProgramDocument

_PLACE = re.compile(r"(?P<path>.+):(?P<line>[0-9]{1,9}):(?P<column>[0-9]{1,9})", re.DOTALL)


@dataclass(frozen=True, slots=True)
class AnalysedPosition:
    """A unit and a byte offset in its document `root`; `notices` are lines for standard error.

    For a position in a host file, `root` is the program in the string at the position.
    """

    unit: TranslationUnit
    root: CheckInput
    offset: int
    documents: DocumentStore
    permission: ReadPermission
    projects: ScannedProjects
    notices: tuple[str, ...]

    def output_location(self, location: Location | None) -> OutputLocation | None:
        """Converts a location to one whose path is spelled as in the output.

        Returns None if the file cannot be read.
        """
        if location is None:
            return None
        program = self.root.program
        if program is not None and location.document == program.document.name:
            return host_location(program, self.root.path, location.start, location.end)
        document = self.documents.read(location.document, self.permission)
        if isinstance(document, FileProblem):
            return None
        path = OutputPaths((self.root,)).output_path(document.name, self.root)
        return OutputLocation.of(path, document.text, location.start, location.end)

    def step_locations(self, flow: PointerFlow | None) -> tuple[tuple[OutputLocation | None, ...], ...]:
        """Returns the locations of the steps of each chain by which an address space reaches the pointer.

        The location is None for a step in a file that cannot be read.
        """
        witnesses = () if flow is None else flow.witnesses
        return tuple(
            tuple(self.output_location(step.location) for step in witness.steps) for witness in witnesses
        )

    def caller_locations(self, flow: PointerFlow | None) -> tuple[OutputLocation | None, ...]:
        """Returns the location of the argument that each caller passes for the pointer parameter of a flow.

        The location is None for an argument in a file that cannot be read.
        """
        callers = () if flow is None else flow.callers
        return tuple(self.output_location(each.location) for each in callers)


def analyse_position(
    place: str,
    options: BuildOptions,
    variant: str | None = None,
    *,
    is_opencl: bool = False,
    open_documents: Mapping[DocumentName, Document] = NO_DOCUMENTS,
) -> AnalysedPosition:
    """Analyses the file of `FILE:LINE:COLUMN` in the given variant, and resolves the position.

    `is_opencl`: whether the file is OpenCL C whatever its ending. Texts in `open_documents` take precedence
    over files. Raises CommandError if the file, position or variant does not exist, or if the file is not
    OpenCL C.
    """
    match = _PLACE.fullmatch(place)
    if match is None:
        raise CommandError(f"'{place}' is not a position: write FILE:LINE:COLUMN, line and column from 1")
    path, line, column = match["path"], int(match["line"]), int(match["column"])
    name = os.path.abspath(path)
    document = open_documents.get(name) or read_named(path, allowed_folders_of_run(options))
    if isinstance(document, FileProblem):
        raise CommandError(f"{path} {document.reason}")
    offset = _offset(path, document.text, line, column)
    program = None
    if not is_opencl and not has_opencl_name(name) and may_hold_kernel(document.text.data):
        program, offset = _program_at(document, offset)
    if program is not None:
        document = program.document
        name = document.name
    documents = DocumentStore(LOCAL_FILE_SYSTEM, {**open_documents, name: document})

    def plan(root: Document) -> PlannedUnit:
        subject = "" if root is document else name
        return projects.plan(root, options, variant, subject)

    # The project is scanned only after the position was found to be valid.
    projects = ScannedProjects()
    found = find_includer_unit(document, projects.include_graph(document), plan, documents)
    through = found.certain
    if through is None and not is_opencl and not has_opencl_name(name):
        raise CommandError(f"{path} {explain_not_opencl(name)}")
    planned = plan(document) if through is None else through.planned_unit
    if found.possible is not None:
        planned = planned.after_unread_text(found.possible.planned_unit)
    start, cache = (document, None) if through is None else (through.root, through.cache)
    if variant is not None and all(each.name != variant for each in planned.unit_config.variants):
        known = suggest_name(variant, [each.name for each in planned.unit_config.variants])
        raise CommandError(f"there is no variant '{variant}' of {path}{known}")
    if planned.cpp_for_opencl:
        raise CommandError(f"{path} is C++ for OpenCL, which is not supported")
    unit = TranslationUnit(planned.unit_config, start, planned.make_include_loader(documents), cache)
    ProjectFlows(projects, options, RequestedBuilds(variant), open_documents).attach(unit)
    other = detect_unsupported_language(unit)
    if other is not None and other.diagnostic is None:
        raise CommandError(f"{path} {HOST_STRINGS}")
    return AnalysedPosition(
        unit,
        CheckInput(path, document, program=program),
        offset,
        documents,
        planned.permission,
        projects,
        tuple(planning_notices(planned)),
    )


def _program_at(host: Document, offset: int) -> tuple[ProgramDocument | None, int]:
    """Returns the program in a string at an offset of a host file, and the offset in the program.

    Returns None and `offset` if there is no program.
    """
    from openclsp.host_code.program_document import program_documents

    for each in program_documents(host):
        within = each.program.value.value_offset(offset)
        if within is not None:
            return each, within
    return None, offset


def _offset(path: str, text: Text, line: int, column: int) -> int:
    if not 1 <= line <= text.line_count:
        raise CommandError(f"line {line} is outside {path}, which has lines 1 to {text.line_count}")
    width = text.position(text.line_end(line - 1), "utf-32").column
    if not 1 <= column <= width + 1:
        raise CommandError(
            f"column {column} is outside line {line} of {path}, which has columns 1 to {width + 1}"
        )
    return text.offset(line - 1, column - 1, "utf-32")
