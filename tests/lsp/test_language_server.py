"""What a server that was shut down still sends."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from openclsp.lsp.language_server import OpenclServer


def test_nothing_is_published_once_the_shutdown_was_asked_for() -> None:
    sent: list[bytes] = []
    server: Any = SimpleNamespace(
        shutdown_requested=False, early_publication=None, protocol=SimpleNamespace(send=sent.append)
    )
    document: Any = SimpleNamespace(uri="file:///k.cl", version=1)
    OpenclServer.publish_diagnostics(server, document, b"")
    assert len(sent) == 1
    server.shutdown_requested = True
    OpenclServer.publish_diagnostics(server, document, b"")
    assert len(sent) == 1
