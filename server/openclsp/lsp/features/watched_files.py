"""Handles changes of files on disk: options files, included files and host code."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace

from lsprotocol import types

from openclsp.lsp.features.diagnostics import request_refresh, update_all_diagnostics, update_diagnostics
from openclsp.lsp.features.host_calls import schedule_call_checks
from openclsp.lsp.features.host_code_scan import scan_host_code
from openclsp.lsp.file_globs import glob_of_suffixes
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.session.open_documents import OpenDocument
from openclsp.lsp.session.snapshot import Snapshot
from openclsp.lsp.uris import document_name
from openclsp.project.file_discovery import INCLUDABLE_SUFFIXES
from openclsp.project.project_scan import (
    HOST_CODE_KINDS,
    SCANNED_SUFFIXES,
    ScannedFileKind,
    classify_file_name,
)
from openclsp.workspace.project_file import find_project_file

_OPTIONS_FILES = ("compile_flags.txt", "openclsp.toml", "compile_commands.json", ".clangd")
_WATCHED = (
    *(f"**/{name}" for name in _OPTIONS_FILES),
    glob_of_suffixes((*INCLUDABLE_SUFFIXES, *SCANNED_SUFFIXES)),
    "**/{CMakeLists.txt,meson.build,Makefile,makefile,GNUmakefile}",
)


def register(server: OpenclServer) -> None:
    """Registers `workspace/didChangeWatchedFiles` and `textDocument/didSave`."""

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_watched_files(ls: OpenclServer, params: types.DidChangeWatchedFilesParams) -> None:
        names = frozenset(document_name(change.uri) for change in params.changes)
        options = any(os.path.basename(name) in _OPTIONS_FILES for name in names)
        # Files of every kind count: a kernel may define names that other kernels use, and an include may resolve
        # to the path of a file that was created or deleted.
        invalidate_host_code(ls)
        if options:
            # An edit of an options file overrides a language version that was chosen by command.
            ls.snapshot = replace(ls.snapshot, chosen_versions=_versions_elsewhere(ls.snapshot, names))
        # Any of these files may include an open document, or may have included one. Their cached contents are
        # invalidated even if no open document includes them, because a document opened later may do so.
        if not all(_is_host_code(name) for name in names):
            ls.snapshot = replace(
                ls.snapshot,
                disk_revision=ls.snapshot.disk_revision + 1,
                tree_revision=ls.snapshot.tree_revision + 1,
            )
        if options or ls.dependents(names):
            invalidate_files(ls)
        elif ls.possible_fragments:
            update_diagnostics(
                ls, *(each for each in ls.open_documents if each.name in ls.possible_fragments)
            )
            request_refresh(ls)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(ls: OpenclServer, params: types.DidSaveTextDocumentParams) -> None:
        # Without a file watcher, a save is the only notification of a change, for any kind of file.
        if not ls.client_features.registers_watchers:
            invalidate_files(ls)
            invalidate_host_code(ls)


def _versions_elsewhere(snapshot: Snapshot, names: Iterable[str]) -> dict[str, str]:
    """Returns the language versions chosen by command, keyed by the root folder of the project.

    Projects whose options files are among `names` are omitted, and so is the choice for all projects.
    """
    edited = {snapshot.root_of(name) for name in names if os.path.basename(name) in _OPTIONS_FILES}
    return {root: each for root, each in snapshot.chosen_versions.items() if root and root not in edited}


def _is_host_code(name: str) -> bool:
    kind = classify_file_name(os.path.basename(name))
    return kind in _HOST_KINDS and kind is not ScannedFileKind.HEADER


_HOST_KINDS = HOST_CODE_KINDS | {
    ScannedFileKind.OTHER_HOST,
    ScannedFileKind.CMAKE,
    ScannedFileKind.MESON,
    ScannedFileKind.MAKE,
}
"""Kinds of files that may define how kernels are built."""


def invalidate_host_code(ls: OpenclServer) -> None:
    """Schedules a new scan of the host code in the background, because it may have changed."""
    ls.snapshot = replace(ls.snapshot, host_revision=ls.snapshot.host_revision + 1)
    for document in ls.open_documents:
        ls.start_task(rescan_host_code(ls, document))


async def rescan_host_code(ls: OpenclServer, document: OpenDocument) -> None:
    """Rescans the host code of the document's project, and updates the documents affected by the result."""
    with ls.scan_progress as progress:
        progress.report("host code")
        await scan_host_code(ls, document)
    schedule_call_checks(ls)


def invalidate_files(ls: OpenclServer) -> None:
    """Invalidates all cached file contents and recomputes every answer."""
    ls.snapshot = replace(
        ls.snapshot, disk_revision=ls.snapshot.disk_revision + 1, tree_revision=ls.snapshot.tree_revision + 1
    )
    update_all_diagnostics(ls)
    schedule_call_checks(ls)


def watcher_registrations(folders: Sequence[str] = ()) -> list[types.Registration]:
    """Returns the dynamic registration of file watchers.

    It includes the file endings that the `openclsp.toml` of each workspace folder in `folders` adds.
    """
    projects = (find_project_file(os.path.join(folder, "any.cl"), folder) for folder in folders)
    added = {f"**/*{ending}": None for each in projects if each is not None for ending in each.file_endings}
    watchers = [types.FileSystemWatcher(pattern) for pattern in (*_WATCHED, *added)]
    return [
        types.Registration(
            "openclsp-watched-files",
            types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
            types.DidChangeWatchedFilesRegistrationOptions(watchers),
        )
    ]
