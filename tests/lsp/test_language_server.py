"""The server publishes no diagnostics after a `shutdown` request, and pygls keeps no documents of its own."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from lsprotocol import types
from openclsp.lsp.language_server import OpenclServer


def test_nothing_is_published_after_the_shutdown_request() -> None:
    sent: list[bytes] = []
    server: Any = SimpleNamespace(
        shutdown_requested=False,
        early_publication=None,
        hosts=(),
        protocol=SimpleNamespace(send=sent.append),
    )
    document: Any = SimpleNamespace(uri="file:///k.cl", version=1)
    OpenclServer.publish_diagnostics(server, document, b"")
    assert len(sent) == 1
    server.shutdown_requested = True
    OpenclServer.publish_diagnostics(server, document, b"")
    assert len(sent) == 1


def test_pygls_has_no_handlers_of_its_own_for_documents() -> None:
    handlers = OpenclServer().protocol.fm.builtin_features
    assert types.INITIALIZE in handlers
    for method in (
        types.TEXT_DOCUMENT_DID_OPEN,
        types.TEXT_DOCUMENT_DID_CHANGE,
        types.TEXT_DOCUMENT_DID_CLOSE,
    ):
        assert method not in handlers
