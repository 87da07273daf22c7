"""Chooses the paths of documents in the output, in the user's spelling."""

from __future__ import annotations

import os
from collections.abc import Iterable

from openclsp.cli.inputs import CheckInput
from openclsp.source.document import DocumentName


class OutputPaths:
    """Maps document names to output paths.

    An input keeps its path as given. Any other document gets a relative path if the path of the input that
    includes it is relative, otherwise an absolute path.
    """

    def __init__(self, inputs: Iterable[CheckInput]) -> None:
        self._given = {name: each.path for each in inputs for name in (each.document.name, each.file_name)}

    def input_path(self, name: DocumentName) -> str | None:
        """Returns the path of an input as the user gave it; None for another document."""
        return self._given.get(name)

    def output_path(self, name: DocumentName, root: CheckInput) -> str:
        """Returns the path that reports print for a document that is part of the analysis of `root`."""
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
            # A file on another drive has no relative path.
            return name
