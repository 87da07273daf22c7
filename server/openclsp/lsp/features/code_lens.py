"""Code lenses: a line above each kernel that summarises its memory use.

The ranges are answered at once. The text, which needs a traversal of the kernel's calls, is computed when the
client resolves the lens. A client that shows the flow of arguments gets two lenses for each kernel: one for its
arguments, which runs the client's command, and one for its memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from openclsp.lsp.features.text_content import kernel_uri, summary_with_host
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.positions import range_between
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.cancellation import CancellationCheck

if TYPE_CHECKING:
    from openclsp.lsp.session.analysis_session import DocumentAnalysis

SHOW_KERNEL_COMMAND = "openclsp.showKernel"
SHOW_ARGUMENT_FLOW_COMMAND = "openclsp.showArgumentFlow"
"""A command of the client, with the same arguments: it shows where the arguments of the kernel go."""
_ARGUMENTS, _MEMORY, _ALL = "arguments", "memory", "all"
"""The parts of the summary that a lens shows."""


def register(server: OpenclServer) -> None:
    """Registers `textDocument/codeLens`, `codeLens/resolve` and the command that a lens runs.

    The command shows the full summary of the kernel as a document, or as a message in clients that cannot
    show documents of the server. Its arguments are the document's URI and the kernel's name and number, as in
    the lens.
    """

    @register_request(server, types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=True))
    async def lenses(ls: OpenclServer, params: types.CodeLensParams) -> list[types.CodeLens] | None:
        uri = params.text_document.uri

        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> list[types.CodeLens]:
            return _lenses(ls, analysed, uri)

        return await ls.answer_request(uri, work)

    @register_request(server, types.CODE_LENS_RESOLVE)
    async def resolve(ls: OpenclServer, lens: types.CodeLens) -> types.CodeLens:
        data = lens.data
        if not isinstance(data, dict):
            return lens
        uri, name, number = _kernel(data.get("uri"), data.get("name"), data.get("number"))
        part = str(data.get("part"))
        title = await ls.answer_request(uri, lambda analysed, check: _title(ls, analysed, name, number, part))
        if title:
            command = SHOW_ARGUMENT_FLOW_COMMAND if part == _ARGUMENTS else SHOW_KERNEL_COMMAND
            lens.command = types.Command(title, command, arguments=[uri, name, number])
        return lens

    @server.command(SHOW_KERNEL_COMMAND)
    async def show(ls: OpenclServer, *arguments: Any) -> None:
        uri, name, number = _kernel(*(*arguments, None, None, None)[:3])
        if ls.client_features.requests_content and ls.client_features.shows_documents:
            place = kernel_uri(uri, name, number)
            # The client may still show an earlier version of the document.
            ls.workspace_text_document_content_refresh(types.TextDocumentContentRefreshParams(place))
            ls.window_show_document(types.ShowDocumentParams(place, take_focus=False))
            return
        description = await ls.answer_request(
            uri, lambda analysed, check: _description(ls, analysed, name, number)
        )
        if description is not None:
            ls.show_message(description, types.MessageType.Info)


def _kernel(uri: object, name: object, number: object) -> tuple[str, str, int]:
    return str(uri), str(name), number if isinstance(number, int) else 0


def _lenses(ls: OpenclServer, analysed: DocumentAnalysis, uri: str) -> list[types.CodeLens]:
    from openclsp.ide.kernels.kernel_summary import find_first_lines
    from openclsp.ide.unit_config import unit_config

    if unit_config(analysed.unit).is_excluded:
        return []
    text = analysed.document.text
    parts = (_ARGUMENTS, _MEMORY) if ls.client_features.shows_argument_flow else (_ALL,)
    return [
        types.CodeLens(
            range_between(text, place.start, place.end, ls.client_features.encoding),
            data={"uri": uri, "name": key[1], "number": key[2], "part": part},
        )
        for key, place in find_first_lines(analysed.unit, analysed.document.document)
        for part in parts
    ]


def _title(ls: OpenclServer, analysed: DocumentAnalysis, name: str, number: int, part: str) -> str | None:
    from openclsp.ide.kernels.kernel_text import (
        NO_MEMORY,
        format_arguments_title,
        format_lens_title,
        format_memory_title,
    )

    found = summary_with_host(ls, analysed, name, number)
    if found is None:
        return None
    if part == _ARGUMENTS:
        return format_arguments_title(found)
    # a lens without a title would show as an error in Visual Studio Code
    return format_memory_title(found) or NO_MEMORY if part == _MEMORY else format_lens_title(found)


def _description(ls: OpenclServer, analysed: DocumentAnalysis, name: str, number: int) -> str | None:
    from openclsp.ide.kernels.kernel_text import format_kernel_summary

    found = summary_with_host(ls, analysed, name, number)
    return None if found is None else format_kernel_summary(found)
