"""The projects of a run's inputs, each scanned once."""

from __future__ import annotations

from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.source.document import Document, DocumentName
from openclsp.source.include_cache import IncludeCache
from openclsp.workspace.evidence_search import EvidenceSearch
from openclsp.workspace.files import LOCAL_FILES
from openclsp.workspace.host_options.index import HostIndex
from openclsp.workspace.host_options.project import HostProject, look_over
from openclsp.workspace.includers import Includers
from openclsp.workspace.options import Options
from openclsp.workspace.outside import Outside
from openclsp.workspace.project_file import find_project_file
from openclsp.workspace.project_headers import ProjectHeaders
from openclsp.workspace.roots import project_root
from openclsp.workspace.scan import Scan, scan
from openclsp.workspace.units import PlannedUnit, plan_unit
from openclsp.workspace.user_configuration import UserConfiguration, user_configuration

FEW = 3
"""The most inputs for which host code is searched per kernel, instead of for all kernels at once."""


@dataclass(slots=True)
class Projects:
    """The include graph and host code of each project, by its root folder.

    `whole`: host code is analysed for all kernels of a project at once, which is faster for many inputs.
    """

    whole: bool = False
    _scans: dict[str, Scan] = field(default_factory=dict)
    _indices: dict[str, HostIndex] = field(default_factory=dict)
    _hosts: dict[tuple[str, str], HostProject] = field(default_factory=dict)
    _includers: dict[str, Includers] = field(default_factory=dict)
    _user: UserConfiguration = field(default_factory=user_configuration)
    _headers: dict[str, ProjectHeaders] = field(default_factory=dict)
    _search: EvidenceSearch = field(default_factory=EvidenceSearch)
    """That of the root that was planned last"""

    def includers(self, document: Document) -> Includers:
        """The include graph of a document's project."""
        return self.includers_of(document.name)

    def includers_of(self, name: DocumentName) -> Includers:
        """The include graph of the project of the document with this name."""
        top = project_root(name)
        if top not in self._includers:
            self._includers[top] = Includers()
            self._includers[top].update(self._scan(top, name))
        return self._includers[top]

    def outside(self, root: Document) -> Outside:
        """How the rest of the project uses the functions and variables of a unit's root."""
        return self.includers(root).outside(root.name)

    def of(self, root: str, kernel: str) -> HostProject:
        """The host code in the project at `root` that builds this kernel, and perhaps others."""
        key = root, "" if self.whole else kernel
        if key not in self._hosts:
            index = self._indices.setdefault(root, HostIndex(LOCAL_FILES))
            self._hosts[key] = look_over(index, self._scan(root, kernel), key[1] or None)
        return self._hosts[key]

    def headers_of(self, root: str, kernel: str) -> ProjectHeaders:
        """The headers of the project at the folder `root`."""
        if root not in self._headers:
            self._headers[root] = ProjectHeaders.of(self._scan(root, kernel))
        return self._headers[root]

    def plan(
        self, root: Document, options: Options, variant: str | None, subject: DocumentName = ""
    ) -> PlannedUnit:
        """Plans the unit of a root document with the command line's options.

        `subject` is a fragment in it.
        """
        self._search = EvidenceSearch()
        return plan_unit(
            root.name,
            command_line=options,
            document=root,
            search=self._search,
            variant=variant,
            subject=subject,
            hosts=self,
            user=self._user,
        )

    def include_cache(self, root: Document) -> IncludeCache:
        """The included documents that planning preprocessed, if the root was planned last."""
        return self._search.include_cache(root.name)

    def _scan(self, root: str, document: str) -> Scan:
        if root not in self._scans:
            project = find_project_file(document, root)
            endings = () if project is None else project.file_endings
            self._scans[root] = scan(root, endings=endings)
        return self._scans[root]
