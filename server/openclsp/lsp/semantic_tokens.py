"""Semantic tokens: of a whole document, as a delta to an earlier answer, or of a range."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from openclsp.lsp.language_server import OpenclServer, request
from openclsp.lsp.superseded import Check
from openclsp.semantics.token_words import KINDS, MODIFIERS

if TYPE_CHECKING:
    from openclsp.ide.semantic_tokens import Tokens
    from openclsp.lsp.session import Analysed


def register(server: OpenclServer) -> None:
    """Registers the requests for the full document, for a delta and for a range."""
    legend = types.SemanticTokensLegend(KINDS[1:], MODIFIERS)

    @request(server, types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    async def full(ls: OpenclServer, params: types.SemanticTokensParams) -> types.SemanticTokens | None:
        def work(analysed: Analysed, check: Check) -> types.SemanticTokens:
            found = _tokens(ls, analysed, "")
            return types.SemanticTokens(found.numbers.tolist(), result_id=found.identity)

        return await ls.answer(params.text_document.uri, work)

    @request(server, types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA)
    async def delta(
        ls: OpenclServer, params: types.SemanticTokensDeltaParams
    ) -> types.SemanticTokens | types.SemanticTokensDelta | None:
        def work(analysed: Analysed, check: Check) -> types.SemanticTokens | types.SemanticTokensDelta:
            found = _tokens(ls, analysed, params.previous_result_id)
            if found.splices is None:
                return types.SemanticTokens(found.numbers.tolist(), result_id=found.identity)
            # Sorted by position, because some clients apply them from the last to the first.
            edits = [
                types.SemanticTokensEdit(each.start, each.count, each.numbers)
                for each in sorted(found.splices, key=lambda splice: splice.start)
            ]
            return types.SemanticTokensDelta(edits, result_id=found.identity)

        return await ls.answer(params.text_document.uri, work)

    @request(server, types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE)
    async def between(
        ls: OpenclServer, params: types.SemanticTokensRangeParams
    ) -> types.SemanticTokens | None:
        def work(analysed: Analysed, check: Check) -> types.SemanticTokens:
            from openclsp.ide.semantic_tokens import tokens_between

            first, last = params.range.start.line, params.range.end.line
            name, encoding = analysed.document.name, ls.client.encoding
            return types.SemanticTokens(tokens_between(analysed.unit, name, encoding, first, last))

        return await ls.answer(params.text_document.uri, work)


def _tokens(ls: OpenclServer, analysed: Analysed, since: str) -> Tokens:
    from openclsp.ide.semantic_tokens import semantic_tokens

    return semantic_tokens(analysed.unit, analysed.document.name, ls.client.encoding, since)
