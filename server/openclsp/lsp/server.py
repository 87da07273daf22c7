"""Creates the server with all its features, and runs it."""

from __future__ import annotations

import logging
import sys
from dataclasses import replace

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from openclsp.lsp import (
    asking_status,
    checking_as,
    choosing_variants,
    client_process,
    code_actions,
    code_lens,
    completion,
    configuration,
    diagnostics,
    document_symbols,
    flow_picture,
    hover,
    inlay_hints,
    semantic_tokens,
    synchronisation,
    watched_files,
)
from openclsp.lsp.arriving import Arriving
from openclsp.lsp.client import Client
from openclsp.lsp.first_look import FirstLook
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.outgoing import Outgoing
from openclsp.lsp.protocol import UNREADABLE
from openclsp.lsp.settings import parse_settings
from openclsp.lsp.stdio import serve_stream
from openclsp.lsp.uris import is_file, name_of


def run(
    server: OpenclServer,
    arriving: Arriving,
    outgoing: Outgoing,
    first: bytes | None = None,
    answered: int | str | None = None,
) -> int:
    """Serves one client over standard input and output until it sends `exit` or is gone.

    `first` is a message that was already read; `answered` is the id of its request if that was also answered.
    Returns the exit status: 0 after `shutdown`, otherwise 1 (LSP 3.17, "Exit Notification").
    """
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(name)s: %(message)s")
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_news)
    # A stray print would corrupt the message stream.
    sys.stdout = sys.stderr
    server.protocol.answered = answered
    serve_stream(server, arriving, outgoing, first)
    server.engine.close()
    return 0 if server.ended_in_order else 1


def create_server(looked: FirstLook | None = None) -> OpenclServer:
    """Creates a server with all its features.

    `looked` is the state of the early analysis, if there was one.
    """
    server = OpenclServer()
    if looked is not None:
        server.go_on(looked)
    for feature in (
        synchronisation,
        diagnostics,
        flow_picture,
        hover,
        code_actions,
        code_lens,
        completion,
        semantic_tokens,
        inlay_hints,
        document_symbols,
        checking_as,
        choosing_variants,
        asking_status,
        configuration,
        watched_files,
    ):
        feature.register(server)
    _register_lifecycle(server)
    return server


def _register_lifecycle(server: OpenclServer) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(ls: OpenclServer, params: types.InitializeParams) -> None:
        if params.process_id is not None:
            client_process.end_with(params.process_id)
        settings, problems = parse_settings(params.initialization_options)
        ls.initial_settings = settings
        ls.early_complaints = problems
        ls.world = replace(ls.world, folders=_folders(ls), settings={"": settings})
        ls.client = Client.of(
            ls.protocol.introduction.get("capabilities") or {}, ls.workspace.position_encoding
        )

    @server.feature(types.INITIALIZED)
    async def initialized(ls: OpenclServer, params: types.InitializedParams) -> None:
        for complaint in ls.early_complaints:
            ls.say_once(complaint)
        ls.warm_up()
        if ls.client.has_configuration:
            await configuration.fetch(ls)
        ls.configured.set()
        await _register_later(ls)

    @server.feature(types.SHUTDOWN)
    def shutdown(ls: OpenclServer, params: None) -> None:
        ls.ended_in_order = True

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def did_change_folders(ls: OpenclServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
        ls.world = replace(ls.world, folders=_folders(ls))
        if ls.client.has_configuration:
            await configuration.fetch(ls)
        diagnostics.renew_all(ls)


async def _register_later(ls: OpenclServer) -> None:
    wanted = watched_files.registrations(ls.world.folders) if ls.client.registers_watchers else []
    if ls.client.registers_configuration:
        wanted += configuration.registrations()
    if wanted:
        try:
            await ls.client_register_capability_async(types.RegistrationParams(wanted))
        except JsonRpcException as error:
            logging.getLogger("openclsp").warning("the client rejected a registration: %s", error.message)


def _folders(ls: OpenclServer) -> tuple[str, ...]:
    """The paths of the workspace folders; an old client has a root URI instead."""
    uris = list(ls.workspace.folders) or [ls.workspace.root_uri or ""]
    return tuple(name for name in map(name_of, uris) if is_file(name))


def _is_news(record: logging.LogRecord) -> bool:
    """Log filter: whether a record of pygls is not redundant.

    The server itself logs error responses and malformed messages, if they matter. A cancelled request that is
    unknown has usually been answered.
    """
    error = record.exc_info[1] if record.exc_info else None
    told = record.getMessage()
    return not isinstance(error, JsonRpcException) and not any(each in told for each in _TOLD_ELSEWHERE)


_TOLD_ELSEWHERE = ("Cancel notification for unknown", "Unable to deserialize message", UNREADABLE)
