"""The command `openclsp.variant`: analyses documents under another build variant until the server ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pygls.exceptions import JsonRpcInvalidParams

from openclsp.lsp.features.diagnostics import update_all_diagnostics
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.uris import document_name

VARIANT_COMMAND = "openclsp.variant"


def register(server: OpenclServer) -> None:
    """Registers the command.

    Its arguments are either the name of a variant, or a document's URI and the name. The variant applies to
    all documents that have it. Without a URI, it replaces all earlier choices. With a URI, it applies to this
    document, and to all other documents for which no variant was chosen by URI. Null or no name restores the
    project's choice.
    """

    @server.command(VARIANT_COMMAND)
    def use(ls: OpenclServer, *arguments: Any) -> None:
        uri, name = _parse_arguments(arguments)
        variants = dict(ls.snapshot.chosen_variants)
        for key in ("", document_name(uri)) if uri else ("",):
            if name:
                variants[key] = name
            else:
                variants.pop(key, None)
        if not uri:
            # A choice for all documents also replaces the choices for single documents.
            variants = {key: each for key, each in variants.items() if key == ""}
        ls.snapshot = replace(ls.snapshot, chosen_variants=variants)
        update_all_diagnostics(ls)


def _parse_arguments(arguments: Sequence[Any]) -> tuple[str, str]:
    """Returns the document's URI and the variant's name from the command's arguments, empty if missing."""
    given = list(arguments)
    if len(given) == 1 and isinstance(given[0], dict):
        given = [given[0].get("uri"), given[0].get("variant")]
    if len(given) > 2 or not all(each is None or isinstance(each, str) for each in given):
        raise JsonRpcInvalidParams("expected the name of a variant, or a document's URI and that name")
    uri, name = [None] * (2 - len(given)) + given if len(given) < 2 else given
    return uri or "", name or ""
