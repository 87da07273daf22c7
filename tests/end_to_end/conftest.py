"""Starts real server processes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types

from .editor import Client, Editor, server_command

Start = Callable[..., Awaitable[Editor]]


def _capabilities(
    encoding: str, *, pulls: bool, configuration: bool, watches: bool, fades: bool, related: bool
) -> types.ClientCapabilities:
    tags = types.ClientDiagnosticsTagOptions([types.DiagnosticTag.Unnecessary]) if fades else None
    return types.ClientCapabilities(
        general=types.GeneralClientCapabilities(
            # UTF-16 alone is what a client supports that says nothing.
            position_encodings=None if encoding == "utf-16" else [types.PositionEncodingKind(encoding)]
        ),
        text_document=types.TextDocumentClientCapabilities(
            synchronization=types.TextDocumentSyncClientCapabilities(),
            hover=types.HoverClientCapabilities(content_format=[types.MarkupKind.Markdown]),
            code_action=types.CodeActionClientCapabilities(
                code_action_literal_support=types.ClientCodeActionLiteralOptions(
                    types.ClientCodeActionKindOptions([types.CodeActionKind.QuickFix])
                ),
                is_preferred_support=True,
            ),
            publish_diagnostics=types.PublishDiagnosticsClientCapabilities(
                related_information=related, tag_support=tags, version_support=True
            ),
            diagnostic=types.DiagnosticClientCapabilities() if pulls else None,
        ),
        workspace=types.WorkspaceClientCapabilities(
            configuration=configuration,
            did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(
                dynamic_registration=watches
            ),
            diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=pulls),
        ),
    )


@pytest_asyncio.fixture(loop_scope="function")
async def start(tmp_path: Path) -> AsyncIterator[Start]:
    """Starts a server for a folder; every process is ended in order, and must end well, when the test is over."""
    editors: list[Editor] = []

    async def started(
        *,
        folder: Path | None = None,
        encoding: str = "utf-16",
        pulls: bool = False,
        configuration: dict[str, Any] | None = None,
        watches: bool = False,
        fades: bool = False,
        related: bool = True,
        options: object = None,
        command: list[str] | None = None,
    ) -> Editor:
        client = Client(configuration=None if configuration is None else {"": configuration})
        root = folder or tmp_path
        await client.start_io(*(command or server_command()), cwd=root)
        editor = Editor(client, root, encoding, pulls)
        editors.append(editor)
        result = await client.initialize_session(
            types.InitializeParams(
                _capabilities(
                    encoding,
                    pulls=pulls,
                    configuration=configuration is not None,
                    watches=watches,
                    fades=fades,
                    related=related,
                ),
                root_uri=root.as_uri(),
                workspace_folders=[types.WorkspaceFolder(root.as_uri(), root.name)],
                initialization_options=options,
            )
        )
        assert result.capabilities.position_encoding == encoding
        return editor

    yield started
    for editor in editors:
        await editor.client.shutdown_session()
        assert editor.client._server is not None
        status = editor.client._server.returncode
        await editor.client.stop()
        assert status == 0


@pytest.fixture(params=["push", "pull"])
def pulls(request: pytest.FixtureRequest) -> bool:
    """Whether the client asks for diagnostics, or takes what is pushed."""
    return bool(request.param == "pull")


@pytest.fixture(params=["utf-8", "utf-16", "utf-32"])
def encoding(request: pytest.FixtureRequest) -> str:
    """The position encoding that the client offers."""
    return str(request.param)
