"""The code action `refactor.extract`: extracts the selection to a new function.

A client that supports snippet edits (LSP 3.18) lets the user type the function's name at both places where it
occurs. In other clients the function gets a default name, which the user can change by renaming.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lsprotocol import types

from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.positions import offsets_of_range, range_between
from openclsp.lsp.session.cancellation import CancellationCheck

if TYPE_CHECKING:
    from openclsp.ide.refactorings.function_extraction import ExtractedFunction
    from openclsp.lsp.session.analysis_session import DocumentAnalysis

_TITLE: Final = "Extract function"
_SPECIAL: Final = re.compile(r"[$}\\]")


def compute_extraction_actions(
    ls: OpenclServer, analysed: DocumentAnalysis, params: types.CodeActionParams, check: CancellationCheck
) -> list[types.CodeAction]:
    """Returns the action that extracts the selected range, as the only element of a list.

    If the selection cannot be extracted, the action is disabled and has the reason. The list is empty if
    nothing is selected, or if the client does not show disabled actions.
    """
    from openclsp.ide.refactorings.function_extraction import ExtractionRefusal, compute_extraction
    from openclsp.ide.unit_config import unit_config

    start, end = offsets_of_range(analysed.document.text, params.range, ls.client_features.encoding)
    if start == end or unit_config(analysed.unit).is_excluded:
        return []
    found = compute_extraction(
        analysed.unit, analysed.document.name, start, end, sharing=analysed.project_sharing(check)
    )
    kind = types.CodeActionKind.RefactorExtract
    if isinstance(found, ExtractionRefusal):
        if not ls.client_features.supports_disabled_actions:
            return []
        disabled = types.CodeActionDisabled(found.reason)
        return [types.CodeAction(_TITLE, kind=kind, disabled=disabled)]
    return [types.CodeAction(found.fix.title, kind=kind, edit=_workspace_edit(ls, analysed, found))]


def _workspace_edit(
    ls: OpenclServer, analysed: DocumentAnalysis, found: ExtractedFunction
) -> types.WorkspaceEdit:
    text, encoding = analysed.document.text, ls.client_features.encoding
    places = [each.location for each in found.fix.edits]
    ranges = [range_between(text, each.start, each.end, encoding) for each in places]
    uri = analysed.document.uri
    if not ls.client_features.supports_snippet_edits:
        plain = [types.TextEdit(at, each.text) for at, each in zip(ranges, found.fix.edits, strict=True)]
        return types.WorkspaceEdit(changes={uri: plain})
    snippets = [
        types.SnippetTextEdit(at, types.StringValue(_snippet(each.text, found.name)))
        for at, each in zip(ranges, found.fix.edits, strict=True)
    ]
    identifier = types.OptionalVersionedTextDocumentIdentifier(
        uri, analysed.version_of(analysed.document.name)
    )
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, snippets)])


def _snippet(text: str, name: str) -> str:
    """Returns the text as a snippet in which the name is a placeholder."""
    escaped = _SPECIAL.sub(r"\\\g<0>", text)
    return re.sub(rf"\b{name}\b", f"${{1:{name}}}", escaped)
