"""The command `openclsp.checkAs`: checks a project under another language version.

The choice lasts until the options change or the server ends.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from openclsp.language.dialect import DialectError, make_dialect
from openclsp.lsp.features.diagnostics import update_all_diagnostics
from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.uris import document_name

CHECK_AS_COMMAND = "openclsp.checkAs"


def register(server: OpenclServer) -> None:
    """Registers the command.

    Its arguments are the language version, such as `CL2.0`, and the URI of a document of the project. Without
    a URI, the version applies to all projects. Null instead of a version restores the version that the
    project's options give.
    """

    @server.command(CHECK_AS_COMMAND)
    def check_as(ls: OpenclServer, *arguments: Any) -> None:
        version, uri = (*arguments, None, None)[:2]
        if len(arguments) > 2 or not isinstance(version, str | None) or not isinstance(uri, str | None):
            raise JsonRpcInvalidParams("expected a language version, and the URI of a document or null")
        root = "" if uri is None else ls.snapshot.root_of(document_name(uri))
        others = {key: each for key, each in ls.snapshot.chosen_versions.items() if root and key != root}
        if version is None:
            # A version that was chosen for all projects also applies to this project, so it is removed too.
            others.pop("", None)
            ls.snapshot = replace(ls.snapshot, chosen_versions=others)
            update_all_diagnostics(ls)
            return
        dialect = make_dialect(version)
        if isinstance(dialect, DialectError):
            raise JsonRpcInvalidParams(dialect.message)
        ls.snapshot = replace(ls.snapshot, chosen_versions={**others, root: version})
        ls.show_message_once(
            f"openclsp: {os.path.basename(root) or 'this workspace'} is now checked as {dialect[0].title}. "
            f"To keep it, add the line -cl-std={version} to compile_flags.txt in its folder, "
            f'or language-version = "{version}" to openclsp.toml if the project has one.',
            types.MessageType.Info,
        )
        update_all_diagnostics(ls)
