"""The request `workspace/willRenameFiles`: updates includes when files or folders are renamed or moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from openclsp.lsp.file_globs import glob_of_suffixes
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.positions import range_between
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.analysis_thread import DroppedJob
from openclsp.lsp.uris import document_name, document_uri, is_file_name
from openclsp.project.file_discovery import INCLUDABLE_SUFFIXES

if TYPE_CHECKING:
    from openclsp.ide.feature_results import TextEdit
    from openclsp.lsp.session.analysis_session import AnalysisSession
    from openclsp.lsp.session.cancellation import CancellationCheck
    from openclsp.lsp.session.snapshot import Snapshot
    from openclsp.source.document import Document

    MovedEdits = tuple[tuple[Document, list[TextEdit]], ...]

_FILES = glob_of_suffixes(INCLUDABLE_SUFFIXES)


def register(server: OpenclServer) -> None:
    """Registers `workspace/willRenameFiles` for folders, and for files that kernels may include."""
    file, folder = types.FileOperationPatternKind.File, types.FileOperationPatternKind.Folder
    options = types.FileOperationRegistrationOptions(
        [
            types.FileOperationFilter(types.FileOperationPattern(glob, matches=kind), scheme="file")
            for glob, kind in ((_FILES, file), ("**", folder))
        ]
    )

    @register_request(server, types.WORKSPACE_WILL_RENAME_FILES, options)
    async def will_rename(ls: OpenclServer, params: types.RenameFilesParams) -> types.WorkspaceEdit | None:
        pairs = tuple((document_name(each.old_uri), document_name(each.new_uri)) for each in params.files)
        moved = tuple(pair for pair in pairs if pair[0] != pair[1] and all(map(is_file_name, pair)))

        def work(session: AnalysisSession, snapshot: Snapshot, check: CancellationCheck) -> MovedEdits:
            from openclsp.ide.file_renames.file_moves import FileMoves

            return session.edit_moved_includes(FileMoves(moved), snapshot, check)

        found = await ls.run_on_session(work)
        if isinstance(found, DroppedJob):
            return None
        changes = {_uri(ls, document): _text_edits(ls, document, edits) for document, edits in found}
        return types.WorkspaceEdit(changes=changes) if changes else None


def _uri(ls: OpenclServer, document: Document) -> str:
    opened = ls.open_documents.get_by_name(document.name)
    return document_uri(document.name) if opened is None else opened.uri


def _text_edits(ls: OpenclServer, document: Document, edits: list[TextEdit]) -> list[types.TextEdit]:
    encoding = ls.client_features.encoding
    return [
        types.TextEdit(
            range_between(document.text, each.location.start, each.location.end, encoding), each.text
        )
        for each in edits
    ]
