"""What the client can do, asked once when it introduces itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from openclsp.dataclass import dataclass
from openclsp.lsp.positions import encoding_of
from openclsp.source.text import Encoding

_UNNECESSARY = 1
"""LSP 3.17, "DiagnosticTag"."""


@dataclass(frozen=True, slots=True)
class Client:
    """The client's capabilities, as far as the answers depend on them (LSP 3.17, "initialize")."""

    encoding: Encoding = "utf-16"
    pulls: bool = False
    """It asks for diagnostics by itself, and again when it is told to: then they are never pushed as well. One that cannot
    be told would not hear of what is found later, by the look over a project or by following the flow."""
    related_information: bool = False
    fades: bool = False
    """It shows code marked as unnecessary in a way of its own; otherwise the mark would be noise."""
    markdown: bool = False
    resolves_actions: bool = False
    """It asks for the edit of a code action when the person has chosen it."""
    has_configuration: bool = False
    registers_configuration: bool = False
    registers_watchers: bool = False
    shows_tokens: bool = False
    """It asks for semantic tokens or inlay hints."""
    refreshes_tokens: bool = False
    refreshes_hints: bool = False
    refreshes_lenses: bool = False
    nests_symbols: bool = False
    """It shows document symbols below one another."""
    shows_progress: bool = False
    """It shows work that the server has begun by itself."""
    follows_status: bool = False
    """It wants to be told whenever a document is looked at as something else."""

    @staticmethod
    def of(capabilities: Mapping[str, Any], encoding: str | None) -> Client:
        """The client with these capabilities, as it wrote them, and the position encoding that was agreed on."""

        def found(path: str) -> Any:
            value: Any = capabilities
            for name in path.split("."):
                value = value.get(name) if isinstance(value, Mapping) else None
            return value

        def either(field: str) -> Any:
            # Before LSP 3.18 a client that pulls said this of pushed diagnostics only, and meant both.
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
