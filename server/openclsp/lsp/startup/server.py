"""Creates the server with all its features, and runs it."""

from __future__ import annotations

import logging
import sys
from dataclasses import replace

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from openclsp.lsp.features import (
    argument_flow_request,
    call_hierarchy,
    check_as_command,
    code_actions,
    code_lens,
    completion,
    configuration,
    diagnostics,
    document_links,
    document_symbols,
    expand_request,
    file_renames,
    flow_request,
    formatting,
    hover,
    includer_request,
    inlay_hints,
    layout_request,
    navigation,
    rename,
    semantic_tokens,
    signature_help,
    status_request,
    synchronisation,
    text_content,
    text_structure,
    variant_command,
    watched_files,
    workspace_diagnostics,
    workspace_symbols,
)
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.session.client_capabilities import ClientCapabilities
from openclsp.lsp.session.settings import parse_settings
from openclsp.lsp.startup import client_process
from openclsp.lsp.startup.message_queue import MessageQueue
from openclsp.lsp.startup.prestart import PrestartState
from openclsp.lsp.transport.message_writer import MessageWriter
from openclsp.lsp.transport.protocol import MALFORMED_METHOD
from openclsp.lsp.transport.stdio import serve_stream
from openclsp.lsp.uris import document_name, is_file_name


def run_server(
    server: OpenclServer,
    messages: MessageQueue,
    writer: MessageWriter,
    first: bytes | None = None,
    answered_id: int | str | None = None,
) -> int:
    """Serves one client over standard input and output until it sends `exit` or is gone.

    `first` is a message that was already read. `answered_id` is the id of this message if it is a request
    that was already answered. Returns the exit status: 0 after `shutdown`, otherwise 1 (LSP 3.17, "Exit
    Notification").
    """
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(name)s: %(message)s")
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_relevant_record)
    # A stray print would corrupt the message stream.
    sys.stdout = sys.stderr
    server.protocol.answered_request_id = answered_id
    serve_stream(server, messages, writer, first)
    server.analysis_thread.close()
    return 0 if server.shutdown_requested else 1


def create_server(prestart: PrestartState | None = None) -> OpenclServer:
    """Creates a server with all its features.

    `prestart` is the state of the early analysis, if there was one.
    """
    server = OpenclServer()
    if prestart is not None:
        server.adopt_prestart(prestart)
    for feature in (
        synchronisation,
        diagnostics,
        workspace_diagnostics,
        flow_request,
        argument_flow_request,
        layout_request,
        text_content,
        expand_request,
        formatting,
        hover,
        code_actions,
        code_lens,
        completion,
        signature_help,
        semantic_tokens,
        inlay_hints,
        document_symbols,
        navigation,
        rename,
        text_structure,
        document_links,
        call_hierarchy,
        workspace_symbols,
        check_as_command,
        variant_command,
        includer_request,
        file_renames,
        status_request,
        configuration,
        watched_files,
    ):
        feature.register(server)
    _register_lifecycle(server)
    return server


def _register_lifecycle(server: OpenclServer) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(ls: OpenclServer, params: types.InitializeParams) -> None:
        if params.process_id is not None and ls.protocol.answered_request_id is None:
            # If `initialize` was answered early, the process has been watched since then.
            client_process.exit_with_process(params.process_id)
        settings, problems = parse_settings(params.initialization_options)
        ls.initial_settings = settings
        ls.initial_settings_problems = problems
        ls.snapshot = replace(ls.snapshot, folders=_folders(ls), settings={"": settings})
        ls.client_features = ClientCapabilities.of(
            ls.protocol.initialize_params.get("capabilities") or {}, ls.workspace.position_encoding
        )

    @server.feature(types.INITIALIZED)
    async def initialized(ls: OpenclServer, params: types.InitializedParams) -> None:
        for problem in ls.initial_settings_problems:
            ls.show_message_once(problem)
        ls.preload_analysis()
        if ls.client_features.supports_configuration:
            await configuration.fetch_settings(ls)
        ls.settings_received.set()
        await _register_dynamically(ls)

    @server.feature(types.SHUTDOWN)
    def shutdown(ls: OpenclServer, params: None) -> None:
        ls.shutdown_requested = True

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def did_change_folders(ls: OpenclServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
        ls.snapshot = replace(ls.snapshot, folders=_folders(ls))
        if ls.client_features.supports_configuration:
            await configuration.fetch_settings(ls)
        diagnostics.update_all_diagnostics(ls)
        await ls.run_on_session(lambda session, snapshot, _check: session.retain_projects(snapshot))
        for document in ls.open_documents:
            # A document may now be in a project that was not scanned.
            ls.start_task(synchronisation.scan_project_of(ls, document))
        await _renew_watchers(ls)


async def _renew_watchers(ls: OpenclServer) -> None:
    """Registers the file watchers again after the workspace folders have changed.

    The `openclsp.toml` of a new folder may add file endings.
    """
    registrations = watched_files.watcher_registrations(ls.snapshot.folders)
    if not ls.client_features.registers_watchers or registrations == ls.watcher_registrations:
        return
    old = [types.Unregistration(each.id, each.method) for each in ls.watcher_registrations]
    ls.watcher_registrations = registrations
    try:
        await ls.client_unregister_capability_async(types.UnregistrationParams(old))
        await ls.client_register_capability_async(types.RegistrationParams(registrations))
    except JsonRpcException as error:
        logging.getLogger("openclsp").warning("the client rejected a registration: %s", error.message)


async def _register_dynamically(ls: OpenclServer) -> None:
    registrations = (
        watched_files.watcher_registrations(ls.snapshot.folders)
        if ls.client_features.registers_watchers
        else []
    )
    ls.watcher_registrations = list(registrations)
    if ls.client_features.requests_content:
        registrations += text_content.content_registrations()
    if ls.client_features.registers_configuration:
        registrations += configuration.configuration_registrations()
    if registrations:
        try:
            await ls.client_register_capability_async(types.RegistrationParams(registrations))
        except JsonRpcException as error:
            logging.getLogger("openclsp").warning("the client rejected a registration: %s", error.message)


def _folders(ls: OpenclServer) -> tuple[str, ...]:
    """Returns the paths of the workspace folders; for an old client, the path of its root URI."""
    uris = list(ls.workspace.folders) or [ls.workspace.root_uri or ""]
    return tuple(name for name in map(document_name, uris) if is_file_name(name))


def _is_relevant_record(record: logging.LogRecord) -> bool:
    """Whether a log record of pygls is kept; a filter that drops redundant records.

    Records of error responses and malformed messages are dropped, because the server itself logs those that
    matter. Records about the cancellation of a request that is no longer pending are dropped, because such a
    request has usually been answered.
    """
    error = record.exc_info[1] if record.exc_info else None
    message = record.getMessage()
    return not isinstance(error, JsonRpcException) and not any(
        each in message for each in _REDUNDANT_MESSAGES
    )


_REDUNDANT_MESSAGES = ("Cancel notification for unknown", "Unable to deserialize message", MALFORMED_METHOD)
