"""The request `textDocument/signatureHelp`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lsprotocol import types

from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.positions import offset_at
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.cancellation import CancellationCheck
from openclsp.lsp.transport.protocol import SerializedResult

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
    async def signature_help(ls: OpenclServer, params: types.SignatureHelpParams) -> SerializedResult | None:
        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> SerializedResult | None:
            return _signature_help(ls, analysed, params)

        return await ls.answer_request(params.text_document.uri, work, at_once=True)


def _signature_help(
    ls: OpenclServer, analysed: DocumentAnalysis, params: types.SignatureHelpParams
) -> SerializedResult | None:
    from openclsp.ide.signature_help.signature_help import compute_signature_help

    document = analysed.document
    offset = offset_at(document.text, params.position, ls.client_features.encoding)
    found = compute_signature_help(analysed.unit, document.name, offset, _kept_label(params))
    if found is None:
        return None
    answer = {
        "signatures": [_signature(ls, found, each) for each in found.signatures],
        "activeSignature": found.active,
        "activeParameter": found.parameter_of(found.signatures[found.active]),
    }
    return SerializedResult(json.dumps(answer).encode())


def _kept_label(params: types.SignatureHelpParams) -> str:
    """Returns the label of the signature that the client shows as active; the user may have chosen it."""
    context = params.context
    if context is None or not context.is_retrigger:
        return ""
    shown = context.active_signature_help
    if shown is None or shown.active_signature is None or shown.active_signature >= len(shown.signatures):
        return ""
    return shown.signatures[shown.active_signature].label


def _signature(ls: OpenclServer, found: SignatureList, signature: CallSignature) -> dict[str, object]:
    answer: dict[str, object] = {
        "label": signature.label,
        "parameters": [_parameter(ls, signature.label, each) for each in signature.parameters],
        "activeParameter": found.parameter_of(signature),
    }
    if signature.documentation:
        answer["documentation"] = _documentation(ls, signature.documentation)
    return answer


def _parameter(ls: OpenclServer, label: str, parameter: SignatureParameter) -> dict[str, object]:
    text = label[parameter.start : parameter.end]
    answer: dict[str, object] = {"label": text}
    if ls.client_features.supports_label_offsets:
        # Offsets in labels are in UTF-16 units, whatever the encoding of positions (LSP 3.17,
        # "ParameterInformation").
        start = len(label[: parameter.start].encode("utf-16-le")) // 2
        answer["label"] = (start, start + len(text.encode("utf-16-le")) // 2)
    if parameter.documentation:
        answer["documentation"] = _documentation(ls, parameter.documentation)
    return answer


def _documentation(ls: OpenclServer, text: str) -> dict[str, str]:
    if not ls.client_features.signature_markdown:
        return {"kind": types.MarkupKind.PlainText.value, "value": text}
    from openclsp.ide.hover.markdown import escape_paragraphs

    return {"kind": types.MarkupKind.Markdown.value, "value": escape_paragraphs(text)}
