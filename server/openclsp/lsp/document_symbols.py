"""Document symbols: the outline of a document, with the members of its types nested."""

from __future__ import annotations

from json.encoder import encode_basestring_ascii
from typing import TYPE_CHECKING

from lsprotocol import types

from openclsp.lsp.language_server import OpenclServer, request
from openclsp.lsp.positions import places_between
from openclsp.lsp.protocol import Written
from openclsp.lsp.superseded import Check

if TYPE_CHECKING:
    from openclsp.ide.answers import Location
    from openclsp.ide.document_symbols import Symbol
    from openclsp.lsp.session import Analysed
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

    @request(server, types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(ls: OpenclServer, params: types.DocumentSymbolParams) -> Written | None:
        def work(analysed: Analysed, check: Check) -> Written:
            from openclsp.ide.document_symbols import document_symbols

            found = document_symbols(analysed.unit, analysed.document.name)
            text, encoding = analysed.document.text, ls.client.encoding
            if ls.client.nests_symbols:
                parts = [_nested(each, text, encoding) for each in found]
            else:
                uri = encode_basestring_ascii(analysed.document.uri)
                parts = [_flat(each, text, encoding, uri) for each in found]
            return Written(f"[{','.join(parts)}]".encode())

        return await ls.answer(params.text_document.uri, work)


def _nested(symbol: Symbol, text: Text, encoding: Encoding) -> str:
    """A `DocumentSymbol` as JSON.

    Editors request all symbols after each edit, and creating lsprotocol's objects takes as long as computing
    them.
    """
    parts = [
        f'{{"name":{encode_basestring_ascii(symbol.name)},"kind":{_KINDS[symbol.kind.value].value}',
        f',"range":{_range(symbol.whole, text, encoding)}',
        f',"selectionRange":{_range(symbol.name_at, text, encoding)}',
    ]
    if symbol.detail:
        parts.append(f',"detail":{encode_basestring_ascii(symbol.detail)}')
    if symbol.children:
        parts.append(f',"children":[{",".join([_nested(each, text, encoding) for each in symbol.children])}]')
    return "".join(parts) + "}"


def _flat(symbol: Symbol, text: Text, encoding: Encoding, uri: str) -> str:
    """A `SymbolInformation` as JSON."""
    where = _range(symbol.whole, text, encoding)
    name, kind = encode_basestring_ascii(symbol.name), _KINDS[symbol.kind.value].value
    return f'{{"name":{name},"kind":{kind},"location":{{"uri":{uri},"range":{where}}}}}'


def _range(place: Location, text: Text, encoding: Encoding) -> str:
    line, column, last_line, last_column = places_between(text, place.start, place.end, encoding)
    return (
        f'{{"start":{{"line":{line},"character":{column}}},'
        f'"end":{{"line":{last_line},"character":{last_column}}}}}'
    )
