"""Diagnostics of kernels that are not open. All objects of this module are owned by the analysis thread."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.lsp.session.analysis_session import AnalysisSession
from openclsp.lsp.session.cancellation import CancellationCheck
from openclsp.lsp.session.client_capabilities import ClientCapabilities
from openclsp.lsp.session.diagnostics_cache import document_diagnostics
from openclsp.lsp.session.file_systems import CachedFiles
from openclsp.lsp.session.open_documents import OpenDocument, make_closed_document
from openclsp.lsp.session.snapshot import Snapshot
from openclsp.lsp.session.unit_planner import plan_uncached
from openclsp.project.file_system import DocumentStore, FileProblem
from openclsp.project.project_scan import ScannedFileKind
from openclsp.project.read_permission import ReadPermission
from openclsp.source.document import DocumentName
from openclsp.source.text import Text
from openclsp.workspace.units import PlannedUnit
from openclsp.workspace.unrecognisable_files import is_unrecognisable_in_project

MAXIMUM_FILES: Final = {"auto": 200, "on": 2_000}
"""The maximum number of kernels in a project whose diagnostics are shown while the files are closed, by
setting.
"""
MAXIMUM_BYTES: Final = {"auto": 2 * 1024 * 1024, "on": 64 * 1024 * 1024}
"""The maximum total size of these kernels in bytes, by setting."""

_NOTHING: Final = b""


@dataclass(frozen=True, slots=True)
class ClosedFileReport:
    """The diagnostics of a closed file, as the elements of a JSON array.

    `result_id` identifies the report: two reports have equal ids if their diagnostics are equal.
    """

    result_id: str
    items: bytes


@dataclass(frozen=True, slots=True)
class _ReportInputs:
    """Everything that a report depends on.

    - `options`: the settings, the choices made by command, and what is known about the host code
    - `contents`: a digest of each file that the analysis requested; empty if the file could not be read
    - `opened`: the texts of those requested files that are open
    """

    options: tuple[object, ...]
    plan: PlannedUnit
    contents: Mapping[DocumentName, bytes]
    opened: Mapping[DocumentName, Text]
    permission: ReadPermission
    disk_revision: int


@dataclass(slots=True)
class ClosedFiles:
    """The reports about closed files, cached while their inputs stay the same."""

    _reports: dict[DocumentName, tuple[ClosedFileReport, _ReportInputs]] = field(default_factory=dict)
    _files: CachedFiles = field(default_factory=CachedFiles)
    _disk_revision: int = -1

    def find_kernels(
        self, session: AnalysisSession, document: OpenDocument, snapshot: Snapshot, extent: str
    ) -> tuple[DocumentName, ...] | None:
        """Returns the kernels of the document's project that are not open, sorted by path.

        Returns None if the number or the size of the project's kernels exceeds the limit for `extent`, the
        value of the setting `workspace_diagnostics`.
        """
        host = session.host_project_of(document, snapshot)
        if host is None:
            return ()
        kernels = [each for each in host.scan.files_of_kinds(ScannedFileKind.KERNEL) if each.readable]
        if len(kernels) > MAXIMUM_FILES[extent] or sum(each.size for each in kernels) > MAXIMUM_BYTES[extent]:
            return None
        return tuple(sorted(each.path for each in kernels if each.path not in snapshot.documents))

    def report(
        self,
        session: AnalysisSession,
        name: DocumentName,
        snapshot: Snapshot,
        client: ClientCapabilities,
        check: CancellationCheck,
    ) -> ClosedFileReport:
        """Returns the diagnostics of a file, without hints.

        Returns the last report if none of its inputs has changed.
        """
        if snapshot.disk_revision != self._disk_revision:
            self._files, self._disk_revision = CachedFiles(), snapshot.disk_revision
        kept = self._reports.get(name)
        if kept is not None and self._is_current(session, name, snapshot, kept[1]):
            return kept[0]
        made = self._analyse(session, name, snapshot, client, check)
        if made is None:
            return _make_report(_NOTHING)
        self._reports[name] = made
        return made[0]

    def retain_only(self, names: frozenset[DocumentName]) -> None:
        """Drops the reports of all files except `names`."""
        self._reports = {name: each for name, each in self._reports.items() if name in names}

    def _is_current(
        self, session: AnalysisSession, name: DocumentName, snapshot: Snapshot, inputs: _ReportInputs
    ) -> bool:
        document = make_closed_document(name, Text.of(_NOTHING))
        if _options(session, document, snapshot) != inputs.options:
            return False
        if _opened_among(snapshot, inputs.contents) != inputs.opened:
            return False
        if inputs.disk_revision == snapshot.disk_revision:
            return True
        read = self._reader(inputs.permission)
        if any(read(path) != digest for path, digest in inputs.contents.items()):
            return False
        document = self._read(name, snapshot) or document
        return plan_uncached(document, snapshot, self._files) == inputs.plan

    def _analyse(
        self,
        session: AnalysisSession,
        name: DocumentName,
        snapshot: Snapshot,
        client: ClientCapabilities,
        check: CancellationCheck,
    ) -> tuple[ClosedFileReport, _ReportInputs] | None:
        """Returns a new report with its inputs; None if the file cannot be read or is not OpenCL C."""
        document = self._read(name, snapshot)
        if document is None or _is_unrecognisable(session, document, snapshot, check):
            return None
        try:
            with session.mark_in_use(name):
                analysed = session.analyse(document, snapshot, check)
                if analysed is None:
                    return None
                found = document_diagnostics(analysed, client, with_hints=False)
                permission = analysed.project_access(check).permission
                requested = session.side_results(document).dependencies | {name}
        finally:
            session.drop_document(name)
        items = b",".join([each.json for each in found])
        read = self._reader(permission)
        contents = {path: read(path) for path in requested}
        inputs = _ReportInputs(
            _options(session, document, snapshot),
            plan_uncached(document, snapshot, self._files),
            contents,
            _opened_among(snapshot, contents),
            permission,
            snapshot.disk_revision,
        )
        return _make_report(items), inputs

    def _read(self, name: DocumentName, snapshot: Snapshot) -> OpenDocument | None:
        permission = plan_uncached(
            make_closed_document(name, Text.of(_NOTHING)), snapshot, self._files
        ).permission
        found = DocumentStore(self._files, {}).read(name, permission)
        return None if isinstance(found, FileProblem) else make_closed_document(name, found.text)

    def _reader(self, permission: ReadPermission) -> Callable[[DocumentName], bytes]:
        """Returns a function that reads a file and returns its digest; empty if the file cannot be read."""

        def read(path: DocumentName) -> bytes:
            data = self._files.read(path, permission)
            return (
                _NOTHING if isinstance(data, FileProblem) else hashlib.blake2b(data, digest_size=12).digest()
            )

        return read


def _is_unrecognisable(
    session: AnalysisSession, document: OpenDocument, snapshot: Snapshot, check: CancellationCheck
) -> bool:
    """Whether nothing shows that a closed file is OpenCL C. If a user opens the file, the editor says what it is."""
    host = session.host_project_of(document, snapshot)
    return is_unrecognisable_in_project(
        document.document,
        session.project_indexes(document, snapshot, check).include_graph,
        lambda: () if host is None else host.builds,
    )


def _make_report(items: bytes) -> ClosedFileReport:
    return ClosedFileReport(hashlib.blake2b(items, digest_size=12).hexdigest(), items)


def _options(session: AnalysisSession, document: OpenDocument, snapshot: Snapshot) -> tuple[object, ...]:
    host = session.host_project_of(document, snapshot)
    known = () if host is None else (host.builds, host.builds_of_unknown_kernels, host.possible_names)
    chosen = snapshot.chosen_versions, snapshot.chosen_variants, snapshot.chosen_includers
    return snapshot.folders, snapshot.settings, *chosen, *known


def _opened_among(snapshot: Snapshot, contents: Mapping[DocumentName, bytes]) -> Mapping[DocumentName, Text]:
    return {name: each.text for name, each in snapshot.documents.items() if name in contents}
