"""The address-space flow through functions that several programs of a project share, on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from openclsp.cli.builds import RequestedBuilds, plan_builds
from openclsp.cli.inputs import allowed_folders_of_run, read_named
from openclsp.cli.reusable_units import ReusableUnits
from openclsp.cli.scanned_projects import ScannedProjects
from openclsp.dataclass import dataclass
from openclsp.ide.flow.project_flow import ProjectFlow, shares_flow
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, DocumentStore, FileProblem
from openclsp.project.option_parser import BuildOptions
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document, DocumentName
from openclsp.workspace.include_graph import IncludeGraph
from openclsp.workspace.project_programs import Program, ProjectPrograms
from openclsp.workspace.units import UnitConfig


@dataclass(slots=True)
class ProjectFlows:
    """The flow of each project of a run, in the requested builds.

    Texts in `open_documents` take precedence over files.
    """

    projects: ScannedProjects
    options: BuildOptions
    requested: RequestedBuilds
    open_documents: Mapping[DocumentName, Document]
    _flows: list[tuple[IncludeGraph, ProjectFlow]] = field(default_factory=list)
    _reusable: ReusableUnits = field(default_factory=ReusableUnits)
    """Units of programs whose flow was computed. The next program usually includes the same headers and
    reuses one.
    """

    def attach(self, unit: TranslationUnit) -> None:
        """Connects the flow of a unit with the flow of the other programs of its project."""
        unit.outside = self.projects.outside_uses(unit.document)
        # The programs of a large project take half a second to find.
        if shares_flow(unit):
            target = unit.target
            # As planned by `_units`, unless that plans several builds.
            is_program = (
                isinstance(target, UnitConfig)
                and not target.subject
                and not self.requested.has_several_builds
            )
            self.of(unit.document.name).attach(unit, is_program=is_program)

    def of(self, name: DocumentName) -> ProjectFlow:
        """Returns the flow of the project that contains the document `name`."""
        graph = self.projects.include_graph_of(name)
        for known, flow in self._flows:
            if known is graph:
                return flow
        programs = ProjectPrograms(graph)
        programs.update()
        flow = ProjectFlow(programs, self._units, release=self._reusable.give_back)
        self._flows.append((graph, flow))
        return flow

    def _units(self, program: Program) -> list[TranslationUnit]:
        name = program.roots[0]
        root = self.open_documents.get(name) or read_named(name, allowed_folders_of_run(self.options))
        if isinstance(root, FileProblem):
            return []
        documents = DocumentStore(LOCAL_FILE_SYSTEM, {**self.open_documents, name: root})
        cache = self.projects.include_cache
        made = []
        for _, planned in plan_builds(
            lambda options, variant: self.projects.plan(root, options, variant), self.options, self.requested
        ):
            if not planned.is_analysed:
                return []
            loader = planned.make_include_loader(documents)
            target, document = planned.unit_config, program.document(root)
            unit = self._reusable.take(target, document, loader, cache)
            unit.outside = self.projects.outside_uses(root)
            made.append(unit)
        return made
