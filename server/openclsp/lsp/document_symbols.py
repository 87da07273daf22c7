"""Document symbols: the outline of a document, with the members of its types below them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from openclsp.lsp.jobs import Check
from openclsp.lsp.language_server import OpenclServer, request
from openclsp.lsp.positions import range_between

if TYPE_CHECKING:
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
"""By the value of a symbol's kind."""


def register(server: OpenclServer) -> None:
    """Registers `textDocument/documentSymbol`. A client that knows no hierarchy gets the symbols without what is below."""

    @request(server, types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(
        ls: OpenclServer, params: types.DocumentSymbolParams
    ) -> list[types.DocumentSymbol] | list[types.SymbolInformation] | None:
        def work(
            analysed: Analysed, check: Check
        ) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
            from openclsp.ide.document_symbols import document_symbols

            found = document_symbols(analysed.unit, analysed.document.name)
            text, encoding = analysed.document.text, ls.client.encoding
            if ls.client.nests_symbols:
                return [_nested(each, text, encoding) for each in found]
            return [_flat(each, text, encoding, analysed.document.uri) for each in found]

        return await ls.answer(params.text_document.uri, work)


def _nested(symbol: Symbol, text: Text, encoding: Encoding) -> types.DocumentSymbol:
    children = [_nested(each, text, encoding) for each in symbol.children]
    return types.DocumentSymbol(
        symbol.name,
        _KINDS[symbol.kind.value],
        range_between(text, symbol.whole.start, symbol.whole.end, encoding),
        range_between(text, symbol.name_at.start, symbol.name_at.end, encoding),
        detail=symbol.detail or None,
        children=children or None,
    )


def _flat(symbol: Symbol, text: Text, encoding: Encoding, uri: str) -> types.SymbolInformation:
    where = range_between(text, symbol.whole.start, symbol.whole.end, encoding)
    return types.SymbolInformation(types.Location(uri, where), symbol.name, _KINDS[symbol.kind.value])
