"""The requests `textDocument/prepareRename` and `textDocument/rename`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from openclsp.lsp.document_ranges import DocumentRanges
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.positions import offset_at
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.cancellation import CancellationCheck

if TYPE_CHECKING:
    from openclsp.ide.navigation.rename import RenameEdits, RenameRefusal
    from openclsp.ide.navigation.symbols import SymbolId
    from openclsp.lsp.session.analysis_session import DocumentAnalysis
    from openclsp.semantics.translation_unit import TranslationUnit

MAXIMUM_RENAMED_PROGRAMS: Final = 64
"""Maximum number of other programs in which a name of a header is renamed; all are analysed."""


class RenameRefused(JsonRpcException):
    """The error response to a refused rename; the client shows the message (LSP 3.17, "Rename")."""

    CODE = types.LSPErrorCodes.RequestFailed.value
    MESSAGE = "the name cannot be renamed"


def register(server: OpenclServer) -> None:
    """Registers `textDocument/rename` and `textDocument/prepareRename`."""

    @register_request(server, types.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare(
        ls: OpenclServer, params: types.PrepareRenameParams
    ) -> types.PrepareRenamePlaceholder | None:
        def work(
            analysed: DocumentAnalysis, check: CancellationCheck
        ) -> types.PrepareRenamePlaceholder | RenameRefusal:
            from openclsp.ide.navigation.rename import RenameRefusal, prepare_rename

            encoding = ls.client_features.encoding
            offset = offset_at(analysed.document.text, params.position, encoding)
            found = prepare_rename(
                analysed.unit, analysed.document.name, offset, analysed.project_access(check).contains
            )
            if isinstance(found, RenameRefusal):
                return found
            place = DocumentRanges(analysed, encoding).range(found.location)
            return types.PrepareRenamePlaceholder(place, found.name)

        found = await ls.answer_request(params.text_document.uri, work)
        if found is None or isinstance(found, types.PrepareRenamePlaceholder):
            return found
        raise RenameRefused(found.reason)

    @register_request(server, types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def rename(ls: OpenclServer, params: types.RenameParams) -> types.WorkspaceEdit | None:
        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> types.WorkspaceEdit | RenameRefusal:
            from openclsp.ide.navigation.rename import RenameEdits, compute_rename

            encoding = ls.client_features.encoding
            offset = offset_at(analysed.document.text, params.position, encoding)
            found = compute_rename(
                analysed.unit,
                analysed.document.name,
                offset,
                params.new_name,
                analysed.project_access(check).contains,
                lambda symbol, documents: _other_programs(analysed, symbol, documents, check),
            )
            return _workspace_edit(ls, analysed, found) if isinstance(found, RenameEdits) else found

        found = await ls.answer_request(params.text_document.uri, work)
        if found is None or isinstance(found, types.WorkspaceEdit):
            return found
        raise RenameRefused(found.reason)


def _other_programs(
    analysed: DocumentAnalysis, symbol: SymbolId, documents: Sequence[str], check: CancellationCheck
) -> Sequence[TranslationUnit] | RenameRefusal:
    from openclsp.ide.navigation.rename import RenameRefusal

    project = analysed.project_access(check)
    found = project.other_programs(documents, symbol.name.encode(), MAXIMUM_RENAMED_PROGRAMS)
    if not isinstance(found, int):
        return found
    return RenameRefusal(
        f"`{symbol.name}` may be used in {found:,} programs; the limit for renaming is {MAXIMUM_RENAMED_PROGRAMS}"
    )


def _workspace_edit(ls: OpenclServer, analysed: DocumentAnalysis, found: RenameEdits) -> types.WorkspaceEdit:
    from openclsp.ide.feature_results import Location

    ranges = DocumentRanges(analysed, ls.client_features.encoding)
    length = len(found.old.encode())
    edits = {
        document: [
            types.TextEdit(ranges.range(Location(document, start, start + length)), found.new)
            for start in starts
        ]
        for document, starts in found.places.items()
    }
    if not ls.client_features.supports_document_changes:
        return types.WorkspaceEdit(changes={ranges.uri(name): each for name, each in edits.items()})
    return types.WorkspaceEdit(
        document_changes=[
            types.TextDocumentEdit(
                types.OptionalVersionedTextDocumentIdentifier(ranges.uri(name), analysed.version_of(name)),
                each,
            )
            for name, each in edits.items()
        ]
    )
