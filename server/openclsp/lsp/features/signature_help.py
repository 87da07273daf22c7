"""The request `textDocument/signatureHelp`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.positions import offset_at
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.cancellation import CancellationCheck

if TYPE_CHECKING:
    from openclsp.ide.signature_help.signature_help import SignatureList
    from openclsp.ide.signature_help.written_signatures import CallSignature, SignatureParameter
    from openclsp.lsp.session.analysis_session import DocumentAnalysis


def register(server: OpenclServer) -> None:
    """Registers `textDocument/signatureHelp`."""

    @register_request(
        server,
        types.TEXT_DOCUMENT_SIGNATURE_HELP,
        types.SignatureHelpOptions(trigger_characters=["(", ","], retrigger_characters=[")"]),
    )
    async def signature_help(
        ls: OpenclServer, params: types.SignatureHelpParams
    ) -> types.SignatureHelp | None:
        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> types.SignatureHelp | None:
            return _signature_help(ls, analysed, params)

        return await ls.answer_request(params.text_document.uri, work)


def _signature_help(
    ls: OpenclServer, analysed: DocumentAnalysis, params: types.SignatureHelpParams
) -> types.SignatureHelp | None:
    from openclsp.ide.signature_help.signature_help import compute_signature_help

    document = analysed.document
    offset = offset_at(document.text, params.position, ls.client_features.encoding)
    found = compute_signature_help(analysed.unit, document.name, offset, _kept_label(params))
    if found is None:
        return None
    return types.SignatureHelp(
        [_signature(ls, found, each) for each in found.signatures],
        active_signature=found.active,
        active_parameter=found.parameter_of(found.signatures[found.active]),
    )


def _kept_label(params: types.SignatureHelpParams) -> str:
    """The label of the signature that is active in the client, which a person may have chosen."""
    context = params.context
    if context is None or not context.is_retrigger:
        return ""
    shown = context.active_signature_help
    if shown is None or shown.active_signature is None or shown.active_signature >= len(shown.signatures):
        return ""
    return shown.signatures[shown.active_signature].label


def _signature(
    ls: OpenclServer, found: SignatureList, signature: CallSignature
) -> types.SignatureInformation:
    return types.SignatureInformation(
        signature.label,
        documentation=_documentation(ls, signature.documentation),
        parameters=[_parameter(ls, signature.label, each) for each in signature.parameters],
        active_parameter=found.parameter_of(signature),
    )


def _parameter(ls: OpenclServer, label: str, parameter: SignatureParameter) -> types.ParameterInformation:
    text = label[parameter.start : parameter.end]
    if not ls.client_features.supports_label_offsets:
        return types.ParameterInformation(text, _documentation(ls, parameter.documentation))
    # offsets are in UTF-16 units, whatever the encoding of positions (LSP 3.17, "ParameterInformation")
    start = len(label[: parameter.start].encode("utf-16-le")) // 2
    end = start + len(text.encode("utf-16-le")) // 2
    return types.ParameterInformation((start, end), _documentation(ls, parameter.documentation))


def _documentation(ls: OpenclServer, text: str) -> types.MarkupContent | None:
    if not text:
        return None
    if not ls.client_features.signature_markdown:
        return types.MarkupContent(types.MarkupKind.PlainText, text)
    from openclsp.ide.hover.markdown import escape_paragraphs

    return types.MarkupContent(types.MarkupKind.Markdown, escape_paragraphs(text))
