"""Semantic tokens: of a whole document, as a delta to an earlier answer, or of a range."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.cancellation import CancellationCheck
from openclsp.semantics.typing.semantic_token_legend import KINDS, MODIFIERS

if TYPE_CHECKING:
    from openclsp.ide.tokens.token_cache import SemanticTokensResult
    from openclsp.lsp.session.analysis_session import DocumentAnalysis


def register(server: OpenclServer) -> None:
    """Registers the requests for the full document, for a delta and for a range."""
    legend = types.SemanticTokensLegend(KINDS[1:], MODIFIERS)

    @register_request(server, types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    async def full(ls: OpenclServer, params: types.SemanticTokensParams) -> types.SemanticTokens | None:
        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> types.SemanticTokens:
            found = _compute_tokens(ls, analysed, "")
            return types.SemanticTokens(found.numbers.tolist(), result_id=found.identity)

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


def _compute_tokens(ls: OpenclServer, analysed: DocumentAnalysis, since: str) -> SemanticTokensResult:
    from openclsp.ide.tokens.semantic_tokens import compute_semantic_tokens

    return compute_semantic_tokens(analysed.unit, analysed.document.name, ls.client_features.encoding, since)
