"""Build options found in the host code of the open documents' projects. Owned by the analysis thread."""

from __future__ import annotations

import os
import time
from dataclasses import field
from typing import TYPE_CHECKING

from openclsp.dataclass import dataclass
from openclsp.lsp.documents import OpenDocument
from openclsp.lsp.uris import is_file
from openclsp.lsp.world import World
from openclsp.source.document import DocumentName
from openclsp.workspace.files import LOCAL_FILES
from openclsp.workspace.host_options.project import HostProject, look_over
from openclsp.workspace.project_file import find_project_file
from openclsp.workspace.project_headers import ProjectHeaders
from openclsp.workspace.roots import project_root
from openclsp.workspace.scan import Scan, scan

if TYPE_CHECKING:
    from openclsp.workspace.host_options.index import HostIndex


def _index() -> HostIndex:
    # Imported late: the readers of host code are large, and the first answers do not need them.
    from openclsp.workspace.host_options.index import HostIndex

    return HostIndex(LOCAL_FILES)


class _Pause(Exception):
    """Ends a time slice; the files read so far stay in the index."""


@dataclass(slots=True)
class _Project:
    """The host code of one project.

    `found` is the last complete result, for revision `hosts` of the project's host files (`World.hosts`).
    `scanned` is a newer revision with its files, whose host code is still being read.
    """

    index: HostIndex = field(default_factory=_index)
    found: HostProject | None = None
    headers: ProjectHeaders | None = None
    hosts: int = -1
    scanned: tuple[int, Scan] | None = None


@dataclass(slots=True)
class Hosts:
    """The host code of all projects, by root folder.

    `revision` is incremented whenever a result may have changed.
    """

    revision: int = 0
    _projects: dict[str, _Project] = field(default_factory=dict)

    def of(self, root: str, kernel: DocumentName) -> HostProject | None:
        """The host code found for the project at the folder `root`; None before it was scanned."""
        project = self._projects.get(root)
        return None if project is None else project.found

    def headers_of(self, root: str, kernel: DocumentName) -> ProjectHeaders | None:
        """The headers of the project at the folder `root`; None before it was scanned."""
        project = self._projects.get(root)
        return None if project is None else project.headers

    def look_over(
        self, document: OpenDocument, world: World, seconds: float
    ) -> frozenset[DocumentName] | None:
        """Scans the host code of a document's project for at most `seconds`.

        It does nothing if the host code cannot have changed. Returns the open documents whose options or
        headers may have changed by that. None if there was not enough time: the next call continues.
        """
        if not is_file(document.name):
            return frozenset()
        top = project_root(document.name, world.folders)
        project = self._projects.setdefault(top, _Project())
        if project.hosts == world.hosts:
            return frozenset()
        end = time.perf_counter() + seconds

        def check() -> None:
            if time.perf_counter() > end:
                raise _Pause

        if project.scanned is None or project.scanned[0] != world.hosts:
            told = find_project_file(os.path.join(top, "any.cl"), top)
            endings = () if told is None else told.file_endings
            project.scanned = world.hosts, scan(top, LOCAL_FILES, endings=endings)
        try:
            new = look_over(project.index, project.scanned[1], None, check)
        except _Pause:
            return None
        old, project.found, project.hosts = project.found, new, world.hosts
        project.scanned = None
        self.revision += 1
        headers = ProjectHeaders.of(new.scan)
        same_headers, project.headers = headers == project.headers, headers
        # A document's plan depends on all of these; without a change nothing needs to be diagnosed again.
        if not same_headers:
            return self._documents_in(top, world)
        if old is None and not (new.builds or new.others or new.names):
            return frozenset()
        if old is not None and (old.builds, old.others, old.names) == (new.builds, new.others, new.names):
            return frozenset()
        return self._documents_in(top, world)

    def _documents_in(self, top: str, world: World) -> frozenset[DocumentName]:
        return frozenset(
            name for name in world.documents if is_file(name) and project_root(name, world.folders) == top
        )
