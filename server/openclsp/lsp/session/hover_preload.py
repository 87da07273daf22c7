"""Imports the modules that the first hover needs, before it is requested."""

from __future__ import annotations

import attrs
from lsprotocol import types

from openclsp.lsp.session.cancellation import CancellationCheck


def import_hover(_check: CancellationCheck) -> None:
    """Imports them; run on the analysis thread."""
    import openclsp.ide.hover.hover  # noqa: F401

    for each in (types.TextDocumentIdentifier, types.HoverParams):
        # Completes the class: see `deferred_types`.
        attrs.fields(each)
