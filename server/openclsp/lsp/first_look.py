"""Analyses the document that the client opens first, before pygls is imported.

Loading pygls takes longer than analysing a kernel, and a client that has just started the server waits for
the diagnostics of that document only. This module publishes them early.

It does not handle messages: the server handles all of them afterwards in order, and reuses the analysis. If
the messages differ from the usual sequence, everything is left to the server. A client that pulls diagnostics
gets no early answer.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from openclsp.lsp.arriving import Arriving
from openclsp.lsp.client import Client
from openclsp.lsp.early_answer import encoding_for
from openclsp.lsp.messages import message_of
from openclsp.lsp.outgoing import Outgoing, framed

if TYPE_CHECKING:
    from openclsp.lsp.documents import OpenDocument
    from openclsp.lsp.session import Session
    from openclsp.source.text import Encoding

ASKED = "openclsp/settings"
"""The id of the early `workspace/configuration` request."""

_PATIENCE = 0.05
"""Seconds to wait for the messages that a client sends immediately after it may."""

_CHANGES_NOTHING = frozenset(("initialized", "textDocument/didOpen", "textDocument/didSave"))


class Told(NamedTuple):
    """The diagnostics that were published, with their document and its version."""

    uri: str
    version: int
    diagnostics: bytes


class FirstLook:
    """The state left by the early analysis, for the server to take over.

    `asked`: whether the client's settings were requested. `told`: the diagnostics that were published.
    """

    def __init__(self) -> None:
        self.asked = False
        self.session: Session | None = None
        self.told: Told | None = None


class _Unusual(Exception):
    """Raised if a message does not fit the usual sequence at start-up."""


def first_look(introduction: bytes, arriving: Arriving, outgoing: Outgoing) -> FirstLook:
    """Analyses the document that the client opens first, and publishes its diagnostics.

    `introduction` is the request `initialize`, which has been answered. Raises BrokenPipeError if the client
    is gone.
    """
    found = FirstLook()
    try:
        _look(message_of(introduction)["params"], arriving, outgoing, found)
    except BrokenPipeError:
        raise
    except _Unusual:
        pass
    except Exception:
        import logging

        logging.getLogger("openclsp").exception("the first look failed")
        found.session = None
    return found


def _look(params: dict[str, Any], arriving: Arriving, outgoing: Outgoing, found: FirstLook) -> None:
    client = Client.of(params["capabilities"], encoding_for(params["capabilities"]))
    if client.pulls:
        return
    messages = _Messages(arriving)
    messages.next("initialized")
    try:
        folders = _folders(params)
    except (AttributeError, KeyError, TypeError):
        raise _Unusual from None
    if client.has_configuration:
        outgoing.write(framed(_question(folders)))
        found.asked = True

    # These imports take place while the client prepares its answer.
    from openclsp.lsp.session import Session
    from openclsp.lsp.settings import by_scope, parse_settings, scopes_of
    from openclsp.lsp.shown import publication, shown_of
    from openclsp.lsp.superseded import Superseded
    from openclsp.lsp.world import World

    initial, _ = parse_settings(params.get("initializationOptions"))
    settings = {"": initial}
    if client.has_configuration:
        values = messages.answer()
        settings, _ = by_scope(dict(zip(scopes_of(folders), values, strict=False)), initial)
    document = _opened(messages.next("textDocument/didOpen"), client.encoding)

    def check() -> None:
        if messages.moot():
            raise Superseded

    found.session = session = Session()
    world = World(documents={document.name: document}, folders=folders, settings=settings)
    try:
        analysed = session.analysed(document, world, check)
        if analysed is None:
            return
        diagnostics = shown_of(analysed, client, flow_waits=True)
    except Superseded:
        return
    found.told = Told(document.uri, document.version, diagnostics)
    outgoing.write(framed(publication(*found.told)))
    session.settle()


def _question(folders: tuple[str, ...]) -> bytes:
    from openclsp.lsp.settings import SECTION, scopes_of
    from openclsp.lsp.uris import uri_of

    items = [
        {"section": SECTION} | ({"scopeUri": uri_of(scope)} if scope else {}) for scope in scopes_of(folders)
    ]
    question = {
        "jsonrpc": "2.0",
        "id": ASKED,
        "method": "workspace/configuration",
        "params": {"items": items},
    }
    return json.dumps(question).encode()


def _folders(params: dict[str, Any]) -> tuple[str, ...]:
    from openclsp.lsp.uris import is_file, name_of

    uris = [each["uri"] for each in params.get("workspaceFolders") or ()] or [params.get("rootUri") or ""]
    return tuple(name for name in map(name_of, uris) if is_file(name))


def _opened(message: dict[str, Any], encoding: Encoding) -> OpenDocument:
    from openclsp.lsp.documents import opened

    try:
        item = message["params"]["textDocument"]
        uri, language, version, text = (item[name] for name in ("uri", "languageId", "version", "text"))
    except (AttributeError, KeyError, TypeError):
        raise _Unusual from None
    if not isinstance(version, int) or not all(isinstance(each, str) for each in (uri, language, text)):
        raise _Unusual
    return opened(uri, language, version, text, encoding=encoding)


class _Messages:
    """The messages that have arrived, decoded as far as they were inspected."""

    def __init__(self, arriving: Arriving) -> None:
        self._arriving = arriving
        self._until = time.monotonic() + _PATIENCE
        self._looked_at: list[dict[str, Any]] = []

    def next(self, method: str) -> dict[str, Any]:
        """The first message with this method; requests before it are left to the server."""
        return next(each for each in self._every() if each.get("method") == method)

    def answer(self) -> list[Any]:
        """The result of the request for the client's settings."""
        values = next(each for each in self._every() if each.get("id") == ASKED and "method" not in each)[
            "result"
        ]
        if not isinstance(values, list):
            raise _Unusual
        return values

    def moot(self) -> bool:
        """Whether a message has arrived that may invalidate the analysis in progress."""
        try:
            while len(self._arriving) > len(self._looked_at):
                self._look_at_next()
        except _Unusual:
            return True
        return False

    def _every(self) -> Iterator[dict[str, Any]]:
        yield from tuple(self._looked_at)
        self._until = max(self._until, time.monotonic() + _PATIENCE)
        while True:
            yield self._look_at_next()

    def _look_at_next(self) -> dict[str, Any]:
        body = self._arriving.get(len(self._looked_at), self._until)
        try:
            message = message_of(body or b"null")
        except ValueError:
            raise _Unusual from None
        if not isinstance(message, dict):
            raise _Unusual
        # A request changes nothing and can wait, except `shutdown`; a response has an id too, and no method.
        method, asks = str(message.get("method", "")), "id" in message
        harmless = method != "shutdown" if asks else method in _CHANGES_NOTHING or method.startswith("$/")
        if not harmless:
            raise _Unusual
        self._looked_at.append(message)
        return message
