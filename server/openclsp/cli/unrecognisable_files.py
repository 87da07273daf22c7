"""Selects the files of a folder that are not checked, because nothing shows that they are OpenCL C."""

from __future__ import annotations

from openclsp.cli.inputs import CheckInput
from openclsp.cli.scanned_projects import ScannedProjects
from openclsp.workspace.unrecognisable_files import is_unrecognisable_in_project


def is_unrecognisable_file(given: CheckInput, projects: ScannedProjects) -> bool:
    """Whether neither the user, nor the text, nor the project of a file shows that the file is OpenCL C."""
    if given.is_certain or given.program is not None:
        return False
    name = given.document.name
    return is_unrecognisable_in_project(
        given.document,
        lambda: projects.include_graph(given.document),
        lambda: projects.of(projects.root_of(name), name).builds,
    )
