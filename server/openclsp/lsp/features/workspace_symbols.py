"""Workspace symbols: the declarations in the projects of the open documents, including closed files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

from openclsp.lsp.document_ranges import DocumentRanges
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.analysis_thread import DroppedJob, JobPriority
from openclsp.lsp.session.cancellation import CancellationCheck

if TYPE_CHECKING:
    from openclsp.ide.navigation.project_references import ProjectSymbol
    from openclsp.lsp.session.analysis_session import DocumentAnalysis

INDEX_SLICE_SECONDS: Final = 0.05
"""The seconds for which files are indexed in the background before other jobs of the analysis thread can run.
"""
_KINDS: Final = {
    "function": types.SymbolKind.Function,
    "kernel": types.SymbolKind.Function,
    "struct": types.SymbolKind.Struct,
    "enum": types.SymbolKind.Enum,
    "enumerator": types.SymbolKind.EnumMember,
    "type": types.SymbolKind.Class,
    "variable": types.SymbolKind.Variable,
    "macro": types.SymbolKind.Constant,
}


def register(server: OpenclServer) -> None:
    """Registers `workspace/symbol`."""

    @register_request(server, types.WORKSPACE_SYMBOL)
    async def symbols(
        ls: OpenclServer, params: types.WorkspaceSymbolParams
    ) -> list[types.SymbolInformation] | None:
        def work(
            analysed: DocumentAnalysis | None, check: CancellationCheck
        ) -> dict[tuple[str, int], types.SymbolInformation]:
            return {} if analysed is None else _symbols(ls, analysed, params.query, check)

        found: dict[tuple[str, int], types.SymbolInformation] = {}
        folders: set[str] = set()
        for document in tuple(ls.open_documents):
            folder = ls.snapshot.folder_of(document.name)
            if folder and folder in folders:
                # All documents of a workspace folder share one index.
                continue
            answer = await ls.analyse(document, JobPriority.CURSOR, work)
            if not isinstance(answer, DroppedJob) and answer:
                found.update(answer)
                folders.add(folder)
        return list(found.values())


def _symbols(
    ls: OpenclServer, analysed: DocumentAnalysis, query: str, check: CancellationCheck
) -> dict[tuple[str, int], types.SymbolInformation]:
    from openclsp.ide.feature_results import Location
    from openclsp.ide.navigation.project_references import find_project_symbols

    project = analysed.project_access(check)
    names = project.names()
    ranges = DocumentRanges(analysed, ls.client_features.encoding, project, lambda: names)

    def information(symbol: ProjectSymbol) -> types.SymbolInformation:
        declared = symbol.declared
        location = Location(symbol.path, declared.start, declared.start + len(declared.name.encode()))
        return types.SymbolInformation(ranges.location(location), declared.name, _KINDS[declared.kind.value])

    return {
        (each.path, each.declared.start): information(each) for each in find_project_symbols(names, query)
    }


async def index_names(ls: OpenclServer, name: str) -> None:
    """Indexes the names of a document's project in the background, in slices between other jobs."""
    while True:
        document = ls.open_documents.get_by_name(name)
        if document is None:
            return

        def work(analysed: DocumentAnalysis | None, check: CancellationCheck) -> int | None:
            return (
                0 if analysed is None else analysed.project_access(check).advance_index(INDEX_SLICE_SECONDS)
            )

        left_out = await ls.analyse(document, JobPriority.BACKGROUND, work)
        if isinstance(left_out, int):
            if left_out:
                ls.show_message_once(
                    f"openclsp: the project has {left_out:,} OpenCL files more than the index of its names can "
                    "hold; references and symbols in those farthest from its root are left out",
                    types.MessageType.Info,
                )
            return
