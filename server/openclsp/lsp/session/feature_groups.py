"""Groups of requests that clangd and cpptools answer too, and that a setting can leave to them.

Diagnostics, fixes, inlay hints and code lenses are in no group, because other servers do not have those of
openclsp.
"""

from __future__ import annotations

from typing import Final

FEATURE_GROUPS: Final = {
    "navigation": (
        "definition",
        "declaration",
        "typeDefinition",
        "implementation",
        "references",
        "documentHighlight",
        "documentLink",
        "prepareCallHierarchy",
        "rename",
        "prepareRename",
    ),
    "hover": ("hover", "signatureHelp"),
    "tokens": ("semanticTokens/full", "semanticTokens/full/delta", "semanticTokens/range"),
    "completion": ("completion",),
    "symbols": ("documentSymbol",),
    "folding": ("foldingRange", "selectionRange", "linkedEditingRange"),
}
"""The requests of each group, without `textDocument/`. All of them may be answered by null (LSP 3.17)."""

GROUP_OF_METHOD: Final = {
    f"textDocument/{request}": group for group, requests in FEATURE_GROUPS.items() for request in requests
}
