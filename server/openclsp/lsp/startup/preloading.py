"""Imports in the background the modules that the first requests need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Final

import attrs
from lsprotocol import types

from openclsp.lsp.session.cancellation import CancellationCheck


def import_hover(_check: CancellationCheck) -> None:
    """Imports the modules that the first hover needs."""
    import openclsp.ide.hover.hover  # noqa: F401

    for each in (types.TextDocumentIdentifier, types.HoverParams):
        # Completes the class: see `deferred_types`.
        attrs.fields(each)


def _read_descriptions() -> None:
    from openclsp.language.builtin_functions.descriptions import description

    description("")


def _read_parameters() -> None:
    from openclsp.language.builtin_functions.parameter_names import builtin_parameters

    builtin_parameters("", ())


CURSOR_PRELOADS: Final[Sequence[Callable[[], object]]] = (
    partial(import_module, "openclsp.ide.completion.completion"),
    partial(import_module, "openclsp.ide.signature_help.signature_help"),
    _read_descriptions,
    _read_parameters,
    partial(import_module, "openclsp.ide.navigation.project_definitions"),
    partial(import_module, "openclsp.ide.navigation.project_references"),
    partial(import_module, "openclsp.ide.navigation.host_mentions"),
    partial(import_module, "openclsp.ide.navigation.rename"),
    partial(import_module, "openclsp.ide.navigation.call_hierarchy"),
    partial(attrs.fields, types.CompletionParams),
    partial(attrs.fields, types.SignatureHelpParams),
    partial(attrs.fields, types.DocumentHighlightParams),
    partial(attrs.fields, types.DefinitionParams),
    partial(attrs.fields, types.ReferenceParams),
    partial(attrs.fields, types.PrepareRenameParams),
    partial(attrs.fields, types.RenameParams),
)
"""Functions that load what the first requests at the cursor need. Without them, each first request takes 10
to 20 ms of CPU time more.
"""
