"""The request `textDocument/hover`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lsprotocol import types

from openclsp.lsp.features.project_file import (
    answer_about_project_file,
    open_project_file,
    project_file_hover,
)
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.positions import offset_at, range_numbers
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.cancellation import CancellationCheck
from openclsp.lsp.transport.protocol import SerializedResult
from openclsp.lsp.uris import document_uri

if TYPE_CHECKING:
    from openclsp.ide.feature_results import Hover
    from openclsp.lsp.session.analysis_session import DocumentAnalysis


def register(server: OpenclServer) -> None:
    """Registers `textDocument/hover`."""

    @register_request(server, types.TEXT_DOCUMENT_HOVER)
    async def hover(ls: OpenclServer, params: types.HoverParams) -> SerializedResult | types.Hover | None:
        project_file = open_project_file(ls, params.text_document.uri)
        if project_file is not None:
            return await answer_about_project_file(
                ls, project_file, lambda document: project_file_hover(ls, document, params.position)
            )

        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> SerializedResult | None:
            return _hover_result(ls, analysed, params.position)

        return await ls.answer_request(params.text_document.uri, work, at_once=True)


def _hover_result(
    ls: OpenclServer, analysed: DocumentAnalysis, position: types.Position
) -> SerializedResult | None:
    from openclsp.ide.hover.hover import compute_hover

    document, encoding = analysed.document, ls.client_features.encoding
    found = compute_hover(analysed.unit, document.name, offset_at(document.text, position, encoding))
    if found is None:
        return None
    local_arguments = ls.hosts.calls.local_arguments(document.name)
    if local_arguments:
        from openclsp.ide.hover.local_size_notes import with_local_size

        offset = offset_at(document.text, position, encoding)
        found = with_local_size(analysed.unit, document.name, offset, found, local_arguments)
    kind = types.MarkupKind.Markdown if ls.client_features.supports_markdown else types.MarkupKind.PlainText
    answer: dict[str, object] = {"contents": {"kind": kind.value, "value": _hover_text(ls, found)}}
    if found.location.document == document.name:
        line, column, last_line, last_column = range_numbers(
            document.text, found.location.start, found.location.end, encoding
        )
        answer["range"] = {
            "start": {"line": line, "character": column},
            "end": {"line": last_line, "character": last_column},
        }
    return SerializedResult(json.dumps(answer).encode())


def _hover_text(ls: OpenclServer, found: Hover) -> str:
    from openclsp.ide.hover.hover_rendering import render_markdown, render_plain_text

    if not ls.client_features.supports_markdown:
        return render_plain_text(found)
    return render_markdown(
        found, lambda step: f"[line {step.line}]({document_uri(step.location.document)}#L{step.line})"
    )
