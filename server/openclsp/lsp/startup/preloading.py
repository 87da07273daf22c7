"""Imports in the background what the first requests need."""

from __future__ import annotations

import attrs
from lsprotocol import types

from openclsp.lsp.session.cancellation import CancellationCheck


def import_hover(_check: CancellationCheck) -> None:
    """Imports the modules that the first hover needs."""
    import openclsp.ide.hover.hover  # noqa: F401

    for each in (types.TextDocumentIdentifier, types.HoverParams):
        # Completes the class: see `deferred_types`.
        attrs.fields(each)
