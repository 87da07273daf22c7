"""The client's settings: with the first request, by `workspace/configuration`, and whenever they change."""

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
    """What a client that lets servers register later is asked to tell: changes of our section."""
    return [
        types.Registration(
            "openclsp-configuration",
            types.WORKSPACE_DID_CHANGE_CONFIGURATION,
            types.DidChangeConfigurationRegistrationOptions(SECTION),
        )
    ]


async def fetch(ls: OpenclServer) -> None:
    """Asks the client for the settings of every workspace folder, and for those that hold elsewhere."""
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
        ls.say_once(f"openclsp: the editor did not tell its settings ({error.message}); defaults are used")
        values = ()
    use(ls, dict(zip(scopes, values, strict=False)))


def use(ls: OpenclServer, values: dict[str, object]) -> None:
    """Takes the values of each folder over, says what is wrong with them, and renews all answers if any changed.

    What a value is silent about stays as the first request gave it. A language version that was chosen by command
    gives way to settings that change.
    """
    settings, problems = by_scope(values, ls.initial_settings)
    for problem in problems:
        ls.say_once(problem)
    if settings != ls.world.settings:
        ls.world = replace(ls.world, settings=settings, checked_as="")
        # Whoever came before the first settings still waits for them.
        if ls.configured.is_set():
            renew_all(ls)
