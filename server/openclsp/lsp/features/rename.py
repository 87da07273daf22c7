"""The requests `textDocument/prepareRename` and `textDocument/rename`."""

from __future__ import annotations

import json
import os.path
from collections.abc import Sequence
from dataclasses import replace
from json.encoder import encode_basestring_ascii
from typing import TYPE_CHECKING, Final

from lsprotocol import types

from openclsp.lsp.document_ranges import DocumentRanges
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.positions import offset_at
from openclsp.lsp.refusals import RenameRefused
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.cancellation import CancellationCheck
from openclsp.lsp.transport.protocol import SerializedResult

if TYPE_CHECKING:
    from openclsp.ide.navigation.rename import RenameEdits, RenameRefusal
    from openclsp.ide.navigation.symbols import SymbolId
    from openclsp.lsp.session.analysis_session import DocumentAnalysis
    from openclsp.lsp.session.project_access import ProjectAccess
    from openclsp.semantics.translation_unit import TranslationUnit

MAXIMUM_RENAMED_PROGRAMS: Final = 64
"""The maximum number of other programs in which a name of a header is renamed; all of them are analysed."""


def register(server: OpenclServer) -> None:
    """Registers `textDocument/rename` and `textDocument/prepareRename`."""

    @register_request(server, types.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare(
        ls: OpenclServer, params: types.PrepareRenameParams
    ) -> types.PrepareRenamePlaceholder | None:
        def work(
            analysed: DocumentAnalysis, check: CancellationCheck
        ) -> types.PrepareRenamePlaceholder | RenameRefusal:
            from openclsp.ide.navigation.rename import RenameRefusal, prepare_rename

            encoding = ls.client_features.encoding
            offset = offset_at(analysed.document.text, params.position, encoding)
            project = analysed.project_access(check)
            found = prepare_rename(analysed.unit, analysed.document.name, offset, project.contains)
            if isinstance(found, RenameRefusal):
                return _elsewhere(analysed, offset, found, project)
            place = DocumentRanges(analysed, encoding).range(found.location)
            return types.PrepareRenamePlaceholder(place, found.name)

        found = await ls.answer_request(params.text_document.uri, work)
        if found is None or isinstance(found, types.PrepareRenamePlaceholder):
            return found
        raise RenameRefused(found.reason)

    @register_request(server, types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def rename(ls: OpenclServer, params: types.RenameParams) -> SerializedResult | None:
        unchanged = ""

        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> SerializedResult | RenameRefusal:
            from openclsp.ide.navigation.rename import RenameEdits, compute_rename

            nonlocal unchanged

            encoding = ls.client_features.encoding
            offset = offset_at(analysed.document.text, params.position, encoding)
            found = compute_rename(
                analysed.unit,
                analysed.document.name,
                offset,
                params.new_name,
                analysed.project_access(check).contains,
                lambda symbol, documents: _other_programs(analysed, symbol, documents, check),
            )
            project = analysed.project_access(check)
            if not isinstance(found, RenameEdits):
                return _elsewhere(analysed, offset, found, project)
            whole = _with_undeclared_uses(analysed, offset, found, project)
            if not isinstance(whole, tuple):
                return whole
            found, unchanged = _with_host_code(analysed, offset, whole[0], project)
            unchanged = unchanged or whole[1]
            return _workspace_edit(ls, analysed, found, project)

        found = await ls.answer_request(params.text_document.uri, work)
        if unchanged:
            ls.show_message(unchanged, types.MessageType.Warning)
        if found is None or isinstance(found, SerializedResult):
            return found
        raise RenameRefused(found.reason)


def _other_programs(
    analysed: DocumentAnalysis, symbol: SymbolId, documents: Sequence[str], check: CancellationCheck
) -> Sequence[TranslationUnit] | RenameRefusal:
    from openclsp.ide.navigation.rename import RenameRefusal

    project = analysed.project_access(check)
    found = project.other_programs(documents, symbol.name.encode(), MAXIMUM_RENAMED_PROGRAMS)
    if not isinstance(found, int):
        return found
    return RenameRefusal(
        f"`{symbol.name}` may be used in {found:,} programs; the limit for renaming is {MAXIMUM_RENAMED_PROGRAMS}"
    )


def _with_undeclared_uses(
    analysed: DocumentAnalysis, offset: int, found: RenameEdits, project: ProjectAccess
) -> tuple[RenameEdits, str] | RenameRefusal:
    """Adds to `found` the uses of the symbol in files that neither declare it nor include its declaration.

    The host may concatenate these files with the declaring file. Returns the extended edits and an empty
    message. If it is not certain which declaration these uses mean, because another file of the folder
    declares the same name, returns `found` and a message that they are not renamed. Returns a refusal if the
    new name occurs in one of these files.
    """
    from openclsp.ide.navigation.rename import RenameRefusal
    from openclsp.ide.navigation.undeclared_names import find_undeclared_uses

    if not found.places:
        return found, ""
    uses = find_undeclared_uses(analysed.unit, analysed.document.name, offset, found.new, project.names)
    if isinstance(uses, str):
        return RenameRefusal(uses)
    if not uses.left:
        return replace(found, places={**uses.places, **found.places}), ""
    left, rival = os.path.basename(uses.left), os.path.basename(uses.rival)
    return found, (
        f"openclsp: `{found.old}` in {left} may be that of {rival}, and was not renamed; neither is included"
    )


def _elsewhere(
    analysed: DocumentAnalysis, offset: int, found: RenameRefusal, project: ProjectAccess
) -> RenameRefusal:
    """Returns the refusal of a rename of the name at `offset`.

    The refusal names the declaring file if only another file declares the name; otherwise it is `found`.
    """
    from openclsp.ide.navigation.rename import RenameRefusal
    from openclsp.ide.navigation.undeclared_names import find_destinations_elsewhere

    other = find_destinations_elsewhere(analysed.unit, analysed.document.name, offset, project.names)
    if other is None:
        return found
    place = other.places[0].location.document
    return RenameRefusal(f"this program does not declare the name: rename it in `{place}`, which does")


def _with_host_code(
    analysed: DocumentAnalysis, offset: int, found: RenameEdits, project: ProjectAccess
) -> tuple[RenameEdits, str]:
    """Adds the places in host code that name the renamed kernel.

    Returns the extended edits, and a message about places that are not renamed; the message is empty if there
    are none.
    """
    from openclsp.ide.navigation.host_mentions import host_places_to_rename, kernel_at

    kernel = kernel_at(analysed.unit, analysed.document.name, offset)
    if kernel is None or not found.places:
        return found, ""
    host = host_places_to_rename(*kernel, project.names(), project.host_names())
    edits = replace(found, places={**found.places, **host.places})
    if not host.left:
        return edits, ""
    first = host.left[0]
    text = project.read(first.document)
    line = "" if text is None else f":{text.text.position(first.start, 'utf-8').line + 1}"
    others = len(host.left) - 1
    more = f" and {others} other place{'s' if others > 1 else ''} in host code" if others else ""
    return edits, (
        f"openclsp: `{found.old}` in {os.path.basename(first.document)}{line}{more} may name another kernel or none, "
        "and was not renamed"
    )


def _workspace_edit(
    ls: OpenclServer, analysed: DocumentAnalysis, found: RenameEdits, project: ProjectAccess
) -> SerializedResult:
    """Returns the edits as JSON. There may be thousands, and creating an object for each takes too long."""
    from openclsp.ide.feature_results import Location

    ranges = DocumentRanges(analysed, ls.client_features.encoding, project)
    length, new = len(found.old.encode()), encode_basestring_ascii(found.new)
    parts = []
    for name, starts in found.places.items():
        edits = ",".join(
            f'{{"range":{ranges.range_json(Location(name, start, start + length))},"newText":{new}}}'
            for start in starts
        )
        uri = encode_basestring_ascii(ranges.uri(name))
        if ls.client_features.supports_document_changes:
            version = json.dumps(analysed.version_of(name))
            parts.append(f'{{"textDocument":{{"uri":{uri},"version":{version}}},"edits":[{edits}]}}')
        else:
            parts.append(f"{uri}:[{edits}]")
    if ls.client_features.supports_document_changes:
        return SerializedResult(f'{{"documentChanges":[{",".join(parts)}]}}'.encode())
    return SerializedResult(f'{{"changes":{{{",".join(parts)}}}}}'.encode())
