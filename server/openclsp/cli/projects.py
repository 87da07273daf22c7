"""The projects that the inputs of one run belong to: each is looked over once."""

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
"""Inputs up to which each is looked for in the host code by itself."""


@dataclass(slots=True)
class Projects:
    """By the folder that a project starts at: who includes whom there, and how its host code builds kernels. `whole` is
    whether that will be asked for many kernels."""

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
        """Who includes whom in the project of a document."""
        return self.includers_of(document.name)

    def includers_of(self, name: DocumentName) -> Includers:
        """Who includes whom in the project of the document of that name."""
        top = project_root(name)
        if top not in self._includers:
            self._includers[top] = Includers()
            self._includers[top].update(self._scan(top, name))
        return self._includers[top]

    def outside(self, root: Document) -> Outside:
        """What the rest of its project says about the functions and variables of a unit's root."""
        return self.includers(root).outside(root.name)

    def of(self, root: str, kernel: str) -> HostProject:
        """What the host code of the project at the folder `root` says of this kernel, and perhaps of others."""
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
        """The unit of a document, or the one through it in which `subject` is looked at, as the command line asks."""
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
