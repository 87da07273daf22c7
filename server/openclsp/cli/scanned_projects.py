"""The projects of a run's inputs; each project is scanned once."""

from __future__ import annotations

import os.path
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.host_options.host_build_index import HostBuildIndex
from openclsp.host_options.host_project import HostProject, collect_host_builds
from openclsp.project.cached_reads import CachedReads
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, FileSystem
from openclsp.project.option_parser import BuildOptions
from openclsp.project.project_headers import ProjectHeaders
from openclsp.project.project_roots import find_project_root
from openclsp.project.project_scan import ProjectScan
from openclsp.source.checkpoint import no_checkpoint
from openclsp.source.document import Document, DocumentName
from openclsp.source.include_cache import IncludeCache
from openclsp.source.other_files import DeclarationsElsewhere
from openclsp.workspace.configured_scan import scan_configured_project
from openclsp.workspace.evidence_search import EvidenceSearch
from openclsp.workspace.include_graph import IncludeGraph
from openclsp.workspace.unit_preparation import plan_unit
from openclsp.workspace.units import PlannedUnit
from openclsp.workspace.unused_code import UnusedCode
from openclsp.workspace.user_configuration import UserConfiguration, read_user_configuration

MAXIMUM_SEPARATE_INPUTS = 3
"""The maximum number of inputs for which host code is searched separately for each kernel, not for all
kernels together.
"""


@dataclass(slots=True)
class ScannedProjects:
    """The include graph and the host code of each project, by root folder.

    - `for_many_inputs`: whether host code is analysed for all kernels of a project at once, which is faster
      for many inputs
    - `named_folders`: the absolute paths of the folders that the user named. Each is the project of its files
      that are in no folder with a root marker
    """

    for_many_inputs: bool = False
    named_folders: tuple[str, ...] = ()
    _scans: dict[str, ProjectScan] = field(default_factory=dict)
    _indices: dict[str, HostBuildIndex] = field(default_factory=dict)
    _roots: dict[str, str] = field(default_factory=dict)
    _hosts: dict[tuple[str, str], HostProject] = field(default_factory=dict)
    _graphs: dict[str, IncludeGraph] = field(default_factory=dict)
    _user: UserConfiguration = field(default_factory=read_user_configuration)
    _headers: dict[str, ProjectHeaders] = field(default_factory=dict)
    _unused: dict[str, UnusedCode] = field(default_factory=dict)
    _files: FileSystem = field(default_factory=lambda: CachedReads(LOCAL_FILE_SYSTEM))
    include_cache: IncludeCache = field(default_factory=lambda: IncludeCache(keeps_roots=True))
    """The included documents that planning and analysis have preprocessed"""

    def include_graph(self, document: Document) -> IncludeGraph:
        """Returns the include graph of a document's project."""
        return self.include_graph_of(document.name)

    def include_graph_of(self, name: DocumentName) -> IncludeGraph:
        """Returns the include graph of the project that contains the document `name`."""
        top = self.root_of(name)
        if top not in self._graphs:
            self._graphs[top] = IncludeGraph(self._files)
            self._graphs[top].update(self._scan(top))
        return self._graphs[top]

    def outside_uses(self, root: Document) -> DeclarationsElsewhere:
        """Returns what other files of the project declare, for the analysis of the document `root`."""
        return self.include_graph(root).declarations_elsewhere(root.name)

    def is_unused(self, name: DocumentName, function: str) -> bool:
        """Whether nothing in its project uses the file `name`, or its function `function` (empty: none)."""
        top = self.root_of(name)
        if top not in self._unused:
            self._unused[top] = UnusedCode(self.include_graph_of(name), self._scan(top))
        return self._unused[top].contains(name, function)

    def of(self, root: str, kernel: str) -> HostProject:
        """Returns the host code that builds the kernel file `kernel`, in the project at the folder `root`.

        The result may include host code that builds other files.
        """
        key = root, "" if self.for_many_inputs else kernel
        if key not in self._hosts:
            self._hosts[key] = collect_host_builds(
                self._index(root), self._scan(root), key[1] or None, defer_names=True
            )
        return self._hosts[key]

    def kernel_users(self, name: DocumentName) -> frozenset[str]:
        """Returns the paths of the host files that may use kernels, in the project that contains `name`."""
        root = self.root_of(name)
        return self._index(root).kernel_users(self._scan(root), no_checkpoint)

    def headers_of(self, root: str, kernel: str) -> ProjectHeaders:
        """Returns the headers of the project at the folder `root`, which contains the file `kernel`."""
        if root not in self._headers:
            self._headers[root] = ProjectHeaders.from_scan(self._scan(root))
        return self._headers[root]

    def plan(
        self, root: Document, options: BuildOptions, variant: str | None, subject: DocumentName = ""
    ) -> PlannedUnit:
        """Plans the unit of a root document with the command line's options.

        `subject` is the included fragment for which the unit is planned, if any.
        """
        return plan_unit(
            root.name,
            # A folder that the user named can be the project, like a workspace folder of an editor.
            workspace_folders=(self.root_of(root.name),),
            command_line=options,
            document=root,
            search=EvidenceSearch(self.include_cache),
            variant=variant,
            subject=subject,
            hosts=self,
            user=self._user,
        )

    def scan_of(self, name: DocumentName) -> ProjectScan:
        """Returns the files of the project that contains the document `name`."""
        return self._scan(self.root_of(name))

    def root_of(self, name: DocumentName) -> str:
        """Returns the root of the project that contains the document `name`.

        The root depends only on the document's folder, and is cached for each folder.
        """
        folder = os.path.dirname(name)
        if folder not in self._roots:
            self._roots[folder] = find_project_root(name, named_folders=self.named_folders)
        return self._roots[folder]

    def _index(self, root: str) -> HostBuildIndex:
        return self._indices.setdefault(root, HostBuildIndex(self._files))

    def _scan(self, root: str) -> ProjectScan:
        if root not in self._scans:
            self._scans[root] = scan_configured_project(root, self.named_folders)
        return self._scans[root]
