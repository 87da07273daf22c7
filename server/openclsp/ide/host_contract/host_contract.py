"""Checks the contract between host files and kernels.

A check covers either the calls in one host file, or all calls to the kernels of one file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Final, NamedTuple

from openclsp.dataclass import dataclass
from openclsp.host_code.host_language import HostLanguage, host_language_of_file
from openclsp.host_code.host_words import MAXIMUM_HOST_BYTES, may_use_kernel
from openclsp.host_code.kernel_calls.kernel_use_finder import find_kernel_uses
from openclsp.host_code.kernel_calls.kernel_uses import KernelUses
from openclsp.host_code.program_document import ProgramDocument, program_documents
from openclsp.ide.diagnostics.severity_settings import effective_severity
from openclsp.ide.feature_results import Diagnostic, Location, RelatedLocation
from openclsp.ide.host_contract.contract_check import KERNEL_NAME, check_contract
from openclsp.ide.host_contract.local_memory import find_local_arguments
from openclsp.ide.host_contract.parameter_types import TypeReader
from openclsp.ide.host_contract.project_kernels import KernelResolver, ProjectKernels, kernels_of_text
from openclsp.ide.ignore.ignore_comments import IgnoreIndex, parse_ignore_comments
from openclsp.ide.kernels.local_arguments import LocalArgument
from openclsp.project.project_roots import find_project_root
from openclsp.project.project_scan import ProjectScan
from openclsp.rules.finding import Severity
from openclsp.source.checkpoint import Checkpoint, no_checkpoint
from openclsp.source.document import Document, DocumentName
from openclsp.source.text import Text
from openclsp.workspace.host_names import HostNames
from openclsp.workspace.project_file import find_project_file

MAXIMUM_CALLERS: Final = 100
"""The maximum number of host files whose calls to one file's kernels are checked: the first ones by path"""
_MAXIMUM_RELATED: Final = 20
"""The maximum number of calls that are related locations of one finding"""
_MAXIMUM_PARSED: Final = 64
"""The maximum number of host files whose calls are cached"""


@dataclass(frozen=True, slots=True)
class ContractResult:
    """The findings about one file that follow from kernel calls in host files.

    - `diagnostics`: the diagnostics in the file, in order. In a host file, they are at calls; in a kernel
      file, they are at parameters and kernels.
    - `names_kernels`: whether the file is a host file that names a kernel.
    - `local_arguments`: the bytes of local memory that calls pass to the file's kernels.
    """

    diagnostics: tuple[Diagnostic, ...] = ()
    names_kernels: bool = False
    local_arguments: tuple[LocalArgument, ...] = ()


NO_CONTRACT: Final = ContractResult()


class _Calls(NamedTuple):
    """The kernel calls and programs in one version of a host file."""

    text: Text
    uses: KernelUses
    programs: tuple[ProgramDocument, ...]


class _Judged(NamedTuple):
    """The diagnostics at the calls of a host file, and the sizes of local memory that these calls pass.

    Each size is paired with the document of the kernel.
    """

    diagnostics: tuple[Diagnostic, ...]
    local_arguments: tuple[tuple[DocumentName, LocalArgument], ...]


class HostContracts:
    """Checks the kernel calls of one project; not thread-safe.

    The files that a check reads are cached for the next one. `folders` are the folders of the workspace.
    """

    def __init__(self, project: ProjectKernels | None = None, folders: tuple[str, ...] = ()) -> None:
        self._project = ProjectKernels() if project is None else project
        self._folders = folders
        self._types = TypeReader(self._project.files, folders)
        self._parsed: dict[DocumentName, _Calls] = {}

    def update(self, scan: ProjectScan | None, opened: Mapping[DocumentName, Document]) -> None:
        """Sets the files of the project and the open documents."""
        self._project.update(scan, opened)

    def text_of(self, name: DocumentName) -> Text:
        """Returns the text of a file of the project; empty if it can no longer be read."""
        document = self._project.document(name)
        return Text.of(b"") if document is None else document.text

    def check(
        self,
        host: Document,
        language: HostLanguage,
        checkpoint: Checkpoint = no_checkpoint,
        only: frozenset[str] | None = None,
    ) -> ContractResult:
        """Checks the kernel calls in a host file, or those of the kernels in `only`.

        The file is parsed only if its words indicate such calls (`may_use_kernel`).
        """
        if not may_use_kernel(host.text.data):
            return NO_CONTRACT
        calls = self._calls_of(host, language)
        if not calls.uses.mentions:
            return NO_CONTRACT
        judged = self._judge(host, calls, checkpoint, only)
        own = tuple(each for name, each in judged.local_arguments if name == host.name)
        return ContractResult(judged.diagnostics, True, own)

    def check_kernels(
        self,
        kernels: Document,
        names: HostNames,
        checkpoint: Checkpoint = no_checkpoint,
        skipped: Collection[DocumentName] = (),
        only: frozenset[str] | None = None,
    ) -> ContractResult:
        """Checks the host's calls to the kernels that a file of OpenCL C defines, or to those of them in `only`.

        Each finding is reported at the parameter or kernel that it concerns. `names` contains the names of
        kernels in the project's host code. For calls in the host files `skipped`, the result contains
        the sizes of local memory that they pass, but no diagnostics.
        """
        defined = frozenset(each.name for each in kernels_of_text(kernels).signatures)
        defined = defined if only is None else defined & only
        if not defined:
            return NO_CONTRACT
        diagnostics: list[Diagnostic] = []
        local_arguments: list[LocalArgument] = []
        for path in islice(names.files_that_mention(defined), MAXIMUM_CALLERS):
            checkpoint()
            language = host_language_of_file(path)
            host = self._project.document(path)
            if language is None or host is None or len(host.text.data) > MAXIMUM_HOST_BYTES:
                continue
            judged = self._judge(host, self._calls_of(host, language), checkpoint, only)
            local_arguments += [each for name, each in judged.local_arguments if name == kernels.name]
            if path not in skipped:
                diagnostics += judged.diagnostics
        ignored = IgnoreIndex(parse_ignore_comments(kernels.text))
        found = [
            each
            for each in at_parameters(diagnostics, kernels.name)
            if not _is_ignored(ignored, kernels.text, each)
        ]
        return ContractResult(tuple(sorted(found, key=_place)), False, tuple(local_arguments))

    def _calls_of(self, host: Document, language: HostLanguage) -> _Calls:
        known = self._parsed.pop(host.name, None)
        if known is None or known.text.data != host.text.data:
            uses = find_kernel_uses(host.text.data, language)
            known = _Calls(host.text, uses, program_documents(host, language) if uses.mentions else ())
        self._parsed[host.name] = known
        if len(self._parsed) > _MAXIMUM_PARSED:
            del self._parsed[next(iter(self._parsed))]
        return known

    def _judge(
        self, host: Document, calls: _Calls, checkpoint: Checkpoint, only: frozenset[str] | None
    ) -> _Judged:
        checkpoint()
        self._types.update(self._project.opened, checkpoint)
        kernels = KernelResolver(host, calls.programs, self._project, self._types, checkpoint)
        uses = calls.uses if only is None else calls.uses.of_kernels(only)
        found = check_contract(host.name, uses, kernels.signature, kernels.near)
        local_arguments = find_local_arguments(host.name, uses, kernels.definitions)
        return _Judged(tuple(self._reported(host, found)), tuple(local_arguments))

    def _reported(self, host: Document, found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """Yields the diagnostics that are not ignored, with the severities of `openclsp.toml`.

        The ignore comments are those of the host file.
        """
        ignored = IgnoreIndex(parse_ignore_comments(host.text))
        top = find_project_root(host.name, self._folders, self._project.files)
        configuration = find_project_file(host.name, top, self._project.files)
        for each in found:
            severity = effective_severity(configuration, each.code, each.severity)
            if severity is not None and not _is_ignored(ignored, host.text, each):
                yield replace(each, severity=severity)


def at_parameters(found: Iterable[Diagnostic], kernels: DocumentName) -> Iterator[Diagnostic]:
    """Converts findings at calls to diagnostics at the parameters or kernels that they concern.

    Only parameters and kernels in the document `kernels` are considered. The diagnostics have the severity
    `information`, because the errors are reported at the calls. The calls become related locations. Equal
    findings at one parameter or kernel become one diagnostic with several related locations.
    """
    calls: dict[tuple[str, str, Location], list[RelatedLocation]] = defaultdict(list)
    for each in found:
        if each.code == KERNEL_NAME:
            # The related location of this code is a kernel with a similar name, not the one that is called.
            continue
        for related in each.related:
            if related.location.document == kernels:
                call = RelatedLocation(each.location, "the host's call")
                calls[each.code, each.message, related.location].append(call)
    for (code, message, location), found_calls in calls.items():
        shown = tuple(found_calls[:_MAXIMUM_RELATED])
        yield Diagnostic(code, Severity.INFORMATION, message, location, shown)


def _is_ignored(ignored: IgnoreIndex, text: Text, found: Diagnostic) -> bool:
    line = text.line_of(found.location.start)
    return next(ignored.find_matching(found.code, line), None) is not None


def _place(diagnostic: Diagnostic) -> tuple[int, int, str]:
    return diagnostic.location.start, diagnostic.location.end, diagnostic.code
