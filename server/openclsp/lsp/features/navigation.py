"""Definition, declaration, type definition, implementation, references and document highlights."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from lsprotocol import types

from openclsp.lsp.document_ranges import DocumentRanges
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.positions import offset_at
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.analysis_thread import JobPriority
from openclsp.lsp.session.cancellation import CancellationCheck
from openclsp.lsp.transport.protocol import SerializedResult

if TYPE_CHECKING:
    from openclsp.ide.navigation.definitions import Destination
    from openclsp.ide.navigation.symbols import Occurrence
    from openclsp.lsp.session.analysis_session import DocumentAnalysis

_SLICE_SECONDS: Final = 0.05
"""The seconds for which names are resolved in the background before other jobs of the analysis thread can
run.
"""
Places = list[types.Location] | list[types.LocationLink] | None


def register(server: OpenclServer) -> None:
    """Registers the requests that lead from a name to its declarations or uses."""

    @register_request(server, types.TEXT_DOCUMENT_DEFINITION)
    async def definition(ls: OpenclServer, params: types.DefinitionParams) -> Places:
        return await _destinations(ls, params.text_document.uri, params.position, "DEFINITION", "definition")

    @register_request(server, types.TEXT_DOCUMENT_DECLARATION)
    async def declaration(ls: OpenclServer, params: types.DeclarationParams) -> Places:
        return await _destinations(
            ls, params.text_document.uri, params.position, "DECLARATION", "declaration"
        )

    @register_request(server, types.TEXT_DOCUMENT_TYPE_DEFINITION)
    async def type_definition(ls: OpenclServer, params: types.TypeDefinitionParams) -> Places:
        return await _destinations(
            ls, params.text_document.uri, params.position, "TYPE_DEFINITION", "typeDefinition"
        )

    @register_request(server, types.TEXT_DOCUMENT_IMPLEMENTATION)
    async def implementation(ls: OpenclServer, params: types.ImplementationParams) -> Places:
        return await _destinations(
            ls, params.text_document.uri, params.position, "IMPLEMENTATION", "implementation"
        )

    @register_request(server, types.TEXT_DOCUMENT_REFERENCES)
    async def references(ls: OpenclServer, params: types.ReferenceParams) -> SerializedResult | None:
        with_declaration = params.context.include_declaration
        is_cut = False

        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> SerializedResult:
            from openclsp.ide.navigation.host_mentions import find_host_references, kernel_at
            from openclsp.ide.navigation.project_references import MAXIMUM_REFERENCES, find_references

            nonlocal is_cut

            offset = offset_at(analysed.document.text, params.position, ls.client_features.encoding)
            project = analysed.project_access(check)
            names = cache(project.names)
            found = find_references(analysed.unit, analysed.document.name, offset, names, project.open_units)
            kernel = kernel_at(analysed.unit, analysed.document.name, offset)
            if kernel is not None:
                found += find_host_references(*kernel, project.host_names())
            is_cut = len(found) >= MAXIMUM_REFERENCES
            ranges = DocumentRanges(analysed, ls.client_features.encoding, project, names)
            wanted = [
                ranges.location_json(each.location)
                for each in found
                if with_declaration or not each.role.declares
            ]
            return SerializedResult(f"[{','.join(wanted)}]".encode())

        answer = await ls.answer_request(params.text_document.uri, work)
        if is_cut:
            ls.show_message_once(
                "openclsp: there are more references than an answer can have; those in other files are incomplete",
                types.MessageType.Info,
            )
        return answer

    @register_request(server, types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def highlights(ls: OpenclServer, params: types.DocumentHighlightParams) -> SerializedResult | None:
        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> SerializedResult | None:
            from openclsp.ide.navigation.definitions import find_occurrences

            document = analysed.document
            offset = offset_at(document.text, params.position, ls.client_features.encoding)
            found = find_occurrences(analysed.unit, document.name, offset, only_here=True)
            if found is None:
                return None
            ranges = DocumentRanges(analysed, ls.client_features.encoding)
            # The answer is written as JSON: editors ask after each movement of the cursor, and objects take
            # longer to create than the answer.
            parts = [
                f'{{"range":{ranges.range_json(each.location)},"kind":{_highlight_kind(each).value}}}'
                for each in found[1]
            ]
            return SerializedResult(f"[{','.join(parts)}]".encode())

        return await ls.answer_request(params.text_document.uri, work, at_once=True)


async def resolve_names_ahead(ls: OpenclServer, name: str) -> None:
    """Resolves the names of an open document in the background, in slices between other jobs."""
    while True:
        document = ls.open_documents.get_by_name(name)
        if document is None:
            return

        def work(analysed: DocumentAnalysis | None, check: CancellationCheck) -> bool:
            from openclsp.ide.navigation.item_uses import resolve_names

            check()
            return analysed is None or resolve_names(analysed.unit, name, _SLICE_SECONDS)

        if await ls.analyse(document, JobPriority.BACKGROUND, work) is True:
            return


def _highlight_kind(occurrence: Occurrence) -> types.DocumentHighlightKind:
    if occurrence.role.declares:
        return types.DocumentHighlightKind.Text
    written = occurrence.role.value == "write"
    return types.DocumentHighlightKind.Write if written else types.DocumentHighlightKind.Read


async def _destinations(
    ls: OpenclServer, uri: str, position: types.Position, wanted: str, capability: str
) -> Places:
    def work(analysed: DocumentAnalysis, check: CancellationCheck) -> Places:
        from openclsp.ide.navigation.definitions import Destination
        from openclsp.ide.navigation.project_definitions import find_project_destinations

        document, encoding = analysed.document, ls.client_features.encoding
        offset = offset_at(document.text, position, encoding)
        kind: Destination = Destination[wanted]
        project = analysed.project_access(check)
        names = cache(project.names)
        found = find_project_destinations(analysed.unit, document.name, offset, kind, names)
        if found is None:
            return None
        ranges = DocumentRanges(analysed, encoding, project, names)
        if capability not in ls.client_features.link_destinations:
            return [ranges.location(each.location) for each in found.places]
        origin = ranges.range(found.origin) if found.origin.document == document.name else None
        return [
            types.LocationLink(
                ranges.uri(each.location.document),
                ranges.range(each.whole),
                ranges.range(each.location),
                origin,
            )
            for each in found.places
        ]

    return await ls.answer_request(uri, work, at_once=True)
