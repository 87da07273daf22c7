"""Code lenses: a line above each kernel that summarises its memory use.

The ranges are answered at once. The text, which needs a traversal of the kernel's calls, is computed when the
client resolves the lens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from openclsp.lsp.language_server import OpenclServer, request
from openclsp.lsp.positions import range_between
from openclsp.lsp.superseded import Check

if TYPE_CHECKING:
    from openclsp.ide.kernel_summary import KernelSummary
    from openclsp.lsp.session import Analysed

COMMAND = "openclsp.showKernel"


def register(server: OpenclServer) -> None:
    """Registers `textDocument/codeLens`, `codeLens/resolve` and the command that a lens runs.

    The command shows the full summary of the kernel. Its arguments are the document's URI and the kernel's
    name and number, as in the lens.
    """

    @request(server, types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=True))
    async def lenses(ls: OpenclServer, params: types.CodeLensParams) -> list[types.CodeLens] | None:
        uri = params.text_document.uri

        def work(analysed: Analysed, check: Check) -> list[types.CodeLens]:
            return _lenses(ls, analysed, uri)

        return await ls.answer(uri, work)

    @request(server, types.CODE_LENS_RESOLVE)
    async def resolve(ls: OpenclServer, lens: types.CodeLens) -> types.CodeLens:
        data = lens.data
        if not isinstance(data, dict):
            return lens
        uri, name, number = _kernel(data.get("uri"), data.get("name"), data.get("number"))
        title = await ls.answer(uri, lambda analysed, check: _title(analysed, name, number))
        if title is not None:
            lens.command = types.Command(title, COMMAND, arguments=[uri, name, number])
        return lens

    @server.command(COMMAND)
    async def show(ls: OpenclServer, *arguments: Any) -> None:
        uri, name, number = _kernel(*(*arguments, None, None, None)[:3])
        told = await ls.answer(uri, lambda analysed, check: _told(analysed, name, number))
        if told is not None:
            ls.show(told, types.MessageType.Info)


def _kernel(uri: object, name: object, number: object) -> tuple[str, str, int]:
    return str(uri), str(name), number if isinstance(number, int) else 0


def _lenses(ls: OpenclServer, analysed: Analysed, uri: str) -> list[types.CodeLens]:
    from openclsp.ide.kernel_summary import kernels

    if analysed.unit.unit.excluded:
        return []
    text = analysed.document.text
    return [
        types.CodeLens(
            range_between(text, place.start, place.end, ls.client.encoding),
            data={"uri": uri, "name": key[1], "number": key[2]},
        )
        for key, place in kernels(analysed.unit, analysed.document.name)
    ]


def _title(analysed: Analysed, name: str, number: int) -> str | None:
    from openclsp.ide.kernel_words import lens_title

    found = _summary(analysed, name, number)
    return None if found is None else lens_title(found)


def _told(analysed: Analysed, name: str, number: int) -> str | None:
    from openclsp.ide.kernel_words import told

    found = _summary(analysed, name, number)
    return None if found is None else told(found)


def _summary(analysed: Analysed, name: str, number: int) -> KernelSummary | None:
    """The summary of a kernel; None if the document no longer defines it."""
    from openclsp.ide.kernel_summary import kernel_named

    return kernel_named(analysed.unit, name, number)
