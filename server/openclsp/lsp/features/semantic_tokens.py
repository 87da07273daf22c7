"""Semantic tokens: of a whole document, as a delta to an earlier answer, or of a range."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session import debounce
from openclsp.lsp.session.cancellation import CancellationCheck
from openclsp.semantics.typing.semantic_token_legend import KINDS, MODIFIERS

if TYPE_CHECKING:
    from openclsp.ide.tokens.token_cache import SemanticTokensResult
    from openclsp.lsp.session.analysis_session import DocumentAnalysis

_SERVER_CANCELLED: Final = -32802
LONG_TEXT_BYTES: Final = 20_000
"""The tokens of a longer text wait for a pause while keys follow each other quickly."""


def register(server: OpenclServer) -> None:
    """Registers the requests for the full document, for a delta and for a range."""
    legend = types.SemanticTokensLegend(KINDS[1:], MODIFIERS)

    @register_request(server, types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    async def full(ls: OpenclServer, params: types.SemanticTokensParams) -> types.SemanticTokens | None:
        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> types.SemanticTokens:
            found = _compute_tokens(ls, analysed, "")
            return types.SemanticTokens(found.numbers.tolist(), result_id=found.identity)

        await _wait_for_pause(ls, params.text_document.uri)
        return await ls.answer_request(params.text_document.uri, work)

    @register_request(server, types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA)
    async def delta(
        ls: OpenclServer, params: types.SemanticTokensDeltaParams
    ) -> types.SemanticTokens | types.SemanticTokensDelta | None:
        def work(
            analysed: DocumentAnalysis, check: CancellationCheck
        ) -> types.SemanticTokens | types.SemanticTokensDelta:
            found = _compute_tokens(ls, analysed, params.previous_result_id)
            if found.deltas is None:
                return types.SemanticTokens(found.numbers.tolist(), result_id=found.identity)
            # Sorted by position, because some clients apply them from the last to the first.
            edits = [
                types.SemanticTokensEdit(each.start, each.count, each.numbers)
                for each in sorted(found.deltas, key=lambda splice: splice.start)
            ]
            return types.SemanticTokensDelta(edits, result_id=found.identity)

        await _wait_for_pause(ls, params.text_document.uri)
        return await ls.answer_request(params.text_document.uri, work)

    @register_request(server, types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE)
    async def between(
        ls: OpenclServer, params: types.SemanticTokensRangeParams
    ) -> types.SemanticTokens | None:
        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> types.SemanticTokens:
            from openclsp.ide.tokens.semantic_tokens import compute_tokens_between

            first, last = params.range.start.line, params.range.end.line
            name, encoding = analysed.document.name, ls.client_features.encoding
            return types.SemanticTokens(compute_tokens_between(analysed.unit, name, encoding, first, last))

        return await ls.answer_request(params.text_document.uri, work)


async def _wait_for_pause(ls: OpenclServer, uri: str) -> None:
    """Waits for a pause in typing before the tokens of a long text are answered.

    Raises JsonRpcException if the text changes meanwhile; the client requests the tokens again. Visual Studio Code
    requests them three times a second during typing, and from each change makes the tokens of the whole document
    again and draws them: at 5,000 lines, that was a fifth of the time of the window.
    """
    document = ls.open_documents.get_by_uri(uri)
    if document is None or not ls.is_typing or not ls.client_features.retries_tokens:
        return
    if len(document.text.data) < LONG_TEXT_BYTES:
        return
    await asyncio.sleep(max(ls.last_change_time + debounce.DEBOUNCE_SECONDS - time.monotonic(), 0.0))
    if not document.is_same_version(ls.open_documents.get_by_uri(uri)):
        raise JsonRpcException("the document has changed", _SERVER_CANCELLED)


def _compute_tokens(ls: OpenclServer, analysed: DocumentAnalysis, since: str) -> SemanticTokensResult:
    from openclsp.ide.tokens.semantic_tokens import compute_semantic_tokens

    return compute_semantic_tokens(analysed.unit, analysed.document.name, ls.client_features.encoding, since)
