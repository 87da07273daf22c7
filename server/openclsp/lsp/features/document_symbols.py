"""Document symbols: the outline of a document, with the members of its types nested."""

from __future__ import annotations

from json.encoder import encode_basestring_ascii
from typing import TYPE_CHECKING

from lsprotocol import types

from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.positions import range_numbers
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.cancellation import CancellationCheck
from openclsp.lsp.transport.protocol import SerializedResult

if TYPE_CHECKING:
    from openclsp.ide.document_symbols import DocumentSymbol
    from openclsp.ide.feature_results import Location
    from openclsp.lsp.session.analysis_session import DocumentAnalysis
    from openclsp.source.text import Encoding, Text

_KINDS = {
    "function": types.SymbolKind.Function,
    "kernel": types.SymbolKind.Function,
    "struct": types.SymbolKind.Struct,
    "enum": types.SymbolKind.Enum,
    "enumerator": types.SymbolKind.EnumMember,
    "member": types.SymbolKind.Field,
    "type": types.SymbolKind.Class,
    "variable": types.SymbolKind.Variable,
    "constant": types.SymbolKind.Constant,
    "macro": types.SymbolKind.Constant,
}
"""The protocol's kind for the value of a symbol's kind."""


def register(server: OpenclServer) -> None:
    """Registers `textDocument/documentSymbol`.

    A client without hierarchical symbols gets the top-level symbols only.
    """

    @register_request(server, types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(ls: OpenclServer, params: types.DocumentSymbolParams) -> SerializedResult | None:
        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> SerializedResult:
            from openclsp.ide.document_symbols import compute_document_symbols

            found = compute_document_symbols(analysed.unit, analysed.document.name)
            text, encoding = analysed.document.text, ls.client_features.encoding
            if ls.client_features.supports_nested_symbols:
                parts = [_nested(each, text, encoding) for each in found]
            else:
                uri = encode_basestring_ascii(analysed.document.uri)
                parts = [_flat(each, text, encoding, uri) for each in found]
            return SerializedResult(f"[{','.join(parts)}]".encode())

        return await ls.answer_request(params.text_document.uri, work)


def _nested(symbol: DocumentSymbol, text: Text, encoding: Encoding) -> str:
    """Returns a `DocumentSymbol` as JSON.

    Editors request all symbols after each edit, and creating lsprotocol's objects takes as long as computing
    the symbols.
    """
    parts = [
        f'{{"name":{encode_basestring_ascii(symbol.name)},"kind":{_KINDS[symbol.kind.value].value}',
        f',"range":{_range(symbol.full_range, text, encoding)}',
        f',"selectionRange":{_range(symbol.name_range, text, encoding)}',
    ]
    if symbol.detail:
        parts.append(f',"detail":{encode_basestring_ascii(symbol.detail)}')
    if symbol.children:
        parts.append(f',"children":[{",".join([_nested(each, text, encoding) for each in symbol.children])}]')
    return "".join(parts) + "}"


def _flat(symbol: DocumentSymbol, text: Text, encoding: Encoding, uri: str) -> str:
    """Returns a `SymbolInformation` as JSON."""
    where = _range(symbol.full_range, text, encoding)
    name, kind = encode_basestring_ascii(symbol.name), _KINDS[symbol.kind.value].value
    return f'{{"name":{name},"kind":{kind},"location":{{"uri":{uri},"range":{where}}}}}'


def _range(place: Location, text: Text, encoding: Encoding) -> str:
    line, column, last_line, last_column = range_numbers(text, place.start, place.end, encoding)
    return (
        f'{{"start":{{"line":{line},"character":{column}}},'
        f'"end":{{"line":{last_line},"character":{last_column}}}}}'
    )
