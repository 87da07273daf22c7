"""Generates `capabilities.json`: the server capabilities that pygls derives from the registered features.

    python -m openclsp.lsp.startup.capabilities

writes the file, from which `initialize` is answered before pygls is imported. Run it after adding a feature;
a test compares the file with the answer of pygls.
"""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

from lsprotocol import types
from pygls.io_ import StdoutWriter

from openclsp.lsp.startup.early_initialize import CAPABILITIES_FILE
from openclsp.lsp.startup.server import create_server


def pygls_initialize_result(client: dict[str, Any]) -> dict[str, Any]:
    """Returns the result of `initialize` that pygls computes for a client.

    `client` contains the client's capabilities.
    """
    server, output = create_server(), BytesIO()
    server.protocol.set_writer(StdoutWriter(output), include_headers=False)
    params = {"processId": None, "rootUri": None, "capabilities": client}
    request = {"jsonrpc": "2.0", "id": 1, "method": types.INITIALIZE, "params": params}
    server.protocol.receive(json.dumps(request).encode())
    found: dict[str, Any] = json.loads(output.getvalue())["result"]
    return found


def serialize_capabilities() -> str:
    """Returns the content of `capabilities.json`.

    It has every capability that any client gets, except the position encoding.
    """
    text_document = {"diagnostic": {}, "rename": {"prepareSupport": True}}
    pulling = {"textDocument": text_document, "workspace": {"diagnostics": {"refreshSupport": True}}}
    capabilities = pygls_initialize_result(pulling)["capabilities"]
    del capabilities["positionEncoding"]
    return json.dumps(capabilities, indent=2, sort_keys=True) + "\n"


def main() -> None:
    """Writes `capabilities.json`."""
    with open(CAPABILITIES_FILE, "w", encoding="utf-8") as file:
        file.write(serialize_capabilities())


if __name__ == "__main__":
    main()
