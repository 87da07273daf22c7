"""The request `openclsp/argumentFlow`: the generic pointers that receive the arguments of a kernel.

The parameters are `{textDocument, kernel, number}`. `number`, from 0, selects one of several kernels with this
name. The answer is null if the document has no such kernel. Otherwise it is a list of the pointers of the
kernel, then those of the functions that it calls, then those of the functions that these call, and so on:

    pointer    the name of the pointer
    function   the function that declares it
    arguments  the names of the kernel's parameters that it receives
    uri        the document of its declaration
    position   the start of its declared name: a position for `openclsp/flow`
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.positions import range_between
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.cancellation import CancellationCheck

if TYPE_CHECKING:
    from openclsp.lsp.session.analysis_session import DocumentAnalysis

ARGUMENT_FLOW_REQUEST = "openclsp/argumentFlow"


def register(server: OpenclServer) -> None:
    """Registers `openclsp/argumentFlow`."""

    @register_request(server, ARGUMENT_FLOW_REQUEST)
    async def argument_flow(ls: OpenclServer, params: Any) -> list[dict[str, Any]] | None:
        name, number = str(params.kernel), getattr(params, "number", 0)

        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> list[dict[str, Any]] | None:
            return _receivers(ls, analysed, name, number if isinstance(number, int) else 0)

        return await ls.answer_request(str(params.textDocument.uri), work)


def _receivers(
    ls: OpenclServer, analysed: DocumentAnalysis, name: str, number: int
) -> list[dict[str, Any]] | None:
    from openclsp.ide.flow.argument_flow import find_argument_receivers
    from openclsp.ide.kernels.kernel_summary import find_kernels

    key = next(
        (key for key, _ in find_kernels(analysed.unit, analysed.document.name) if key[1:] == (name, number)),
        None,
    )
    if key is None:
        return None
    answer = []
    for each in find_argument_receivers(analysed.unit, key):
        text = analysed.text_of(each.location.document)
        start = range_between(text, each.location.start, each.location.end, ls.client_features.encoding).start
        answer.append(
            {
                "pointer": each.name,
                "function": each.function,
                "arguments": list(each.arguments),
                "uri": analysed.uri_of(each.location.document),
                "position": {"line": start.line, "character": start.character},
            }
        )
    return answer
