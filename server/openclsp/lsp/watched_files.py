"""Handles changes of files on disk: options files, included files and host code."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from lsprotocol import types

from openclsp.lsp.diagnostics import refresh, renew, renew_all
from openclsp.lsp.documents import OpenDocument
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.uris import name_of
from openclsp.workspace.project_file import find_project_file
from openclsp.workspace.scan import HOSTS, Kind, kind_of

_OPTIONS_FILES = ("compile_flags.txt", "openclsp.toml", "compile_commands.json", ".clangd")
_WATCHED = (
    *(f"**/{name}" for name in _OPTIONS_FILES),
    "**/*.{h,clh,inc,cl,ocl,opencl,clc}",
    "**/*.{c,cc,cpp,cxx,hpp,hh,py,java,rs,go,cmake}",
    "**/{CMakeLists.txt,meson.build,Makefile,makefile,GNUmakefile,*.mk}",
)


def register(server: OpenclServer) -> None:
    """Registers `workspace/didChangeWatchedFiles` and `textDocument/didSave`."""

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_watched_files(ls: OpenclServer, params: types.DidChangeWatchedFilesParams) -> None:
        names = frozenset(name_of(change.uri) for change in params.changes)
        options = any(os.path.basename(name) in _OPTIONS_FILES for name in names)
        hosts = any(kind_of(os.path.basename(name)) in HOST_KINDS for name in names)
        # A created or deleted file of any kind counts, because an include may resolve to its path.
        hosts |= any(change.type != types.FileChangeType.Changed for change in params.changes)
        if hosts:
            hosts_changed(ls)
        if options:
            # An edit of an options file overrides a language version that was chosen by command.
            ls.world = replace(ls.world, checked_as="")
        # Any of these files may include an open document, or may have done so. Their cached contents are
        # invalidated even if no open document includes them now, because a document that is opened later may.
        if not all(_is_host_code(name) for name in names):
            ls.world = replace(ls.world, disk=ls.world.disk + 1, tree=ls.world.tree + 1)
        if options or ls.dependents(names):
            disk_changed(ls)
        elif ls.fragments:
            renew(ls, *(each for each in ls.documents if each.name in ls.fragments))
            refresh(ls)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(ls: OpenclServer, params: types.DidSaveTextDocumentParams) -> None:
        # Without a file watcher, a save is the only notice of a change, of any kind of file.
        if not ls.client.registers_watchers:
            disk_changed(ls)
            hosts_changed(ls)


def _is_host_code(name: str) -> bool:
    kind = kind_of(os.path.basename(name))
    return kind in HOST_KINDS and kind is not Kind.HEADER


HOST_KINDS = HOSTS | {Kind.CMAKE, Kind.MESON, Kind.MAKE}
"""Kinds of files that may define how kernels are built."""


def hosts_changed(ls: OpenclServer) -> None:
    """Schedules a new scan of the host code in the background, because it may have changed."""
    ls.world = replace(ls.world, hosts=ls.world.hosts + 1)
    for document in ls.documents:
        ls.start(look_again(ls, document))


async def look_again(ls: OpenclServer, document: OpenDocument) -> None:
    """Rescans the host code of the document's project, and updates the documents affected by the result."""
    with ls.looking_over as progress:
        progress.report("host code")
        found = await ls.look_at_hosts(document)
    if found:
        renew(ls, *found)
        refresh(ls)


def disk_changed(ls: OpenclServer) -> None:
    """Invalidates all cached file contents and recomputes every answer."""
    ls.world = replace(ls.world, disk=ls.world.disk + 1, tree=ls.world.tree + 1)
    renew_all(ls)


def registrations(folders: Sequence[str] = ()) -> list[types.Registration]:
    """The dynamic registration of file watchers, with the file endings that `openclsp.toml` adds."""
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
