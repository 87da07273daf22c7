"""`openclsp/status` asks what a document is looked at as. A client whose experimental capabilities have `openclspStatus` is
told whenever that changes, by the notification `openclsp/statusChanged`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from openclsp.lsp.language_server import OpenclServer, request
from openclsp.lsp.status import Status

if TYPE_CHECKING:
    from openclsp.lsp.session import Analysed
    from openclsp.lsp.superseded import Check

REQUEST = "openclsp/status"


def register(server: OpenclServer) -> None:
    """Registers the request. Its parameters are those of a request about a text document; null is answered for a document
    that is not open, or is none of ours."""

    @request(server, REQUEST)
    async def status(ls: OpenclServer, params: Any) -> dict[str, Any] | None:
        uri = str(params.textDocument.uri)

        def work(analysed: Analysed, check: Check) -> dict[str, Any]:
            return Status.of(analysed.unit.unit).message(uri)

        return await ls.answer(uri, work)
