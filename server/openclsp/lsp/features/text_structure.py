"""Folding ranges, selection ranges and linked editing ranges."""

from __future__ import annotations

from json.encoder import encode_basestring_ascii
from typing import TYPE_CHECKING

from lsprotocol import types

from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.positions import offset_at, range_between, range_numbers
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.cancellation import CancellationCheck
from openclsp.lsp.transport.protocol import SerializedResult

if TYPE_CHECKING:
    from openclsp.ide.structure.folding import FoldingRange
    from openclsp.lsp.session.analysis_session import DocumentAnalysis
    from openclsp.source.text import Encoding, Text

MAXIMUM_POSITIONS = 200
"""The maximum number of positions in a request for selection ranges; each position is a cursor."""


def register(server: OpenclServer) -> None:
    """Registers `foldingRange`, `selectionRange` and `linkedEditingRange` of `textDocument`."""

    @register_request(server, types.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folding(ls: OpenclServer, params: types.FoldingRangeParams) -> SerializedResult | None:
        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> SerializedResult:
            from openclsp.ide.structure.folding import MAXIMUM_RANGES, compute_folding_ranges
            from openclsp.ide.structure.incremental_structure import structure_of

            text, client = analysed.document.text, ls.client_features
            limit = client.folding_limit or MAXIMUM_RANGES
            found = compute_folding_ranges(text, structure_of(analysed.unit, text, check), limit)
            if client.folds_whole_lines:
                parts = [_folded_lines(each, text) for each in found]
            else:
                parts = [_folded_range(each, text, client.encoding) for each in found]
            return SerializedResult(f"[{','.join(parts)}]".encode())

        return await ls.answer_request(params.text_document.uri, work)

    @register_request(server, types.TEXT_DOCUMENT_SELECTION_RANGE)
    async def selection(ls: OpenclServer, params: types.SelectionRangeParams) -> SerializedResult | None:
        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> SerializedResult:
            wanted = params.positions[:MAXIMUM_POSITIONS]
            parts = [_selection(ls, analysed, each, check) for each in wanted]
            return SerializedResult(f"[{','.join(parts)}]".encode())

        return await ls.answer_request(params.text_document.uri, work, at_once=True)

    @register_request(server, types.TEXT_DOCUMENT_LINKED_EDITING_RANGE)
    async def linked(
        ls: OpenclServer, params: types.LinkedEditingRangeParams
    ) -> types.LinkedEditingRanges | None:
        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> types.LinkedEditingRanges | None:
            from openclsp.ide.structure.incremental_structure import structure_of
            from openclsp.ide.structure.linked_ranges import compute_linked_ranges

            text, encoding = analysed.document.text, ls.client_features.encoding
            offset = offset_at(text, params.position, encoding)
            found = compute_linked_ranges(text, structure_of(analysed.unit, text, check), offset)
            ranges = [range_between(text, start, end, encoding) for start, end in found]
            return types.LinkedEditingRanges(ranges, "[A-Za-z_][A-Za-z0-9_]*") if ranges else None

        return await ls.answer_request(params.text_document.uri, work, at_once=True)


def _selection(
    ls: OpenclServer, analysed: DocumentAnalysis, position: types.Position, check: CancellationCheck
) -> str:
    """Returns a `SelectionRange`, nested in the ranges that enclose it, as JSON."""
    from openclsp.ide.location_map import LocationMap
    from openclsp.ide.structure.incremental_structure import structure_of
    from openclsp.ide.structure.selection_ranges import compute_selection_ranges

    check()
    text, encoding = analysed.document.text, ls.client_features.encoding
    offset = offset_at(text, position, encoding)
    structure = structure_of(analysed.unit, text, check)
    places = LocationMap(analysed.unit)
    found = compute_selection_ranges(places, analysed.document.name, text, structure, offset)
    ranges = ',"parent":'.join(f'{{"range":{_range(text, *each, encoding)}' for each in found)
    return ranges + "}" * len(found)


def _range(text: Text, start: int, end: int, encoding: Encoding) -> str:
    """Returns a `Range` as JSON."""
    line, column, last_line, last_column = range_numbers(text, start, end, encoding)
    return (
        f'{{"start":{{"line":{line},"character":{column}}},'
        f'"end":{{"line":{last_line},"character":{last_column}}}}}'
    )


def _folded_lines(folding: FoldingRange, text: Text) -> str:
    """Returns a `FoldingRange` as JSON, for a client that folds only whole lines."""
    return f'{{"startLine":{text.line_of(folding.start)},"endLine":{folding.last_line}{_kind(folding)}}}'


def _folded_range(folding: FoldingRange, text: Text, encoding: Encoding) -> str:
    """Returns a `FoldingRange` as JSON."""
    start, end = text.position(folding.start, encoding), text.position(folding.end, encoding)
    return (
        f'{{"startLine":{start.line},"startCharacter":{start.column},'
        f'"endLine":{end.line},"endCharacter":{end.column}{_kind(folding)}}}'
    )


def _kind(folding: FoldingRange) -> str:
    return f',"kind":{encode_basestring_ascii(folding.kind.value)}' if folding.kind.value else ""
