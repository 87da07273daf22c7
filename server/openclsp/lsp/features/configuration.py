"""Fetches the client's settings with `workspace/configuration` and applies changes to them."""

from __future__ import annotations

from dataclasses import replace

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from openclsp.lsp.features.diagnostics import update_all_diagnostics
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.session.settings import SECTION, parse_settings_by_scope, settings_scopes
from openclsp.lsp.uris import document_uri


def register(server: OpenclServer) -> None:
    """Registers `workspace/didChangeConfiguration`."""

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def did_change_configuration(ls: OpenclServer, params: types.DidChangeConfigurationParams) -> None:
        if ls.client_features.supports_configuration:
            await fetch_settings(ls)
        elif isinstance(params.settings, dict) and SECTION in params.settings:
            apply_settings(ls, {"": params.settings[SECTION]})


def configuration_registrations() -> list[types.Registration]:
    """Returns the dynamic registration for changes of the settings section `openclsp`."""
    return [
        types.Registration(
            "openclsp-configuration",
            types.WORKSPACE_DID_CHANGE_CONFIGURATION,
            types.DidChangeConfigurationRegistrationOptions(SECTION),
        )
    ]


async def fetch_settings(ls: OpenclServer) -> None:
    """Requests the settings of every workspace folder and the global ones, and applies them."""
    scopes = settings_scopes(ls.snapshot.folders)
    items = [
        types.ConfigurationItem(scope_uri=document_uri(scope) if scope else None, section=SECTION)
        for scope in scopes
    ]
    try:
        if ls.early_settings.is_pending:
            values = await ls.early_settings.wait()
        else:
            values = await ls.workspace_configuration_async(types.ConfigurationParams(items))
    except JsonRpcException as error:
        ls.show_message_once(
            f"openclsp: the editor did not provide its settings ({error.message}); using defaults"
        )
        values = ()
    apply_settings(ls, dict(zip(scopes, values, strict=False)))


def apply_settings(ls: OpenclServer, values: dict[str, object]) -> None:
    """Applies the settings of each folder, and recomputes all answers if a setting changed.

    `values` has the settings by folder, and the global settings under the empty key. A setting that is not
    in `values` keeps its value from `initializationOptions`. Invalid values are reported. A change of the
    settings overrides a language version that was chosen by command.
    """
    settings, problems = parse_settings_by_scope(values, ls.initial_settings)
    for problem in problems:
        ls.show_message_once(problem)
    if settings != ls.snapshot.settings:
        ls.snapshot = replace(ls.snapshot, settings=settings, chosen_versions={})
        # Requests that arrived before the first settings are still waiting for them, so they need not be
        # repeated.
        if ls.settings_received.is_set():
            update_all_diagnostics(ls)
