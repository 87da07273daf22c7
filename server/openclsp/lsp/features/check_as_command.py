"""The command `openclsp.checkAs`: checks the workspace under another language version.

The choice lasts until the options change or the server ends.
"""

from __future__ import annotations

from dataclasses import replace

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from openclsp.language.dialect import DialectError, make_dialect
from openclsp.lsp.features.diagnostics import update_all_diagnostics
from openclsp.lsp.language_server import OpenclServer

CHECK_AS_COMMAND = "openclsp.checkAs"


def register(server: OpenclServer) -> None:
    """Registers the command. Its argument is the language version, such as `CL2.0`."""

    @server.command(CHECK_AS_COMMAND)
    def check_as(ls: OpenclServer, version: str) -> None:
        dialect = make_dialect(version)
        if isinstance(dialect, DialectError):
            raise JsonRpcInvalidParams(dialect.message)
        ls.snapshot = replace(ls.snapshot, chosen_version=version)
        ls.show_message_once(
            f"openclsp: this workspace is now checked as {dialect[0].title}. "
            f"To keep it, add the line -cl-std={version} to compile_flags.txt in the workspace folder, "
            f'or language-version = "{version}" to openclsp.toml if the project has one.',
            types.MessageType.Info,
        )
        update_all_diagnostics(ls)
