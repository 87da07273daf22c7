"""Resolves `FILE:LINE:COLUMN` to a byte offset in an analysed unit."""

from __future__ import annotations

import os
import re

from openclsp.cli.checking import planning_notices
from openclsp.cli.failure import CannotRun, nearest
from openclsp.cli.inputs import Input, has_opencl_name, person_folders, read_named
from openclsp.cli.not_opencl import HOST_STRINGS, not_opencl
from openclsp.cli.paths import Paths
from openclsp.cli.projects import Projects
from openclsp.cli.report import Spot
from openclsp.dataclass import dataclass
from openclsp.ide.answers import Flow, Location
from openclsp.ide.unsupported import another_language
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document
from openclsp.source.text import Text
from openclsp.workspace.files import LOCAL_FILES, Documents, FileProblem
from openclsp.workspace.options import Options
from openclsp.workspace.read_permission import ReadPermission
from openclsp.workspace.subjects import unit_through_includer
from openclsp.workspace.units import PlannedUnit

_PLACE = re.compile(r"(?P<path>.+):(?P<line>[0-9]{1,9}):(?P<column>[0-9]{1,9})", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Looked:
    """A unit and a byte offset in its document `root`; `notices` are for standard error."""

    unit: TranslationUnit
    root: Input
    offset: int
    documents: Documents
    permission: ReadPermission
    notices: tuple[str, ...]

    def spot(self, location: Location | None) -> Spot | None:
        """The spot of a location, with its path as the user would write it.

        None if its file cannot be read.
        """
        if location is None:
            return None
        document = self.documents.read(location.document, self.permission)
        if isinstance(document, FileProblem):
            return None
        path = Paths((self.root,)).path(document.name, self.root)
        return Spot.of(path, document.text, location.start, location.end)

    def steps(self, flow: Flow | None) -> tuple[tuple[Spot | None, ...], ...]:
        """The spots of a flow's steps, by witness."""
        witnesses = () if flow is None else flow.witnesses
        return tuple(tuple(self.spot(step.location) for step in witness.steps) for witness in witnesses)


def look_at(place: str, options: Options, variant: str | None = None, *, is_opencl: bool = False) -> Looked:
    """Analyses the file of `FILE:LINE:COLUMN` in the given variant, and resolves the position.

    `is_opencl`: the file is OpenCL C whatever its ending. Raises CannotRun if the file, position or variant
    does not exist, or if the file is not OpenCL C.
    """
    match = _PLACE.fullmatch(place)
    if match is None:
        raise CannotRun(f"'{place}' is not a position: write FILE:LINE:COLUMN, line and column from 1")
    path, line, column = match["path"], int(match["line"]), int(match["column"])
    name = os.path.abspath(path)
    document = read_named(path, person_folders(options))
    if isinstance(document, FileProblem):
        raise CannotRun(f"{path} {document.reason}")
    offset = _offset(path, document.text, line, column)
    documents = Documents(LOCAL_FILES, {name: document})

    def plan(root: Document) -> PlannedUnit:
        subject = "" if root is document else name
        return projects.plan(root, options, variant, subject)

    # Only now, after the position was found to be valid, because this scans the project.
    projects = Projects()
    through = unit_through_includer(document, projects.includers(document), plan, documents)
    if through is None and not is_opencl and not has_opencl_name(name):
        raise CannotRun(f"{path} {not_opencl(name)}")
    planned = plan(document) if through is None else through.planned
    start, cache = (document, None) if through is None else (through.root, through.cache)
    if variant is not None and all(each.name != variant for each in planned.unit.variants):
        known = nearest(variant, [each.name for each in planned.unit.variants])
        raise CannotRun(f"there is no variant '{variant}' of {path}{known}")
    if planned.cpp_for_opencl:
        raise CannotRun(f"{path} is C++ for OpenCL, which is not supported")
    unit = TranslationUnit(planned.unit, start, planned.loader(documents), cache)
    unit.outside = projects.outside(start)
    other = another_language(unit)
    if other is not None and other.diagnostic is None:
        raise CannotRun(f"{path} {HOST_STRINGS}")
    return Looked(
        unit, Input(path, document), offset, documents, planned.permission, tuple(planning_notices(planned))
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
