"""The flow analysis of functions that the programs of a project share, for the open documents.

Attaching a flow to a unit is only a look-up. The programs of a project and the flow of each program are
computed in the background (`advance`), one program at a time; until then, shared functions are unknown. The
flow of a program whose texts have changed is computed again when typing pauses. Owned by the analysis thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from openclsp.dataclass import dataclass
from openclsp.lsp.session.cancellation import CancellationCheck
from openclsp.lsp.session.join_step import JoinStep
from openclsp.lsp.session.open_documents import OpenDocument
from openclsp.lsp.session.root_kernels import RootKernels
from openclsp.lsp.session.snapshot import Snapshot
from openclsp.lsp.session.unit_planner import UnitPlanner
from openclsp.project.file_system import DocumentStore, FileProblem
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import DocumentName
from openclsp.source.other_files import DeclarationsElsewhere
from openclsp.workspace.include_graph import IncludeGraph
from openclsp.workspace.project_programs import Program, ProjectPrograms

if TYPE_CHECKING:
    from openclsp.ide.flow.project_flow import ProjectFlow
    from openclsp.semantics.flow.program_summary import OtherPrograms

_Texts = tuple[object, ...]
"""Identifies the texts of all files: the revision of the files on disk, and the versions of the open
documents.
"""


@dataclass(slots=True)
class _Project:
    """The programs and flows of one project. `revision` changes whenever any of them may have changed."""

    graph: IncludeGraph
    programs: ProjectPrograms
    flow: ProjectFlow
    document: OpenDocument
    snapshot: Snapshot
    revision: int = 0
    computed: dict[Program, _Texts] = field(default_factory=dict)
    """The texts for which the flow of each program was computed"""
    texts: _Texts = ()
    """The texts for which units are cached."""


@dataclass(slots=True)
class SessionFlows:
    """The flows of the projects with open documents; each project is identified by its include graph."""

    root_kernels: RootKernels
    _projects: list[_Project] = field(default_factory=list)
    _wanted: set[DocumentName] = field(default_factory=set)
    """The documents whose units have generic pointers"""
    _attached: dict[
        DocumentName,
        tuple[TranslationUnit, DeclarationsElsewhere, int, DeclarationsElsewhere, OtherPrograms | None],
    ] = field(default_factory=dict)

    def attach(
        self, document: OpenDocument, unit: TranslationUnit, snapshot: Snapshot, check: CancellationCheck
    ) -> None:
        """Sets what a unit knows about its project: declarations in other files, and other programs' flow.

        Both are set as far as they are known.
        """
        outside = self.root_kernels.outside_uses(unit.document.name, snapshot)
        if not unit.dialect.generic:
            self._wanted.discard(document.name)
            unit.outside, unit.other_programs = outside, None
            return
        self._wanted.add(document.name)
        project = self._known_project(document.name, snapshot, check)
        if project is None:
            unit.outside, unit.other_programs = outside, None
            return
        project.document, project.snapshot, project.flow.checkpoint = document, snapshot, check
        texts = _texts(snapshot)
        if project.texts != texts:
            project.texts = texts
            project.flow.close_units()
        # Equal inputs are replaced by the identical objects, so that nothing is solved again.
        kept = self._attached.get(document.name)
        if kept is None or kept[0] is not unit or kept[1] is not outside or kept[2] != project.revision:
            unit.outside, unit.other_programs = outside, None
            project.flow.attach(unit)
            kept = unit, outside, project.revision, unit.outside, unit.other_programs
            self._attached[document.name] = kept
        unit.outside, unit.other_programs = kept[3], kept[4]

    def advance(
        self, document: OpenDocument, planner: UnitPlanner, snapshot: Snapshot, check: CancellationCheck
    ) -> JoinStep:
        """Computes the flow of one program of the document's project, if any flow is out of date.

        Returns whether answers may have changed, or `NONE_LEFT` if all flows are up to date.
        """
        graph = self.root_kernels.scanned_include_graph(document.name, snapshot, check)
        if not self._wanted or not graph.opencl_files:
            return JoinStep.NONE_LEFT
        project = next((each for each in self._projects if each.graph is graph), None)
        is_new = project is None
        if project is None:
            # A document without generic pointers needs no flow, but its edits may change the flow of others.
            if document.name not in self._wanted:
                return JoinStep.NONE_LEFT
            project = self._create(graph, document, snapshot, planner)
        if project.programs.update(check) or is_new:
            project.revision += 1
            return JoinStep.NEW_RESULT
        project.document, project.snapshot, project.flow.checkpoint = document, snapshot, check
        project.flow.request_again(
            lambda program: project.computed.get(program) != _texts_of(program, project, snapshot)
        )
        computed = project.flow.compute_next()
        if computed is None:
            return JoinStep.NONE_LEFT
        project.computed[computed.program] = _texts_of(computed.program, project, snapshot)
        if not computed.has_changed:
            return JoinStep.SAME_RESULT
        project.revision += 1
        return JoinStep.NEW_RESULT

    def drop_document(self, name: DocumentName) -> None:
        """Drops the flow attached to a closed document's unit; after the last document, drops everything."""
        self._attached.pop(name, None)
        self._wanted.discard(name)
        if not self._wanted:
            for each in self._projects:
                each.flow.close_units()
            self._projects.clear()

    def _known_project(
        self, name: DocumentName, snapshot: Snapshot, check: CancellationCheck
    ) -> _Project | None:
        if not self._projects:
            return None
        graph = self.root_kernels.scanned_include_graph(name, snapshot, check)
        return next((each for each in self._projects if each.graph is graph), None)

    def _create(
        self, graph: IncludeGraph, document: OpenDocument, snapshot: Snapshot, planner: UnitPlanner
    ) -> _Project:
        from openclsp.ide.flow.project_flow import ProjectFlow

        programs = ProjectPrograms(graph)

        def units_of(program: Program) -> Sequence[TranslationUnit]:
            return _units_of(program, project, planner)

        project = _Project(
            graph, programs, ProjectFlow(programs, units_of, on_demand=False), document, snapshot
        )
        self._projects.append(project)
        return project


def _units_of(program: Program, project: _Project, planner: UnitPlanner) -> list[TranslationUnit]:
    """Returns a new unit of a program in the current snapshot, in a list.

    The list is empty if the program cannot be read or is not OpenCL C.
    """
    opened = {name: each.document for name, each in project.snapshot.documents.items()}
    documents = DocumentStore(planner.files, opened)
    root = documents.read(program.roots[0], project.graph.permission)
    if isinstance(root, FileProblem):
        return []
    is_open_document = root.name == project.document.name
    own = project.document.document if is_open_document else root
    planned = planner.plan(project.document, project.snapshot, None if is_open_document else own)
    if not planned.is_analysed:
        return []
    target = replace(planned.unit_config, subject="")
    loader = planned.make_include_loader(documents)
    return [TranslationUnit(target, program.document(own), loader, checkpoint=project.flow.checkpoint)]


def _texts(snapshot: Snapshot) -> _Texts:
    return (snapshot.disk_revision, *((each.name, each.version) for each in snapshot.documents.values()))


def _texts_of(program: Program, project: _Project, snapshot: Snapshot) -> _Texts:
    """Returns a value that changes if a text of the program may have changed, on disk or in the editor."""
    contained = project.programs.documents_of(program)
    opened = ((each.name, each.version) for each in snapshot.documents.values() if each.name in contained)
    return (snapshot.disk_revision, snapshot.tree_revision, snapshot.host_revision, *opened)
