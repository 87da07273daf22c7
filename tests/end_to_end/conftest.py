"""Starts real server processes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types

from .editor import Client, Editor, server_command

Start = Callable[..., Awaitable[Editor]]


@dataclass(frozen=True, slots=True)
class _Manner:
    """The properties in which the test clients differ."""

    encoding: str
    pulls: bool
    configuration: bool
    watches: bool
    fades: bool
    related: bool
    resolves: bool
    progress: bool
    shows_documents: bool
    shows_argument_flow: bool

    def capabilities(self) -> types.ClientCapabilities:
        """The capabilities of such a client."""
        tags = types.ClientDiagnosticsTagOptions([types.DiagnosticTag.Unnecessary]) if self.fades else None
        # A client that declares no encodings supports UTF-16 only.
        encodings = None if self.encoding == "utf-16" else [types.PositionEncodingKind(self.encoding)]
        return types.ClientCapabilities(
            general=types.GeneralClientCapabilities(position_encodings=encodings),
            text_document=types.TextDocumentClientCapabilities(
                synchronization=types.TextDocumentSyncClientCapabilities(),
                document_symbol=types.DocumentSymbolClientCapabilities(
                    hierarchical_document_symbol_support=True
                ),
                hover=types.HoverClientCapabilities(content_format=[types.MarkupKind.Markdown]),
                code_action=types.CodeActionClientCapabilities(
                    code_action_literal_support=types.ClientCodeActionLiteralOptions(
                        types.ClientCodeActionKindOptions([types.CodeActionKind.QuickFix])
                    ),
                    is_preferred_support=True,
                    data_support=self.resolves,
                    resolve_support=types.ClientCodeActionResolveOptions(["edit"]) if self.resolves else None,
                ),
                publish_diagnostics=types.PublishDiagnosticsClientCapabilities(
                    related_information=self.related, tag_support=tags, version_support=True
                ),
                diagnostic=types.DiagnosticClientCapabilities() if self.pulls else None,
            ),
            window=types.WindowClientCapabilities(
                work_done_progress=self.progress,
                show_document=types.ShowDocumentClientCapabilities(self.shows_documents),
            ),
            workspace=types.WorkspaceClientCapabilities(
                text_document_content=types.TextDocumentContentClientCapabilities(self.shows_documents),
                workspace_folders=True,
                configuration=self.configuration,
                did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(
                    dynamic_registration=self.watches
                ),
                diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=self.pulls),
            ),
            experimental={"openclspArgumentFlow": True} if self.shows_argument_flow else None,
        )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Makes all tests of this folder share an event loop, because they share server processes."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def servers() -> AsyncIterator[dict[_Manner, Editor]]:
    """The servers that tests share, by the client for which they were started."""
    running: dict[_Manner, Editor] = {}
    yield running
    for editor in running.values():
        await _end(editor)


@pytest_asyncio.fixture(loop_scope="session")
async def start(servers: dict[_Manner, Editor], tmp_path: Path) -> AsyncIterator[Start]:
    """Provides an editor with a server, in the folder of this test.

    A server that was started for a client with the same properties is reused, unless options, a command or `own`
    require a new one. A server of its own must exit cleanly after the test.
    """
    own_editors: list[Editor] = []
    shared_editors: list[Editor] = []

    async def started(
        *,
        folder: Path | None = None,
        encoding: str = "utf-16",
        pulls: bool = False,
        configuration: dict[str, Any] | None = None,
        watches: bool = False,
        fades: bool = False,
        related: bool = True,
        resolves: bool = False,
        progress: bool = False,
        shows_documents: bool = False,
        shows_argument_flow: bool = False,
        options: object = None,
        command: list[str] | None = None,
        own: bool = False,
    ) -> Editor:
        manner = _Manner(
            encoding,
            pulls,
            configuration is not None,
            watches,
            fades,
            related,
            resolves,
            progress,
            shows_documents,
            shows_argument_flow,
        )
        root = folder or tmp_path
        if own or options is not None or configuration is not None or command is not None:
            editor = await _launch(manner, root, command or server_command(), configuration, options)
            own_editors.append(editor)
            return editor
        if manner in servers:
            servers[manner].move_to(root)
        else:
            servers[manner] = await _launch(manner, root, server_command(), None, None)
        shared_editors.append(servers[manner])
        return servers[manner]

    yield started
    for editor in own_editors:
        await _end(editor)
    for editor in shared_editors:
        editor.leave()


async def _launch(
    manner: _Manner, root: Path, command: list[str], configuration: dict[str, Any] | None, options: object
) -> Editor:
    client = Client(configuration=None if configuration is None else {"": configuration})
    await client.start_io(*command, cwd=root)
    result = await client.initialize_session(
        types.InitializeParams(
            manner.capabilities(),
            root_uri=root.as_uri(),
            workspace_folders=[types.WorkspaceFolder(root.as_uri(), root.name)],
            initialization_options=options,
        )
    )
    assert result.capabilities.position_encoding == manner.encoding
    return Editor(client, root, manner.encoding, manner.pulls)


async def _end(editor: Editor) -> None:
    await editor.client.shutdown_session()
    assert editor.client._server is not None
    status = editor.client._server.returncode
    await editor.client.stop()
    assert status == 0


@pytest.fixture(params=["push", "pull"])
def pulls(request: pytest.FixtureRequest) -> bool:
    """Whether the client pulls diagnostics; otherwise they are pushed."""
    return bool(request.param == "pull")


@pytest.fixture(params=["utf-8", "utf-16", "utf-32"])
def encoding(request: pytest.FixtureRequest) -> str:
    """The position encoding that the client offers."""
    return str(request.param)
