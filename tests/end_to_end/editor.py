"""A small editor around pytest-lsp's client: buffers, pushed and pulled diagnostics, hovers and quick-fixes."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, Union

from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, LanguageClient, register_lsp_features

from .marks import Marked, character, edited, position, range_of

T = TypeVar("T")

PATIENCE = 180.0
"""Timeout in seconds of every wait in these tests; the machine may be very busy."""


def _converter() -> Any:
    """pygls' converter, with a fix: lsprotocol converts every code action that has a command to a `Command`."""
    converter = default_converter()

    def action(value: dict[str, Any], _: object) -> types.Command | types.CodeAction:
        kind = types.Command if isinstance(value.get("command"), str) else types.CodeAction
        return converter.structure(value, kind)  # type: ignore[no-any-return]

    converter.register_structure_hook(Union[types.Command, types.CodeAction], action)  # noqa: UP007
    return converter


class Client(LanguageClient):
    """A client that records every publication and every registration."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__(converter_factory=_converter, **arguments)
        self.publications: list[types.PublishDiagnosticsParams] = []
        self.registrations: list[types.Registration] = []
        self.news = asyncio.Condition()
        register_lsp_features(
            self,
            {
                **DEFAULT_CLIENT_FEATURES,
                types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: _published,
                types.CLIENT_REGISTER_CAPABILITY: _registered,
                types.WINDOW_SHOW_MESSAGE: _shown,
                types.WORKSPACE_DIAGNOSTIC_REFRESH: _refreshed,
            },
        )

    async def until(self, holds: Any) -> None:
        """Waits until the condition holds; tested after each message from the server."""
        async with self.news:
            await asyncio.wait_for(self.news.wait_for(holds), PATIENCE)

    async def notify_waiting(self) -> None:
        """Wakes the tasks that wait for a message from the server."""
        async with self.news:
            self.news.notify_all()


async def _published(ls: Client, params: types.PublishDiagnosticsParams) -> None:
    ls.publications.append(params)
    await ls.notify_waiting()


async def _registered(ls: Client, params: types.RegistrationParams) -> None:
    ls.registrations.extend(params.registrations)
    await ls.notify_waiting()


async def _shown(ls: Client, params: types.ShowMessageParams) -> None:
    ls.messages.append(params)
    await ls.notify_waiting()


async def _refreshed(ls: Client, params: None) -> None:
    ls.diagnostic_refresh_count += 1
    await ls.notify_waiting()


@dataclass(slots=True)
class Editor:
    """A client with its server process, and the folder that is open in it."""

    client: Client
    folder: Path
    encoding: str
    pulls: bool
    buffers: list[Buffer] = field(default_factory=list)

    def move_to(self, folder: Path) -> None:
        """Replaces the workspace folder by another."""
        added, removed = (types.WorkspaceFolder(each.as_uri(), each.name) for each in (folder, self.folder))
        self.folder = folder
        self.client.workspace_did_change_workspace_folders(
            types.DidChangeWorkspaceFoldersParams(types.WorkspaceFoldersChangeEvent([added], [removed]))
        )

    def leave(self) -> None:
        """Closes all buffers and clears the recorded messages."""
        for buffer in self.buffers:
            if not buffer.closed:
                buffer.close()
        for memory in (
            self.buffers,
            self.client.publications,
            self.client.messages,
            self.client.log_messages,
        ):
            memory.clear()
        self.client.diagnostic_refresh_count = 0

    async def open(self, uri: str, source: str, language: str = "opencl") -> Buffer:
        """Opens a buffer with a kernel, without its marks."""
        marked = Marked.of(source)
        buffer = Buffer(self, uri, marked.text, marked.spans)
        self.buffers.append(buffer)
        item = types.TextDocumentItem(uri, language, buffer.version, buffer.text)
        buffer.seen = len(self.client.publications)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return buffer

    async def open_kernel(self, source: str, name: str = "kernel.cl") -> Buffer:
        """Opens a buffer for a file of the folder, which need not exist."""
        return await self.open((self.folder / name).as_uri(), source)

    async def run(self, command: types.Command) -> None:
        """Runs a command of the server."""
        await self.client.workspace_execute_command_async(
            types.ExecuteCommandParams(command.command, arguments=command.arguments)
        )

    def messages(self) -> list[str]:
        """The messages shown to the user."""
        return [message.message for message in self.client.messages]


@dataclass(slots=True)
class Buffer:
    """An open document as the editor has it."""

    editor: Editor
    uri: str
    text: str
    spans: tuple[tuple[int, int], ...] = ()
    version: int = 1
    seen: int = 0
    """The number of publications when the displayed diagnostics became outdated."""
    result_id: str | None = None
    closed: bool = False
    _identifier: types.TextDocumentIdentifier = field(init=False)

    def __post_init__(self) -> None:
        self._identifier = types.TextDocumentIdentifier(self.uri)

    def change(self, *edits: tuple[int, int, str]) -> None:
        """Replaces characters by text; sends several edits in one notification, each relative to the result of the last."""
        changes: list[types.TextDocumentContentChangeEvent] = []
        for start, end, new in edits:
            where = range_of(self.text, (start, end), self.editor.encoding)
            changes.append(types.TextDocumentContentChangePartial(where, new))
            self.text = self.text[:start] + new + self.text[end:]
        self.version += 1
        self.outdate()
        self.editor.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self.version, self.uri), changes
            )
        )

    def replace(self, old: str, new: str) -> None:
        """Replaces the only occurrence of `old` by `new`."""
        assert self.text.count(old) == 1
        start = self.text.index(old)
        self.change((start, start + len(old), new))

    def outdate(self) -> None:
        """Marks everything published so far as outdated."""
        self.seen = len(self.editor.client.publications)

    def close(self) -> None:
        """Closes the buffer."""
        self.closed = True
        self.outdate()
        self.editor.client.text_document_did_close(types.DidCloseTextDocumentParams(self._identifier))

    async def diagnostics(self) -> list[types.Diagnostic]:
        """The diagnostics of the present version: pulled, or the next ones pushed."""
        if self.editor.pulls:
            report = await self.editor.client.text_document_diagnostic_async(
                types.DocumentDiagnosticParams(self._identifier)
            )
            assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
            self.result_id = report.result_id
            return list(report.items)
        return await self.published(self.version)

    async def published(self, version: int | None) -> list[types.Diagnostic]:
        """The next pushed diagnostics for this version, or for the closed buffer (None)."""

        def mine() -> list[types.PublishDiagnosticsParams]:
            pushed = self.editor.client.publications[self.seen :]
            return [each for each in pushed if each.uri == self.uri and each.version == version]

        await self.editor.client.until(mine)
        return list(mine()[-1].diagnostics)

    async def errors(self) -> list[tuple[str, str]]:
        """The code and the marked text of every error."""
        return self._errors_of(await self.diagnostics())

    async def comes_to(self, errors: list[tuple[str, str]]) -> None:
        """Waits until exactly these errors are displayed; see `comes_to_show`."""
        await self.comes_to_show(self._errors_of, errors)

    async def comes_to_show(self, of: Callable[[list[types.Diagnostic]], T], expected: T) -> None:
        """Waits until the newest diagnostics of the current buffer satisfy this.

        Used after a change of another document, a file, an option or the project scan: diagnostics computed before the
        change may still arrive, and none arrive if the change makes no difference.
        """
        late = asyncio.get_running_loop().time() + PATIENCE
        while (shown := await self.newest()) is None or of(shown) != expected:
            if asyncio.get_running_loop().time() > late:
                assert shown is not None, "nothing is shown"
                assert of(shown) == expected
            await asyncio.sleep(0.02)

    async def newest(self) -> list[types.Diagnostic] | None:
        """The diagnostics displayed for this version; None if nothing was pushed yet."""
        if self.editor.pulls:
            return await self.diagnostics()
        for each in reversed(self.editor.client.publications):
            if each.uri == self.uri and each.version == self.version:
                return list(each.diagnostics)
        return None

    def _errors_of(self, diagnostics: list[types.Diagnostic]) -> list[tuple[str, str]]:
        return [
            (str(each.code), self.covered(each.range))
            for each in diagnostics
            if each.severity is types.DiagnosticSeverity.Error
        ]

    def covered(self, where: types.Range) -> str:
        """The text in a range."""
        start, end = (character(self.text, place, self.editor.encoding) for place in (where.start, where.end))
        return self.text[start:end]

    async def hover(self, at: int) -> types.Hover | None:
        """The hover text at a character."""
        return await self.editor.client.text_document_hover_async(
            types.HoverParams(self._identifier, position(self.text, at, self.editor.encoding))
        )

    async def hover_text(self, at: int) -> str:
        """The text of a hover, which must exist."""
        hover = await self.hover(at)
        assert hover is not None
        assert isinstance(hover.contents, types.MarkupContent)
        return hover.contents.value

    async def actions(
        self, span: tuple[int, int], only: Sequence[types.CodeActionKind | str] | None = None
    ) -> list[types.CodeAction]:
        """The quick-fixes for some characters."""
        found = await self.editor.client.text_document_code_action_async(
            types.CodeActionParams(
                self._identifier,
                range_of(self.text, span, self.editor.encoding),
                types.CodeActionContext([], only=only),
            )
        )
        actions = [action for action in found or () if isinstance(action, types.CodeAction)]
        assert len(actions) == len(found or ())
        return actions

    def after(self, action: types.CodeAction) -> str:
        """The text after an action."""
        assert action.edit is not None
        assert action.edit.changes is not None
        assert list(action.edit.changes) == [self.uri]
        return edited(self.text, list(action.edit.changes[self.uri]), self.editor.encoding)

    def apply(self, action: types.CodeAction) -> None:
        """Applies an action, as an editor does: as edits of its own."""
        whole = self.after(action)
        assert action.edit is not None
        assert action.edit.changes is not None
        edits = sorted(
            action.edit.changes[self.uri],
            key=lambda edit: (edit.range.start.line, edit.range.start.character),
            reverse=True,
        )
        changes: list[types.TextDocumentContentChangeEvent] = [
            types.TextDocumentContentChangePartial(edit.range, edit.new_text) for edit in edits
        ]
        self.text = whole
        self.version += 1
        self.outdate()
        self.editor.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self.version, self.uri), changes
            )
        )


def server_command() -> list[str]:
    """The command that starts the server from the package that these tests import."""
    return [sys.executable, "-m", "openclsp", "server"]
