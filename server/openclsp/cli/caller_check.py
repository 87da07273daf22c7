"""The check of one host file: what its calls pass to the kernels that it names."""

from __future__ import annotations

from collections.abc import Mapping

from openclsp.cli.check_report import OutputLocation, RelatedOutputLocation, ReportedDiagnostic
from openclsp.cli.inputs import CheckInput
from openclsp.cli.output_paths import OutputPaths
from openclsp.cli.rejection_reasons import explain_no_kernel
from openclsp.cli.scanned_projects import ScannedProjects
from openclsp.dataclass import dataclass
from openclsp.host_code.host_language import host_language_of_file
from openclsp.ide.feature_results import Diagnostic, Location
from openclsp.ide.host_contract.host_contract import HostContracts
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, DocumentStore, FileProblem
from openclsp.project.project_roots import find_project_root
from openclsp.source.document import Document, DocumentName
from openclsp.source.text import Text


@dataclass(frozen=True, slots=True)
class CallerResult:
    """The result of checking the calls of a host file; it can be pickled.

    `names_kernels`: some call names a kernel. `notices` are lines for standard error, `dependencies` the files that the
    result depends on.
    """

    path: str
    language: str
    diagnostics: tuple[ReportedDiagnostic, ...] = ()
    names_kernels: bool = False
    notices: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()


class CallerChecker:
    """Checks the calls of host files; what it reads of a project serves all files of the project."""

    def __init__(
        self,
        paths: OutputPaths,
        projects: ScannedProjects,
        open_documents: Mapping[DocumentName, Document],
    ) -> None:
        self._paths, self._projects, self._open_documents = paths, projects, open_documents
        self._contracts: dict[str, HostContracts] = {}
        self._documents = DocumentStore(LOCAL_FILE_SYSTEM, open_documents)

    def check(self, given: CheckInput) -> CallerResult:
        """Checks one host file."""
        host = given.document
        language = host_language_of_file(host.name)
        if language is None:
            return CallerResult(given.path, "")
        top = find_project_root(host.name)
        contracts = self._contracts.setdefault(top, HostContracts())
        contracts.update(self._projects.scan_of(host.name), self._open_documents)
        found = contracts.check(host, language)
        notices: tuple[str, ...] = ()
        if not found.names_kernels and given.is_named and self._paths.input_path(host.name) is not None:
            notices = (f"{given.path} {explain_no_kernel(host.text.data)}",)
        return CallerResult(
            given.path,
            language.value,
            tuple(self._report(given, each) for each in found.diagnostics),
            found.names_kernels,
            notices,
            (given.file_name,),
        )

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
