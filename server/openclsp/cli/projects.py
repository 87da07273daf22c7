"""The projects that the inputs of one run belong to: each is looked over once."""

from __future__ import annotations

from dataclasses import dataclass, field

from openclsp.source.document import Document
from openclsp.workspace.includers import Includers
from openclsp.workspace.project_file import find_project_file
from openclsp.workspace.roots import project_root
from openclsp.workspace.scan import scan

MAXIMUM_ENTRIES = 20_000
"""Files and folders of a project that are looked at for those that include an input."""


@dataclass(slots=True)
class Projects:
    """By the folder that a project starts at: who includes whom there."""

    _includers: dict[str, Includers] = field(default_factory=dict)

    def includers(self, document: Document) -> Includers:
        """Who includes whom in the project of a document."""
        top = project_root(document.name)
        if top not in self._includers:
            project = find_project_file(document.name, top)
            endings = () if project is None else project.file_endings
            self._includers[top] = Includers()
            self._includers[top].update(scan(top, maximum_entries=MAXIMUM_ENTRIES, endings=endings))
        return self._includers[top]
