"""Checks the kernel calls of host files: the arguments that they pass to kernels."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from openclsp.cli.check_report import KernelReport, OutputLocation, RelatedOutputLocation, ReportedDiagnostic
from openclsp.cli.inputs import CheckInput
from openclsp.cli.output_paths import OutputPaths
from openclsp.cli.rejection_reasons import explain_no_kernel
from openclsp.cli.scanned_projects import ScannedProjects
from openclsp.dataclass import dataclass
from openclsp.host_code.host_language import host_language_of_file
from openclsp.host_code.program_document import program_documents
from openclsp.host_code.program_names import host_of_program
from openclsp.ide.feature_results import Diagnostic, Location
from openclsp.ide.host_contract.host_contract import HostContracts
from openclsp.ide.kernels.local_arguments import LocalArgument
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, DocumentStore, FileProblem
from openclsp.source.checkpoint import no_checkpoint
from openclsp.source.document import Document, DocumentName
from openclsp.source.text import Text
from openclsp.workspace.host_names import HostNameIndex, HostNames


@dataclass(frozen=True, slots=True)
class CallerResult:
    """The result of checking the calls of a host file; it can be pickled.

    - `names_kernels`: whether any call names a kernel
    - `notices`: lines for standard error
    - `dependencies`: the files that the result depends on
    """

    path: str
    language: str
    diagnostics: tuple[ReportedDiagnostic, ...] = ()
    names_kernels: bool = False
    notices: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()


class CallerChecker:
    """Checks the kernel calls of host files. Caches the data about each project."""

    def __init__(
        self,
        paths: OutputPaths,
        projects: ScannedProjects,
        open_documents: Mapping[DocumentName, Document],
    ) -> None:
        self._paths, self._projects, self._open_documents = paths, projects, open_documents
        self._contracts: dict[str, HostContracts] = {}
        self._indexes: dict[tuple[str, frozenset[DocumentName]], HostNameIndex] = {}
        self._local_arguments: dict[DocumentName, tuple[LocalArgument, ...]] = {}
        self._documents = DocumentStore(LOCAL_FILE_SYSTEM, open_documents)

    def check(self, given: CheckInput) -> CallerResult:
        """Checks the kernel calls of the host file `given`."""
        host = given.document
        language = host_language_of_file(host.name)
        if language is None:
            return CallerResult(given.path, "")
        found = self._contracts_of(host.name).check(host, language)
        notices: tuple[str, ...] = ()
        is_asked_for = given.is_named and self._paths.input_path(host.name) is not None
        if is_asked_for and not found.names_kernels and not program_documents(host, language):
            notices = (f"{given.path} {explain_no_kernel(host.name, host.text.data)}",)
        return CallerResult(
            given.path,
            language.value,
            tuple(self._report(given, each) for each in found.diagnostics),
            found.names_kernels,
            notices,
            (given.file_name,),
        )

    def check_kernels(self, given: CheckInput, hosts: frozenset[DocumentName]) -> CallerResult:
        """Checks the calls in host files to the kernels of the input `given`.

        The host files in `hosts` are skipped.
        """
        name = given.document.name
        if given.program is not None or b"kernel" not in given.document.text.data:
            return CallerResult(given.path, "")
        found = self._contracts_of(name).check_kernels(
            given.document, self._names(name, hosts), skipped=hosts
        )
        diagnostics = tuple(self._report(given, each) for each in found.diagnostics)
        return CallerResult(given.path, "", diagnostics, bool(diagnostics))

    def with_local_sizes(self, report: KernelReport) -> KernelReport:
        """Returns the report with the sizes of the `local` arguments that host code passes to the kernel."""
        if not report.summary.memory.local_arguments:
            return report
        name = report.summary.location.document
        if name not in self._local_arguments:
            self._local_arguments[name] = self.local_arguments(name)
        return replace(report, summary=report.summary.with_host(self._local_arguments[name]))

    def local_arguments(self, name: DocumentName) -> tuple[LocalArgument, ...]:
        """Returns the `local` arguments that host code passes to the kernels of a document.

        The document is a file of OpenCL C, or a program in a string of a host file.
        """
        program = host_of_program(name)
        path = name if program is None else program[0]
        document = self._documents.read(path, self._projects.scan_of(path).permission)
        if isinstance(document, FileProblem):
            return ()
        language = host_language_of_file(path)
        contracts = self._contracts_of(path)
        if program is not None and language is not None:
            return contracts.check(document, language).local_arguments
        return contracts.check_kernels(document, self._names(path, frozenset())).local_arguments

    def count_wrong_calls(self, document: Document, functions: frozenset[str]) -> int:
        """Returns the number of findings about the calls of some kernels, in a host file or of a file's kernels.

        The text of `document` takes precedence over that of the file.
        """
        contracts = self._contracts_of(document.name)
        opened = {**self._open_documents, document.name: document}
        contracts.update(self._projects.scan_of(document.name), opened)
        language = host_language_of_file(document.name)
        if language is not None:
            return len(contracts.check(document, language, only=functions).diagnostics)
        names = self._names(document.name, frozenset())
        return len(contracts.check_kernels(document, names, only=functions).diagnostics)

    def _contracts_of(self, name: DocumentName) -> HostContracts:
        root = self._projects.root_of(name)
        if root not in self._contracts:
            self._contracts[root] = HostContracts(folders=(root,))
        contracts = self._contracts[root]
        contracts.update(self._projects.scan_of(name), self._open_documents)
        return contracts

    def _names(self, name: DocumentName, skipped: frozenset[DocumentName]) -> HostNames:
        """Returns the kernel names that occur in the host files of the project of the document `name`.

        The host files `skipped` are left out. Files whose text shows that they call no kernels are left out
        too: to read them takes up to a quarter of the time for checking a small file in a large project.
        """
        key = self._projects.root_of(name), skipped
        if key not in self._indexes:
            scan = self._projects.scan_of(name)
            users = self._projects.kernel_users(name) - skipped
            others = tuple(each for each in scan.files if each.path in users)
            index = HostNameIndex()
            index.update(replace(scan, files=others))
            index.advance(math.inf, no_checkpoint)
            self._indexes[key] = index
        opened = {
            path: (document.text, language)
            for path, document in self._open_documents.items()
            if path not in skipped and (language := host_language_of_file(path)) is not None
        }
        return HostNames(self._indexes[key], opened)

    def _report(self, given: CheckInput, found: Diagnostic) -> ReportedDiagnostic:
        related = tuple(
            RelatedOutputLocation(self._location(given, each.location), each.message)
            for each in found.related
        )
        place = self._location(given, found.location)
        return ReportedDiagnostic(found.code, found.severity, found.message, place, related, ())

    def _location(self, given: CheckInput, location: Location) -> OutputLocation:
        if location.document == given.document.name:
            return OutputLocation.of(given.path, given.document.text, location.start, location.end)
        path = self._paths.output_path(location.document, given)
        scan = self._projects.scan_of(given.document.name)
        read = self._documents.read(location.document, scan.permission)
        text = Text.of(b"") if isinstance(read, FileProblem) else read.text
        return OutputLocation.of(
            path, text, min(location.start, len(text.data)), min(location.end, len(text.data))
        )
