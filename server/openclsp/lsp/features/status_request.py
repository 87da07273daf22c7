"""The request `openclsp/status`: the configuration under which a document is analysed.

A client whose experimental capabilities contain `openclspStatus` also gets the notification
`openclsp/statusChanged` whenever that configuration changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from openclsp.ide.unit_config import unit_config
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.document_status import Status

if TYPE_CHECKING:
    from openclsp.lsp.session.analysis_session import DocumentAnalysis
    from openclsp.lsp.session.cancellation import CancellationCheck

STATUS_REQUEST = "openclsp/status"


def register(server: OpenclServer) -> None:
    """Registers `openclsp/status`.

    Its parameters are `{textDocument: {uri}}`. The answer is null for a document that is not open or is not
    OpenCL C.
    """

    @register_request(server, STATUS_REQUEST)
    async def status(ls: OpenclServer, params: Any) -> dict[str, Any] | None:
        uri = str(params.textDocument.uri)

        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> dict[str, Any]:
            return Status.of(unit_config(analysed.unit)).to_json(uri)

        return await ls.answer_request(uri, work)
