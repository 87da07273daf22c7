"""Chooses the configuration of an open document's translation unit.

It depends on the client's settings, the project's files, the chosen variant and the document's text.
"""

from __future__ import annotations

import os
from dataclasses import field, replace
from typing import NamedTuple

from openclsp.dataclass import dataclass
from openclsp.ide.severities import project_problems
from openclsp.lsp.documents import OpenDocument
from openclsp.lsp.hosts import Hosts
from openclsp.lsp.settings import Settings
from openclsp.lsp.uris import is_file
from openclsp.lsp.world import World
from openclsp.source.document import Document, DocumentName
from openclsp.workspace.discovery import is_cpp_for_opencl_file, is_opencl_file
from openclsp.workspace.evidence_search import EvidenceSearch
from openclsp.workspace.files import FileSystem
from openclsp.workspace.language_evidence import Evidence
from openclsp.workspace.options import OptionProblem, Options, parse_options
from openclsp.workspace.project_file import ProjectFile
from openclsp.workspace.units import PlannedUnit, Preparation, prepare_unit
from openclsp.workspace.user_configuration import user_configuration

_BY_COMMAND = "chosen by command for this workspace"


def plan(document: OpenDocument, world: World, files: FileSystem) -> PlannedUnit:
    """The configuration of the document's unit, computed without a cache or host code."""
    return Planner(Hosts(), files).plan(document, world, None)


class _Kept(NamedTuple):
    """The last plan of a document, with its inputs: `made_of`, and the evidence found in the texts."""

    made_of: tuple[object, ...]
    preparation: Preparation
    complaints: tuple[OptionProblem, ...]
    evidence: Evidence | None
    planned: PlannedUnit


@dataclass(slots=True)
class Planner:
    """Plans units, caching the parts that do not depend on the document's text.

    Owned by the analysis thread.
    """

    hosts: Hosts
    files: FileSystem
    _search: EvidenceSearch = field(default_factory=EvidenceSearch)
    _kept: dict[tuple[DocumentName, DocumentName], _Kept] = field(default_factory=dict)

    def plan(self, document: OpenDocument, world: World, root: Document | None) -> PlannedUnit:
        """The unit of the document, or that of a kernel `root` that includes the document.

        A document that is not a file (`untitled:`) gets the options of the first workspace folder.
        """
        start = document.document if root is None else root
        made_of = (
            document.opening,
            world.disk,
            self.hosts.revision,
            world.folders,
            world.settings,
            world.checked_as,
            world.variants,
        )
        kept = self._kept.get((document.name, start.name))
        if kept is not None and kept.made_of == made_of:
            preparation, problems = kept.preparation, kept.complaints
        else:
            kept = None
            preparation, problems = self._prepared(document, world, root)
        opened = {name: each.document for name, each in world.documents.items()}
        others = tuple([(name, each.text) for name, each in world.documents.items() if name != start.name])
        # The texts affect the plan only through this evidence, so that most edits return the cached plan.
        evidence = preparation.evidence(start, opened, self._search, (made_of, others))
        if kept is not None and kept.evidence == evidence:
            return kept.planned
        planned = preparation.planned(evidence, start)
        unit = replace(planned.unit, root=start.name)
        if world.checked_as:
            unit = replace(unit, origins=replace(unit.origins, dialect=_BY_COMMAND))
        planned = replace(
            planned,
            unit=unit,
            problems=(*problems, *planned.problems),
            cpp_for_opencl=planned.cpp_for_opencl or document.cpp_for_opencl,
            other_language=root is None and not _is_opencl(document, planned.unit.project),
        )
        self._kept[document.name, start.name] = _Kept(made_of, preparation, problems, evidence, planned)
        return planned

    def drop(self, name: DocumentName) -> None:
        """Drops the cached plans of a closed document."""
        self._search.drop(name)
        for pair in [pair for pair in self._kept if pair[0] == name]:
            del self._kept[pair]

    def _prepared(
        self, document: OpenDocument, world: World, root: Document | None
    ) -> tuple[Preparation, tuple[OptionProblem, ...]]:
        """The part of the plan that is independent of texts, and the problems of the client's settings."""
        name = document.name if root is None else root.name
        folder = world.folder_of(name) if is_file(name) else "".join(world.folders[:1])
        stand_in = name if is_file(name) or not folder else os.path.join(folder, "untitled.cl")
        settings = world.settings_of(folder)
        parsed = parse_options(_arguments(settings), folder or None)
        readable = [
            os.path.join(folder, os.path.expanduser(each)) for each in settings.readable_folders or ()
        ]
        preparation = prepare_unit(
            stand_in,
            client=replace(parsed.options, readable_folders=tuple(filter(os.path.isabs, readable))),
            command_line=Options(standard=world.checked_as) if world.checked_as else None,
            workspace_folders=world.folders,
            files=self.files,
            variant=world.variant_of(document.name),
            subject="" if root is None else document.name,
            hosts=self.hosts,
            user=user_configuration(self.files),
        )
        return preparation, parsed.problems


def _is_opencl(document: OpenDocument, project: ProjectFile | None) -> bool:
    """Whether the document is OpenCL C or C++ for OpenCL by its language identifier or file ending."""
    if document.called_opencl or document.cpp_for_opencl or is_cpp_for_opencl_file(document.name):
        return True
    return is_opencl_file(document.name, () if project is None else project.file_endings)


def complaints(planned: PlannedUnit) -> tuple[str, ...]:
    """The messages about the unit's options, one per problem.

    Problems of the project file share one message.
    """
    where = f" ({planned.compile_flags})" if planned.compile_flags else ""
    problems = tuple(f"openclsp: {_told(problem)}{where}; it is ignored" for problem in planned.problems)
    wrong = project_problems(planned.unit.project)
    project: tuple[str, ...] = ("openclsp: " + "\n".join(wrong),) if wrong else ()
    project += tuple(f"openclsp: {told}" for told in planned.host.problems)
    refused = (*planned.refused, *planned.advice)
    outside = ("openclsp: " + "\n".join(refused),) if refused else ()
    return problems + project + outside + tuple(f"openclsp: {note}" for note in planned.notes)


def _told(problem: OptionProblem) -> str:
    return f"{problem.option}: {problem.message}"


def _arguments(settings: Settings) -> list[str]:
    """The settings as arguments of `clBuildProgram`."""
    arguments = [f"-cl-std={settings.language_version}"] if settings.language_version is not None else []
    if settings.extensions is not None:
        arguments.append(f"-cl-ext={settings.extensions}")
    arguments += [f"-D{define}" for define in settings.defines or ()]
    return arguments + [f"-I{include}" for include in settings.include_folders or ()]
