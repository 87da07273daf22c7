"""Checks a host file against the kernels that it names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.host_code.host_language import HostLanguage
from openclsp.host_code.host_words import may_use_kernel
from openclsp.host_code.kernel_calls.kernel_use_finder import find_kernel_uses
from openclsp.host_code.program_document import program_documents
from openclsp.ide.diagnostics.severity_settings import effective_severity
from openclsp.ide.feature_results import Diagnostic
from openclsp.ide.host_contract.contract_check import check_contract
from openclsp.ide.host_contract.parameter_types import TypeReader
from openclsp.ide.host_contract.project_kernels import KernelResolver, ProjectKernels
from openclsp.ide.ignore.ignore_comments import IgnoreIndex, parse_ignore_comments
from openclsp.project.project_roots import find_project_root
from openclsp.project.project_scan import ProjectScan
from openclsp.source.checkpoint import Checkpoint, no_checkpoint
from openclsp.source.document import Document, DocumentName
from openclsp.source.text import Text
from openclsp.workspace.project_file import find_project_file


@dataclass(frozen=True, slots=True)
class ContractResult:
    """The diagnostics of a host file in order; `names_kernels`: it names some kernel."""

    diagnostics: tuple[Diagnostic, ...] = ()
    names_kernels: bool = False


NO_CONTRACT: Final = ContractResult()


class HostContracts:
    """Checks the host files of one project; not thread-safe.

    What is read of the project is kept for the next file. `folders` are the folders of the workspace.
    """

    def __init__(self, project: ProjectKernels | None = None, folders: tuple[str, ...] = ()) -> None:
        self._project = ProjectKernels() if project is None else project
        self._folders = folders

    def update(self, scan: ProjectScan | None, opened: Mapping[DocumentName, Document]) -> None:
        """Sets the files of the project and the open documents."""
        self._project.update(scan, opened)

    def text_of(self, name: DocumentName) -> Text:
        """Returns the text of a file of the project; empty if it can no longer be read."""
        document = self._project.document(name)
        return Text.of(b"") if document is None else document.text

    def check(
        self, host: Document, language: HostLanguage, checkpoint: Checkpoint = no_checkpoint
    ) -> ContractResult:
        """Checks the calls of a host file; a file without their words costs one search."""
        if not may_use_kernel(host.text.data):
            return NO_CONTRACT
        uses = find_kernel_uses(host.text.data, language)
        if not uses.mentions:
            return NO_CONTRACT
        checkpoint()
        types = TypeReader(self._project.files, self._folders, self._project.opened, checkpoint)
        kernels = KernelResolver(host, program_documents(host, language), self._project, types, checkpoint)
        found = check_contract(host.name, uses, kernels.signature, kernels.near)
        return ContractResult(tuple(self._reported(host, found)), True)

    def _reported(self, host: Document, found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """Applies the ignore comments of the host file and the severities of `openclsp.toml`."""
        ignored = IgnoreIndex(parse_ignore_comments(host.text))
        top = find_project_root(host.name, self._folders, self._project.files)
        configuration = find_project_file(host.name, top, self._project.files)
        for each in found:
            severity = effective_severity(configuration, each.code, each.severity)
            line = host.text.line_of(each.location.start)
            if severity is not None and next(ignored.find_matching(each.code, line), None) is None:
                yield replace(each, severity=severity)
