"""Units of a project's other programs, in which fixes of shared documents are checked."""

from __future__ import annotations

from openclsp.cli.builds import RequestedBuilds, plan_builds
from openclsp.cli.inputs import allowed_folders_of_run, read_named
from openclsp.cli.scanned_projects import ScannedProjects
from openclsp.ide.fixes.project_units import ProjectUnitSource
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, DocumentStore, FileProblem
from openclsp.project.option_parser import BuildOptions
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.checkpoint import Checkpoint, no_checkpoint
from openclsp.source.document import DocumentName
from openclsp.workspace.includer_units import find_includer_unit


def make_project_sharing(
    projects: ScannedProjects, options: BuildOptions, requested: RequestedBuilds
) -> ProjectUnitSource:
    """The programs that include a document, each in the requested builds."""
    return ProjectUnitSource(
        projects.includers_of,
        lambda name, checkpoint: units_of_file(name, projects, options, requested, checkpoint=checkpoint),
    )


def units_of_file(
    name: DocumentName,
    projects: ScannedProjects,
    options: BuildOptions,
    requested: RequestedBuilds,
    *,
    opencl: bool = True,
    checkpoint: Checkpoint = no_checkpoint,
) -> list[TranslationUnit]:
    """The units of a file, one per build, for the present contents of all files.

    A document that others include is analysed through one of these. If none includes it and `opencl` is
    False, the result is empty, because the file is not checked.
    """
    document = read_named(name, allowed_folders_of_run(options))
    if isinstance(document, FileProblem):
        return []
    documents = DocumentStore(LOCAL_FILE_SYSTEM, {})
    found = find_includer_unit(
        document,
        projects.includers(document),
        lambda root: projects.plan(root, options, requested.variant, name),
        documents,
        projects.include_cache,
    )
    if found is None and not opencl:
        return []
    root, subject = (document, "") if found is None else (found.root, name)
    planned = plan_builds(
        lambda options, variant: projects.plan(root, options, variant, subject),
        options,
        requested,
    )
    units = [
        TranslationUnit(each.unit_config, root, each.make_include_loader(documents), checkpoint=checkpoint)
        for _, each in planned
        if each.is_analysed
    ]
    for unit in units:
        unit.outside = projects.outside_uses(root)
    return units
