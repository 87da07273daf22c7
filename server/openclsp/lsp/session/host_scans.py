"""Build options found in the host code of the open documents' projects. Owned by the analysis thread."""

from __future__ import annotations

import os
import time
from dataclasses import field
from typing import TYPE_CHECKING

from openclsp.dataclass import dataclass
from openclsp.host_options.host_project import HostProject, collect_host_builds
from openclsp.lsp.session.open_documents import OpenDocument
from openclsp.lsp.session.snapshot import Snapshot
from openclsp.lsp.uris import is_file_name
from openclsp.project.file_system import LOCAL_FILE_SYSTEM
from openclsp.project.project_headers import ProjectHeaders
from openclsp.project.project_roots import find_project_root
from openclsp.project.project_scan import ProjectScan
from openclsp.source.document import DocumentName
from openclsp.workspace.configured_scan import scan_configured_project
from openclsp.workspace.host_names import HostNameIndex
from openclsp.workspace.project_file import FILE_NAME

if TYPE_CHECKING:
    from openclsp.host_options.host_build_index import HostBuildIndex


def _create_index() -> HostBuildIndex:
    # The readers of host code are large modules that the first answers do not need, so they are imported
    # late.
    from openclsp.host_options.host_build_index import HostBuildIndex

    return HostBuildIndex(LOCAL_FILE_SYSTEM)


class _SliceEnded(Exception):
    """Raised to end a time slice; the files read so far stay in the index."""


@dataclass(slots=True)
class _HostScan:
    """The host code of one project.

    - `result`: the last complete result
    - `host_revision`: the revision of the host files for `result` (see `Snapshot`)
    - `pending_scan`: a newer revision and its files, whose host code is still being read
    """

    index: HostBuildIndex = field(default_factory=_create_index)
    result: HostProject | None = None
    headers: ProjectHeaders | None = None
    names: HostNameIndex = field(default_factory=HostNameIndex)
    host_revision: int = -1
    pending_scan: tuple[int, ProjectScan] | None = None


@dataclass(slots=True)
class HostScans:
    """The host code of all projects, by root folder.

    `revision` is incremented whenever a result may have changed.
    """

    revision: int = 0
    _projects: dict[str, _HostScan] = field(default_factory=dict)

    def of(self, root: str, kernel: DocumentName) -> HostProject | None:
        """Returns the host code of the project at the folder `root`; None before its first scan.

        `kernel` is not used; the protocol `HostProjectProvider` requires it.
        """
        project = self._projects.get(root)
        return None if project is None else project.result

    def headers_of(self, root: str, kernel: DocumentName) -> ProjectHeaders | None:
        """Returns the headers of the project at the folder `root`; None before its first scan.

        `kernel` is not used; the protocol `HostProjectProvider` requires it.
        """
        project = self._projects.get(root)
        return None if project is None else project.headers

    def retain_projects(self, roots: frozenset[str]) -> None:
        """Drops the host code of all projects except those with `roots`."""
        self._projects = {root: each for root, each in self._projects.items() if root in roots}

    def scan_slice(
        self, document: OpenDocument, snapshot: Snapshot, seconds: float
    ) -> frozenset[DocumentName] | None:
        """Scans the host code of a document's project for at most `seconds`.

        Does nothing if the host code cannot have changed. Returns the open documents whose options or headers
        the result may change; None if there was not enough time. The next call continues the scan.
        """
        if not is_file_name(document.name):
            return frozenset()
        top = find_project_root(document.name, snapshot.folders)
        project = self._projects.setdefault(top, _HostScan())
        if project.host_revision == snapshot.host_revision:
            return frozenset()
        deadline = time.perf_counter() + seconds

        def check() -> None:
            if time.perf_counter() > deadline:
                raise _SliceEnded

        scan = _current_scan(project, top, snapshot)
        try:
            new = collect_host_builds(project.index, scan, None, check)
        except _SliceEnded:
            return None
        old, project.result, project.host_revision = project.result, new, snapshot.host_revision
        project.pending_scan = None
        self.revision += 1
        headers = ProjectHeaders.from_scan(new.scan)
        same_headers, project.headers = headers == project.headers, headers
        # A document's plan depends on all of these. If none has changed, no kernel needs to be diagnosed again.
        documents = self._documents_in(top, snapshot)
        if not same_headers or _options(old) != _options(new):
            return documents
        # The diagnostics of a project file say which of its patterns match no file.
        if old is None or _paths(old) != _paths(new):
            return frozenset(name for name in documents if os.path.basename(name) == FILE_NAME)
        return frozenset()

    def name_index(self, document: OpenDocument, snapshot: Snapshot) -> HostNameIndex:
        """Returns the index of kernel names in the host code of a document's project.

        The index may be incomplete.
        """
        if not is_file_name(document.name):
            return HostNameIndex()
        top = find_project_root(document.name, snapshot.folders)
        project = self._projects.setdefault(top, _HostScan())
        project.names.update(_current_scan(project, top, snapshot))
        return project.names

    def _documents_in(self, top: str, snapshot: Snapshot) -> frozenset[DocumentName]:
        return frozenset(
            name
            for name in snapshot.documents
            if is_file_name(name) and find_project_root(name, snapshot.folders) == top
        )


def _paths(project: HostProject) -> list[str]:
    return [each.path for each in project.scan.files]


def _options(project: HostProject | None) -> tuple[object, ...]:
    """Returns the data that analyses use from host code: builds, and names that may be defined elsewhere."""
    if project is None:
        return ({}, (), {}, {})
    return (
        project.builds,
        project.builds_of_unknown_kernels,
        project.builds_in_host,
        project.possible_names,
    )


def _current_scan(project: _HostScan, top: str, snapshot: Snapshot) -> ProjectScan:
    """Returns the files of a project at the current revision; scans the folder `top` if necessary."""
    revision = snapshot.host_revision
    if project.result is not None and project.host_revision == revision:
        return project.result.scan
    if project.pending_scan is None or project.pending_scan[0] != revision:
        project.pending_scan = revision, scan_configured_project(top, snapshot.folders)
    return project.pending_scan[1]
