"""The requests `textDocument/prepareRename` and `textDocument/rename`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from json.encoder import encode_basestring_ascii
from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from openclsp.lsp.document_ranges import DocumentRanges
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.positions import offset_at
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.cancellation import CancellationCheck
from openclsp.lsp.transport.protocol import SerializedResult

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
    async def rename(ls: OpenclServer, params: types.RenameParams) -> SerializedResult | None:
        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> SerializedResult | RenameRefusal:
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
        if found is None or isinstance(found, SerializedResult):
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


def _workspace_edit(ls: OpenclServer, analysed: DocumentAnalysis, found: RenameEdits) -> SerializedResult:
    """The edits as JSON: there may be thousands, for which objects take too long."""
    from openclsp.ide.feature_results import Location

    ranges = DocumentRanges(analysed, ls.client_features.encoding)
    length, new = len(found.old.encode()), encode_basestring_ascii(found.new)
    parts = []
    for name, starts in found.places.items():
        edits = ",".join(
            f'{{"range":{ranges.range_json(Location(name, start, start + length))},"newText":{new}}}'
            for start in starts
        )
        uri = encode_basestring_ascii(ranges.uri(name))
        if ls.client_features.supports_document_changes:
            version = json.dumps(analysed.version_of(name))
            parts.append(f'{{"textDocument":{{"uri":{uri},"version":{version}}},"edits":[{edits}]}}')
        else:
            parts.append(f"{uri}:[{edits}]")
    if ls.client_features.supports_document_changes:
        return SerializedResult(f'{{"documentChanges":[{",".join(parts)}]}}'.encode())
    return SerializedResult(f'{{"changes":{{{",".join(parts)}}}}}'.encode())
