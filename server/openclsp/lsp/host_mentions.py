"""Answers requests at names of kernels in host code as if they were made at the kernels' definitions.

The documents that define the kernels need not be open.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final

import attrs
from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified

from openclsp.dataclass import dataclass
from openclsp.host_code.host_language import host_language_of_identifier
from openclsp.host_code.kernel_mentions import KernelName, mention_at
from openclsp.host_code.program_document import program_documents
from openclsp.ide.feature_results import Location
from openclsp.lsp.host_translation import AnswerTranslation, ProgramRequest
from openclsp.lsp.positions import offset_at, position_at, range_between
from openclsp.lsp.refusals import RenameRefused
from openclsp.lsp.session.analysis_thread import DroppedJob, JobPriority
from openclsp.lsp.session.host_documents import PROGRAM_LANGUAGE
from openclsp.lsp.session.open_documents import OpenDocument, make_closed_document
from openclsp.lsp.transport.protocol import SerializedResult

if TYPE_CHECKING:
    from openclsp.host_code.program_document import ProgramDocument
    from openclsp.lsp.language_server import OpenclServer
    from openclsp.lsp.session.analysis_session import AnalysisSession
    from openclsp.lsp.session.project_indexes import ProjectIndexes
    from openclsp.lsp.session.snapshot import Snapshot

_PLACES: Final = frozenset(
    (types.TEXT_DOCUMENT_DEFINITION, types.TEXT_DOCUMENT_DECLARATION, types.TEXT_DOCUMENT_IMPLEMENTATION)
)
_RENAMING: Final = frozenset((types.TEXT_DOCUMENT_RENAME, types.TEXT_DOCUMENT_PREPARE_RENAME))
MAXIMUM_CLOSED_TARGETS: Final = 4
"""The number of closed documents whose analyses are cached, so that the next answer about the same kernel is
quick.
"""

Answer = Callable[[Any], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class KernelTarget:
    """The position of a kernel's name in a document: bytes `start` to `end`.

    If the kernel is in a string of a host file that is not open, `host` is this file, and `program` is the
    program in the string. Otherwise both are None.
    """

    document: OpenDocument
    start: int
    end: int
    host: OpenDocument | None = None
    program: ProgramDocument | None = None


async def answer_about_mention(ls: OpenclServer, method: str, params: Any, answer: Answer) -> Any | None:
    """Answers a request at a kernel's name in host code; returns None if no known kernel is named there.

    `answer` is the handler of the request.
    """
    document = ls.open_documents.get_by_uri(params.text_document.uri)
    if document is None:
        return None
    language = host_language_of_identifier(document.language.lower(), document.name)
    if language is None:
        return None
    encoding = ls.client_features.encoding
    mention = mention_at(document.text.data, language, offset_at(document.text, params.position, encoding))
    if mention is None:
        return None
    targets = await _find_targets(ls, document, mention)
    if not targets:
        return None
    written = ls.protocol.to_json(range_between(document.text, mention.start, mention.end, encoding))
    if method in _PLACES:
        return _places(ls, method, targets, written)
    if method in _RENAMING and len(targets) > 1:
        raise RenameRefused(f"`{mention.name}` names {len(targets)} kernels of the project")
    if method == types.TEXT_DOCUMENT_REFERENCES:
        found: list[Any] = []
        for target in targets:
            found += [each for each in await _ask(ls, target, params, answer) or () if each not in found]
        return _serialized(found)
    result = await _ask(ls, targets[0], params, answer)
    if isinstance(result, dict) and method != types.TEXT_DOCUMENT_RENAME:
        result["range"] = written
        if method == types.TEXT_DOCUMENT_HOVER and len(targets) > 1:
            result["contents"]["value"] += f"\n\nOne of {len(targets)} kernels of this name"
    return None if result is None else _serialized(result)


async def _find_targets(
    ls: OpenclServer, document: OpenDocument, mention: KernelName
) -> tuple[KernelTarget, ...]:
    """Finds the kernels that a name in host code denotes.

    Programs in strings of closed host files are added to `ls.hosts`, so that positions in them can be
    translated to the host files.
    """

    def work(
        session: AnalysisSession, snapshot: Snapshot, check: Callable[[], None]
    ) -> tuple[KernelTarget, ...]:
        from openclsp.ide.navigation.host_mentions import find_kernels

        indexes = session.project_indexes(document, snapshot, check)
        built = indexes.built_by(document.name)
        found = find_kernels(mention.name, document.name, indexes.names(), indexes.host_names(), built)
        return tuple(target for each in found if (target := _target(each, indexes)) is not None)

    found = await ls.run_on_session(work, document.name, JobPriority.CURSOR)
    if isinstance(found, DroppedJob):
        raise JsonRpcContentModified
    for each in found:
        if each.host is not None and each.program is not None:
            ls.hosts.add_closed(each.host, each.program)
    return found


def _target(place: Location, indexes: ProjectIndexes) -> KernelTarget | None:
    """Returns the `KernelTarget` for a kernel's name at a location; None if the file cannot be read.

    The location is in a file of OpenCL C, in the program of an open host file, or in a closed host file.
    """
    opened = indexes.snapshot.documents.get(place.document)
    if opened is not None and opened.is_called_opencl:
        return KernelTarget(opened, place.start, place.end)
    read = indexes.read(place.document)
    if read is None:
        return None
    closed = opened or make_closed_document(place.document, read.text)
    for program in program_documents(read):
        start = program.program.value.value_offset(place.start)
        if start is not None:
            own = make_closed_document(program.document.name, program.document.text, PROGRAM_LANGUAGE)
            return KernelTarget(own, start, start + place.end - place.start, closed, program)
    return KernelTarget(closed, place.start, place.end)


async def _ask(ls: OpenclServer, target: KernelTarget, params: Any, answer: Answer) -> Any:
    """Returns the answer to a request as if it were made at `target`, as JSON values.

    Positions of the answer that are in programs are translated to their host files.
    """
    document = _keep(ls, target.document)
    encoding = ls.client_features.encoding
    own = attrs.evolve(
        params,
        text_document=attrs.evolve(params.text_document, uri=document.uri),
        position=position_at(document.text, target.start, encoding),
    )
    result = await answer(own)
    value = json.loads(result.json) if isinstance(result, SerializedResult) else ls.protocol.to_json(result)
    found = ls.hosts.program_of_uri(document.uri)
    request = None if found is None else ProgramRequest(*found, encoding)
    return None if value is None else AnswerTranslation(ls.hosts, encoding, request).translate(value)


def _keep(ls: OpenclServer, document: OpenDocument) -> OpenDocument:
    """Caches a closed document, so that later requests can reuse its analysis; returns the document.

    If a document with the same name and text is cached already, returns that one. An open document is
    returned unchanged.
    """
    name = document.name
    if ls.open_documents.get_by_name(name) is not None:
        return document
    known = ls.closed_targets.pop(name, None)
    if known is not None and known.text.data == document.text.data:
        document = known
    ls.closed_targets[name] = document
    for other in list(ls.closed_targets)[:-MAXIMUM_CLOSED_TARGETS]:
        del ls.closed_targets[other]
        ls.hosts.remove_closed(other)
        if ls.open_documents.get_by_name(other) is None:
            ls.forget_document(other)
    return document


def _places(
    ls: OpenclServer, method: str, targets: tuple[KernelTarget, ...], written: Any
) -> SerializedResult:
    """Returns the definitions of the kernels as JSON: locations, or links if the client supports them.

    `written` is the range of the name in the host code, from which the links lead.
    """
    encoding = ls.client_features.encoding
    links = method.rsplit("/", 1)[1] in ls.client_features.link_destinations
    found = []
    for each in targets:
        place = ls.protocol.to_json(range_between(each.document.text, each.start, each.end, encoding))
        uri = each.document.uri
        if links:
            link = {"targetUri": uri, "targetRange": place, "targetSelectionRange": place}
            found.append({**link, "originSelectionRange": written})
        else:
            found.append({"uri": uri, "range": place})
    return _serialized(AnswerTranslation(ls.hosts, encoding).translate(found))


def _serialized(value: Any) -> SerializedResult:
    return SerializedResult(json.dumps(value).encode())
