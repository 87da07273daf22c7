"""Signature help through the protocol."""

from __future__ import annotations

from lsprotocol import types

from .conftest import Start
from .editor import Buffer
from .marks import position

KERNEL = """\
/** Adds numbers.
 * @param größe the `first`
 */
int add(global int *größe, int n);
kernel void k(global int *out) {
    /* ä */ add(out, ⟪ ⟫);
    sin(⟪ ⟫);
    // add(⟪ ⟫
}
"""


async def _help(
    buffer: Buffer, span: int, context: types.SignatureHelpContext | None = None
) -> types.SignatureHelp | None:
    return await buffer.editor.client.text_document_signature_help_async(
        types.SignatureHelpParams(
            types.TextDocumentIdentifier(buffer.uri),
            position(buffer.text, buffer.spans[span][0], buffer.editor.encoding),
            context,
        )
    )


async def test_signatures_parameters_and_the_kept_overload(start: Start, encoding: str) -> None:
    buffer = await (await start(encoding=encoding)).open_kernel(KERNEL)
    found = await _help(buffer, 0)
    assert found is not None
    (signature,) = found.signatures
    assert signature.label == "int add(global int *größe, int n)"
    assert (found.active_signature, found.active_parameter) == (0, 1)
    assert signature.parameters is not None
    first = signature.parameters[0]
    assert isinstance(first.documentation, types.MarkupContent)
    assert "first" in first.documentation.value
    shown = await _help(buffer, 1)
    assert shown is not None
    assert shown.signatures[shown.active_signature or 0].label == "float sin(float x)"
    shown.active_signature = next(
        number for number, each in enumerate(shown.signatures) if each.label == "float4 sin(float4 x)"
    )
    again = await _help(
        buffer,
        1,
        types.SignatureHelpContext(
            types.SignatureHelpTriggerKind.ContentChange, is_retrigger=True, active_signature_help=shown
        ),
    )
    assert again is not None
    assert again.active_signature == shown.active_signature
    assert await _help(buffer, 2) is None
