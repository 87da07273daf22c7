"""How documents are called in the output: as the person called them, or alike."""

from __future__ import annotations

import os
from collections.abc import Iterable

from openclsp.cli.inputs import Input
from openclsp.source.document import DocumentName


class Paths:
    """The paths of documents: as given for what was asked for, else spelled like the path of the file that led there."""

    def __init__(self, inputs: Iterable[Input]) -> None:
        self._given = {each.document.name: each.path for each in inputs}

    def given(self, name: DocumentName) -> str | None:
        """The path of a document that was asked for."""
        return self._given.get(name)

    def path(self, name: DocumentName, root: Input) -> str:
        """The path of a document that the analysis of `root` speaks of."""
        given = self._given.get(name)
        if given is not None:
            return given
        if os.path.isabs(root.path) or not os.path.isabs(name):
            return name
        folder = os.path.dirname(root.document.name)
        try:
            if os.path.commonpath((folder, name)) == folder:
                return os.path.join(os.path.dirname(root.path), os.path.relpath(name, folder))
            return os.path.relpath(name)
        except ValueError:
            # another drive
            return name
