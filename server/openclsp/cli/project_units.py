"""Units of a project's other programs, in which fixes of shared documents are checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final, TypeAlias

from openclsp.cli.builds import RequestedBuilds, plan_builds
from openclsp.cli.caller_check import CallerChecker
from openclsp.cli.inputs import allowed_folders_of_run, read_named
from openclsp.cli.output_paths import OutputPaths
from openclsp.cli.scanned_projects import ScannedProjects
from openclsp.cli.unit_loader import UnitLoader
from openclsp.ide.fixes.host_effects import HostEffects
from openclsp.ide.fixes.project_units import OtherBuild, ProjectUnitSource
from openclsp.ide.unit_creation import create_unit
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, DocumentStore, FileProblem
from openclsp.project.option_parser import BuildOptions
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.checkpoint import Checkpoint
from openclsp.source.document import Document, DocumentName
from openclsp.source.include_cache import IncludeCache
from openclsp.source.options import Loader
from openclsp.workspace.includer_units import find_includer_unit
from openclsp.workspace.units import PlannedUnit, UnitConfig

CreateUnit: TypeAlias = Callable[[UnitConfig, Document, Loader, IncludeCache], TranslationUnit]
NO_DOCUMENTS: Final[Mapping[DocumentName, Document]] = MappingProxyType({})


def make_project_sharing(
    projects: ScannedProjects,
    options: BuildOptions,
    requested: RequestedBuilds,
    open_documents: Mapping[DocumentName, Document] = NO_DOCUMENTS,
    given: Sequence[TranslationUnit] = (),
) -> ProjectUnitSource:
    """Returns an object that creates, in the requested builds, the units that include a given document.

    `given` contains units that it need not create.
    """

    def units_of(
        build: OtherBuild, checkpoint: Checkpoint, others: Sequence[TranslationUnit]
    ) -> Sequence[TranslationUnit]:
        builds = (
            requested
            if build.variant is None
            else replace(requested, variant=build.variant, all_variants=False)
        )
        return units_of_file(
            build.root,
            projects,
            options,
            builds,
            open_documents=open_documents,
            create=lambda target, root, loader, cache: create_unit(
                target, root, loader, cache, checkpoint, others
            ),
        )

    return ProjectUnitSource(
        projects.include_graph_of,
        units_of,
        lambda: given,
        host_effects=_make_host_effects(projects, options, open_documents),
    )


def _make_host_effects(
    projects: ScannedProjects, options: BuildOptions, open_documents: Mapping[DocumentName, Document]
) -> HostEffects:
    checkers: list[CallerChecker] = []

    def read(name: DocumentName) -> Document | None:
        found = open_documents.get(name) or read_named(name, allowed_folders_of_run(options))
        return None if isinstance(found, FileProblem) else found

    def count_wrong_calls(document: Document, functions: frozenset[str]) -> int:
        if not checkers:
            checkers.append(CallerChecker(OutputPaths(()), projects, open_documents))
        return checkers[0].count_wrong_calls(document, functions)

    return HostEffects(read, count_wrong_calls)


def units_of_file(
    name: DocumentName,
    projects: ScannedProjects,
    options: BuildOptions,
    requested: RequestedBuilds,
    *,
    opencl: bool = True,
    open_documents: Mapping[DocumentName, Document] = NO_DOCUMENTS,
    create: CreateUnit = TranslationUnit,
) -> list[TranslationUnit]:
    """Returns new units for a file, one per build, from the current contents of all files.

    - `opencl`: whether the file is OpenCL C by its name or by the configuration. If it is false, the result
      is empty unless another file includes the file.
    - `open_documents`: texts that take precedence over files of the same name.
    - `create`: creates a unit, or changes an earlier one.

    A document that other files include is analysed through one of them.
    """
    document = open_documents.get(name) or read_named(name, allowed_folders_of_run(options))
    if isinstance(document, FileProblem):
        return []
    documents = DocumentStore(LOCAL_FILE_SYSTEM, open_documents)
    found = find_includer_unit(
        document,
        projects.include_graph(document),
        lambda root: projects.plan(root, options, requested.variant, name),
        documents,
        projects.include_cache,
    )
    if found.certain is None and not opencl:
        return []
    root, subject = (document, "") if found.certain is None else (found.certain.root, name)

    def plan(options: BuildOptions, variant: str | None) -> PlannedUnit:
        planned = projects.plan(root, options, variant, subject)
        if found.possible is None:
            return planned
        return planned.after_unread_text(projects.plan(found.possible.root, options, variant, name))

    units = [
        create(
            each.unit_config,
            root,
            UnitLoader(each.make_include_loader(documents)),
            projects.include_cache,
        )
        for _, each in plan_builds(plan, options, requested)
        if each.is_analysed
    ]
    for unit in units:
        unit.outside = projects.outside_uses(root)
    return units
