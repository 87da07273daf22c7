"""Fetches the client's settings with `workspace/configuration` and applies changes to them."""

from __future__ import annotations

from dataclasses import replace

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from openclsp.lsp.diagnostics import renew_all
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.settings import SECTION, by_scope, scopes_of
from openclsp.lsp.uris import uri_of


def register(server: OpenclServer) -> None:
    """Registers `workspace/didChangeConfiguration`."""

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def did_change_configuration(ls: OpenclServer, params: types.DidChangeConfigurationParams) -> None:
        if ls.client.has_configuration:
            await fetch(ls)
        elif isinstance(params.settings, dict) and SECTION in params.settings:
            use(ls, {"": params.settings[SECTION]})


def registrations() -> list[types.Registration]:
    """The dynamic registration for changes of the settings section `openclsp`."""
    return [
        types.Registration(
            "openclsp-configuration",
            types.WORKSPACE_DID_CHANGE_CONFIGURATION,
            types.DidChangeConfigurationRegistrationOptions(SECTION),
        )
    ]


async def fetch(ls: OpenclServer) -> None:
    """Requests the settings of every workspace folder and the global ones, and applies them."""
    scopes = scopes_of(ls.world.folders)
    items = [
        types.ConfigurationItem(scope_uri=uri_of(scope) if scope else None, section=SECTION)
        for scope in scopes
    ]
    try:
        if ls.first_values.asked:
            values = await ls.first_values.told()
        else:
            values = await ls.workspace_configuration_async(types.ConfigurationParams(items))
    except JsonRpcException as error:
        ls.say_once(f"openclsp: the editor did not provide its settings ({error.message}); using defaults")
        values = ()
    use(ls, dict(zip(scopes, values, strict=False)))


def use(ls: OpenclServer, values: dict[str, object]) -> None:
    """Applies the values of each folder, and recomputes all answers if a setting changed.

    Invalid values are reported. Settings without a value keep that of `initializationOptions`. A change of
    the settings overrides a language version that was chosen by command.
    """
    settings, problems = by_scope(values, ls.initial_settings)
    for problem in problems:
        ls.say_once(problem)
    if settings != ls.world.settings:
        ls.world = replace(ls.world, settings=settings, checked_as="")
        # Requests that arrived before the first settings still wait for `configured`; they need no renewal.
        if ls.configured.is_set():
            renew_all(ls)
