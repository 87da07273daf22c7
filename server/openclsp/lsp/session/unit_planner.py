"""Chooses the configuration of an open document's translation unit.

The configuration depends on the client's settings, the project's files, the chosen variant and the document's
text.
"""

from __future__ import annotations

import os
from dataclasses import field, replace
from typing import NamedTuple

from openclsp.dataclass import dataclass
from openclsp.host_options.run_lines import RunLine, find_run_lines, update_run_lines
from openclsp.ide.diagnostics.severity_settings import list_project_problems
from openclsp.lsp.session.host_scans import HostScans
from openclsp.lsp.session.open_documents import OpenDocument
from openclsp.lsp.session.settings import Settings
from openclsp.lsp.session.snapshot import Snapshot
from openclsp.lsp.uris import is_file_name
from openclsp.project.file_discovery import is_cpp_for_opencl_file, is_opencl_file
from openclsp.project.file_system import FileSystem
from openclsp.project.option_parser import BuildOptionProblem, BuildOptions, parse_build_options
from openclsp.source.document import Document, DocumentName
from openclsp.source.text import Text
from openclsp.workspace.evidence_search import EvidenceSearch, TextEvidence
from openclsp.workspace.project_file import ProjectConfiguration
from openclsp.workspace.unit_preparation import UnitPreparation, prepare_unit
from openclsp.workspace.units import PlannedUnit
from openclsp.workspace.user_configuration import read_user_configuration

_BY_COMMAND = "chosen by command for this project"

_PlanKey = tuple[DocumentName, DocumentName | None]
"""The document for which a plan is made, and the root that includes it; None if it is the root itself."""


def plan_uncached(document: OpenDocument, snapshot: Snapshot, files: FileSystem) -> PlannedUnit:
    """Plans the document's unit without a cache and without host code."""
    return UnitPlanner(HostScans(), files).plan(document, snapshot, None)


class _CachedPlan(NamedTuple):
    """The last plan of a document, and the data from which it was made.

    The plan is up to date as long as `inputs` and `evidence` are unchanged. `evidence` is what the documents'
    texts show about the language version and about macros.
    """

    inputs: tuple[object, ...]
    preparation: UnitPreparation
    problems: tuple[BuildOptionProblem, ...]
    evidence: TextEvidence
    planned: PlannedUnit


@dataclass(slots=True)
class UnitPlanner:
    """Determines from which root and with which options documents are analysed.

    Caches the parts of a plan that do not depend on the document's text. Owned by the analysis thread.
    """

    hosts: HostScans
    files: FileSystem
    _evidence_search: EvidenceSearch = field(default_factory=EvidenceSearch)
    _plans: dict[_PlanKey, _CachedPlan] = field(default_factory=dict)
    _run_lines: dict[_PlanKey, tuple[Text, tuple[RunLine, ...]]] = field(default_factory=dict)

    def plan(self, document: OpenDocument, snapshot: Snapshot, root: Document | None) -> PlannedUnit:
        """Plans the unit of the document, or that of a kernel `root` that includes the document.

        A document that is not a file (`untitled:`) gets the options of the first workspace folder.
        """
        start = document.document if root is None else root
        # A document that is analysed on its own has another plan than a fragment that has this root.
        key = document.name, None if root is None else root.name
        run_lines = self._run_lines_of(key, start)
        inputs = (
            run_lines,
            document.opening,
            snapshot.disk_revision,
            self.hosts.revision,
            snapshot.folders,
            snapshot.settings,
            snapshot.chosen_versions,
            snapshot.chosen_variants,
        )
        cached = self._plans.get(key)
        if cached is not None and cached.inputs == inputs:
            preparation, problems = cached.preparation, cached.problems
        else:
            cached = None
            preparation, problems = self._prepare(document, snapshot, root, run_lines)
        opened = {name: each.document for name, each in snapshot.documents.items()}
        others = tuple([(name, each.text) for name, each in snapshot.documents.items() if name != start.name])
        # The texts affect the plan only through this evidence, so that most edits return the cached plan.
        evidence = preparation.find_evidence(start, opened, self._evidence_search, (inputs, others))
        if cached is not None and cached.evidence == evidence:
            return cached.planned
        planned = preparation.plan_with_evidence(evidence, start)
        settings = snapshot.settings_of(self._folder_of(start.name, snapshot))
        general_errors = settings.general_errors is not False
        unit = replace(planned.unit_config, root=start.name, general_errors=general_errors)
        if snapshot.version_of(document.name):
            unit = replace(unit, origins=replace(unit.origins, dialect=_BY_COMMAND))
        planned = replace(
            planned,
            unit_config=unit,
            problems=(*problems, *planned.problems),
            cpp_for_opencl=planned.cpp_for_opencl or document.cpp_for_opencl,
            is_other_language=root is None and not _is_opencl(document, planned.unit_config.project),
        )
        self._plans[key] = _CachedPlan(inputs, preparation, problems, evidence, planned)
        return planned

    def plan_build(
        self, document: OpenDocument, snapshot: Snapshot, root: Document, variant: str | None
    ) -> PlannedUnit:
        """Plans the unit of a kernel for a variant; None stands for the chosen one. See `plan`."""
        if variant is None:
            return self.plan(document, snapshot, root)
        # The cached plan of the chosen variant is kept.
        planner = UnitPlanner(self.hosts, self.files)
        chosen = replace(snapshot, chosen_variants={document.name: variant})
        return planner.plan(document, chosen, None if root.name == document.name else root)

    def drop_document(self, name: DocumentName) -> None:
        """Drops the cached plans of a closed document."""
        self._evidence_search.forget_document(name)
        for cache in (self._plans, self._run_lines):
            for key in [key for key in cache if key[0] == name]:
                del cache[key]

    def _run_lines_of(self, key: _PlanKey, document: Document) -> tuple[RunLine, ...]:
        """Returns the RUN lines of a root document (see `update_run_lines`)."""
        known = self._run_lines.get(key)
        if known is None:
            found = find_run_lines(document.text.data)
        else:
            found = update_run_lines(known[1], known[0], document.text)
        self._run_lines[key] = document.text, found
        return found

    @staticmethod
    def _folder_of(name: DocumentName, snapshot: Snapshot) -> str:
        """Returns the workspace folder whose settings apply to a document."""
        return snapshot.folder_of(name) if is_file_name(name) else "".join(snapshot.folders[:1])

    def _prepare(
        self,
        document: OpenDocument,
        snapshot: Snapshot,
        root: Document | None,
        run_lines: tuple[RunLine, ...],
    ) -> tuple[UnitPreparation, tuple[BuildOptionProblem, ...]]:
        """Returns the part of the plan that is independent of texts, and the problems of the settings."""
        name = document.name if root is None else root.name
        folder = self._folder_of(name, snapshot)
        path = name if is_file_name(name) or not folder else os.path.join(folder, "untitled.cl")
        settings = snapshot.settings_of(folder)
        parsed = parse_build_options(_arguments(settings), folder or None)
        readable = [
            os.path.join(folder, os.path.expanduser(each)) for each in settings.readable_folders or ()
        ]
        version = snapshot.version_of(document.name)
        preparation = prepare_unit(
            path,
            client=replace(parsed.options, readable_folders=tuple(filter(os.path.isabs, readable))),
            command_line=BuildOptions(standard=version) if version else None,
            workspace_folders=snapshot.folders,
            files=self.files,
            variant=snapshot.variant_of(document.name),
            subject="" if root is None else document.name,
            hosts=self.hosts,
            user=read_user_configuration(self.files),
            run_lines=run_lines,
        )
        return preparation, parsed.problems


def _is_opencl(document: OpenDocument, project: ProjectConfiguration | None) -> bool:
    """Whether the document is OpenCL C or C++ for OpenCL by its language identifier or file ending."""
    if document.is_called_opencl or document.cpp_for_opencl or is_cpp_for_opencl_file(document.name):
        return True
    return is_opencl_file(document.name, () if project is None else project.file_endings)


def option_messages(planned: PlannedUnit) -> tuple[str, ...]:
    """Returns the messages about the unit's options.

    There is one message per problem, but a single one for all paths that openclsp is not permitted to read.
    """
    where = f" ({planned.compile_flags})" if planned.compile_flags else ""
    problems = tuple(
        f"openclsp: {_problem_text(problem)}{where}; it is ignored" for problem in planned.problems
    )
    messages = tuple(f"openclsp: {each}" for each in planned.host_options.problems)
    refused = (*planned.refused, *planned.permission_advice)
    outside = ("openclsp: " + "\n".join(refused),) if refused else ()
    return problems + messages + outside + tuple(f"openclsp: {note}" for note in planned.notes)


def project_file_problems(planned: PlannedUnit) -> tuple[str, str]:
    """Returns the path of the unit's project file, and one message with all problems of this file.

    The path is empty if there is no project file. The message is empty if there are no problems.
    """
    project = planned.unit_config.project
    problems = list_project_problems(project)
    return ("" if project is None else project.path, "openclsp: " + "\n".join(problems) if problems else "")


def _problem_text(problem: BuildOptionProblem) -> str:
    return f"{problem.option}: {problem.message}"


def _arguments(settings: Settings) -> list[str]:
    """Converts the settings to arguments of `clBuildProgram`."""
    arguments = [f"-cl-std={settings.language_version}"] if settings.language_version is not None else []
    if settings.extensions is not None:
        arguments.append(f"-cl-ext={settings.extensions}")
    arguments += [f"-D{define}" for define in settings.defines or ()]
    return arguments + [f"-I{include}" for include in settings.include_folders or ()]
