"""What the client can do, asked once when it introduces itself."""

from __future__ import annotations

from collections.abc import Mapping

from lsprotocol import types
from pygls.capabilities import get_capability

from openclsp.dataclass import dataclass
from openclsp.lsp.positions import encoding_of
from openclsp.source.text import Encoding


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
    def of(capabilities: types.ClientCapabilities, encoding: str | None) -> Client:
        """The client with these capabilities and the position encoding that was agreed on."""

        def has(path: str) -> bool:
            return bool(get_capability(capabilities, path))

        def either(field: str) -> object:
            # Before LSP 3.18 a client that pulls said this of pushed diagnostics only, and meant both.
            return get_capability(capabilities, f"text_document.diagnostic.{field}") or get_capability(
                capabilities, f"text_document.publish_diagnostics.{field}"
            )

        tags = either("tag_support")
        resolvable = (
            get_capability(capabilities, "text_document.code_action.resolve_support.properties") or ()
        )
        formats = get_capability(capabilities, "text_document.hover.content_format") or ()
        return Client(
            encoding=encoding_of(encoding),
            pulls=get_capability(capabilities, "text_document.diagnostic") is not None
            and has("workspace.diagnostics.refresh_support"),
            related_information=bool(either("related_information")),
            fades=isinstance(tags, types.ClientDiagnosticsTagOptions)
            and types.DiagnosticTag.Unnecessary in tags.value_set,
            resolves_actions="edit" in resolvable and has("text_document.code_action.data_support"),
            markdown=types.MarkupKind.Markdown in formats,
            has_configuration=has("workspace.configuration"),
            shows_tokens=has("text_document.semantic_tokens") or has("text_document.inlay_hint"),
            refreshes_tokens=has("workspace.semantic_tokens.refresh_support"),
            refreshes_hints=has("workspace.inlay_hint.refresh_support"),
            refreshes_lenses=has("workspace.code_lens.refresh_support"),
            nests_symbols=has("text_document.document_symbol.hierarchical_document_symbol_support"),
            shows_progress=has("window.work_done_progress"),
            follows_status=_experimental(capabilities, "openclspStatus"),
            registers_configuration=has("workspace.did_change_configuration.dynamic_registration"),
            registers_watchers=has("workspace.did_change_watched_files.dynamic_registration"),
        )


def _experimental(capabilities: types.ClientCapabilities, name: str) -> bool:
    """Whether the client has a capability that is no part of the protocol."""
    found = capabilities.experimental
    return bool(found.get(name) if isinstance(found, Mapping) else getattr(found, name, False))
