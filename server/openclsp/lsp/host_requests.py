"""Answers requests about host files through the programs in their strings."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final

import attrs
from lsprotocol import types

from openclsp.lsp.host_translation import (
    AnswerTranslation,
    ProgramRequest,
    UntranslatableEdit,
    place_diagnostics,
    translate_tokens,
)
from openclsp.lsp.transport.protocol import SerializedResult

if TYPE_CHECKING:
    from openclsp.lsp.language_server import OpenclServer
    from openclsp.lsp.session.open_documents import OpenDocument

_TOKENS: Final = frozenset(
    (
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA,
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE,
    )
)
_OF_THE_HOST: Final = frozenset(
    (
        types.TEXT_DOCUMENT_FORMATTING,
        types.TEXT_DOCUMENT_RANGE_FORMATTING,
        types.TEXT_DOCUMENT_ON_TYPE_FORMATTING,
        types.TEXT_DOCUMENT_FOLDING_RANGE,
        types.TEXT_DOCUMENT_SELECTION_RANGE,
        types.TEXT_DOCUMENT_LINKED_EDITING_RANGE,
    )
)
"""Requests that are left to the server of the host language"""
_NUMBER_SIGN: Final = b"%23"
"""The URI of every program contains this: the name of its document has a `#` between host file and number."""

Answer = Callable[[Any], Awaitable[Any]]


async def answer_through_programs(ls: OpenclServer, method: str, params: Any, answer: Answer) -> Any:
    """Answers a request; for a host file, asks each program in its strings and joins the answers.

    `answer` is the handler of the request. Edits that cannot be written in a string are omitted. Returns None
    for a request about the text of a host file, such as formatting.
    """
    encoding = ls.client_features.encoding
    document = ls.open_documents.get_by_uri(_uri_of(params))
    programs = () if document is None else ls.hosts.programs_of(document.name)
    if document is None or not programs:
        return await _answer_elsewhere(ls, params, answer)
    if method in _OF_THE_HOST:
        return None
    answers: list[tuple[ProgramRequest, Any]] = []
    for program in programs:
        request = ProgramRequest(document, program, encoding)
        own = request.parameters(params)
        if own is None:
            continue
        if method == types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA:
            own = attrs.evolve(own, previous_result_id="")
        result = _to_json(ls, await answer(own))
        if result is not None:
            answers.append((request, result))
    if method in _TOKENS:
        return _joined_tokens(answers)
    if method == types.TEXT_DOCUMENT_DIAGNOSTIC:
        return _joined_diagnostics(ls, document, answers)
    return _joined(ls, answers)


async def _answer_elsewhere(ls: OpenclServer, params: Any, answer: Answer) -> Any:
    """Answers a request that is not about an open host file with programs.

    The `data` of the request may name a program, for example to resolve an item. The answer is then
    translated to the program's host file.
    """
    encoding = ls.client_features.encoding
    data = getattr(params, "data", None)
    item = getattr(params, "item", None)
    if item is not None:
        data = getattr(item, "data", None)
    uri = data.get("uri") if isinstance(data, dict) else data
    found = ls.hosts.program_of_uri(uri) if isinstance(uri, str) else None
    request = None if found is None else ProgramRequest(*found, encoding)
    if request is not None and item is not None and item.uri == request.host.uri:
        params = attrs.evolve(params, item=_own_item(item, request))
    elif request is not None and isinstance(getattr(params, "position", None), types.Position):
        place = request.place(params.position)
        params = params if place is None else attrs.evolve(params, position=place)
    result = await answer(params)
    if request is None and isinstance(result, SerializedResult) and _NUMBER_SIGN not in result.json:
        # Decoding the tokens or diagnostics of a long kernel would take longer than computing them.
        return result
    translated = _translated(ls, _to_json(ls, result), request)
    return result if translated is None else SerializedResult(json.dumps(translated).encode())


def _own_item(item: Any, request: ProgramRequest) -> Any:
    """Returns a call hierarchy item with its ranges translated from the host file to the program."""
    whole, name = request.part(item.range), request.place(item.selection_range.start)
    if whole is None or name is None:
        return item
    selected = types.Range(name, request.place(item.selection_range.end) or name)
    return attrs.evolve(item, uri=request.uri, range=whole, selection_range=selected)


def _joined(ls: OpenclServer, answers: list[tuple[ProgramRequest, Any]]) -> SerializedResult | None:
    """Returns the first answer that is neither a list nor null, else one list with the elements of all lists.

    Returns None if there are no answers.
    """
    lists: list[Any] = []
    for request, value in answers:
        translated = _translated(ls, value, request)
        if isinstance(translated, list):
            lists += [each for each in translated if each not in lists]
        elif translated is not None:
            return SerializedResult(json.dumps(translated).encode())
    return SerializedResult(json.dumps(lists).encode()) if answers else None


def _translated(ls: OpenclServer, value: Any, request: ProgramRequest | None) -> Any:
    translation = AnswerTranslation(ls.hosts, ls.client_features.encoding, request)
    if isinstance(value, list):
        found = []
        for each in value:
            try:
                found.append(translation.translate(each))
            except UntranslatableEdit:
                continue
        return found
    if isinstance(value, dict) and isinstance(value.get("items"), list):
        return {**value, "items": _translated(ls, value["items"], request)}
    try:
        return translation.translate(value)
    except UntranslatableEdit:
        return None


def _joined_tokens(answers: list[tuple[ProgramRequest, Any]]) -> SerializedResult:
    found: set[tuple[int, int, int, int, int]] = set()
    for request, value in answers:
        numbers = value.get("data")
        if isinstance(numbers, list):
            translate_tokens(numbers, request, lambda *token: found.add(token))
    numbers = []
    line = column = 0
    last_line, last_end = -1, 0
    for place, first, length, kind, modifiers in sorted(found):
        if place == last_line and first < last_end:
            continue
        numbers += [place - line, first - column if place == line else first, length, kind, modifiers]
        line, column, last_line, last_end = place, first, place, first + length
    return SerializedResult(b'{"data":%s}' % json.dumps(numbers).encode())


def _joined_diagnostics(
    ls: OpenclServer, host: OpenDocument, answers: list[tuple[ProgramRequest, Any]]
) -> SerializedResult:
    found = [(request, value.get("items", [])) for request, value in answers]
    encoding = ls.client_features.encoding
    items = place_diagnostics(ls.hosts, encoding, found) + ls.hosts.calls.items_of(host, encoding)
    return SerializedResult(b'{"kind":"full","items":%s}' % json.dumps(items).encode())


def _to_json(ls: OpenclServer, result: Any) -> Any:
    if isinstance(result, SerializedResult):
        return json.loads(result.json)
    return None if result is None else ls.protocol.to_json(result)


def _uri_of(params: object) -> str:
    identifier = getattr(params, "text_document", None) or getattr(params, "textDocument", None)
    return str(getattr(identifier, "uri", ""))
