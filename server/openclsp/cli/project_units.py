"""Units of a project's other programs, in which fixes of shared documents are checked."""

from __future__ import annotations

from openclsp.cli.builds import Asked, builds
from openclsp.cli.inputs import person_folders, read_named
from openclsp.cli.projects import Projects
from openclsp.ide.project_sharing import ProjectSharing
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.checkpoint import Checkpoint, no_checkpoint
from openclsp.source.document import DocumentName
from openclsp.workspace.files import LOCAL_FILES, Documents, FileProblem
from openclsp.workspace.options import Options
from openclsp.workspace.subjects import unit_through_includer


def project_sharing(projects: Projects, options: Options, asked: Asked) -> ProjectSharing:
    """The programs that include a document, each in the requested builds."""
    return ProjectSharing(
        projects.includers_of,
        lambda name, checkpoint: units_of(name, projects, options, asked, checkpoint=checkpoint),
    )


def units_of(
    name: DocumentName,
    projects: Projects,
    options: Options,
    asked: Asked,
    *,
    opencl: bool = True,
    checkpoint: Checkpoint = no_checkpoint,
) -> list[TranslationUnit]:
    """The units of a file, one per build, for the present contents of all files.

    A document that others include is analysed through one of these. If none includes it and `opencl` is
    False, the result is empty, because the file is not checked.
    """
    document = read_named(name, person_folders(options))
    if isinstance(document, FileProblem):
        return []
    documents = Documents(LOCAL_FILES, {})
    found = unit_through_includer(
        document,
        projects.includers(document),
        lambda root: projects.plan(root, options, asked.variant, name),
        documents,
        projects.include_cache,
    )
    if found is None and not opencl:
        return []
    root, subject = (document, "") if found is None else (found.root, name)
    planned = builds(
        lambda options, variant: projects.plan(root, options, variant, subject),
        options,
        asked,
    )
    units = [
        TranslationUnit(each.unit, root, each.loader(documents), checkpoint=checkpoint)
        for _, each in planned
        if each.analysed
    ]
    for unit in units:
        unit.outside = projects.outside(root)
    return units
