"""The first look at a document, before there is a server: whoever starts it opens a document at once, and waits for nothing but
what is to be said of it. To load pygls takes longer than to analyse a kernel.

Nothing is handled here: all messages are handled by the server afterwards, as they came, and it finds what is analysed. Whatever
is not as usual is left to it altogether. A client that asks for diagnostics by itself gets no answer before there is a server.
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
"""The identifier of the request for the client's settings."""

_PATIENCE = 0.05
"""Seconds that are waited for what a client sends as soon as it may."""

_CHANGES_NOTHING = frozenset(("initialized", "textDocument/didOpen", "textDocument/didSave"))


class Told(NamedTuple):
    """What was published, of which version of which document."""

    uri: str
    version: int
    diagnostics: bytes


class FirstLook:
    """What was done before there is a server: whether the client was asked for its settings, the analysis, what was told."""

    def __init__(self) -> None:
        self.asked = False
        self.session: Session | None = None
        self.told: Told | None = None


class _Unusual(Exception):
    """Something is not as it is wherever a client opens a document at once."""


def first_look(introduction: bytes, arriving: Arriving, outgoing: Outgoing) -> FirstLook:
    """Looks at the document that the client opens at once, where it does. `introduction` is the request `initialize`, which is
    answered already. Raises BrokenPipeError where the client is gone."""
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

    # while the client answers
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
    """The messages that have come, as far as they were looked at."""

    def __init__(self, arriving: Arriving) -> None:
        self._arriving = arriving
        self._until = time.monotonic() + _PATIENCE
        self._looked_at: list[dict[str, Any]] = []

    def next(self, method: str) -> dict[str, Any]:
        """The first message of this method; requests, which wait for the server, may come before it."""
        return next(each for each in self._every() if each.get("method") == method)

    def answer(self) -> list[Any]:
        """The client's settings."""
        values = next(each for each in self._every() if each.get("id") == ASKED and "method" not in each)[
            "result"
        ]
        if not isinstance(values, list):
            raise _Unusual
        return values

    def moot(self) -> bool:
        """Whether a message has come that may make another thing of what is looked at."""
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
        method, asks = str(message.get("method", "")), "id" in message
        harmless = method != "shutdown" if asks else method in _CHANGES_NOTHING or method.startswith("$/")
        if not harmless:
            raise _Unusual
        self._looked_at.append(message)
        return message
