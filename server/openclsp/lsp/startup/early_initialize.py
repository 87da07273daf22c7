"""Answers the request `initialize` before the rest of the server is loaded.

In the answer, only the position encoding, the diagnostics provider and the rename provider depend on the
client. The rest is read from `capabilities.json`, which is generated from pygls' own answer: see
`capabilities`. This module imports as little as possible, because the client waits for the answer.
"""

from __future__ import annotations

import json
import os

from openclsp import __version__
from openclsp.lsp.transport.message_decoding import decode_message
from openclsp.lsp.transport.message_writer import frame_message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from openclsp.lsp.transport.message_writer import MessageWriter

CAPABILITIES_FILE = os.path.join(os.path.dirname(__file__), "capabilities.json")

SUPPORTED_ENCODINGS = ("utf-8", "utf-16", "utf-32")


def answer_initialize_early(body: bytes | None, output: MessageWriter) -> int | str | None:
    """Answers the first message if it is a well-formed `initialize`.

    Returns the request's id if it was answered, otherwise None. The caller must still handle the message, but
    must not answer it again. Raises BrokenPipeError if the client is gone.
    """
    try:
        message = decode_message(body or b"null")
        if message["method"] != "initialize" or not isinstance(message["id"], int | str):
            return None
        result = early_initialize_result(message["params"]["capabilities"])
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    response = {"jsonrpc": "2.0", "id": message["id"], "result": result}
    data = json.dumps(response, separators=(",", ":")).encode()
    output.write(frame_message(data))
    identifier: int | str = message["id"]
    return identifier


def early_initialize_result(client: dict[str, Any]) -> dict[str, Any]:
    """Returns the result of `initialize` for a client; `client` contains the client's capabilities."""
    encoding, pulls = negotiate_encoding(client), _pulls_diagnostics(client)
    with open(CAPABILITIES_FILE, encoding="utf-8") as file:
        capabilities = json.load(file)
    if not pulls:
        del capabilities["diagnosticProvider"]
    if not _prepares_renames(client):
        capabilities["renameProvider"] = True
    return {
        "capabilities": {"positionEncoding": encoding, **capabilities},
        "serverInfo": {"name": "openclsp", "version": __version__},
    }


def negotiate_encoding(capabilities: dict[str, Any]) -> str:
    """Returns the supported encoding that the client prefers most.

    Returns UTF-16 if the client states no preference (LSP 3.17, "positionEncodings").
    """
    general = capabilities.get("general") or {}
    wanted = general.get("positionEncodings") or () if isinstance(general, dict) else ()
    return next((each for each in wanted if each in SUPPORTED_ENCODINGS), "utf-16")


def _prepares_renames(capabilities: dict[str, Any]) -> bool:
    """Whether the client supports `prepareRename`.

    If not, the server must not send rename options (LSP 3.17, "Rename").
    """
    rename = (capabilities.get("textDocument") or {}).get("rename") or {}
    return isinstance(rename, dict) and bool(rename.get("prepareSupport"))


def _pulls_diagnostics(capabilities: dict[str, Any]) -> bool:
    """Whether the client pulls diagnostics and supports their refresh.

    The result must agree with `ClientCapabilities.pulls_diagnostics`.
    """
    pulls = (capabilities.get("textDocument") or {}).get("diagnostic") is not None
    refreshes = ((capabilities.get("workspace") or {}).get("diagnostics") or {}).get("refreshSupport")
    return pulls and bool(refreshes)
