"""Document links: each include directive leads to the file that it includes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from openclsp.lsp.document_ranges import DocumentRanges
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.cancellation import CancellationCheck

if TYPE_CHECKING:
    from openclsp.lsp.session.analysis_session import DocumentAnalysis


def register(server: OpenclServer) -> None:
    """Registers `textDocument/documentLink`."""

    @register_request(server, types.TEXT_DOCUMENT_DOCUMENT_LINK)
    async def links(ls: OpenclServer, params: types.DocumentLinkParams) -> list[types.DocumentLink] | None:
        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> list[types.DocumentLink]:
            from openclsp.ide.navigation.includes import include_links

            ranges = DocumentRanges(analysed, ls.client_features.encoding)
            return [
                types.DocumentLink(ranges.range(each.location), ranges.uri(each.target))
                for each in include_links(analysed.unit, analysed.document.name)
            ]

        return await ls.answer_request(params.text_document.uri, work)
