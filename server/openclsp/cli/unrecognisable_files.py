"""Decides which files of a folder are not checked, because nothing shows that they are OpenCL C."""

from __future__ import annotations

from openclsp.cli.inputs import CheckInput
from openclsp.cli.scanned_projects import ScannedProjects
from openclsp.source.foreign_beginnings import foreign_beginning
from openclsp.source.unrecognisable_text import is_unrecognisable


def is_unrecognisable_file(given: CheckInput, projects: ScannedProjects) -> bool:
    """Whether neither the text of a file, nor the user, nor the project shows that the file is OpenCL C.

    The user may name the file or give `--language opencl`; in the project, a kernel may include the file, and host code may
    build it. A file whose beginning shows its language is not unrecognisable, because a diagnostic names the language.
    """
    data = given.document.text.data
    if given.is_certain or given.program is not None:
        return False
    if not is_unrecognisable(data) or foreign_beginning(data) is not None:
        return False
    name = given.document.name
    if projects.includers(given.document).candidate_programs(name, data):
        return False
    return name not in projects.of(projects.root_of(name), name).builds
