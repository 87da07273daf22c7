"""Call hierarchy, in both directions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from openclsp.lsp.document_ranges import DocumentRanges
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.positions import offset_at
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.cancellation import CancellationCheck
from openclsp.lsp.uris import document_name

if TYPE_CHECKING:
    from openclsp.ide.navigation.call_hierarchy import CallableFunction, FunctionCalls
    from openclsp.lsp.session.analysis_session import DocumentAnalysis
    from openclsp.semantics.translation_unit import TranslationUnit


def register(server: OpenclServer) -> None:
    """Registers `textDocument/prepareCallHierarchy` and the requests for callers and called functions.

    A call hierarchy item carries the URI of the open document through which it was found, because the
    function itself may be in a file that is not open.
    """

    @register_request(server, types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)
    async def prepare(
        ls: OpenclServer, params: types.CallHierarchyPrepareParams
    ) -> list[types.CallHierarchyItem] | None:
        uri = params.text_document.uri

        def work(
            analysed: DocumentAnalysis, check: CancellationCheck
        ) -> list[types.CallHierarchyItem] | None:
            from openclsp.ide.navigation.call_hierarchy import function_at

            offset = offset_at(analysed.document.text, params.position, ls.client_features.encoding)
            found = function_at(analysed.unit, analysed.document.name, offset)
            ranges = _ranges(ls, analysed, check)
            return None if found is None else [_item(found, ranges, uri)]

        return await ls.answer_request(uri, work)

    @register_request(server, types.CALL_HIERARCHY_INCOMING_CALLS)
    async def incoming(
        ls: OpenclServer, params: types.CallHierarchyIncomingCallsParams
    ) -> list[types.CallHierarchyIncomingCall] | None:
        uri = _through(params.item)

        def work(
            analysed: DocumentAnalysis, check: CancellationCheck
        ) -> list[types.CallHierarchyIncomingCall]:
            from openclsp.ide.navigation.call_hierarchy import find_callers

            project = analysed.project_access(check)
            unit = _unit_of(analysed, params.item, check)
            if unit is None:
                return []
            ranges = _ranges(ls, analysed, check)
            found = find_callers(unit, params.item.name, project.open_units, cache(project.names))
            return [
                types.CallHierarchyIncomingCall(
                    _item(each.function, ranges, uri), [ranges.range(call) for call in _own_calls(each)]
                )
                for each in found
            ]

        return await ls.answer_request(uri, work)

    @register_request(server, types.CALL_HIERARCHY_OUTGOING_CALLS)
    async def outgoing(
        ls: OpenclServer, params: types.CallHierarchyOutgoingCallsParams
    ) -> list[types.CallHierarchyOutgoingCall] | None:
        uri = _through(params.item)

        def work(
            analysed: DocumentAnalysis, check: CancellationCheck
        ) -> list[types.CallHierarchyOutgoingCall]:
            from openclsp.ide.navigation.call_hierarchy import find_callees

            unit = _unit_of(analysed, params.item, check)
            if unit is None:
                return []
            ranges = _ranges(ls, analysed, check)
            return [
                types.CallHierarchyOutgoingCall(
                    _item(each.function, ranges, uri), [ranges.range(call) for call in each.calls]
                )
                for each in find_callees(unit, params.item.name)
            ]

        return await ls.answer_request(uri, work)


def _ranges(ls: OpenclServer, analysed: DocumentAnalysis, check: CancellationCheck) -> DocumentRanges:
    project = analysed.project_access(check)
    names: Callable[[], Any] = cache(project.names)
    return DocumentRanges(analysed, ls.client_features.encoding, project, names)


def _own_calls(calls: FunctionCalls) -> list[Any]:
    """Returns the locations of those calls that are in the caller's document.

    The protocol has only ranges of calls, and they refer to the caller's document.
    """
    return [each for each in calls.calls if each.document == calls.function.selection.document]


def _through(item: types.CallHierarchyItem) -> str:
    """Returns the URI of the open document through which a call hierarchy item was found."""
    data: Any = item.data
    found = data.get("uri") if isinstance(data, dict) else None
    return found if isinstance(found, str) else item.uri


def _unit_of(
    analysed: DocumentAnalysis, item: types.CallHierarchyItem, check: CancellationCheck
) -> TranslationUnit | None:
    """Returns a unit that contains the function of a call hierarchy item.

    It is the analysed unit, the unit of another open document, or a new unit of the function's file. Returns
    None if the file is not part of the project.
    """
    name = document_name(item.uri)
    if name in analysed.unit.preprocessed.documents():
        return analysed.unit
    project = analysed.project_access(check)
    for each in project.open_units():
        if name in each.preprocessed.documents():
            return each
    return next(iter(project.units_of(name)), None) if project.contains(name) else None


def _item(function: CallableFunction, ranges: DocumentRanges, uri: str) -> types.CallHierarchyItem:
    return types.CallHierarchyItem(
        function.name,
        types.SymbolKind.Function,
        ranges.uri(function.selection.document),
        ranges.range(function.whole),
        ranges.range(function.selection),
        detail="kernel" if function.is_kernel else None,
        data={"uri": uri},
    )
