"""Read-only documents of the server (`workspace/textDocumentContent`, LSP 3.18).

openclsp:/rules/CODE.md                the page about a code
openclsp:/kernels/NUMBER/NAME.txt?URI  the full summary of a kernel of the document URI: see `code_lens`
openclsp:/expanded/PATH                an open document after preprocessing
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.cancellation import CancellationCheck
from openclsp.lsp.session.code_pages import CONTENT_SCHEME, page_text
from openclsp.lsp.uris import document_uri, quote_uri_part, split_uri

if TYPE_CHECKING:
    from openclsp.ide.kernels.kernel_summary import KernelSummary
    from openclsp.lsp.session.analysis_session import DocumentAnalysis

_KERNELS = "/kernels/"
_EXPANDED = "/expanded"


def register(server: OpenclServer) -> None:
    """Registers `workspace/textDocumentContent`."""

    @register_request(server, types.WORKSPACE_TEXT_DOCUMENT_CONTENT)
    async def content(
        ls: OpenclServer, params: types.TextDocumentContentParams
    ) -> types.TextDocumentContentResult:
        scheme, path, query = split_uri(params.uri)
        text = page_text(path) if scheme == CONTENT_SCHEME else None
        if text is None and scheme == CONTENT_SCHEME and path.startswith(_KERNELS):
            text = await _kernel_text(ls, path, query)
        elif text is None and scheme == CONTENT_SCHEME and path.startswith(f"{_EXPANDED}/"):
            text = await ls.answer_request(document_uri(path.removeprefix(_EXPANDED)), _expanded)
        if text is None:
            raise JsonRpcInvalidParams(f"there is no document {params.uri}")
        return types.TextDocumentContentResult(text)


def content_registrations() -> list[types.Registration]:
    """Returns the dynamic registration for the URI scheme of the server's documents."""
    return [
        types.Registration(
            "openclsp-text-content",
            types.WORKSPACE_TEXT_DOCUMENT_CONTENT,
            types.TextDocumentContentRegistrationOptions([CONTENT_SCHEME]),
        )
    ]


def kernel_uri(uri: str, name: str, number: int) -> str:
    """Returns the URI of a kernel's summary; `number`, from 0, selects one of several kernels with this name."""
    return f"{CONTENT_SCHEME}:{_KERNELS}{number}/{quote_uri_part(name)}.txt?{quote_uri_part(uri)}"


def _expanded(analysed: DocumentAnalysis, check: CancellationCheck) -> str | None:
    from openclsp.ide.expansion.expanded_document import compute_expanded_document

    check()
    return compute_expanded_document(analysed.unit, analysed.document.name)


async def _kernel_text(ls: OpenclServer, path: str, uri: str) -> str | None:
    from openclsp.ide.kernels.kernel_text import format_kernel_summary

    number, _, name = path.removeprefix(_KERNELS).removesuffix(".txt").partition("/")
    if not number.isdecimal() or len(number) > 9:
        return None
    found = await ls.answer_request(
        uri, lambda analysed, check: summary_with_host(ls, analysed, name, int(number))
    )
    return None if found is None else format_kernel_summary(found) + "\n"


def summary_with_host(
    ls: OpenclServer, analysed: DocumentAnalysis, name: str, number: int
) -> KernelSummary | None:
    """Returns the summary of a kernel, with the sizes of the `local` arguments that host code passes to it.

    `number`, from 0, selects one of several kernels with this name. Returns None if the document no longer
    defines the kernel.
    """
    from openclsp.ide.kernels.kernel_summary import compute_summary_of_name

    found = compute_summary_of_name(analysed.unit, name, number)
    return None if found is None else found.with_host(ls.hosts.calls.local_arguments(analysed.document.name))
