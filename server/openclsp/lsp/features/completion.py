"""Completion, and the request that adds documentation to a completion item."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lsprotocol import types

from openclsp.lsp.features.project_file import (
    answer_about_project_file,
    open_project_file,
    project_file_completions,
)
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.positions import offset_at, range_numbers
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.cancellation import CancellationCheck
from openclsp.lsp.session.open_documents import OpenDocument
from openclsp.lsp.transport.protocol import SerializedResult

if TYPE_CHECKING:
    from openclsp.ide.completion.completion_list import CompletionCandidate, CompletionList
    from openclsp.lsp.session.analysis_session import DocumentAnalysis
    from openclsp.source.text import Encoding, Text

_KINDS = {
    "variable": types.CompletionItemKind.Variable,
    "parameter": types.CompletionItemKind.Variable,
    "member": types.CompletionItemKind.Field,
    "function": types.CompletionItemKind.Function,
    "type": types.CompletionItemKind.Class,
    "constant": types.CompletionItemKind.EnumMember,
    "macro": types.CompletionItemKind.Constant,
    "keyword": types.CompletionItemKind.Keyword,
    "word": types.CompletionItemKind.Text,
    "file": types.CompletionItemKind.File,
    "folder": types.CompletionItemKind.Folder,
    "snippet": types.CompletionItemKind.Snippet,
}
"""The protocol's kind for the value of a candidate's kind."""


def register(server: OpenclServer) -> None:
    """Registers `textDocument/completion` and `completionItem/resolve`."""

    @register_request(
        server,
        types.TEXT_DOCUMENT_COMPLETION,
        types.CompletionOptions(trigger_characters=list(_TRIGGERS), resolve_provider=True),
    )
    async def completion(ls: OpenclServer, params: types.CompletionParams) -> SerializedResult | None:
        project_file = open_project_file(ls, params.text_document.uri)
        if project_file is not None:
            return await answer_about_project_file(
                ls, project_file, lambda document: _complete_project_file(ls, document, params.position)
            )

        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> SerializedResult:
            # For a hundred items, lsprotocol's converter takes longer than finding them.
            return SerializedResult(json.dumps(_complete(ls, analysed, params)).encode())

        return await ls.answer_request(params.text_document.uri, work, at_once=True)

    @register_request(server, types.COMPLETION_ITEM_RESOLVE)
    async def resolve(ls: OpenclServer, params: types.CompletionItem) -> types.CompletionItem:
        uri = params.data if isinstance(params.data, str) else ""

        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> types.CompletionItem:
            return _resolve_item(ls, analysed, params)

        return await ls.answer_request(uri, work) or params


_TRIGGERS = {
    ".": b"",
    ">": b"->",
    "#": b"",
    '"': b"include",
    "<": b"include",
    "/": b"include",
    "(": b"((",
}
"""The trigger characters; for each, the text that must precede the cursor for a list to be shown."""


def _complete(
    ls: OpenclServer, analysed: DocumentAnalysis, params: types.CompletionParams
) -> dict[str, object]:
    """Returns the completion list as JSON values."""
    from openclsp.ide.completion.completion import compute_completions

    document, features = analysed.document, ls.client_features
    text = document.text
    offset = offset_at(text, params.position, features.encoding)
    trigger = params.context.trigger_character if params.context is not None else None
    line = text.data[text.line_start(text.line_of(offset)) : offset]
    if not _is_triggered(trigger, line):
        return {"isIncomplete": False, "items": []}
    found = compute_completions(
        analysed.unit,
        document.name,
        offset,
        snippets=features.supports_snippets,
        list_headers=analysed.list_headers,
    )
    arrow = _arrow_edit(ls, analysed, found) if any(each.needs_arrow for each in found.candidates) else None
    edits = _WordEdits(ls, text, found, offset)
    items = [
        _item(each, number, params.text_document.uri, arrow, edits)
        for number, each in enumerate(found.candidates)
    ]
    return {"isIncomplete": found.incomplete, "items": items}


def _complete_project_file(
    ls: OpenclServer, document: OpenDocument, position: types.Position
) -> SerializedResult:
    found, offset = project_file_completions(ls, document, position)
    edits = _WordEdits(ls, document.text, found, offset)
    items = [_item(each, number, "", None, edits) for number, each in enumerate(found.candidates)]
    return SerializedResult(json.dumps({"isIncomplete": False, "items": items}).encode())


def _is_triggered(trigger: str | None, line: bytes) -> bool:
    """Whether a completion list should be shown after a trigger character at the end of `line`.

    Returns True if no trigger character caused the request.
    """
    wanted = _TRIGGERS.get(trigger or "")
    if not wanted:
        return True
    if wanted == b"include":
        return line.lstrip().startswith(b"#") and wanted in line
    return line.endswith(wanted) and (wanted != b"((" or b"__attribute" in line[-24:])


class _WordEdits:
    """The edits that replace the word at the cursor by a completion."""

    def __init__(self, ls: OpenclServer, text: Text, found: CompletionList, offset: int) -> None:
        encoding = ls.client_features.encoding
        self._insert = _json_range(text, found.start, offset, encoding)
        self._replace = _json_range(text, found.start, found.end, encoding)
        self._distinguishes = ls.client_features.supports_insert_replace
        self.marks_deprecated = ls.client_features.completion_tags

    def edit(self, text: str) -> dict[str, object]:
        """Returns the edit that inserts `text`.

        If the client lets the user choose between insertion and replacement, the edit also contains the range
        of the whole word.
        """
        if self._distinguishes:
            return {"newText": text, "insert": self._insert, "replace": self._replace}
        return {"newText": text, "range": self._insert}


def _item(
    candidate: CompletionCandidate,
    number: int,
    uri: str,
    arrow: list[dict[str, object]] | None,
    edits: _WordEdits,
) -> dict[str, object]:
    kind = candidate.kind.value
    item: dict[str, object] = {
        "label": candidate.name,
        "kind": _KINDS[kind].value,
        "sortText": f"{number:03}",
        "filterText": candidate.name,
        "textEdit": edits.edit(candidate.insertion or candidate.name),
    }
    if candidate.detail:
        item["detail"] = candidate.detail
    if kind == "snippet" or "${" in candidate.insertion:
        item["insertTextFormat"] = types.InsertTextFormat.Snippet.value
    if candidate.needs_arrow:
        item["additionalTextEdits"] = arrow
    if candidate.is_deprecated and edits.marks_deprecated:
        item["tags"] = [types.CompletionItemTag.Deprecated.value]
    if candidate.is_resolvable:
        item["data"] = uri
    return item


def _arrow_edit(
    ls: OpenclServer, analysed: DocumentAnalysis, found: CompletionList
) -> list[dict[str, object]]:
    """Returns a list of one edit, which replaces the `.` before the completed word by `->`."""
    text = analysed.document.text
    dot = text.data.rfind(b".", 0, found.start)
    return [{"range": _json_range(text, dot, dot + 1, ls.client_features.encoding), "newText": "->"}]


def _json_range(text: Text, start: int, end: int, encoding: Encoding) -> dict[str, object]:
    line, column, last_line, last_column = range_numbers(text, start, end, encoding)
    return {
        "start": {"line": line, "character": column},
        "end": {"line": last_line, "character": last_column},
    }


def _resolve_item(
    ls: OpenclServer, analysed: DocumentAnalysis, item: types.CompletionItem
) -> types.CompletionItem:
    from openclsp.ide.completion.resolution import resolve_completion
    from openclsp.ide.hover.markdown import escape_paragraphs

    found = resolve_completion(analysed.unit, item.label)
    if found is None:
        return item
    item.detail = found.detail or item.detail
    if found.text and ls.client_features.completion_markdown:
        item.documentation = types.MarkupContent(types.MarkupKind.Markdown, escape_paragraphs(found.text))
    elif found.text:
        item.documentation = found.text
    return item
