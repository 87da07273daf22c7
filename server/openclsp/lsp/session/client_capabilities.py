"""The client's capabilities, read once from the request `initialize`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from openclsp.dataclass import dataclass
from openclsp.lsp.positions import parse_encoding
from openclsp.source.text import Encoding

_UNNECESSARY, _DEPRECATED = 1, 2
"""The values of `DiagnosticTag.Unnecessary` and `DiagnosticTag.Deprecated` (LSP 3.17, "DiagnosticTag")."""


@dataclass(frozen=True, slots=True)
class ClientCapabilities:
    """The client capabilities on which answers depend (LSP 3.17, "initialize")."""

    encoding: Encoding = "utf-16"
    pulls_diagnostics: bool = False
    """Whether the client pulls diagnostics; then they are never pushed.

    This requires support for `workspace/diagnostic/refresh`. A client without the refresh request would miss
    diagnostics that are found later, by the project scan or by the flow analysis, so diagnostics are pushed
    to it.
    """
    supports_related_information: bool = False
    supports_unnecessary_tag: bool = False
    """Whether the client renders the tag `Unnecessary`.

    Without it, diagnostics for inactive code would be noise.
    """
    supports_deprecated_tag: bool = False
    """Whether the client renders the tag `Deprecated` of diagnostics."""
    completion_tags: bool = False
    """Whether the client renders the tag `Deprecated` of completion items."""
    shows_tagged_hints: bool = False
    """Whether hints about unused names and deprecated functions are shown by default.

    They would distract in a client that does not fade the names.
    """
    supports_code_description: bool = False
    """Whether the client links a diagnostic's code to its page."""
    requests_content: bool = False
    """Whether the client requests the texts of the server's own documents."""
    shows_documents: bool = False
    """Whether the client can show a document if the server requests it."""
    supports_markdown: bool = False
    resolves_code_actions: bool = False
    """Whether the client can resolve a code action's edit after the user has chosen the action."""
    supports_disabled_actions: bool = False
    """Whether the client shows why a code action is not possible."""
    supports_snippet_edits: bool = False
    """Whether a workspace edit may have placeholders that the user fills in (LSP 3.18)."""
    supports_configuration: bool = False
    registers_configuration: bool = False
    registers_watchers: bool = False
    shows_tokens_or_hints: bool = False
    """Whether the client requests semantic tokens or inlay hints."""
    refreshes_tokens: bool = False
    refreshes_hints: bool = False
    refreshes_lenses: bool = False
    refreshes_folding: bool = False
    supports_nested_symbols: bool = False
    """Whether the client supports hierarchical document symbols."""
    folds_whole_lines: bool = False
    """Whether the client can hide whole lines only."""
    folding_limit: int = 0
    """The maximum number of folding ranges that the client shows; 0 if it gives no limit."""
    supports_progress: bool = False
    """Whether the client shows server-initiated progress."""
    link_destinations: frozenset[str] = frozenset()
    """The requests that may be answered with links, such as `definition` and `declaration`."""
    supports_document_changes: bool = False
    """Whether a workspace edit may name the versions of the documents."""
    signature_markdown: bool = False
    """Whether signatures and their parameters may be documented in Markdown."""
    supports_label_offsets: bool = False
    """Whether a parameter may be given by its range in the signature's label."""
    supports_snippets: bool = False
    completion_markdown: bool = False
    supports_insert_replace: bool = False
    """Whether a completion item may contain two ranges, one for inserting and one for replacing."""
    wants_status_notifications: bool = False
    """Whether the client wants `openclsp/statusChanged` notifications."""
    shows_argument_flow: bool = False
    """Whether the client has the command `openclsp.showArgumentFlow`, which a code lens runs."""

    def supported_tag(self, tag: int) -> int:
        """Returns the tag of a diagnostic if the client renders it, otherwise 0."""
        rendered = {_UNNECESSARY: self.supports_unnecessary_tag, _DEPRECATED: self.supports_deprecated_tag}
        return tag if rendered.get(tag) else 0

    @staticmethod
    def of(capabilities: Mapping[str, Any], encoding: str | None) -> ClientCapabilities:
        """Reads the capabilities, given as JSON values, with the negotiated position encoding."""

        def found(path: str) -> Any:
            value: Any = capabilities
            for name in path.split("."):
                value = value.get(name) if isinstance(value, Mapping) else None
            return value

        def either(field: str) -> Any:
            # Before LSP 3.18 these fields existed for pushed diagnostics only, but clients meant both.
            return found(f"textDocument.diagnostic.{field}") or found(
                f"textDocument.publishDiagnostics.{field}"
            )

        def named(path: str) -> tuple[object, ...]:
            values = found(path)
            return tuple(values) if isinstance(values, list) else ()

        tags = either("tagSupport")
        faded = tags.get("valueSet") if isinstance(tags, Mapping) else ()
        return ClientCapabilities(
            encoding=parse_encoding(encoding),
            pulls_diagnostics=found("textDocument.diagnostic") is not None
            and bool(found("workspace.diagnostics.refreshSupport")),
            supports_related_information=bool(either("relatedInformation")),
            supports_unnecessary_tag=isinstance(faded, list) and _UNNECESSARY in faded,
            supports_deprecated_tag=isinstance(faded, list) and _DEPRECATED in faded,
            completion_tags=1 in named("textDocument.completion.completionItem.tagSupport.valueSet"),
            shows_tagged_hints=isinstance(faded, list) and _UNNECESSARY in faded,
            supports_code_description=bool(either("codeDescriptionSupport")),
            requests_content=bool(found("workspace.textDocumentContent.dynamicRegistration")),
            shows_documents=bool(found("window.showDocument.support")),
            resolves_code_actions="edit" in named("textDocument.codeAction.resolveSupport.properties")
            and bool(found("textDocument.codeAction.dataSupport")),
            supports_markdown="markdown" in named("textDocument.hover.contentFormat"),
            supports_configuration=bool(found("workspace.configuration")),
            shows_tokens_or_hints=bool(
                found("textDocument.semanticTokens") or found("textDocument.inlayHint")
            ),
            refreshes_tokens=bool(found("workspace.semanticTokens.refreshSupport")),
            refreshes_hints=bool(found("workspace.inlayHint.refreshSupport")),
            refreshes_lenses=bool(found("workspace.codeLens.refreshSupport")),
            refreshes_folding=bool(found("workspace.foldingRange.refreshSupport")),
            supports_disabled_actions=bool(found("textDocument.codeAction.disabledSupport")),
            supports_snippet_edits=bool(found("workspace.workspaceEdit.snippetEditSupport"))
            and bool(found("workspace.workspaceEdit.documentChanges")),
            supports_nested_symbols=bool(
                found("textDocument.documentSymbol.hierarchicalDocumentSymbolSupport")
            ),
            folds_whole_lines=bool(found("textDocument.foldingRange.lineFoldingOnly")),
            folding_limit=_count(found("textDocument.foldingRange.rangeLimit")),
            supports_progress=bool(found("window.workDoneProgress")),
            supports_document_changes=bool(found("workspace.workspaceEdit.documentChanges")),
            link_destinations=frozenset(
                each
                for each in ("definition", "declaration", "typeDefinition", "implementation")
                if found(f"textDocument.{each}.linkSupport")
            ),
            signature_markdown="markdown"
            in named("textDocument.signatureHelp.signatureInformation.documentationFormat"),
            supports_label_offsets=bool(
                found(
                    "textDocument.signatureHelp.signatureInformation.parameterInformation.labelOffsetSupport"
                )
            ),
            supports_snippets=bool(found("textDocument.completion.completionItem.snippetSupport")),
            completion_markdown="markdown"
            in named("textDocument.completion.completionItem.documentationFormat"),
            supports_insert_replace=bool(
                found("textDocument.completion.completionItem.insertReplaceSupport")
            ),
            wants_status_notifications=bool(found("experimental.openclspStatus")),
            shows_argument_flow=bool(found("experimental.openclspArgumentFlow")),
            registers_configuration=bool(found("workspace.didChangeConfiguration.dynamicRegistration")),
            registers_watchers=bool(found("workspace.didChangeWatchedFiles.dynamicRegistration")),
        )


def _count(value: object) -> int:
    """Returns a JSON value if it is a positive integer, otherwise 0."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
