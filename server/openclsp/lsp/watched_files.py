"""Files that change on disk: options files, and what open documents include."""

from __future__ import annotations

import os
from dataclasses import replace

from lsprotocol import types

from openclsp.lsp.diagnostics import refresh, renew, renew_all
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.uris import name_of

_OPTIONS_FILES = ("compile_flags.txt", "openclsp.toml")
_WATCHED = (*(f"**/{name}" for name in _OPTIONS_FILES), "**/*.{h,clh,inc,cl,ocl,opencl,clc}")


def register(server: OpenclServer) -> None:
    """Registers `workspace/didChangeWatchedFiles`."""

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_watched_files(ls: OpenclServer, params: types.DidChangeWatchedFilesParams) -> None:
        names = frozenset(name_of(change.uri) for change in params.changes)
        options = any(os.path.basename(name) in _OPTIONS_FILES for name in names)
        if options:
            # Whoever writes options down means those, and no longer what was chosen by command.
            ls.world = replace(ls.world, checked_as="")
        # any of them may include an open document, or did
        ls.world = replace(ls.world, tree=ls.world.tree + 1)
        if options or ls.dependents(names):
            disk_changed(ls)
        elif ls.fragments:
            renew(ls, *(each for each in ls.documents if each.name in ls.fragments))
            refresh(ls)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(ls: OpenclServer, params: types.DidSaveTextDocumentParams) -> None:
        # Who watches files is told of every change; without a watcher, what was saved may be anything.
        if not ls.client.registers_watchers:
            disk_changed(ls)


def disk_changed(ls: OpenclServer) -> None:
    """Files may have changed: they are read again, and every answer is renewed."""
    ls.world = replace(ls.world, disk=ls.world.disk + 1, tree=ls.world.tree + 1)
    renew_all(ls)


def registrations() -> list[types.Registration]:
    """What a client that lets servers register later is asked to watch."""
    watchers = [types.FileSystemWatcher(pattern) for pattern in _WATCHED]
    return [
        types.Registration(
            "openclsp-watched-files",
            types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
            types.DidChangeWatchedFilesRegistrationOptions(watchers),
        )
    ]
