"""Formats documents and ranges, and lines after `}` and `;`, with clang-format."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified

from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.positions import offset_at, range_between
from openclsp.lsp.request_registration import register_request

if TYPE_CHECKING:
    from openclsp.lsp.session.analysis_session import DocumentAnalysis
    from openclsp.lsp.session.cancellation import CancellationCheck
    from openclsp.source.text import Text

CHANGED = "clang-format would change the program, not only its layout: nothing was formatted"


def register(server: OpenclServer) -> None:
    """Registers `formatting`, `rangeFormatting` and `onTypeFormatting` of `textDocument`."""

    @register_request(server, types.TEXT_DOCUMENT_FORMATTING)
    async def document(
        ls: OpenclServer, params: types.DocumentFormattingParams
    ) -> list[types.TextEdit] | None:
        return await _format(ls, params.text_document.uri, params.options, None)

    @register_request(server, types.TEXT_DOCUMENT_RANGE_FORMATTING)
    async def selection(
        ls: OpenclServer, params: types.DocumentRangeFormattingParams
    ) -> list[types.TextEdit] | None:
        last = params.range.end.line
        if params.range.end.character == 0 and last > params.range.start.line:
            last -= 1
        return await _format(ls, params.text_document.uri, params.options, (params.range.start.line, last))

    @register_request(
        server,
        types.TEXT_DOCUMENT_ON_TYPE_FORMATTING,
        types.DocumentOnTypeFormattingOptions("}", more_trigger_character=[";"]),
    )
    async def typed(
        ls: OpenclServer, params: types.DocumentOnTypeFormattingParams
    ) -> list[types.TextEdit] | None:
        from openclsp.ide.formatting.formatted_ranges import lines_to_format

        opened = ls.open_documents.get_by_uri(params.text_document.uri)
        if opened is None:
            return None
        offset = offset_at(opened.text, params.position, ls.client_features.encoding)
        lines = lines_to_format(opened.text, offset)
        return None if lines is None else await _format(ls, params.text_document.uri, params.options, lines)


async def _format(
    ls: OpenclServer, uri: str, options: types.FormattingOptions, lines: tuple[int, int] | None
) -> list[types.TextEdit] | None:
    from openclsp.ide.formatting.formatting_style import StyleProblem, find_style
    from openclsp.project.file_system import LOCAL_FILE_SYSTEM

    def work(analysed: DocumentAnalysis, check: CancellationCheck) -> tuple[Text, str | StyleProblem]:
        access = analysed.project_access(check)
        name = analysed.document.name
        # The style is not read from the cache, because clients do not report changes of style files.
        style = find_style(
            name, LOCAL_FILE_SYSTEM, access.permission, options.tab_size, options.insert_spaces
        )
        return analysed.document.text, style

    found = await ls.answer_request(uri, work)
    if found is None:
        return None
    text, style = found
    if isinstance(style, StyleProblem):
        ls.show_message_once(style.reason)
        return None
    edits = await asyncio.get_running_loop().run_in_executor(None, _edits, ls, text, style, lines)
    now = ls.open_documents.get_by_uri(uri)
    if now is None or now.text.data != text.data:
        raise JsonRpcContentModified
    if isinstance(edits, str):
        ls.show_message_once(edits)
        return None
    return edits


def _edits(
    ls: OpenclServer, text: Text, style: str, lines: tuple[int, int] | None
) -> list[types.TextEdit] | str:
    """Returns the edits that format a text; a message with the reason if it cannot be formatted.

    If `lines` is given (first and last, from 0), only these lines are formatted.
    """
    from openclsp.ide.formatting.token_comparison import have_same_tokens
    from openclsp.lsp.session.clang_format import FormattingFailure, apply_replacements, run_clang_format

    found = run_clang_format(text.data, style, lines)
    if isinstance(found, FormattingFailure):
        return found.reason
    if lines is not None:
        # If an indentation changes, clang-format also changes the lines that follow.
        start = text.line_end(lines[0] - 1) if lines[0] else 0
        end = text.line_end(min(lines[1], text.line_count - 1))
        found = tuple(each for each in found if start <= each.start and each.end <= end)
    if not have_same_tokens(text.data, apply_replacements(text.data, found)):
        return CHANGED
    encoding = ls.client_features.encoding
    return [
        types.TextEdit(
            range_between(text, each.start, each.end, encoding), each.text.decode("utf-8", "replace")
        )
        for each in found
    ]
