"""The answer to `initialize`, given before the rest of the server is loaded: a client waits for nothing else so long.

Of the answer, the position encoding depends on the client, and whether it may pull diagnostics. The rest stands in `capabilities.json`, which is made from
what pygls would answer: see `capabilities`. Imports as little as possible.
"""

from __future__ import annotations

import json
import os

from openclsp import __version__
from openclsp.lsp.messages import message_of
from openclsp.lsp.outgoing import framed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from openclsp.lsp.outgoing import Outgoing

OFFERED = os.path.join(os.path.dirname(__file__), "capabilities.json")

ENCODINGS = ("utf-8", "utf-16", "utf-32")


def answer_early(body: bytes | None, output: Outgoing) -> int | str | None:
    """Answers the first message if it is the request `initialize`, well-formed; its identifier, None if it is not.

    The message still has to be handled, without another answer. Raises BrokenPipeError where the client is gone.
    """
    try:
        message = message_of(body or b"null")
        if message["method"] != "initialize" or not isinstance(message["id"], int | str):
            return None
        told = result(message["params"]["capabilities"])
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    answer = {"jsonrpc": "2.0", "id": message["id"], "result": told}
    data = json.dumps(answer, separators=(",", ":")).encode()
    output.write(framed(data))
    identifier: int | str = message["id"]
    return identifier


def result(client: dict[str, Any]) -> dict[str, Any]:
    """The result of `initialize` for a client with these capabilities."""
    encoding, pulls = encoding_for(client), _pulls(client)
    with open(OFFERED, encoding="utf-8") as file:
        offered = json.load(file)
    if not pulls:
        del offered["diagnosticProvider"]
    return {
        "capabilities": {"positionEncoding": encoding, **offered},
        "serverInfo": {"name": "openclsp", "version": __version__},
    }


def encoding_for(capabilities: dict[str, Any]) -> str:
    """The first of the client's encodings that we know; UTF-16 where it names none (LSP 3.17, "positionEncodings")."""
    general = capabilities.get("general") or {}
    wanted = general.get("positionEncodings") or () if isinstance(general, dict) else ()
    return next((each for each in wanted if each in ENCODINGS), "utf-16")


def _pulls(capabilities: dict[str, Any]) -> bool:
    """Whether the client asks for diagnostics and can be told to ask again: as `Client.pulls`."""
    asks = (capabilities.get("textDocument") or {}).get("diagnostic") is not None
    told = ((capabilities.get("workspace") or {}).get("diagnostics") or {}).get("refreshSupport")
    return asks and bool(told)
