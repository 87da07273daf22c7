"""Checks of kernel calls, for open host files and for open files whose kernels are called.

A check parses whole host files, so it runs when typing pauses. Until the next check, the diagnostics of the
last one are moved with the edits.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from openclsp.dataclass import dataclass
from openclsp.host_code.program_names import host_of_program
from openclsp.lsp.positions import range_numbers
from openclsp.lsp.session.open_documents import OpenDocument
from openclsp.lsp.uris import document_uri
from openclsp.source.shared_ends import shared_ends
from openclsp.source.text import Encoding, Text

if TYPE_CHECKING:
    from openclsp.host_code.host_language import HostLanguage
    from openclsp.host_options.host_project import HostProject
    from openclsp.ide.feature_results import Diagnostic, Location
    from openclsp.ide.host_contract.host_contract import HostContracts
    from openclsp.ide.kernels.local_arguments import LocalArgument
    from openclsp.lsp.session.cancellation import CancellationCheck
    from openclsp.lsp.session.client_capabilities import ClientCapabilities
    from openclsp.lsp.session.client_diagnostics import ClientDiagnostic, RelatedRange
    from openclsp.lsp.session.snapshot import Snapshot
    from openclsp.workspace.host_names import HostNames


@dataclass(frozen=True, slots=True)
class CheckedCalls:
    """The diagnostics about the kernel calls in a host file, or about the calls to a file's kernels.

    - `text`: the text that was checked
    - `local_arguments`: the sizes of the `local` arguments that calls pass to the file's kernels
    """

    text: Text
    diagnostics: tuple[ClientDiagnostic, ...]
    local_arguments: tuple[LocalArgument, ...] = ()

    def in_text(self, text: Text, encoding: Encoding) -> bytes:
        """Returns the diagnostics as JSON array elements, moved to their positions in a later text.

        Diagnostics that the edits touch are dropped.
        """
        from openclsp.lsp.session.diagnostics_cache import serialize_client_diagnostics

        if text is self.text or text.data == self.text.data:
            return serialize_client_diagnostics(list(self.diagnostics))
        front, back = shared_ends(self.text.data, text.data)
        behind = len(self.text.data) - back
        moved = []
        for each in self.diagnostics:
            distance = len(text.data) - len(self.text.data) if each.start >= behind else 0
            if each.end <= front or distance or each.start >= behind:
                start, end = each.start + distance, each.end + distance
                numbers = range_numbers(text, start, end, encoding)
                moved.append(replace(each, start=start, end=end, range_numbers=numbers))
        return serialize_client_diagnostics(moved)


class CallChecks:
    """The results of the checks by document, and data that the checks share by project.

    The event loop owns the results; the analysis thread owns the shared data.
    """

    def __init__(self) -> None:
        self._checked: dict[str, CheckedCalls] = {}
        self._local_arguments: dict[str, tuple[LocalArgument, ...]] = {}
        self._contracts: dict[str, tuple[int, HostContracts]] = {}

    def __bool__(self) -> bool:
        return bool(self._checked)

    def store(self, name: str, checked: CheckedCalls | None) -> bool:
        """Stores the result of a document's check; returns whether the diagnostics changed.

        `checked` is None if the document has neither kernel calls nor kernels.
        """
        before = self._checked.pop(name, None)
        self._local_arguments.pop(name, None)
        if checked is not None and checked.local_arguments:
            self._local_arguments[name] = checked.local_arguments
        if checked is not None and checked.diagnostics:
            self._checked[name] = checked
        after = () if checked is None else checked.diagnostics
        return (() if before is None else before.diagnostics) != after

    def local_arguments(self, name: str) -> tuple[LocalArgument, ...]:
        """Returns the sizes of the `local` arguments that host code passes to the kernels of a document.

        The document may be a program in a string.
        """
        program = host_of_program(name)
        return self._local_arguments.get(name if program is None else program[0], ())

    def diagnostics_of(self, document: OpenDocument, encoding: Encoding) -> bytes:
        """Returns the diagnostics about a document's kernel calls, as JSON array elements."""
        checked = self._checked.get(document.name)
        return b"" if checked is None else checked.in_text(document.text, encoding)

    def joined(self, document: OpenDocument, diagnostics: bytes, encoding: Encoding) -> bytes:
        """Returns `diagnostics`, which are JSON array elements, with those about kernel calls appended."""
        own = self.diagnostics_of(document, encoding)
        return b",".join(filter(None, (diagnostics, own)))

    def items_of(self, document: OpenDocument, encoding: Encoding) -> list[object]:
        """Returns the diagnostics about a document's kernel calls, as JSON values."""
        found: list[object] = json.loads(b"[%s]" % self.diagnostics_of(document, encoding))
        return found

    def check(
        self,
        document: OpenDocument,
        language: HostLanguage | None,
        names: HostNames | None,
        project: HostProject | None,
        snapshot: Snapshot,
        client: ClientCapabilities,
        check: CancellationCheck,
    ) -> CheckedCalls:
        """Checks the kernel calls in a host file, or the host's calls of the kernels in an OpenCL C document.

        `language` is the language of a host file; None if the document is no host file. In that case, `names`
        are the names of kernels in the project's host code; for a host file, they are not used. Runs on the
        analysis thread.
        """
        from openclsp.ide.host_contract.host_contract import NO_CONTRACT, HostContracts, at_parameters

        root = snapshot.root_of(document.name)
        known = self._contracts.get(root)
        if known is None or known[0] != snapshot.disk_revision:
            known = self._contracts[root] = snapshot.disk_revision, HostContracts(folders=snapshot.folders)
        contracts = known[1]
        opened = {name: each.document for name, each in snapshot.documents.items()}
        contracts.update(None if project is None else project.scan, opened)
        result = NO_CONTRACT
        if language is not None:
            result = contracts.check(document.document, language, check)
        elif names is not None:
            result = contracts.check_kernels(document.document, names, check)
        found = list(result.diagnostics)
        if language is not None:
            found += at_parameters(found, document.name)

        def text_of(name: str) -> Text:
            return document.text if name == document.name else contracts.text_of(name)

        converted = [_converted(document, each, text_of, snapshot, client) for each in found]
        return CheckedCalls(document.text, tuple(converted), result.local_arguments)


def _converted(
    document: OpenDocument,
    found: Diagnostic,
    text_of: Callable[[str], Text],
    snapshot: Snapshot,
    client: ClientCapabilities,
) -> ClientDiagnostic:
    from openclsp.lsp.session.client_diagnostics import SOURCE, ClientDiagnostic
    from openclsp.lsp.session.code_pages import page_uri

    def related_range(location: Location, message: str) -> RelatedRange:
        opened = snapshot.documents.get(location.document)
        uri = document_uri(location.document) if opened is None else opened.uri
        text = text_of(location.document)
        return uri, range_numbers(text, location.start, location.end, client.encoding), message

    place = found.location
    return ClientDiagnostic(
        place.start,
        place.end,
        range_numbers(document.text, place.start, place.end, client.encoding),
        found.severity,
        found.code,
        SOURCE,
        found.message,
        tuple(related_range(each.location, each.message) for each in found.related)
        if client.supports_related_information
        else (),
        page_uri=page_uri(found.code, client),
    )
