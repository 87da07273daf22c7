"""Inlay hints: the inferred address spaces of unqualified and generic pointers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from openclsp.ide.unit_config import unit_config
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.positions import offset_at, offsets_of_range, position_at, range_between
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.cancellation import CancellationCheck

if TYPE_CHECKING:
    from openclsp.ide.inlay_hints import InlayHint
    from openclsp.lsp.session.analysis_session import DocumentAnalysis


def register(server: OpenclServer) -> None:
    """Registers `textDocument/inlayHint` and `inlayHint/resolve`.

    A hint's edit, which writes the qualifier into the text, is computed when the client resolves the hint.
    """

    @register_request(server, types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintOptions(resolve_provider=True))
    async def hints(ls: OpenclServer, params: types.InlayHintParams) -> list[types.InlayHint] | None:
        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> list[types.InlayHint]:
            start, end = offsets_of_range(analysed.document.text, params.range, ls.client_features.encoding)
            return [_hint(ls, analysed, each) for each in _hints(ls, analysed, start, end)]

        return await ls.answer_request(params.text_document.uri, work)

    @register_request(server, types.INLAY_HINT_RESOLVE)
    async def resolve(ls: OpenclServer, hint: types.InlayHint) -> types.InlayHint:
        data: Any = hint.data
        uri = data.get("uri") if isinstance(data, dict) else None

        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> types.InlayHint:
            from openclsp.ide.inlay_hints import create_hint_edit

            text, encoding = analysed.document.text, ls.client_features.encoding
            at = offset_at(text, hint.position, encoding)
            for each in _hints(ls, analysed, at, at):
                edit = (
                    create_hint_edit(analysed.unit, each, analysed.units_sharing_documents(check))
                    if each.label == hint.label
                    else None
                )
                if edit is not None:
                    place = range_between(text, edit.location.start, edit.location.end, encoding)
                    hint.text_edits = [types.TextEdit(place, edit.text)]
            return hint

        return (await ls.answer_request(uri, work) or hint) if isinstance(uri, str) else hint


def _hints(ls: OpenclServer, analysed: DocumentAnalysis, start: int, end: int) -> list[InlayHint]:
    from openclsp.ide.inlay_hints import InlayHintSetting, compute_inlay_hints

    document = analysed.document
    wanted = ls.snapshot.settings_of(ls.snapshot.folder_of(document.name)).inlay_hints
    if unit_config(analysed.unit).is_excluded:
        return []
    return compute_inlay_hints(
        analysed.unit, document.name, start, end, InlayHintSetting(wanted or InlayHintSetting.INFERRED.value)
    )


def _hint(ls: OpenclServer, analysed: DocumentAnalysis, hint: InlayHint) -> types.InlayHint:
    return types.InlayHint(
        position_at(analysed.document.text, hint.location.start, ls.client_features.encoding),
        hint.label,
        kind=types.InlayHintKind.Type,
        tooltip=hint.explanation,
        padding_right=True,
        data={"uri": analysed.document.uri},
    )
