"""Completion, and resolution of a completion item to its documentation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.positions import offset_at, range_between
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.cancellation import CancellationCheck

if TYPE_CHECKING:
    from openclsp.ide.completion.completion import CompletionCandidate, CompletionList
    from openclsp.lsp.session.analysis_session import DocumentAnalysis

_KINDS = {
    "variable": types.CompletionItemKind.Variable,
    "parameter": types.CompletionItemKind.Variable,
    "member": types.CompletionItemKind.Field,
    "function": types.CompletionItemKind.Function,
    "type": types.CompletionItemKind.Class,
    "constant": types.CompletionItemKind.EnumMember,
    "macro": types.CompletionItemKind.Constant,
    "keyword": types.CompletionItemKind.Keyword,
}
"""The protocol's kind for the value of a candidate's kind."""


def register(server: OpenclServer) -> None:
    """Registers `textDocument/completion` and `completionItem/resolve`."""

    @register_request(
        server,
        types.TEXT_DOCUMENT_COMPLETION,
        types.CompletionOptions(trigger_characters=[".", ">", "#"], resolve_provider=True),
    )
    async def completion(ls: OpenclServer, params: types.CompletionParams) -> types.CompletionList | None:
        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> types.CompletionList:
            return _complete(ls, analysed, params)

        return await ls.answer_request(params.text_document.uri, work)

    @register_request(server, types.COMPLETION_ITEM_RESOLVE)
    async def resolve(ls: OpenclServer, params: types.CompletionItem) -> types.CompletionItem:
        uri = params.data if isinstance(params.data, str) else ""

        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> types.CompletionItem:
            return _resolve_item(analysed, params)

        return await ls.answer_request(uri, work) or params


def _complete(
    ls: OpenclServer, analysed: DocumentAnalysis, params: types.CompletionParams
) -> types.CompletionList:
    from openclsp.ide.completion.completion import compute_completions

    document, encoding = analysed.document, ls.client_features.encoding
    offset = offset_at(document.text, params.position, encoding)
    trigger = params.context.trigger_character if params.context is not None else None
    # `>` is a trigger character, but only `->` can be completed.
    if trigger == ">" and document.text.data[max(offset - 2, 0) : offset] != b"->":
        return types.CompletionList(False, [])
    found = compute_completions(analysed.unit, document.name, offset)
    uri = params.text_document.uri
    arrow = _arrow_edit(ls, analysed, found) if any(each.needs_arrow for each in found.candidates) else None
    items = [_item(each, number, uri, arrow) for number, each in enumerate(found.candidates)]
    return types.CompletionList(found.incomplete, items)


def _item(
    candidate: CompletionCandidate, number: int, uri: str, arrow: list[types.TextEdit] | None
) -> types.CompletionItem:
    return types.CompletionItem(
        candidate.name,
        kind=_KINDS[candidate.kind.value],
        detail=candidate.detail or None,
        sort_text=f"{number:03}",
        additional_text_edits=arrow if candidate.needs_arrow else None,
        data=uri if candidate.is_resolvable else None,
    )


def _arrow_edit(ls: OpenclServer, analysed: DocumentAnalysis, found: CompletionList) -> list[types.TextEdit]:
    """The edit that replaces the `.` before the completed word by `->`."""
    text = analysed.document.text
    dot = text.data.rfind(b".", 0, found.start)
    return [types.TextEdit(range_between(text, dot, dot + 1, ls.client_features.encoding), "->")]


def _resolve_item(analysed: DocumentAnalysis, item: types.CompletionItem) -> types.CompletionItem:
    from openclsp.ide.completion.completion import resolve_completion

    found = resolve_completion(analysed.unit, item.label)
    if found is not None:
        item.detail = found.detail or None
        item.documentation = found.text or None
    return item
