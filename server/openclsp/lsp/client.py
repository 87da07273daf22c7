"""The client's capabilities, read once from the request `initialize`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from openclsp.dataclass import dataclass
from openclsp.lsp.positions import encoding_of
from openclsp.source.text import Encoding

_UNNECESSARY = 1
"""The value of `DiagnosticTag.Unnecessary` (LSP 3.17, "DiagnosticTag")."""


@dataclass(frozen=True, slots=True)
class Client:
    """The client capabilities on which answers depend (LSP 3.17, "initialize")."""

    encoding: Encoding = "utf-16"
    pulls: bool = False
    """Whether the client pulls diagnostics; then they are never pushed.

    This requires support for `workspace/diagnostic/refresh`. A client without the refresh request would miss
    diagnostics that are found later, by the project scan or by the flow analysis, so diagnostics are pushed
    to it.
    """
    related_information: bool = False
    fades: bool = False
    """Whether the client renders the tag `Unnecessary`.

    Without it, diagnostics for inactive code would be noise.
    """
    markdown: bool = False
    resolves_actions: bool = False
    """Whether the client can resolve a code action's edit after the user has chosen the action."""
    has_configuration: bool = False
    registers_configuration: bool = False
    registers_watchers: bool = False
    shows_tokens: bool = False
    """Whether the client requests semantic tokens or inlay hints."""
    refreshes_tokens: bool = False
    refreshes_hints: bool = False
    refreshes_lenses: bool = False
    nests_symbols: bool = False
    """Whether the client supports hierarchical document symbols."""
    shows_progress: bool = False
    """Whether the client shows server-initiated progress."""
    follows_status: bool = False
    """Whether the client wants `openclsp/statusChanged` notifications."""

    @staticmethod
    def of(capabilities: Mapping[str, Any], encoding: str | None) -> Client:
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
        return Client(
            encoding=encoding_of(encoding),
            pulls=found("textDocument.diagnostic") is not None
            and bool(found("workspace.diagnostics.refreshSupport")),
            related_information=bool(either("relatedInformation")),
            fades=isinstance(faded, list) and _UNNECESSARY in faded,
            resolves_actions="edit" in named("textDocument.codeAction.resolveSupport.properties")
            and bool(found("textDocument.codeAction.dataSupport")),
            markdown="markdown" in named("textDocument.hover.contentFormat"),
            has_configuration=bool(found("workspace.configuration")),
            shows_tokens=bool(found("textDocument.semanticTokens") or found("textDocument.inlayHint")),
            refreshes_tokens=bool(found("workspace.semanticTokens.refreshSupport")),
            refreshes_hints=bool(found("workspace.inlayHint.refreshSupport")),
            refreshes_lenses=bool(found("workspace.codeLens.refreshSupport")),
            nests_symbols=bool(found("textDocument.documentSymbol.hierarchicalDocumentSymbolSupport")),
            shows_progress=bool(found("window.workDoneProgress")),
            follows_status=bool(found("experimental.openclspStatus")),
            registers_configuration=bool(found("workspace.didChangeConfiguration.dynamicRegistration")),
            registers_watchers=bool(found("workspace.didChangeWatchedFiles.dynamicRegistration")),
        )
