"""What the host code of the open documents' projects says of their kernels. Belongs to the engine thread."""

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
    # What reads host code is large, and not needed for the first answers.
    from openclsp.workspace.host_options.index import HostIndex

    return HostIndex(LOCAL_FILES)


class _Pause(Exception):
    """The slice is over; what was read so far is kept."""


@dataclass(slots=True)
class _Project:
    """`found` is what was last found, for the files as they were when `hosts` was the world's; `scanned` the files of
    another state, whose host code is being read."""

    index: HostIndex = field(default_factory=_index)
    found: HostProject | None = None
    headers: ProjectHeaders | None = None
    hosts: int = -1
    scanned: tuple[int, Scan] | None = None


@dataclass(slots=True)
class Hosts:
    """By the folder that a project starts at. `revision` is raised whenever something else may be known of one."""

    revision: int = 0
    _projects: dict[str, _Project] = field(default_factory=dict)

    def of(self, root: str, kernel: DocumentName) -> HostProject | None:
        """What is known of the project at the folder `root`; nothing before it was looked over."""
        project = self._projects.get(root)
        return None if project is None else project.found

    def headers_of(self, root: str, kernel: DocumentName) -> ProjectHeaders | None:
        """The headers of the project; nothing before it was looked over."""
        project = self._projects.get(root)
        return None if project is None else project.headers

    def look_over(
        self, document: OpenDocument, world: World, seconds: float
    ) -> frozenset[DocumentName] | None:
        """Looks over the host code of a document's project, where something of it may have changed; the open documents of
        which something else is known then. None where it was not done after `seconds`: ask again."""
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
